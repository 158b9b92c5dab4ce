"""``pnk transcripts links``: links between documents that the runs suggest."""

from __future__ import annotations

from typing import Annotated

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import JsonOption, KbOption
from pinakes_ask.cli.options import AsksOption
from pinakes_ask.cli.transcripts.choosing import ReviewOption, SinceOption, UntilOption, read_choice
from pinakes_ask.cli.transcripts.place import find_place


def links(
    kb: KbOption = None,
    asks: AsksOption = None,
    since: SinceOption = "",
    until: UntilOption = "",
    review: ReviewOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Suggestions at most.")] = 20,
    as_json: JsonOption = False,
) -> int:
    """Suggest links between documents that supported one chain of reasoning together.

    They are printed as Pinakes sidecars state links, the most frequent first, and written nowhere. Pairs
    that are linked already, in either direction, and runs that were rejected are left out.
    """
    from pinakes_ask.documents import read_documents
    from pinakes_ask.linked import existing_links, external_ids
    from transcripts.links import as_sidecars, suggest

    choice = read_choice(since, until, None, None, None, review, "")
    place = find_place(kb, asks)
    runs = choice.of(place.listing().runs)
    documents = [one for _, one in read_documents(place.library) if one] if suggest(runs) else []
    known = {one.id for one in documents}
    new = [one for one in suggest(runs, existing_links(documents)) if {one.source, one.target} <= known]
    identities = external_ids(documents)
    shown = new[:limit]
    if as_json:
        common.print_json(
            {
                "schema_version": 1,
                "count": len(new),
                "links": [
                    {
                        "source": one.source,
                        "target": one.target,
                        "source_id": identities.get(one.source),
                        "target_id": identities.get(one.target),
                        "questions": list(one.questions),
                        "often": one.often,
                    }
                    for one in shown
                ],
            }
        )
        return 0
    if shown:
        common.print_result(as_sidecars(shown, identities).rstrip("\n"))
    more = f", of which {len(shown)} are shown; --limit shows more" if len(shown) < len(new) else ""
    common.notice(f"{len(new)} links are suggested by {len(runs)} runs{more}. None was written.")
    return 0
