"""Reading questions: three forms, and every line that cannot be asked is found with its reason."""

from __future__ import annotations

import json

import pytest

from pinakes_ask.batch.questions import id_of, read_questions, with_bad_lines
from pinakes_ask.batch.shard import Shard
from retrieval.errors import UsageError


def openai_row(identity: str, *messages: dict[str, object]) -> str:
    return json.dumps({"custom_id": identity, "method": "POST", "url": "/v1/chat/completions",
                       "body": {"model": "m", "messages": list(messages)}})  # fmt: skip


def test_the_three_forms_may_stand_in_one_file() -> None:
    lines = [
        "Who founded the shipyard?",
        '{"id": "a", "question": "Where was she born?", "answer": "Merrowick"}',
        '{"id": 7, "question": "When  did it   sink?"}',
        openai_row(
            "b", {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who painted it?"}
        ),
        openai_row("c", {"role": "user", "content": [{"type": "text", "text": "Which island?"}]}),
    ]
    reading = read_questions("\n".join(lines).encode())
    assert reading.bad == ()
    assert [(one.id, one.question) for one in reading.items] == [
        (id_of("Who founded the shipyard?"), "Who founded the shipyard?"),
        ("a", "Where was she born?"),
        ("7", "When did it sink?"),
        ("b", "Who painted it?"),
        ("c", "Which island?"),
    ]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_change_nothing(ends: str, mark: str) -> None:
    text = mark + ends.join(["Who is the keeper?", "", '{"id": "x", "question": "Where is the light?"}', ""])
    reading = read_questions(text.encode())
    assert [(one.question, one.line) for one in reading.items] == [
        ("Who is the keeper?", 1),
        ("Where is the light?", 3),
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"Where is \xff it?", "no UTF-8"),
        (b'{"id": "a", "question": "  "}', "holds no word"),
        (b'{"id": "a", "question": null}', "'question'"),
        (b'{"id": "a"}', "'question'"),
        (b'{"id": "a", "question": "cut off', "no JSON object"),
        (b'{"id": 1.5, "question": "Who?"}', "'id'"),
        (b'{"id": true, "question": "Who?"}', "'id'"),
        (b'{"id": "a\\u0007b", "question": "Who?"}', "control characters"),
        (b'{"id": "", "question": "Who?"}', "'id'"),
        (b"???", "holds no word"),
        (b"w" * 5000, "too long"),
        (openai_row("a").encode(), "0 user messages"),
        (openai_row("a", *[{"role": "user", "content": "Who?"}] * 2).encode(), "2 user messages"),
        (openai_row("a", {"role": "user", "content": [{"type": "image_url"}]}).encode(), "not text alone"),
        (b'{"custom_id": "a", "body": {"input": "Who?"}}', "'body.messages'"),
        (b"{" * 100_000, "no JSON object"),
        (b"\xef\xbb\xbf\xef\xbb\xbf", "holds no word"),
    ],
)
def test_a_line_that_cannot_be_asked_is_named_with_its_reason(line: bytes, why: str) -> None:
    reading = read_questions(b"Who kept the light?\n" + line + b"\nWho built it?\n")
    assert [(bad.line, why in bad.why) for bad in reading.bad] == [(2, True)], reading.bad
    assert len(reading.items) == 2


def test_every_bad_line_is_found_not_only_the_first() -> None:
    data = b"Who?\n\xff\nWho?\n{\n" + b'{"id": "a", "question": "One?"}\n{"id": "a", "question": "Two?"}\n'
    bad = read_questions(data).bad
    assert [one.line for one in bad] == [2, 3, 4, 6]
    assert "the same question stands in line 1" in bad[1].why
    assert "'a' stands in line 5" in bad[3].why


def test_a_file_in_another_encoding_is_named() -> None:
    assert "UTF-16" in read_questions("Who is it?".encode("utf-16")).bad[0].why


def test_bad_lines_that_are_skipped_stand_in_their_place() -> None:
    items = with_bad_lines(read_questions(b"Who?\n{\nWhere?\n"))
    assert [(one.line, bool(one.problem)) for one in items] == [(1, False), (2, True), (3, False)]
    assert len({one.id for one in items}) == 3


def test_an_id_from_the_question_stays_when_lines_are_added_above() -> None:
    before = read_questions(b"Where is it?\n").items[0].id
    after = read_questions(b"Who is it?\nWhere is it?\n").items[1].id
    assert before == after


def test_shards_divide_the_ids_and_lose_none() -> None:
    ids = [f"q{n}" for n in range(1000)]
    parts = [[one for one in ids if Shard(n, 4).holds(one)] for n in range(1, 5)]
    assert sorted(one for part in parts for one in part) == sorted(ids)
    assert all(200 < len(part) < 300 for part in parts)


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "a/b", "-1/4", "1/0", ""])
def test_a_shard_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="1/4"):
        Shard.parse(text)
