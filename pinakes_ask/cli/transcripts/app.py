"""The group of commands about stored transcripts."""

from __future__ import annotations

import typer

from pinakes_ask.cli.transcripts import diff_runs, list_runs, serve, show_run, site, verify_runs

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


transcripts.command("list")(list_runs.list_)
transcripts.command()(show_run.show)
transcripts.command()(diff_runs.diff)
transcripts.command()(verify_runs.verify)
transcripts.command()(site.site)
transcripts.command()(serve.serve)
