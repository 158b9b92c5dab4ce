"""Which documents link to which, and what Pinakes calls them."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.hops.links import Linking, resolve
from retrieval.types import Document


def existing_links(documents: Sequence[Document]) -> set[tuple[str, str]]:
    """Return ``(source id, target id)`` of every link that leads from one of ``documents`` to another.

    Wiki links, relative links and those of sidecars count, as search follows them.
    """
    linking = [
        Linking(one.id, one.location, one.title, one.aliases, one.external_id, one.links, (row,))
        for row, one in enumerate(documents)
    ]
    texts = {row: one.text for row, one in enumerate(documents)}
    return {
        (documents[place[0]].id, documents[target].id)
        for place, _, targets in resolve(linking, texts)
        for target in targets
    }


def external_ids(documents: Sequence[Document]) -> dict[str, str]:
    """Return the Pinakes id of each document that has one, by its id here."""
    return {one.id: one.external_id for one in documents if one.external_id}
