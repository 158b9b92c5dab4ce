"""``pnk transcripts serve``: the review site on this machine, with buttons to accept and reject."""

from __future__ import annotations

import secrets
import sys
from typing import Annotated

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import KbOption
from pinakes_ask.cli.options import AsksOption
from pinakes_ask.cli.transcripts.place import find_place
from retrieval.errors import UsageError
from transcripts.errors import TranscriptError

_INTERRUPTED = 130


def serve(
    kb: KbOption = None,
    asks: AsksOption = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port on 127.0.0.1; 0 takes a free one.")
    ] = 0,
    reviewer: Annotated[
        str, typer.Option("--reviewer", metavar="NAME", help="Who judges. Default: the name that git knows.")
    ] = "",
) -> int:
    """Serve the review site on this machine, with buttons to accept and reject, until Ctrl-C.

    It prints the address to open. Only who has that address can read or review.
    """
    place = find_place(kb, asks)
    if not place.asks.is_dir():
        raise TranscriptError(
            f"There are no transcripts in {place.asks}", "there is no such folder", "Ask with 'pnk ask --deep'"
        )
    from pinakes_ask.seams import SystemClock
    from transcripts.git import identity
    from transcripts.site.served import Site
    from transcripts.site.server import serve as listen

    who = " ".join(reviewer.split()) or identity(place.asks)
    if not who:
        raise UsageError(
            "Reviews would have no author",
            "git knows no name for the reviewer",
            "Set git's user.name and user.email, or give --reviewer",
        )

    def ready(address: str) -> None:
        common.print_result(address)
        sys.stdout.flush()
        common.notice(f"Reviews are kept as those of {who}. Ctrl-C ends this.")

    site = Site(
        place.asks,
        library=place.library.resolve().name,
        cache=place.cache,
        reviewer=who,
        now=SystemClock().now,
    )
    try:
        listen(site, port=port, token=secrets.token_urlsafe(24), ready=ready)
    except KeyboardInterrupt:
        return _INTERRUPTED
    return 0
