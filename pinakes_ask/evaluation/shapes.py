"""The shapes of question records: HotpotQA, 2WikiMultiHopQA, MuSiQue, and two plainer ones.

A record is recognised by its fields, not by the name of its file:

=================================  ==================================================================
``supporting_facts``, ``context``  HotpotQA and 2WikiMultiHopQA, from their own files or from a hub
``paragraphs``                     MuSiQue, with or without unanswerable questions
``passages``                       paragraphs ``{title, text, is_supporting}``, hops and type given
``supporting`` or none of these    a plain question; ``supporting`` names documents of a library
=================================  ==================================================================
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pinakes_ask.batch.lines import MAX_ID, Unusable
from pinakes_ask.errors import QuestionError
from pinakes_ask.evaluation.question import EvalQuestion, Paragraph
from pinakes_ask.run import check_question

Record = Mapping[str, Any]


def question_of(record: object) -> EvalQuestion:
    """Return the question that ``record`` holds.

    :raises Unusable: when it cannot be asked or measured; the message says why.
    """
    if not isinstance(record, dict):
        raise Unusable("it is no JSON object")
    if "supporting_facts" in record and "context" in record:
        return _hotpot(record)
    if "paragraphs" in record:
        return _musique(record)
    return _plain(record)


def _hotpot(record: Record) -> EvalQuestion:
    """HotpotQA and 2WikiMultiHopQA: ``context`` of ``[title, sentences]``, ``supporting_facts`` of ``[title, n]``.

    Both also go about as columns, ``{title: [...], sentences: [...]}``, and with JSON inside a text.
    """
    facts: dict[str, list[int]] = {}
    for title, place in _pairs(record["supporting_facts"], ("title", "sent_id"), "supporting_facts"):
        if not isinstance(place, int):
            raise Unusable("'supporting_facts' holds something that is no sentence number")
        facts.setdefault(str(title), []).append(place)
    paragraphs = []
    for title, sentences in _pairs(record["context"], ("title", "sentences", "content"), "context"):
        if not _texts(sentences):
            raise Unusable("'context' holds something that is no list of sentences")
        # Some annotations name a sentence that is not there; the papers' own code passes over it.
        gold = tuple(sentences[place] for place in facts.get(title, ()) if 0 <= place < len(sentences))
        paragraphs.append(Paragraph(str(title), _joined(sentences), title in facts, gold))
    return EvalQuestion(
        id=_id(record),
        text=_question(record),
        answers=_answers(record, "aliases", "answer_aliases"),
        type=_type(record),
        hops=_hops(record, len(facts) or None),
        paragraphs=tuple(paragraphs),
    )


def _musique(record: Record) -> EvalQuestion:
    """MuSiQue: ``paragraphs`` with ``is_supporting``; the number of hops is that of the decomposition."""
    steps = record.get("question_decomposition") or record.get("decomposition") or []
    hops = len(steps) if isinstance(steps, list) and steps else None
    return EvalQuestion(
        id=_id(record),
        text=_question(record),
        answers=_answers(record, "answer_aliases", "aliases"),
        type=_type(record) or _id(record).partition("__")[0],
        hops=_hops(record, hops),
        paragraphs=_paragraphs(record["paragraphs"], "paragraphs", "paragraph_text"),
    )


def _plain(record: Record) -> EvalQuestion:
    given = record.get("supporting") or record.get("documents") or []
    if not _texts(given):
        raise Unusable("'supporting' is no list of texts")
    passages = record.get("passages") or []
    return EvalQuestion(
        id=_id(record),
        text=_question(record),
        answers=_answers(record, "aliases", "answer_aliases"),
        type=_type(record),
        hops=_hops(record, None),
        paragraphs=_paragraphs(passages, "passages", "text"),
        supporting=tuple(given),
    )


def _paragraphs(given: Any, name: str, text: str) -> tuple[Paragraph, ...]:
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise Unusable(f"{name!r} is no list of objects")
    found = []
    for one in given:
        body = one.get(text, one.get("text"))
        if not isinstance(body, str):
            raise Unusable(f"a paragraph of {name!r} has no text under {text!r}")
        found.append(Paragraph(str(one.get("title") or ""), body, bool(one.get("is_supporting"))))
    return tuple(found)


def _pairs(given: Any, names: Sequence[str], field: str) -> list[tuple[Any, Any]]:
    """Pairs that are written as a list of pairs, as two columns, or as either inside a text."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            raise Unusable(f"{field!r} is a text and no JSON") from None
    if isinstance(given, dict):
        columns = [given[name] for name in names if isinstance(given.get(name), list)]
        if len(columns) == 2 and len(columns[0]) == len(columns[1]):
            return list(zip(*columns, strict=True))
    elif isinstance(given, list) and all(isinstance(one, list | tuple) and len(one) == 2 for one in given):
        return [(one[0], one[1]) for one in given]
    raise Unusable(f"{field!r} is no list of pairs")


def _joined(sentences: Sequence[str]) -> str:
    """The paragraph; HotpotQA's sentences bring the space between them along, 2WikiMultiHopQA's do not."""
    return " ".join(one.strip() for one in sentences if one.strip())


def _id(record: Record) -> str:
    given = record.get("_id", record.get("id"))
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise Unusable("it has no id under 'id' or '_id'")
    text = str(given)
    if not text.strip() or len(text) > MAX_ID or not text.isprintable():
        raise Unusable(f"its id is empty, longer than {MAX_ID} characters, or holds control characters")
    return text


def _question(record: Record) -> str:
    given = record.get("question")
    if not isinstance(given, str):
        raise Unusable("it has no text under 'question'")
    try:
        return check_question(given)
    except QuestionError as error:
        raise Unusable(f"{error.what[0].lower()}{error.what[1:]}: {error.why}") from None


def _answers(record: Record, *names: str) -> tuple[str, ...]:
    """The gold answer and its aliases; none for a question that the set calls unanswerable."""
    if "answer" not in record:
        raise Unusable("it has no gold answer under 'answer'; null says that the documents hold none")
    answer = record["answer"]
    if answer is None or record.get("answerable") is False:
        return ()
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        answer = str(answer)
    if not isinstance(answer, str) or not answer.strip():
        raise Unusable("its gold answer is neither a text nor null")
    aliases: Any = next((record[name] for name in names if record.get(name)), [])
    if not _texts(aliases):
        raise Unusable(f"its {' or '.join(names)} are no list of texts")
    return tuple(dict.fromkeys([answer, *(one for one in aliases if one.strip())]))


def _type(record: Record) -> str | None:
    given = record.get("type")
    return given if isinstance(given, str) and given.strip() else None


def _hops(record: Record, otherwise: int | None) -> int | None:
    given = record.get("hops")
    if given is None:
        return otherwise
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise Unusable("its 'hops' are no whole number")
    return given


def _texts(given: Any) -> bool:
    return isinstance(given, list | tuple) and all(isinstance(one, str) for one in given)
