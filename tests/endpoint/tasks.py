"""One task of every kind, with a right reply to each."""

from __future__ import annotations

from typing import Any

from pinakes_ask.models.endpoint.extraction import PropositionsTask, ReinferenceTask
from pinakes_ask.tasks import (
    Cite,
    Established,
    OfferedPassage,
    PlanTask,
    RankQuestion,
    ReinferTask,
    ShownStatement,
    SolveTask,
    Task,
    WriteTask,
)
from scoring.extract.model import PropositionsRequest, ReinferenceRequest

QUESTION = "Where was the author of The Reed born?"
STATEMENTS = ("The Reed was written by Ann Bell.", "Ann Bell was born in Dale.")
PASSAGES = (
    OfferedPassage(number=3, title="The Reed", sentences=("The Reed is a novel.", "It is by Ann Bell.")),
    OfferedPassage(number=5, title="Ann Bell", sentences=("Ann Bell was born in Dale.",), aliases=("A. Bell",)),
)
PLAN = PlanTask(question=QUESTION, passages=PASSAGES, max_nodes=8)
SOLVE = SolveTask(
    question=QUESTION,
    sub_questions=(
        RankQuestion(id=1, question="Who is the author of The Reed?", passages=(3,)),
        RankQuestion(id=2, question="Is a before b?", kind="compare", inputs=("1901", "1950")),
    ),
    memory="The Reed is a novel.",
    memory_tokens=250,
    passages=PASSAGES,
)
WRITE = WriteTask(
    question=QUESTION,
    form="chain",
    established=(
        Established(id=1, question="Who wrote it?", answer="Ann Bell", citations=(Cite(passage=3, sentence=2),)),
    ),
    complete=False,
    memory="",
    passages=PASSAGES,
    max_statements=6,
    max_words=200,
)
REINFER = ReinferTask(question=QUESTION, statements=(ShownStatement(text=STATEMENTS[0], source="The Reed"),))
PROPOSITIONS = PropositionsTask(
    request=PropositionsRequest(question=QUESTION, short_answer="Dale", statements=STATEMENTS)
)
REINFERENCE = ReinferenceTask(request=ReinferenceRequest(question=QUESTION, statements=STATEMENTS))
TASKS: tuple[Task[Any], ...] = (PLAN, SOLVE, WRITE, REINFER, PROPOSITIONS, REINFERENCE)

CITE = {"passage": 3, "sentence": 2}
REPLIES: dict[str, dict[str, Any]] = {
    "plan": {
        "reasoning": "the author, then the place",
        "form": "chain",
        "sub_questions": [
            {"question": "Who is the author of The Reed?", "needs": [], "kind": "find"},
            {"question": "Where was {1} born?", "needs": [1], "kind": "find"},
        ],
    },
    "solve": {
        "findings": [
            {"id": 1, "reasoning": "said", "supported": True, "answer": "Ann Bell", "citations": [CITE]},
            {"id": 2, "reasoning": "not said", "supported": False, "answer": None, "citations": []},
        ],
        "memory": "Ann Bell wrote The Reed.",
        "missing": ["Where was Ann Bell born?"],
    },
    "write": {
        "statements": [{"text": STATEMENTS[0], "citations": [CITE]}],
        "short_answer": "Dale",
        "withheld": "",
    },
    "reinfer": {"reasoning": "1", "short_answer": "Dale"},
    "propositions": {
        "reasoning": "two facts",
        "question_entities": ["The Reed"],
        "persons": ["Ann Bell"],
        "form": "chain",
        "branches": [],
        "propositions": [
            {
                "statement": number,
                "text": text,
                "role": "body",
                "triples": [{"subject": subject, "relation": relation, "object": value, "negated": False}],
                "coreferences": [],
            }
            for number, (text, subject, relation, value) in enumerate(
                (
                    (STATEMENTS[0], "The Reed", "was written by", "Ann Bell"),
                    (STATEMENTS[1], "Ann Bell", "was born in", "Dale"),
                ),
                start=1,
            )
        ],
    },
    "reinference": {"reasoning": "both", "short_answer": "Dale"},
}
