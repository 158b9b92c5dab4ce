"""What a question, or one step of it, asks of the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pinakes_ask.models.extractive.asking import Gap, gap_of
from pinakes_ask.models.extractive.candidates import same_thing
from pinakes_ask.models.extractive.facts import other_names
from pinakes_ask.models.extractive.kinds import Kind, asked_noun, question_kind, without_sort
from pinakes_ask.models.extractive.question import read_question
from pinakes_ask.models.extractive.relations import meanings
from pinakes_ask.tasks import OfferedPassage
from retrieval.text import bare_title, name_key


@dataclass(frozen=True)
class Asked:
    """What a question or one step of it asks.

    :param names: what it names, with the aliases that the evidence declares; :param keys: their normal forms.
    :param words: its words beside the names and the noun that says the answer's sort.
    :param says: all its content words, those of its names too, but for the noun that says the answer's sort.
    :param gap: where the answer stands in its sentence; None where that is not known, and for steps that lead on.
    """

    question: str
    words: str
    names: tuple[str, ...]
    keys: tuple[str, ...]
    kind: Kind
    noun: str
    means: frozenset[str]
    final: bool = True
    gap: Gap | None = None
    says: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, question: str, passages: Sequence[OfferedPassage], *, final: bool = True, known: Sequence[str] = ()
    ) -> Asked:
        """Read ``question`` beside the evidence.

        :param final: unless its answer only leads on; :param known: answers of earlier steps that it names.
        """
        parsed = read_question(question, [*known, *(passage.title for passage in passages)], parse=final)
        names = [mention.text for mention in parsed.names]
        for group in other_names(passages):
            if any(same_thing(one, name) for one in group for name in names):
                names.extend(group)
        named = tuple(dict.fromkeys(names))
        asked = without_sort(parsed.without_names())
        gap = gap_of(parsed) if final else None
        return cls(
            question,
            asked,
            named,
            tuple(name_key(bare_title(name)) for name in named),
            question_kind(question),
            asked_noun(question),
            frozenset(meanings(asked)),
            final,
            gap,
            meanings(question) - (gap.sort if gap is not None else frozenset()),
        )
