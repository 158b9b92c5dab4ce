"""The typed requests that a language model answers, and their replies.

A task's fields are all that a model may know; its reply is checked in code whatever it claims.
Reply models put the reasoning before the verdict, since a model that commits first argues for
what it said.
"""

from __future__ import annotations

from typing import ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

ReplyT = TypeVar("ReplyT", bound=BaseModel)

#: What a question asks for: how its parts combine into an answer.
Form = Literal["chain", "comparison", "intersection", "count", "yes/no"]
#: What a node of a plan does: look something up, or combine what earlier nodes found.
NodeKind = Literal["find", "compare", "count"]


class Strict(BaseModel):
    """A model that refuses unknown fields and never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Task(Strict, Generic[ReplyT]):
    """A request. ``kind`` names its prompt file; ``reply_model`` is what the answer must be."""

    kind: ClassVar[str]
    reply_model: ClassVar[type[BaseModel]]


class Cite(Strict):
    """One sentence of one passage, both counted from 1 as they were offered."""

    passage: int
    sentence: int


class OfferedPassage(Strict):
    """A passage as a model sees it: its number in the run, its title, its sentences in order.

    ``aliases`` are other names of what the document is about. ``left_out`` counts sentences at the
    end that were cut to fit; numbers are never reused.
    """

    number: int
    title: str
    sentences: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    left_out: int = 0


class PlannedQuestion(Strict):
    """One sub-question as a model proposes it; ``needs`` are 1-based positions in the same list."""

    question: str
    needs: tuple[int, ...] = ()
    kind: NodeKind = "find"


class PlanReply(Strict):
    """The proposed plan."""

    reasoning: str = ""
    form: Form = "chain"
    sub_questions: tuple[PlannedQuestion, ...] = ()


class PlanTask(Task[PlanReply]):
    """Split the question into sub-questions, given what one search already found."""

    kind: ClassVar[str] = "plan"
    reply_model: ClassVar[type[BaseModel]] = PlanReply

    question: str
    passages: tuple[OfferedPassage, ...]
    max_nodes: int


class RankQuestion(Strict):
    """A sub-question that is ready: earlier answers filled in, its own passages named first."""

    id: int
    question: str
    kind: NodeKind = "find"
    inputs: tuple[str, ...] = ()
    passages: tuple[int, ...] = ()


class Finding(Strict):
    """What was found for one sub-question."""

    id: int
    reasoning: str = ""
    supported: bool = False
    answer: str | None = None
    citations: tuple[Cite, ...] = ()


class SolveReply(Strict):
    """The findings of a rank, the memory folded anew, and what is still missing."""

    findings: tuple[Finding, ...] = ()
    memory: str = ""
    missing: tuple[str, ...] = ()


class SolveTask(Task[SolveReply]):
    """Answer every sub-question of one rank from the passages.

    ``planned`` are the sub-questions of later ranks, so that none of them is named as missing.
    """

    kind: ClassVar[str] = "solve"
    reply_model: ClassVar[type[BaseModel]] = SolveReply

    question: str
    sub_questions: tuple[RankQuestion, ...]
    memory: str
    memory_tokens: int
    passages: tuple[OfferedPassage, ...]
    planned: tuple[str, ...] = ()


class Established(Strict):
    """A sub-question that has an answer, for the final write."""

    id: int
    question: str
    answer: str
    needs: tuple[int, ...] = ()
    citations: tuple[Cite, ...] = ()


class WrittenStatement(Strict):
    """One sentence of the long answer with the sentences it rests on."""

    text: str
    citations: tuple[Cite, ...] = ()


class WriteReply(Strict):
    """The long answer in reasoning order, then the short answer, or None where there is none.

    ``probability`` is the model's own calibrated chance that the short answer is right, None where
    it has none.
    """

    statements: tuple[WrittenStatement, ...] = ()
    short_answer: str | None = None
    probability: float | None = Field(default=None, ge=0, le=1)
    withheld: str = ""


class WriteTask(Task[WriteReply]):
    """Write the answer from what was established and the passages.

    ``complete`` says that the plan is answered, so that the last step's answer is the answer.
    ``gap`` is what nothing in an earlier answer connected, and ``unread`` are the passages that a search
    for it found.
    """

    kind: ClassVar[str] = "write"
    reply_model: ClassVar[type[BaseModel]] = WriteReply

    question: str
    form: Form
    established: tuple[Established, ...]
    complete: bool
    memory: str
    passages: tuple[OfferedPassage, ...]
    unread: tuple[int, ...] = ()
    gap: str = ""
    max_statements: int
    max_words: int
    force_answer: bool = False


class ReinferReply(Strict):
    """The short answer that follows from the long one, None where none does."""

    reasoning: str = ""
    short_answer: str | None = None


class ShownStatement(Strict):
    """A statement as a reader sees it; ``source`` is the title of the document that it quotes, else empty."""

    text: str
    source: str = ""


class ReinferTask(Task[ReinferReply]):
    """Infer the short answer from the question and the long answer's statements alone."""

    kind: ClassVar[str] = "reinfer"
    reply_model: ClassVar[type[BaseModel]] = ReinferReply

    question: str
    statements: tuple[ShownStatement, ...]


class JudgeReply(Strict):
    """Whether a given answer is right."""

    reasoning: str = ""
    right: bool = False


class JudgeTask(Task[JudgeReply]):
    """Judge a short answer by the answers that are known to be right; only an evaluation asks this."""

    kind: ClassVar[str] = "judge"
    reply_model: ClassVar[type[BaseModel]] = JudgeReply

    question: str
    known: tuple[str, ...]
    given: str
