"""Gold facts as sentences."""

from __future__ import annotations

import re
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


_NEGATIONS = (
    (" was ", " was not "), (" is ", " is not "), (" died ", " did not die "), (" worked ", " did not work "),
    (" received ", " did not receive "), (" comes ", " does not come "),
)  # fmt: skip
_POSSESSIVES = {"It": "Its", "She": "Her"}


def sentence(triple: Triple) -> str:
    """Return the fact as a clause without its full stop; a pronoun as its subject takes its case."""
    template = _template(triple.relation)
    if triple.subject in _POSSESSIVES.values():
        text = re.sub(r"\{s\}'s", triple.subject, template)
        text = re.sub(r"The (\S.*) of \{s\}", rf"{triple.subject} \1", text)
    else:
        text = template
    text = text.format(s=triple.subject, o=triple.object, r=triple.relation)
    if triple.negated:
        old, new = next(pair for pair in _NEGATIONS if pair[0] in text)
        text = text.replace(old, new, 1)
    return text


def _template(relation: str) -> str:
    free = "?" in relation or len(relation.split()) > 5 or "#" in relation
    generic = "{s} is connected with {o}" if free else "The {r} of {s} is {o}"
    return _TEMPLATES.get(relation, generic)


def pronoun(triple: Triple) -> str:
    """Return the pronoun for the fact's subject, by what its relation says of it, in its case."""
    word = "It" if triple.relation in _THINGS or triple.relation not in _TEMPLATES else "She"
    template = _template(triple.relation)
    return _POSSESSIVES[word] if "{s}'s" in template or "of {s}" in template else word


def joined(clauses: Sequence[str]) -> str:
    """Return clauses as one sentence."""
    return ", and ".join(clauses) + "."


def respell(text: str) -> str:
    """Return the ISO form of a day of our era, anything else as it is."""
    date = parse_date(text)
    return date.iso if date is not None and date.day and date.year > 0 else text
