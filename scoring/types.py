"""What an answer says, as facts: the frozen input of scoring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pydantic import TypeAdapter

#: ``body``: part of the reasoning. ``head``: the conclusion, which restates question and answer.
#: ``meta``: talk about the answer ("I found no source"), no fact.
Role = Literal["body", "head", "meta"]
#: How the question is built, which decides what has to be connected for it to be answered.
Form = Literal["chain", "comparison", "intersection", "count", "yes/no"]
#: Which of the compared values the question asks for.
Operator = Literal["least", "greatest"]

#: The forms whose answer stands in the question or nowhere, so that branches are checked instead.
BRANCH_FORMS: frozenset[Form] = frozenset({"comparison", "yes/no", "count"})


@dataclass(frozen=True, slots=True)
class Triple:
    """One fact. ``negated`` facts ("was not born in") are kept, and connect nothing."""

    subject: str
    relation: str
    object: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Coreference:
    """A declaration that ``mention`` stands for ``entity`` within one proposition."""

    mention: str
    entity: str


@dataclass(frozen=True, slots=True)
class Proposition:
    """One thing that a statement says. ``statement`` is the 0-based index of that statement."""

    text: str
    triples: tuple[Triple, ...] = ()
    statement: int = 0
    role: Role = "body"
    coreferences: tuple[Coreference, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """One thing that is compared or counted, and the value that was found for it.

    ``value`` is None where the answer states no value for the entity: then the branch is missing.
    """

    entity: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything scoring needs to know about a question and its long answer.

    :ivar question_entities: the entities that the question names.
    :ivar form: the question's form; None is scored as ``chain``.
    :ivar plan_hops: how many facts the question's plan needs in a row; None when there was no plan.
    :ivar aliases: groups of names, each group naming one entity.
    :ivar persons: names known to be persons', the only ones that a last word may stand for.
    :ivar branches: the compared or counted things; None when they are not known.
    :ivar operator: which of the compared values is asked for; None when not known.
    :ivar reinferred: the short answer inferred from the long answer alone; "" when nothing could be
        inferred, None when nobody tried.
    :ivar reinferred_by: who inferred it, e.g. ``same-model``.
    :ivar not_reinferred: why nothing was inferred although it was tried; None otherwise.
    :ivar dropped: ``(reason, count)`` of what was extracted and then refused.
    :ivar failed: why there is no extraction; None when there is one.
    :ivar method: how it was made: ``given``, ``rules``, ``patterns`` or ``model``.
    """

    propositions: tuple[Proposition, ...] = ()
    question_entities: tuple[str, ...] = ()
    form: Form | None = None
    plan_hops: int | None = None
    aliases: tuple[tuple[str, ...], ...] = ()
    persons: tuple[str, ...] = ()
    branches: tuple[Branch, ...] | None = None
    operator: Operator | None = None
    reinferred: str | None = None
    reinferred_by: str | None = None
    not_reinferred: str | None = None
    dropped: tuple[tuple[str, int], ...] = ()
    failed: str | None = None
    method: str = "given"

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary of plain JSON values, from which :meth:`from_json` makes an equal one."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Extraction:
        """Return the extraction that ``data`` describes.

        :raises pydantic.ValidationError: where a field is missing or of another type.
        """
        extraction: Extraction = _adapter().validate_python(dict(data))
        return extraction


@cache
def _adapter() -> TypeAdapter[Extraction]:
    from pydantic import TypeAdapter

    return TypeAdapter(Extraction)
