"""The ``pnk`` program: its commands, and how their failures reach the user."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pinakes_ask import __version__
from pinakes_ask.cli import ask, calibrate, config, doctor, init, score, search, sync
from pinakes_ask.cli.batch import batch
from pinakes_ask.cli.common import notice
from pinakes_ask.cli.eval import evaluate
from pinakes_ask.cli.transcripts.app import transcripts
from retrieval.text.errors import PinakesAskError

_NAMES = ("pnk", "pinakes-ask")

app = typer.Typer(
    name="pnk",
    help="Ask hard questions of your own documents, and check the answer's reasoning.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pnk (pinakes-ask) {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for command in (
    init.init,
    sync.sync,
    search.search,
    ask.ask,
    score.score,
    calibrate.calibrate,
    doctor.doctor,
    config.config,
):
    app.command()(command)
app.command(name="eval")(evaluate)
app.add_typer(batch)
app.add_typer(transcripts)


def run(arguments: Sequence[str], program: str = "pnk") -> int:
    """Run one command line and return its exit code; expected failures become one line on stderr.

    :param program: the name it was called by, for its help and for the shell's completion.
    """
    try:
        result = app(args=list(arguments), prog_name=program, standalone_mode=False)
    except typer.TyperException as error:
        message = error.format_message().rstrip(".").replace("\n", " ")
        notice(f"error: The command line cannot be read: {message}. Run 'pnk --help' or 'pnk COMMAND --help'.")
        return error.exit_code
    except typer.Abort:
        notice("error: Stopped: no confirmation was given. Nothing was done.")
        return 1
    except PinakesAskError as error:
        notice(f"error: {error}".replace("\n", " "))
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output has gone; closing it here keeps the interpreter from complaining.
        sys.stderr.close()
        return 1
    return result if isinstance(result, int) else 0


def main() -> None:
    """Entry point of ``pnk`` and ``pinakes-ask``. Output is UTF-8 whatever the terminal's locale says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    called = Path(sys.argv[0]).name
    sys.exit(run(sys.argv[1:], called if called in _NAMES else "pnk"))
