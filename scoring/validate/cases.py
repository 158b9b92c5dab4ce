"""Answers of known truth: every rendering and every damage of a world, with the verdict they must get."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from retrieval.text import name_key, parse_date
from scoring.types import BRANCH_FORMS, Branch, Coreference, Extraction, Proposition, Role, Triple
from scoring.validate.wording import joined, pronoun, respell, sentence
from scoring.validate.worlds import World
from scoring.verdict import FailureClass


@dataclass(frozen=True, slots=True)
class Part:
    """One statement to come: its facts, its text, and what its pronouns stand for."""

    triples: tuple[Triple, ...]
    text: str
    role: Role = "body"
    coreferences: tuple[Coreference, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """An answer whose scores are known.

    ``used`` of its body propositions carry the reasoning, so E must be ``used / body``; 0 means C = 0.
    """

    world: World
    rendering: str
    damage: str
    parts: tuple[Part, ...]
    used: int
    failure_class: FailureClass | None = None
    short_answer: str = ""
    reinferred: str = ""
    aliases: tuple[tuple[str, ...], ...] = ()
    branches: tuple[Branch, ...] | None = None
    replaced: dict[str, str] = field(default_factory=dict)

    @property
    def completeness(self) -> int:
        """The true C."""
        return int(self.used > 0)

    @property
    def essentiality(self) -> float:
        """The true E."""
        body = sum(part.role == "body" for part in self.parts)
        return self.used / body if self.used else 0.0

    @property
    def gold(self) -> list[str]:
        """The reference answer and its aliases, by the names this answer uses."""
        return [self.name(self.world.answer), *self.world.answer_aliases]

    def name(self, original: str) -> str:
        """Return the name that this answer uses for an entity of the world."""
        return self.replaced.get(original, original)

    def oracle(self) -> Extraction:
        """Return the perfect extraction."""
        return Extraction(
            propositions=tuple(
                Proposition(part.text, part.triples, place, part.role, part.coreferences)
                for place, part in enumerate(self.parts)
            ),
            question_entities=tuple(self.name(entity) for entity in self.world.question_entities),
            form=self.world.form,
            plan_hops=max(map(len, self.world.branch_facts), default=len(self.world.facts)),
            aliases=(*self.world.aliases, *self.aliases),
            branches=self.branches,
            operator=self.world.operator,
            reinferred=self.reinferred,
        )


def build_cases(world: World) -> Iterator[Case]:
    """Yield every rendering of ``world`` undamaged, and every damage in the template rendering."""
    base = _case(world, "template", _parts(world))
    yield base
    yield from _renderings(world, base)
    yield from _additions(world, base)
    yield from _removals(world, base)
    yield from _answers(world, base)


def _case(world: World, rendering: str, parts: Sequence[Part], **changes: object) -> Case:
    case = Case(
        world, rendering, "none", tuple(parts), len(parts), None, world.answer, world.answer, (), world.branches
    )
    return replace(case, **changes)  # type: ignore[arg-type]


def _parts(world: World) -> list[Part]:
    return [Part(fact, joined([sentence(triple) for triple in fact])) for fact in world.facts]


# Renderings: other words, the same verdict.


def _renderings(world: World, base: Case) -> Iterator[Case]:
    parts = list(base.parts)
    yield replace(base, rendering="reordered", parts=tuple(reversed(parts)))
    shuffled = list(parts)
    random.Random(world.id).shuffle(shuffled)
    yield replace(base, rendering="permuted", parts=tuple(shuffled))
    for first, second in _consecutive(world):
        merged = Part(
            (*parts[first].triples, *parts[second].triples),
            joined([sentence(t) for place in (first, second) for t in parts[place].triples]),
        )
        rest = [part for place, part in enumerate(parts) if place not in (first, second)]
        yield replace(base, rendering="merged", parts=(merged, *rest), used=len(parts) - 1)
        break
    spoken = _with_pronouns(world, parts)
    if spoken != parts:
        yield replace(base, rendering="pronouns", parts=tuple(spoken))
    names = sorted({name for fact in world.facts for t in fact for name in (t.subject, t.object)})
    named = [name for name in names if parse_date(name) is None and not name[:1].isdigit()]
    keys = sorted({name_key(name) for name in named})
    invented = {name: f"Varn{_letters(keys.index(name_key(name)))}" for name in named}
    yield _renamed(base, "renamed", invented)
    inner = {t.object for fact in world.facts[:1] for t in fact} & set(named)
    if inner and len(world.facts) > 1:
        # Every other mention of one entity by another name, which the alias table knows.
        one = min(inner)
        swapped = [
            replace_names(part, {one: invented[one]}) if place else part for place, part in enumerate(parts)
        ]
        yield replace(base, rendering="aliases", parts=tuple(swapped), aliases=((one, invented[one]),))
    dates = {name: respell(name) for name in names if respell(name) != name}
    if dates:
        yield replace(base, rendering="dates", parts=tuple(replace_names(part, dates) for part in parts))


def _letters(place: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[place % 26] + "en" * (1 + place // 26)


def _renamed(base: Case, rendering: str, names: dict[str, str]) -> Case:
    def new(text: str) -> str:
        return names.get(text, text)

    return replace(
        base,
        rendering=rendering,
        parts=tuple(replace_names(part, names) for part in base.parts),
        short_answer=new(base.short_answer),
        reinferred=new(base.reinferred),
        aliases=tuple(tuple(map(new, group)) for group in base.world.aliases),
        branches=base.branches and tuple(Branch(new(b.entity), new(b.value or "")) for b in base.branches),
        replaced=names,
    )


def replace_names(part: Part, names: dict[str, str]) -> Part:
    """Return the part with names exchanged, in its facts and, wherever they are said, in its text."""
    triples = tuple(
        replace(t, subject=names.get(t.subject, t.subject), object=names.get(t.object, t.object))
        for t in part.triples
    )
    return Part(triples, joined([sentence(triple) for triple in triples]), part.role, part.coreferences)


def _consecutive(world: World) -> Iterator[tuple[int, int]]:
    for first, fact in enumerate(world.facts):
        for second in range(first + 1, len(world.facts)):
            if {t.object for t in fact} & {t.subject for t in world.facts[second]}:
                yield first, second


def _with_pronouns(world: World, parts: list[Part]) -> list[Part]:
    spoken = list(parts)
    for first, second in _consecutive(world):
        if second == first + 1 and len(parts[second].triples) == 1 and parts[second].text == spoken[second].text:
            triple = parts[second].triples[0]
            word = pronoun(triple)
            said = replace(triple, subject=word)
            spoken[second] = Part(
                (said,),
                joined([sentence(said)]),
                coreferences=(Coreference(word, triple.subject),),
            )
    return spoken


# Damages.


def _fact(subject: str, relation: str, value: str, role: Role = "body") -> Part:
    triple = Triple(subject, relation, value)
    return Part((triple,), joined([sentence(triple)]), role)


def _additions(world: World, base: Case) -> Iterator[Case]:
    first = world.facts[0][0]
    added = {
        "connected fact": [_fact(first.subject, "neighbour", "Quillby")],
        "disconnected fact": [_fact("Ostrava Glass", "publisher", "Quillby Press")],
        "duplicate fact": [base.parts[0]],
        "detour": [_fact(first.subject, "neighbour", "Quillby"), _fact("Quillby", "neighbour", first.object)],
    }
    for damage, extra in added.items():
        yield replace(base, damage=damage, parts=(*base.parts, *extra))
    yield replace(base, damage="conclusion", parts=(*base.parts, _conclusion(world)))
    halves = [_fact(first.subject, "deputy", "Quillby"), _fact("Quillby", first.relation, first.object)]
    if len(world.facts[0]) == 1:
        yield replace(base, damage="split hop", parts=(*halves, *base.parts[1:]), used=base.used + 1)


def _conclusion(world: World) -> Part:
    asked, answer = world.question_entities[0], world.answer
    value = answer if world.form not in BRANCH_FORMS else world.question_entities[1]
    return Part((Triple(asked, "answer", value),), f"So for {asked} the answer is {answer}.", "head")


def _removals(world: World, base: Case) -> Iterator[Case]:
    branch = world.form in BRANCH_FORMS
    for gone in range(len(base.parts)):
        left = base.parts[:gone] + base.parts[gone + 1 :]
        failure = _class_without(world, gone)
        yield replace(base, damage="dropped hop", parts=left, used=0, failure_class=failure)
        if not branch:
            concluded = (*left, _conclusion(world))
            used = 0
            # In an intersection the conclusion names one question entity only.
            ends = world.form == "chain" or _class_without(world, gone) == "answer_unstated"
            if ends and world.form == "chain":
                yield replace(
                    base, damage="dropped hop, conclusion", parts=concluded, used=used, failure_class="head_only"
                )
    last = len(base.parts) - 1
    negated = tuple(replace(triple, negated=True) for triple in base.parts[last].triples)
    part = Part(negated, joined([sentence(triple) for triple in negated]))
    yield replace(
        base, damage="negated", parts=(*base.parts[:last], part), used=0, failure_class=_class_without(world, last)
    )
    if branch:
        for place, facts in enumerate(world.branch_facts):
            left = tuple(part for number, part in enumerate(base.parts) if number not in facts)
            value = base.branches[place].value if base.branches else None
            if left and value is not None:
                yield replace(base, damage="dropped branch", parts=left, used=0, failure_class="partial_branch")
    elif len(world.facts) > 1 and world.form == "chain":
        back = _fact(world.facts[-1][0].subject, "neighbour", world.question_entities[0])
        yield replace(base, damage="cycle", parts=(*base.parts[:-1], back), used=0, failure_class="circular")
        away = _fact(world.facts[-1][0].subject, world.facts[-1][0].relation, "Quillby")
        yield replace(base, damage="deviation", parts=(*base.parts[:-1], away), used=0, failure_class="deviated")


def _class_without(world: World, gone: int) -> FailureClass:
    if world.form in BRANCH_FORMS:
        return "partial_branch"
    if gone == len(world.facts) - 1:
        return "answer_unstated"
    if world.form == "intersection":
        return "partial_branch"
    return "question_unmentioned" if gone == 0 else "broken"


def _answers(world: World, base: Case) -> Iterator[Case]:
    if world.form in BRANCH_FORMS:
        others = {"yes": "no", "no": "yes"}
        names = [entity for entity in world.question_entities if name_key(entity) != name_key(world.answer)]
        other = others.get(world.answer.lower(), names[0] if names else "no")
        yield replace(base, damage="swapped answer", short_answer=other, failure_class="wrong_answer")
        return
    yield replace(base, damage="swapped answer", short_answer="Quillby", failure_class="undetermined")
    wrong = tuple(replace(triple, object="Quillby") for triple in base.parts[-1].triples)
    part = Part(wrong, joined([sentence(triple) for triple in wrong]))
    yield replace(
        base, damage="wrong answer", parts=(*base.parts[:-1], part), used=0, failure_class="wrong_answer",
        short_answer="Quillby", reinferred="Quillby",
    )  # fmt: skip
