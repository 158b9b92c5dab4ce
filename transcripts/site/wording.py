"""What the words of a record mean, in one line each, for somebody who reads it for the first time."""

from __future__ import annotations

#: The measures in the order of reading: key, letter, name, what it says.
MEASURES = (
    ("completeness", "C", "Completeness", "1 when the stated facts connect question and answer without a gap."),
    ("essentiality", "E", "Essentiality", "The share of the stated facts that this connection needs."),
    ("determinateness", "D", "Determinateness", "1 when the long answer alone leads to the same short answer."),
)

CLASSES = {
    "extraction_failed": "No fact could be read from the answer, so nothing can be said of its reasoning.",
    "wrong_answer": "The reasoning leads to this answer, but the known one or the compared values say otherwise.",
    "head_only": "Only the conclusion connects question and answer; the steps between them are missing.",
    "circular": "The facts about the question lead back to where they started.",
    "deviated": "The facts lead as far as the plan demands, but to another place than the answer.",
    "unresolved_reference": "One side of the gap is a pronoun, and nothing says whom it means.",
    "answer_unstated": "No fact of the answer's reasoning mentions the short answer.",
    "question_unmentioned": "No fact of the answer's reasoning mentions what the question is about.",
    "partial_branch": "Some of what has to be connected is connected, the rest is not.",
    "broken": "Both sides are there, and nothing connects them.",
    "undetermined": "The facts connect, but the long answer alone leads to another short answer.",
}

STATUSES = {
    "answered": "A short answer was given, and what it rests on is cited.",
    "partial": "A bound ended the run, or the short answer is withheld.",
    "no_evidence": "Nothing in the documents answers the question.",
    "failed": "The run could not be finished.",
}

STOPS = {
    "sufficient": "the first search was enough",
    "answered": "every sub-question has its answer",
    "plan_exhausted": "nothing was left to ask",
    "round_cap": "the rounds were used up",
    "budget": "the budget was used up",
    "deadline": "the time was used up",
    "no_evidence": "nothing was found",
    "interrupted": "it was interrupted",
}

TASKS = {
    "plan": "Plan the sub-questions",
    "solve": "Answer a round's sub-questions",
    "write": "Write the answer",
    "reinfer": "Read the short answer off the long one",
    "extract": "Read the facts off the answer",
}


def plain(name: str) -> str:
    """Return a name of the record as words: ``no_evidence`` becomes ``no evidence``."""
    return name.replace("_", " ")


def judged(verdict: str | None) -> str:
    """Return a review's verdict as an adjective, "" where there is no review."""
    return {"accept": "accepted", "reject": "rejected"}.get(verdict or "", verdict or "")
