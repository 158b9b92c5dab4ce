"""When two mentions in an answer are one entity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from retrieval.text import name_key
from scoring.types import Extraction, Proposition

#: Words that only point at an entity. Undeclared, each is an entity of its own, joined to nothing.
PRONOUNS = frozenset(
    "he him his himself she her hers herself it its itself they them their theirs themselves this that these "
    "those who whom whose which one former latter there here i we us our you".split()
)
_GROUPS = {"the former", "the latter", "the two", "both", "the other"}


def is_reference(mention: str) -> bool:
    """Return whether a mention is a pronoun or the like, which means nothing without its antecedent.

    Two letters or more in capitals are a name: "WHO" is not "who", nor "US" "us".
    """
    folded = mention.strip().casefold()
    if len(folded) > 1 and mention.isupper():
        return False
    return folded in PRONOUNS or folded in _GROUPS


class Names:
    """The entities of one answer: equal keys are one entity.

    Keys are the normal forms of :func:`retrieval.text.name_key`, joined where a group of aliases
    says so. A single word also joins the one person whose name ends with it, when there is exactly
    one. Nothing is ever matched by a part of a name otherwise: "Mexico" is not "Mexico City".
    """

    def __init__(self, extraction: Extraction, answers: Iterable[Sequence[str]] = ()) -> None:
        self._parent: dict[str, str] = {}
        self._label: dict[str, str] = {}
        for group in [*extraction.aliases, *answers]:
            keys = [name_key(name) for name in group if name.strip()]
            for key in keys[1:]:
                self._join(keys[0], key)
        self._join_last_words(extraction)

    def key(self, mention: str) -> str:
        """Return the entity that ``mention`` names outside any proposition."""
        key = self._find(name_key(mention))
        self._label.setdefault(key, mention.strip())
        return key

    def each(self, answer: str) -> tuple[str, ...]:
        """Return the entities that a short answer names, apart by semicolons, each once."""
        parts = (part for part in answer.split(";") if part.strip())
        return tuple(dict.fromkeys(self.key(part) for part in parts)) or (self.key(answer),)

    def key_in(self, mention: str, proposition: Proposition, content: str) -> str:
        """Return the entity that ``mention`` names in ``proposition``.

        A declared coreference is followed once. An undeclared pronoun is an entity that no other
        proposition can name, known by ``content``, the proposition's content hash.
        """
        for declared in proposition.coreferences:
            if name_key(declared.mention) == name_key(mention):
                mention = declared.entity
                break
        if is_reference(mention):
            key = f"{name_key(mention)}\x00{content}"
            self._label.setdefault(key, mention.strip())
            return key
        return self.key(mention)

    def label(self, key: str) -> str:
        """Return a mention of the entity, as it was first written."""
        return self._label.get(key, key)

    @staticmethod
    def is_unresolved(key: str) -> bool:
        """Return whether the entity is only an undeclared pronoun."""
        return "\x00" in key

    def _join_last_words(self, extraction: Extraction) -> None:
        longer: dict[str, set[str]] = {}
        for person in extraction.persons:
            key = name_key(person)
            if " " in key:
                longer.setdefault(key.rsplit(" ", 1)[1], set()).add(self._find(key))
        for last, keys in longer.items():
            if len(keys) == 1 and last not in PRONOUNS:
                self._join(next(iter(keys)), last)

    def _find(self, key: str) -> str:
        root = key
        while root in self._parent:
            root = self._parent[root]
        while key != root:
            self._parent[key], key = root, self._parent[key]
        return root

    def _join(self, left: str, right: str) -> None:
        left, right = self._find(left), self._find(right)
        if left != right:
            # The smaller key leads, so that the order of the groups changes nothing.
            self._parent[max(left, right)] = min(left, right)
