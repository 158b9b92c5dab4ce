"""The group of commands about files of questions."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from pinakes_ask.cli.batch_merge import merge
from pinakes_ask.cli.batch_run import run


class _RunsByDefault(TyperGroup):
    """``pnk batch QUESTIONS`` is ``pnk batch run QUESTIONS``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command in front of anything that is none."""
        known = (*self.commands, "-h", "--help")
        given = args if args and args[0] in known else ["run", *args] if args else ["--help"]
        return super().parse_args(ctx, given)


batch = typer.Typer(
    name="batch",
    cls=_RunsByDefault,
    help="Answer a file of questions, unattended. `pnk batch QUESTIONS` is short for `pnk batch run QUESTIONS`.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
batch.command()(run)
batch.command()(merge)
