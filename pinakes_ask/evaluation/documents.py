"""The documents that evidence is looked for in, and which of them somebody means."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pinakes_ask.evaluation.question import EvalQuestion
from retrieval.errors import UsageError
from retrieval.sources import scan
from retrieval.text import clean, fold

#: The corpus that is made of the questions' own paragraphs.
CORPUS = "corpus.jsonl"


@dataclass(frozen=True)
class Source:
    """A document as somebody names it: by id or location, by title, by its text or part of it."""

    document: str | None = None
    title: str | None = None
    text: str | None = None


@dataclass(frozen=True)
class Held:
    """A document of the corpus."""

    id: str
    title: str
    text: str
    location: str = ""


class Catalogue:
    """Finds documents. Documents of the same title and text are one, by the id of the first."""

    def __init__(self, documents: Iterable[Held]) -> None:
        self._names: dict[str, str] = {}
        self._whole: dict[tuple[str, str], str] = {}
        self._texts: dict[str, set[str]] = {}
        self._titles: dict[str, set[str]] = {}
        for one in documents:
            title, text = _key(one.title), _key(one.text)
            own = self._whole.setdefault((title, text), one.id)
            self._names[one.id] = own
            self._names.setdefault(one.location or one.id, own)
            self._texts.setdefault(text, set()).add(own)
            self._titles.setdefault(title, set()).add(own)

    def find(self, source: Source) -> str | None:
        """Return the id of the document that is meant; None where it is none of these, or several could be."""
        if source.document is not None and source.document in self._names:
            return self._names[source.document]
        title = _key(source.title) if source.title else None
        if source.text:
            text = _key(source.text)
            if title is not None and (title, text) in self._whole:
                return self._whole[title, text]
            found = self._texts.get(text, set())
            if len(found) == 1:
                return next(iter(found))
        key = _key(source.document or "") if title is None else title
        named = self._titles.get(key, set()) if key else set()
        return next(iter(named)) if len(named) == 1 else None


def gold_of(question: EvalQuestion, catalogue: Catalogue) -> tuple[frozenset[str] | None, str]:
    """Return the documents that hold a question's evidence, or None and why they are not known."""
    sources = [Source(document=name, title=name) for name in question.supporting]
    sources = sources or [Source(title=one.title, text=one.text) for one in question.gold_paragraphs]
    if not question.answerable:
        return None, "the documents hold no answer"
    if not sources:
        return None, "the set names no evidence"
    found = {catalogue.find(one) for one in sources}
    if None in found:
        return None, "a gold passage is not in the corpus"
    return frozenset(one for one in found if one is not None), ""


def own_documents(questions: Sequence[EvalQuestion]) -> list[Held]:
    """Return the union of the questions' paragraphs, each once, numbered in order of appearance."""
    known: dict[tuple[str, str], Held] = {}
    for question in questions:
        for one in question.paragraphs:
            known.setdefault((one.title, one.text), Held(str(len(known)), one.title, one.text))
    return list(known.values())


def corpus_documents(corpus: Path) -> list[Held]:
    """Return the documents of a library: a folder, a knowledge base, or a corpus file.

    :raises LibraryNotFound: when there is none.
    """
    return [
        Held(one.id, one.title, one.text, one.location)
        for origin in scan(corpus).origins
        for one in origin.read().documents
    ]


def digest_of(documents: Iterable[Held]) -> str:
    """Return the sha256 of documents, in their order."""
    digest = hashlib.sha256()
    for one in documents:
        digest.update(json.dumps([one.id, one.title, one.text]).encode())
    return digest.hexdigest()


def write_corpus(documents: Iterable[Held], folder: Path, name: str = CORPUS) -> Path:
    """Write documents as a corpus file into ``folder``, unless it holds just these, and return its path.

    :raises UsageError: when it cannot be written.
    """
    lines = (
        json.dumps({"id": one.id, "title": one.title, "text": one.text}, ensure_ascii=False) for one in documents
    )
    data = "".join(f"{line}\n" for line in lines).encode()
    file = folder / name
    try:
        # Written only where it changes, so that an index over it stays fresh.
        if not file.exists() or file.read_bytes() != data:
            folder.mkdir(parents=True, exist_ok=True)
            draft = file.with_name(f".{name}.draft")
            draft.write_bytes(data)
            draft.replace(file)
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"The corpus cannot be written to {file}", why, "Name another folder") from error
    return file


def _key(text: str) -> str:
    return " ".join(fold(clean(text)).split())
