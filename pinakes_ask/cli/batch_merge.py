"""``pnk batch merge``: one file of answers from those of several shards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pinakes_ask.cli import common
from retrieval.errors import UsageError


def merge(
    files: Annotated[list[Path], typer.Argument(help="Files of answers, such as those of all shards.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write, replaced as a whole.")],
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            show_default=False,
            help="The questions: their order is taken, and those without a row are counted.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Say nothing when no row failed or lacks.")] = False,
) -> int:
    """Put the answers of several files into one, each question and settings once.

    Of several rows for the same question and settings the last one that did not fail is taken. Ends with 5
    where rows failed, or questions have no row.
    """
    from pinakes_ask.batch.merge import merge_answers
    from pinakes_ask.batch.questions import read_questions

    for file in files:
        if not file.is_file():
            raise UsageError(f"The answers in {file} were not merged", "there is no such file", "Check the path")
    order = None
    if questions is not None:
        try:
            order = [item.id for item in read_questions(questions.read_bytes()).items]
        except OSError as error:
            why = error.strerror or str(error)
            raise UsageError(f"The questions in {questions} cannot be read", why, "Check the path") from error
    merged = merge_answers(files, out, order, common.notice)
    if not quiet or merged.failed or merged.missing:
        missing = f", {merged.missing} questions without a row" if merged.missing else ""
        common.notice(f"{merged.rows} rows in {out}: {merged.failed} failed, {merged.twice} left out{missing}.")
    return 5 if merged.failed or merged.missing else 0
