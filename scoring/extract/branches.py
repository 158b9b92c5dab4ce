"""The branches of a comparison: what is compared, and the value the answer states for each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from retrieval.text import parse_date, parse_number
from scoring.extract.mentions import DATE, NUMBER, PLACE
from scoring.extract.question import compared_entities
from scoring.graph import BODY, Graph, Hyperedge
from scoring.identity import Names
from scoring.types import Branch, Extraction, Form, Proposition, Triple

#: Farther than this from the compared thing, in facts, a value is not taken for its own.
_REACH = 3
_DATES = re.compile(
    r"\b(?:born|died|die|older|younger|oldest|youngest|first|earlier|later|last|released|founded|established|opened"
    r"|published|came out|before|after|recently|formed|started|newer)\b",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"\b(?:more|fewer|larger|smaller|higher|taller|bigger|longer|shorter|population|members|area|most|deeper|height)\b",
    re.IGNORECASE,
)
_DEATH = re.compile(r"\b(?:died|death|dead|killed)\b", re.IGNORECASE)
_BIRTH = re.compile(r"\b(?:born|birth)\b", re.IGNORECASE)
_ORIGIN = re.compile(
    r"\b(?:born|birth|founded|established|built|opened|formed|created|begun|completed|since)\b", re.IGNORECASE
)
#: Words of a question, and the relations of the facts that answer it.
_CUES = (
    (re.compile(r"\b(?:died|die|death)\b", re.IGNORECASE), _DEATH),
    (re.compile(r"\b(?:born|birth)\b", re.IGNORECASE), _BIRTH),
    (re.compile(r"\b(?:older|younger|oldest|youngest|newer)\b", re.IGNORECASE), _ORIGIN),
)


def find_branches(
    question: str,
    form: Form,
    entities: Sequence[str],
    propositions: Sequence[Proposition],
    kinds: Mapping[str, str],
    aliases: Sequence[Sequence[str]] = (),
    persons: Sequence[str] = (),
    plan_hops: int | None = None,
) -> tuple[Branch, ...] | None:
    """Return a branch for each compared entity, or None where fewer than two things are compared.

    A branch's value is the nearest mention of the kind that the question compares (date, number,
    place or nationality) that the body connects to the entity, not by way of another compared
    entity or of a value. It is None where there is none: then the branch is missing.
    """
    entities = compared_entities(question, entities)
    if form not in {"comparison", "yes/no"} or len(entities) < 2:
        return None
    extraction = Extraction(
        propositions=tuple(propositions), aliases=tuple(map(tuple, aliases)), persons=tuple(persons)
    )
    names = Names(extraction)
    compared = list(dict.fromkeys(names.key(entity) for entity in entities))
    if form == "yes/no" and len(compared) == 2 and not re.search(r"\b(?:same|both|or)\b", question, re.IGNORECASE):
        # "Is A in B?" asks whether one thing has one value.
        return (Branch(entities[0], entities[1]),)
    wanted = _wanted(question, form)
    graph = Graph(propositions, names, BODY)
    finder = _Finder(graph, propositions, names, kinds, set(compared), through=(plan_hops or 1) > 1)
    return tuple(
        Branch(entity, finder.value(key, wanted, question))
        for key, entity in {names.key(one): one for one in reversed(entities)}.items()
    )[::-1]


def _wanted(question: str, form: Form) -> str:
    if form == "comparison" and _DATES.search(question):
        return DATE
    return NUMBER if _NUMBERS.search(question) else PLACE


class _Finder:
    def __init__(
        self,
        graph: Graph,
        propositions: Sequence[Proposition],
        names: Names,
        kinds: Mapping[str, str],
        compared: set[str],
        *,
        through: bool,
    ) -> None:
        self._through = through
        self._graph, self._propositions, self._names = graph, propositions, names
        self._kinds, self._compared = kinds, compared

    def value(self, start: str, wanted: str, question: str) -> str | None:
        """Return the nearest value of the wanted kind, None where none is near.

        What is nearer to another compared thing is that thing's. A date has to be stated by the word
        the question asks for ("born", "died"); and where the question asks by way of something else
        (the film's director), what is said of the thing itself is not it.
        """
        mine = self._distances(start, wanted)
        others = [self._distances(other, wanted) for other in self._compared if other != start]
        found = [
            (far, other)
            for other, far in mine.items()
            if far
            and self._is(other, wanted)
            and all(far <= theirs.get(other, far) for theirs in others)
            and (wanted != DATE or self._cued(other, question))
            and (not self._through or self._of_another(other, start, mine))
        ]
        return self._names.label(min(found)[1]) if found else None

    def _distances(self, start: str, wanted: str) -> dict[str, int]:
        """Distances in facts up to the reach, not by way of a compared thing or of a value."""
        distance, queue = {start: 0}, [start]
        for entity in queue:
            if distance[entity] >= _REACH or entity not in self._graph:
                continue
            for edge in self._graph.at[entity]:
                for other in sorted(self._graph.edges[edge].entities - distance.keys()):
                    distance[other] = distance[entity] + 1
                    if other not in self._compared and not self._is(other, wanted):
                        queue.append(other)
        return distance

    def _is(self, key: str, kind: str) -> bool:
        if kind == DATE:
            return parse_date(key) is not None
        if kind == NUMBER:
            return parse_number(key) is not None
        return key not in self._compared and self._kinds.get(key) == kind

    def _cued(self, value: str, question: str) -> bool:
        """Whether a fact states the value by the question's own word: its birth, its death."""
        asked = [cue for word, cue in _CUES if word.search(question)]
        relations = [
            triple.relation
            for edge in self._graph.at[value]
            for triple in self._propositions[self._graph.edges[edge].proposition].triples
            if self._names.key(triple.object) == value
        ]
        if not asked:
            # "Released first": neither a birth nor a death.
            return not any(cue.search(relation) for relation in relations for cue in (_BIRTH, _DEATH))
        return any(cue.search(relation) for cue in asked for relation in relations)

    def _of_another(self, value: str, start: str, near: Mapping[str, int]) -> bool:
        """Whether a fact says the value of something near the entity that is not compared itself."""
        ends = {
            end
            for edge in self._graph.at[value]
            for triple in self._propositions[self._graph.edges[edge].proposition].triples
            for end in self._ends(triple, self._graph.edges[edge])
            if value in self._ends(triple, self._graph.edges[edge])
        }
        return any(near.get(end, 0) > 0 for end in ends - {value, start} - self._compared)

    def _ends(self, triple: Triple, edge: Hyperedge) -> set[str]:
        proposition = self._propositions[edge.proposition]
        return {self._names.key_in(one, proposition, edge.order) for one in (triple.subject, triple.object)}
