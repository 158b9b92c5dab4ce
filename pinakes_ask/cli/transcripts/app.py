"""The group of commands about stored transcripts."""

from __future__ import annotations

import typer

from pinakes_ask.cli.transcripts import (
    diff_runs,
    links_of_runs,
    list_runs,
    recover_runs,
    replay_run,
    rescore_runs,
    review_run,
    serve,
    show_run,
    site,
    stats_runs,
    verify_runs,
)

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
for command in (
    show_run.show,
    review_run.review,
    diff_runs.diff,
    verify_runs.verify,
    replay_run.replay,
    rescore_runs.rescore,
    stats_runs.stats,
    links_of_runs.links,
    recover_runs.recover,
    site.site,
    serve.serve,
):
    transcripts.command()(command)
