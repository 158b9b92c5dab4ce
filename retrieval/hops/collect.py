"""Collecting the names of a library: what its documents are called, and what recurs in their texts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.hops.surface import key_of, titles_of
from retrieval.text import STOPWORDS, find_names, fold, words

#: A name that is no title must stand in this many passages to lead anywhere.
RECURS = 2
#: Passages of one document that a name leads to.
FIRST = 30
#: A heading shared by more documents than this is a rubric ("History"), no name.
SHARED_HEADING = 3
_ACRONYM = re.compile(r"((?:\b[\w\u2019'-]+\s+){1,8})\(([A-Z][A-Z0-9]{1,7})s?\)")


@dataclass(frozen=True)
class Text:
    """What collecting needs of a passage: its row, its document and what that is called."""

    row: int
    document: str
    title: str
    text: str
    aliases: tuple[str, ...] = ()
    heading: str = ""


@dataclass
class Names:
    """The names of a library.

    :param keys: identity of each name, sorted; a name's number is its place here.
    :param shown: each name as a person would write it.
    :param surfaces: folded spelling to name; what is searched for in texts.
    :param called: rows that each name leads to because their document or section is called so.
    :param owners: number of documents called so.
    :param common: names that are ordinary words in lower case more often than names.
    """

    keys: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    surfaces: dict[str, int] = field(default_factory=dict)
    called: list[list[int]] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    common: list[bool] = field(default_factory=list)


def collect(texts: Sequence[Text]) -> Names:
    """Find the names of all passages; what stands first in ``texts`` decides how a name is shown."""
    rows_of: dict[str, list[int]] = defaultdict(list)
    owners: dict[str, set[str]] = defaultdict(set)
    surfaces: dict[str, str] = {}
    shown: dict[str, str] = {}

    def call(name: str, rows: Iterable[int], document: str) -> None:
        key = _key(name)
        if key:
            rows_of[key].extend(rows)
            owners[key].add(document)
            surfaces.setdefault(fold(name), key)
            surfaces.setdefault(key, key)
            shown.setdefault(key, name)

    for document, group in _by_document(texts).items():
        rows = [text.row for text in group]
        for name in dict.fromkeys(titles_of(group[0].title) + list(group[0].aliases)):
            call(name, rows[:FIRST], document)
    for heading, found in _headings(texts).items():
        for text in found:
            call(heading, [text.row], text.document)
    _recurring(texts, surfaces, shown, rows_of)
    _acronyms(texts, surfaces, rows_of)
    return _numbered(texts, surfaces, shown, rows_of, owners)


def _key(name: str) -> str:
    """Return the key of a name that may lead somewhere, or nothing."""
    key = key_of(name)
    return key if len(key) > 1 and key not in STOPWORDS else ""


def _by_document(texts: Sequence[Text]) -> dict[str, list[Text]]:
    grouped: dict[str, list[Text]] = defaultdict(list)
    for text in texts:
        grouped[text.document].append(text)
    return grouped


def _headings(texts: Sequence[Text]) -> dict[str, list[Text]]:
    """Return headings that look like names and are not the rubrics of many documents."""
    found: dict[str, list[Text]] = defaultdict(list)
    for text in texts:
        if text.heading and any(char.isupper() for char in text.heading):
            found[text.heading].append(text)
    return {
        heading: group
        for heading, group in found.items()
        if len({text.document for text in group}) <= SHARED_HEADING
    }


def _recurring(
    texts: Sequence[Text], surfaces: dict[str, str], shown: dict[str, str], called: dict[str, list[int]]
) -> None:
    """Add the names that stand in several passages, or name a document under another spelling."""
    seen: dict[str, set[int]] = defaultdict(set)
    spelled: dict[str, dict[str, None]] = defaultdict(dict)
    for text in texts:
        for mention in find_names(text.text):
            key = _key(mention.text)
            if len(key) > 2:
                seen[key].add(text.row)
                spelled[key].setdefault(mention.text)
    for key, rows in seen.items():
        if key in called or len(rows) >= RECURS:
            for spelling in spelled[key]:
                surfaces.setdefault(fold(spelling), key)
                shown.setdefault(key, spelling)


def _acronyms(texts: Sequence[Text], surfaces: dict[str, str], called: Mapping[str, list[int]]) -> None:
    """Let ``World Health Organization (WHO)`` make WHO a spelling of the longer name, if it is only one's."""
    meant: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        for match in _ACRONYM.finditer(text.text):
            before, acronym = match[1].split(), match[2]
            for length in range(len(before), 0, -1):
                phrase = before[-length:]
                initials = "".join(word[0] for word in phrase if word.lower() not in STOPWORDS)
                if initials.upper() == acronym and (key := surfaces.get(fold(" ".join(phrase)))):
                    meant[fold(acronym)].add(key)
                    break
    longer = {acronym: keys.pop() for acronym, keys in meant.items() if len(keys) == 1 and acronym not in called}
    surfaces.update(longer)
    for surface, key in surfaces.items():
        surfaces[surface] = longer.get(key, key)


def _numbered(
    texts: Sequence[Text],
    surfaces: dict[str, str],
    shown: dict[str, str],
    rows_of: dict[str, list[int]],
    owners: dict[str, set[str]],
) -> Names:
    keys = sorted(set(surfaces.values()))
    number = {key: index for index, key in enumerate(keys)}
    common = _common({key for key in keys if " " not in key}, texts)
    return Names(
        keys=keys,
        shown=[shown[key] for key in keys],
        surfaces={surface: number[key] for surface, key in surfaces.items() if len(surface) > 1},
        called=[sorted(set(rows_of.get(key, ()))) for key in keys],
        owners=[len(owners.get(key, ())) for key in keys],
        common=[key in common for key in keys],
    )


def _common(single: set[str], texts: Sequence[Text]) -> set[str]:
    """Return those of ``single`` that stand in lower case more often than with a capital."""
    lower: dict[str, int] = defaultdict(int)
    upper: dict[str, int] = defaultdict(int)
    for text in texts:
        for word in text.text.split():
            stripped = word.strip(".,;:!?()[]\"'\u201c\u201d\u2019")
            if stripped:
                (lower if stripped[0].islower() else upper)[stripped.lower()] += 1
    return {name for name in single if name in STOPWORDS or lower[name] > upper[name] or not words(name)}
