"""Any engine's answers: ``{id, answer}`` and whatever else it has to say, or HotpotQA's prediction file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from pinakes_ask.batch.lines import Unusable
from pinakes_ask.evaluation.answer import USAGE, Answer, Cited, Said
from pinakes_ask.evaluation.documents import Source
from pinakes_ask.evaluation.question import EvalQuestion
from retrieval.text import sentence_spans
from scoring.rows import Row
from scoring.types import Extraction

_SHORT = ("answer", "short_answer", "predicted_answer", "prediction")
_MISSING = object()


def answer_of_plain(row: Mapping[str, Any], question: EvalQuestion) -> Answer:
    """Return the answer of a row; ``answer`` null means that the engine gave none.

    :raises Unusable: when it holds no answer, or a field of another type.
    """
    given = next((row[name] for name in _SHORT if name in row), _MISSING)
    if given is _MISSING:
        raise Unusable("it has no answer under 'answer'; null says that none was given")
    if isinstance(given, bool) or not isinstance(given, str | int | float | None):
        raise Unusable("its answer is neither a text nor null")
    short = None if given is None or not str(given).strip() else str(given)
    if row.get("predicted_answerable") is False:
        short = None
    passages = _sources(row.get("retrieved", row.get("passages")), "retrieved")
    statements, cites = _statements(row, passages)
    extraction, why = _extraction(row, question, short, statements)
    return Answer(
        id=question.id,
        short=short,
        statements=statements,
        cites=cites,
        retrieved=passages,
        seen=passages,
        confidence=_chance(row.get("confidence")),
        usage=_usage(row.get("usage")),
        extraction=extraction,
        no_extraction=why,
        error=str(row.get("error") or ""),
    )


def from_predictions(whole: Any) -> list[dict[str, Any]] | None:
    """Return the rows of HotpotQA's prediction file, ``{answer: {id: text}, sp: {id: [[title, n]]}}``.

    None where it is no such file.
    """
    if not isinstance(whole, dict) or not isinstance(whole.get("answer"), dict):
        return None
    support = whole.get("sp")
    rows: list[dict[str, Any]] = []
    for name, text in whole["answer"].items():
        row: dict[str, Any] = {"id": name, "answer": text}
        if isinstance(support, dict):
            cited = [{"title": str(one[0])} for one in support.get(name) or () if isinstance(one, list) and one]
            row["statements"] = [{"text": "", "citations": cited}]
        rows.append(row)
    return rows


def _sources(given: Any, field: str) -> tuple[Source, ...] | None:
    if given is None:
        return None
    if not isinstance(given, list):
        raise Unusable(f"{field!r} is no list")
    return tuple(_source(one, field) for one in given)


def _source(given: Any, field: str) -> Source:
    """A document by its id or title, or ``{document, title, text}``."""
    if isinstance(given, str | int) and not isinstance(given, bool):
        return Source(document=str(given), title=str(given))
    if isinstance(given, dict):
        parts = {name: given.get(name) for name in ("document", "title", "text")}
        if any(parts.values()) and all(one is None or isinstance(one, str) for one in parts.values()):
            return Source(**parts)
    raise Unusable(f"{field!r} holds something that names no document")


def _statements(row: Mapping[str, Any], passages: Sequence[Source] | None) -> tuple[tuple[Said, ...] | None, bool]:
    """The statements, and whether the engine names sources."""
    given = row.get("statements")
    if given is None:
        text = row.get("long_answer")
        if text is None:
            return None, False
        if not isinstance(text, str):
            raise Unusable("'long_answer' is no text")
        return tuple(Said(text[start:end]) for start, end in sentence_spans(text)), False
    if not isinstance(given, list):
        raise Unusable("'statements' is no list")
    said, cites = [], False
    for one in given:
        if isinstance(one, str):
            said.append(Said(one))
        elif isinstance(one, dict) and isinstance(one.get("text"), str):
            cites = cites or "citations" in one
            said.append(Said(one["text"], _citations(one.get("citations") or [], passages or ())))
        else:
            raise Unusable("'statements' holds something without a text")
    return tuple(said), cites


def _citations(given: Any, passages: Sequence[Source]) -> tuple[Cited, ...]:
    """Citations as ``[passage, sentence]`` into the row's passages, from 0, or as documents, perhaps quoted."""
    if not isinstance(given, list):
        raise Unusable("'citations' is no list")
    found = []
    for one in given:
        if isinstance(one, list) and len(one) == 2 and all(isinstance(n, int) for n in one):
            if not 0 <= one[0] < len(passages):
                # It points at nothing, and counts as a citation of something that is no evidence.
                found.append(Cited(Source()))
                continue
            source = passages[one[0]]
            sentences = [source.text[a:b] for a, b in sentence_spans(source.text)] if source.text else []
            found.append(Cited(source, sentences[one[1]] if 0 <= one[1] < len(sentences) else None))
        else:
            quote = one.get("quote") if isinstance(one, dict) else None
            found.append(Cited(_source(one, "citations"), quote if isinstance(quote, str) else None))
    return tuple(found)


def _extraction(
    row: Mapping[str, Any], question: EvalQuestion, short: str | None, statements: Sequence[Said] | None
) -> tuple[Extraction | None, str]:
    """The facts of the long answer: given, or found by rules."""
    texts = [one.text for one in statements or () if one.text.strip()]
    if not texts and row.get("propositions") is None:
        return None, "the file gives no long answer" if statements is None else "the answer has no statement"
    wanted = ("propositions", "form", "plan_hops", "question_entities", "branches", "operator", "reinferred")
    given = {name: row[name] for name in wanted if row.get(name) is not None}
    try:
        scored = Row.model_validate(
            {
                "id": question.id,
                "question": question.text,
                "short_answer": short,
                "statements": [{"text": text} for text in texts],
                "gold": list(question.answers),
                **given,
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise Unusable(f"{field}: {first['msg']}") from None
    return scored.extraction(), ""


def _chance(given: Any) -> float | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise Unusable("'confidence' is no number from 0 to 1")
    return float(given)


def _usage(given: Any) -> dict[str, float | None]:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise Unusable("'usage' is no object")
    values = {name: given.get(name) for name in USAGE}
    for name, value in values.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or value < 0):
            raise Unusable(f"'usage.{name}' is no number")
    return values
