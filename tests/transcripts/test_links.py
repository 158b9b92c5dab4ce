"""Links are suggested by chains that hold, the most useful first, and printed as YAML that stays YAML."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from transcripts.links import Suggestion, as_sidecars, suggest
from transcripts.listing import list_runs
from transcripts.summary import Summary

RUN = Summary(
    id="01KJM000000000000000000001", folder="f", created="2026-03-01T00:00:00Z", question="q", model="m",
    status="answered", stop_reason="answered", short_answer="a", completeness=1, essentiality=1.0,
    determinateness=1, failure_class=None, confidence=None, unsupported=0, calls=1, prompt_tokens=0,
    completion_tokens=0, cost=None, seconds=1.0, fingerprint="x",
)  # fmt: skip


def run(question: str, *chain: str, review: str | None = None) -> Summary:
    return replace(RUN, question=question, chain=chain, review=review)


def test_pairs_are_ranked_by_how_many_questions_they_helped_to_answer() -> None:
    found = suggest([run("1", "a", "b", "c"), run("2", "b", "c"), run("2", "b", "c"), run("3", "d")])
    assert [(one.source, one.target, one.often) for one in found] == [("b", "c", 2), ("a", "b", 1)]


def test_the_direction_is_that_of_most_chains() -> None:
    (found,) = suggest([run("1", "b", "a"), run("2", "b", "a"), run("3", "a", "b")])
    assert (found.source, found.target, found.often) == ("b", "a", 3)


@pytest.mark.parametrize("existing", [("a", "b"), ("b", "a")])
def test_what_is_linked_in_either_direction_is_left_out(existing: tuple[str, str]) -> None:
    assert suggest([run("1", "a", "b")], {existing}) == []


def test_rejected_runs_suggest_nothing_and_accepted_ones_do() -> None:
    assert suggest([run("1", "a", "b", review="reject")]) == []
    assert len(suggest([run("1", "a", "b", review="accept")])) == 1


def test_sidecars_are_yaml_whatever_documents_are_called() -> None:
    hostile = ["a: b\n- c", "# x", "'\"", "x\u2028y", "---", "\x1b[31m"]
    suggestions = [Suggestion("s\n---\nlinks: [x]", name, ("q",)) for name in hostile]
    text = as_sidecars(suggestions, {hostile[0]: "01KYC8V00000000000000000AA"})
    assert list(yaml.safe_load_all(text)) == [
        {"links": [{"to": "pnk://self/01KYC8V00000000000000000AA", "rel": "related"}]}
    ]
    assert "\x1b" not in text


def test_nothing_is_suggested_by_no_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("empty")
    assert suggest(list_runs(folder).runs) == []
