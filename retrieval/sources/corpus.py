"""A corpus file: a JSON array, or JSON Lines, of records ``{title, text, id? or idx?}``."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from retrieval.sources.decode import decode
from retrieval.sources.origin import Origin, Reading, Scan
from retrieval.text import clean
from retrieval.types import Document, FileProblem

REPLACED = "it holds characters that cannot be encoded; they were replaced"


def scan_corpus(path: Path) -> Scan:
    """Return the corpus file as the only origin of its library."""
    stat = path.stat()

    def digest() -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest()

    return Scan(
        [
            Origin(
                path.name,
                f"{stat.st_size}:{stat.st_mtime_ns}",
                stat.st_mtime_ns,
                digest,
                lambda: read_corpus(path),
            )
        ]
    )


def read_corpus(path: Path) -> Reading:
    """Read every usable record; each unusable one is named by its line or position."""
    try:
        text, reservation = decode(path.read_bytes())
    except (OSError, ValueError) as error:
        return Reading(problems=(FileProblem(path.name, f"it cannot be read: {error}", True),))
    problems = [FileProblem(path.name, reservation, False)] if reservation else []
    documents: list[Document] = []
    taken: Counter[str] = Counter()
    for place, record, fault in _records(path, text):
        location = f"{path.name}#{place}"
        document = None if fault else _document(record, location, taken)
        if document is None:
            problems.append(FileProblem(location, fault or "it has no text under 'text'", True))
        else:
            documents.append(document)
            if "~" in document.id and taken[document.id.rpartition("~")[0]] > 1:
                problems.append(FileProblem(location, f"its id is taken; it is called {document.id} here", False))
            if "\ufffd" in document.text:
                problems.append(FileProblem(location, REPLACED, False))
    return Reading(tuple(documents), tuple(problems))


def _records(path: Path, text: str) -> Iterator[tuple[str, Any, str]]:
    """Yield ``(place, record, fault)``: place counts lines of JSONL from 1, items of an array from 0."""
    if text.lstrip().startswith("[") or path.suffix.lower() == ".json":
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError) as error:
            yield "0", None, f"the file is not valid JSON: {error}"
            return
        if not isinstance(loaded, list):
            yield "0", None, "the file is JSON but not an array of records"
            return
        for index, record in enumerate(loaded):
            yield str(index), record, ""
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield str(number), json.loads(line), ""
        except (ValueError, RecursionError) as error:
            yield str(number), None, f"the line is not valid JSON: {error}"


def _document(record: Any, location: str, taken: Counter[str]) -> Document | None:
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        return None
    title, text = clean(str(record.get("title") or "")).strip(), clean(record["text"])
    if not text.strip():
        return None
    digest = hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()
    given = record.get("id", record.get("idx"))
    # A record without an id is named by its content, so that inserting one renames no other.
    own = clean(str(given)) if isinstance(given, str | int) and str(given).strip() else digest[:12]
    taken[own] += 1
    identity = own if taken[own] == 1 else f"{own}~{taken[own]}"
    return Document(
        id=identity,
        title=title or own,
        location=location,
        text=text,
        source_type="record",
        content_hash=digest,
        tags=_strings(record.get("tags")),
        aliases=_strings(record.get("aliases")),
    )


def _strings(value: Any) -> tuple[str, ...]:
    return tuple(clean(item) for item in value if isinstance(item, str)) if isinstance(value, list) else ()
