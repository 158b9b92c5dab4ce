"""The group of commands about stored transcripts."""

from __future__ import annotations

import typer

transcripts = typer.Typer(
    name="transcripts",
    help="Review stored transcripts: list, show, compare, verify, replay and accept them.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@transcripts.callback(invoke_without_command=True)
def _group(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
