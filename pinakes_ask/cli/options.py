"""The options of commands that ask questions, each declared once: ``pnk ask``, ``pnk batch`` and ``pnk eval``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

#: Passages for each query; what the configuration says where it is not given.
PassagesOption = Annotated[int | None, typer.Option("-k", min=1, max=100, help="Passages for each query.")]
MaxRoundsOption = Annotated[int | None, typer.Option("--max-rounds", min=1, max=20, help="Rounds at most.")]
ForceAnswerOption = Annotated[
    bool, typer.Option("--force-answer", help="Show the best candidate even where nothing states it.")
]
AsksOption = Annotated[
    Path | None,
    typer.Option("--asks", show_default=False, help="Folder of the transcripts. Default: asks/ in the library."),
]
#: Of a file of questions, not of one.
MaxCostOption = Annotated[
    float | None,
    typer.Option("--max-cost", min=0, help="Money at most, of all questions, in the currency of the prices."),
]
MaxCallsOption = Annotated[
    int | None, typer.Option("--max-calls", min=1, help="Model calls at most, of all questions.")
]
MaxTokensOption = Annotated[
    int | None, typer.Option("--max-tokens", min=1, help="Tokens at most, of all questions.")
]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask before calls that may cost something.")]


def given(**values: Any) -> dict[str, Any]:
    """Return the flags that were given, so that the configuration says the others."""
    return {key: value for key, value in values.items() if value is not None}
