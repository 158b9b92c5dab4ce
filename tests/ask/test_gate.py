"""What a model claims counts only where the cited sentence bears it out."""

from __future__ import annotations

import pytest

from pinakes_ask.evidence import Evidence, all_sentences
from pinakes_ask.gate import judge, same_yes_or_no, stands_in, valid_citations
from pinakes_ask.plan import SubQuestion
from pinakes_ask.tasks import Cite, Finding
from tests.ask.fakes import TextSearcher


@pytest.mark.parametrize(
    ("answer", "sentence", "stands"),
    [
        ("20 March 851", "She died on March 20, 851.", True),
        ("851", "She died on 20 March 851.", True),
        ("21 March 851", "She died on 20 March 851.", False),
        ("Mexico", "He lives in Mexico City.", True),
        ("India", "He lives in Indiana.", False),
        ("35,000", "About 35000 people live there.", True),
        ("1500", "About 1,500 people live there.", True),
        ("3 May 1901", "It burned on 13 May 1901.", False),
        ("the Orm Company", "It belongs to Orm Company.", True),
        ("Ann Bell", "Ann Bellamy wrote it.", False),
    ],
)
def test_an_answer_stands_in_a_sentence_as_whole_words(answer: str, sentence: str, stands: bool) -> None:
    assert stands_in(answer, sentence) is stands


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("yes", "Yes, both are.", True),
        ("ja", "yes", True),
        ("no", "Nein.", True),
        ("yes", "no", False),
        ("Nora", "no", False),
        ("Dale", "Dale", False),
    ],
)
def test_a_yes_is_a_yes_in_any_language_and_whatever_is_said_behind_it(left: str, right: str, same: bool) -> None:
    assert same_yes_or_no(left, right) is same


@pytest.fixture
def evidence() -> Evidence:
    text = "The Reed is a novel. It was written by Ann Bell. It came in two thin volumes between 1950 and 1953."
    found = TextSearcher({"The Reed": text}).search(["The Reed"])
    evidence = Evidence()
    evidence.add(found[0].hits)
    return evidence


def offered(evidence: Evidence) -> frozenset[Cite]:
    return all_sentences(evidence.offer(evidence.numbers()))


def finding(answer: str | None, *cites: tuple[int, int], supported: bool = True) -> Finding:
    citations = tuple(Cite(passage=passage, sentence=sentence) for passage, sentence in cites)
    return Finding(id=1, supported=supported, answer=answer, citations=citations)


def test_citations_outside_what_was_offered_are_told_apart(evidence: Evidence) -> None:
    good, far, low = Cite(passage=1, sentence=2), Cite(passage=9, sentence=1), Cite(passage=1, sentence=0)
    kept, dropped = valid_citations((good, far, low, good), offered(evidence), evidence)
    assert kept == (good,)
    assert dropped == (far, low)


def test_a_sentence_of_the_evidence_that_was_not_offered_is_no_citation(evidence: Evidence) -> None:
    shown = frozenset({Cite(passage=1, sentence=1)})
    kept, dropped = valid_citations((Cite(passage=1, sentence=2),), shown, evidence)
    assert (kept, dropped) == ((), (Cite(passage=1, sentence=2),))


@pytest.mark.parametrize(
    ("claimed", "answer"),
    [
        (finding("Ann Bell", (1, 2)), "Ann Bell"),
        (finding("Ann Bell", (1, 1)), None),
        (finding("Ann Bell"), None),
        (finding("Ann Bell", (9, 9)), None),
        (finding("Ann Bell", (1, 2), supported=False), None),
        (finding("  ", (1, 2)), None),
        (None, None),
    ],
    ids=["cited", "wrong sentence", "uncited", "invented", "unsupported", "blank", "missing"],
)
def test_a_claim_needs_its_sentence(claimed: Finding | None, answer: str | None, evidence: Evidence) -> None:
    node = SubQuestion(1, "Who wrote The Reed?", frozenset(), asked="Who wrote The Reed?")
    kept, _, note = judge(node, claimed, offered(evidence), evidence)
    assert kept == answer
    assert bool(note) is (answer is None)


def test_an_operator_needs_no_sentence(evidence: Evidence) -> None:
    node = SubQuestion(1, "Which is older?", frozenset(), kind="compare")
    assert judge(node, finding("The Reed"), offered(evidence), evidence)[0] == "The Reed"


@pytest.mark.parametrize(
    ("asked", "claimed", "answer"),
    [
        ("Which novel did Ann Bell write?", finding("the reed", (1, 2)), "the reed"),
        ("Which novel did Ann Bell write?", finding("The Rush", (1, 2)), None),
        ("Who wrote it?", finding("Ann Bell; The Reed", (1, 2)), "Ann Bell; The Reed"),
        ("Who wrote it?", finding("Ann Bell; Ivo Orr", (1, 2)), None),
        ("Did Ann Bell write a novel?", finding("yes", (1, 2)), "yes"),
        ("Did Ann Bell write a novel?", finding("no"), None),
        ("Did Ann Bell write a novel?", finding("Yes, in the year 1950.", (1, 2)), "Yes"),
        ("Schrieb Ann Bell einen Roman?", finding("ja", (1, 2)), "ja"),
        ("Who wrote it?", finding("Ann Bell, The Reed", (1, 2)), "Ann Bell, The Reed"),
        ("Who wrote it?", finding("Ann Bell, Ivo Orr", (1, 2)), None),
        ("When did it appear?", finding("1950–1953", (1, 3)), "1950–1953"),
        ("When did it appear?", finding("1950–1954", (1, 3)), None),
        ("In how many volumes?", finding("2 volumes", (1, 3)), "2 volumes"),
        ("In how many volumes?", finding("2 chapters", (1, 3)), None),
        ("In how many volumes?", finding("3 volumes", (1, 3)), None),
        ("Did Ivo Orr write a novel?", finding("Yes", (1, 2)), None),
        ("Is that so?", finding("yes", (1, 2)), None),
        ("Who wrote it?", finding(";", (1, 2)), None),
    ],
    ids=[
        "what the document is about",
        "something else",
        "several",
        "one of several invented",
        "a yes on what is cited",
        "a no without a citation",
        "what stands beside a yes",
        "a yes in another language",
        "several after commas",
        "one of several after commas invented",
        "a span of years",
        "another span of years",
        "a number and its unit",
        "a number of something else",
        "another number",
        "a yes on something else",
        "a yes on nothing",
        "no answer between semicolons",
    ],
)
def test_an_answer_that_no_single_sentence_spells_out(
    asked: str, claimed: Finding, answer: str | None, evidence: Evidence
) -> None:
    node = SubQuestion(1, asked, frozenset(), asked=asked)
    assert judge(node, claimed, offered(evidence), evidence)[0] == answer
