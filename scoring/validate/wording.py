"""Gold facts as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.text import parse_date
from scoring.types import Triple

_TEMPLATES = {
    "director": "{s} was directed by {o}",
    "date of birth": "{s} was born on {o}",
    "date of death": "{s} died on {o}",
    "father": "{s}'s father was {o}",
    "mother": "{s}'s mother was {o}",
    "country of citizenship": "{s} was {o}",
    "publication date": "{s} was released in {o}",
    "place of birth": "{s} was born in {o}",
    "place of death": "{s} died in {o}",
    "spouse": "{s} was married to {o}",
    "country of origin": "{s} comes from {o}",
    "country": "{s} is located in {o}",
    "composer": "The music of {s} was composed by {o}",
    "performer": "{s} was performed by {o}",
    "educated at": "{s} was educated at {o}",
    "place of burial": "{s} was buried in {o}",
    "inception": "{s} was founded in {o}",
    "employer": "{s} worked for {o}",
    "award received": "{s} received the {o}",
    "child": "{s} was the parent of {o}",
    "sibling": "{s} was a sibling of {o}",
    "founded by": "{s} was founded by {o}",
    "producer": "{s} was produced by {o}",
    "publisher": "{s} was published by {o}",
}
_THINGS = {
    "director", "publication date", "country of origin", "country", "composer", "performer", "inception",
    "founded by", "producer", "publisher", "capital", "author", "creator", "part of", "named after",
}  # fmt: skip


def sentence(triple: Triple, subject: str | None = None) -> str:
    """Return the fact as a clause without its full stop, with ``subject`` in place of its own if given."""
    who = subject or triple.subject
    template = _TEMPLATES.get(triple.relation)
    if template is None:
        free = "?" in triple.relation or len(triple.relation.split()) > 5 or "#" in triple.relation
        template = "{s} is connected with {o}" if free else "The {r} of {s} is {o}"
    text = template.format(s=who, o=triple.object, r=triple.relation)
    return text.replace(" was ", " was not ", 1).replace(" is ", " is not ", 1) if triple.negated else text


def pronoun(triple: Triple) -> str:
    """Return the pronoun for the fact's subject, by what its relation says of it."""
    return "It" if triple.relation in _THINGS or triple.relation not in _TEMPLATES else "She"


def joined(clauses: Sequence[str]) -> str:
    """Return clauses as one sentence."""
    return ", and ".join(clauses) + "."


def respell(text: str) -> str:
    """Return the ISO form of a day of our era, anything else as it is."""
    date = parse_date(text)
    return date.iso if date is not None and date.day and date.year > 0 else text
