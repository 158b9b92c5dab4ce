"""Dividing questions between machines: by the hash of the id, so that a question stays where it is."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from retrieval.errors import UsageError


@dataclass(frozen=True)
class Shard:
    """The part ``number`` of ``count``, counted from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``i/n``.

        :raises UsageError: when it is nothing of the kind.
        """
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
        shard = cls(int(found[1]), int(found[2])) if found else None
        if shard is None or not 1 <= shard.number <= shard.count:
            raise UsageError(
                "Cannot read --shard", f"{text!r} is no part of a whole", "Write it like 1/4, then 2/4, and so on"
            )
        return shard

    def holds(self, identity: str) -> bool:
        """Return whether the question of this id belongs to the part."""
        digest = hashlib.sha256(identity.encode()).digest()
        return int.from_bytes(digest[:8], "big") % self.count == self.number - 1
