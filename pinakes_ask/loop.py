"""The ask loop: retrieve, decide, plan, solve rank by rank, write, check, repair once.

Everything a run learns is kept in :class:`Run`, whatever ends it, so that it can always be saved.
"""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from pydantic import BaseModel

from pinakes_ask.answer import Answer, accept
from pinakes_ask.budget import Budget
from pinakes_ask.check import Checker
from pinakes_ask.errors import BudgetSpent, LibraryError, ModelError, ModelRefused
from pinakes_ask.evidence import all_sentences, fitting
from pinakes_ask.gate import judge
from pinakes_ask.memory import CHARACTERS_PER_TOKEN, bound
from pinakes_ask.metered import Keep, MeteredModel
from pinakes_ask.plan import Plan, SubQuestion
from pinakes_ask.run import BOUNDED, Progress, Round, Run, StopReason, Watch, check_question
from pinakes_ask.seams import Clock, LanguageModel, Replied
from pinakes_ask.settings import Settings
from pinakes_ask.tasks import (
    Cite,
    OfferedPassage,
    PlanReply,
    PlanTask,
    RankQuestion,
    SolveReply,
    SolveTask,
    Task,
    WriteTask,
)
from pinakes_ask.threads import in_thread
from retrieval.protocols import Searcher
from retrieval.text.wording import counted
from retrieval.types import Confidence, Filters, Found

ReplyT = TypeVar("ReplyT", bound=BaseModel)


class Loop:
    """Asks one question. :meth:`ask` is the whole of it; the rest are its steps."""

    def __init__(
        self,
        searcher: Searcher,
        model: LanguageModel,
        checker: Checker,
        settings: Settings,
        clock: Clock,
        *,
        filters: Filters | None = None,
        watch: Watch = lambda progress: None,
        on_exchange: Keep | None = None,
    ) -> None:
        self._searcher = searcher
        self._checker = checker
        self._settings = settings.loop
        self.budget = Budget(settings.limits, clock)
        self._model = MeteredModel(model, self.budget, on_exchange)
        self._worst_case, self._digest = model.worst_case, model.prompt_digest
        self._filters = filters
        self._watch = watch
        #: What the question under way has so far; None before :meth:`ask`.
        self.run: Run | None = None

    async def ask(self, question: str) -> Run:
        """Answer ``question`` and return the run.

        Once the first search is done the run is returned whatever happens, so that nothing it
        learned is lost. A cancellation ends it with the best answer so far.

        :raises QuestionError: for an empty or overlong question.
        :raises BudgetRefused: when the budget cannot pay for one answer.
        :raises LibraryError: when the library cannot be searched.
        """
        run = self.run = Run(check_question(question), exchanges=self._model.exchanges)
        self.budget.hold_final(self._worst_case(self._largest_write(run)))
        run.confidence = (await self._search(run, [run.question]))[0]
        self._say(run, f"search: {counted(len(run.evidence), 'passage')}, {_chance(run.confidence)}")
        if not len(run.evidence):
            return run
        await self._attempt(run, plan=not run.confidence.enough, final=True)
        unanswered = run.answer.short_answer is None and not run.failure and run.stop_reason != "interrupted"
        if run.confidence.enough and unanswered and not self.budget.past_deadline:
            # The gate let the question through, and the write found that it should not have.
            run.warnings.append("The first search looked sufficient and was not, so the question was planned.")
            await self._attempt(run, plan=True, final=False)
        return run

    async def _attempt(self, run: Run, *, plan: bool, final: bool) -> None:
        """Gather evidence by a plan, or take it as it is; then answer. ``final`` pays from what was set aside."""
        try:
            run.stop_reason = await self._gather(run) if plan else "sufficient"
        except BudgetSpent as spent:
            run.stop_reason = "budget"
            run.warnings.append(str(spent))
        except ModelRefused as error:
            # No call can succeed with this key or name: going on would only repeat the error.
            run.stop_reason, run.failure = "interrupted", str(error)
            return
        except LibraryError as error:
            run.stop_reason, run.failure = "interrupted", str(error)
        except asyncio.CancelledError:
            run.stop_reason = _interrupted()
        try:
            await self._answer(run, final=final)
        except BudgetSpent as spent:
            if final:
                run.failure = str(spent)
            else:
                run.stop_reason = "budget"
        except (ModelError, LibraryError) as error:
            run.failure = str(error)
        except asyncio.CancelledError:
            run.stop_reason = _interrupted()
            if not run.answer.statements:
                run.answer = Answer(withheld="the run was stopped while the answer was written")

    async def _gather(self, run: Run) -> StopReason:
        """Plan, and collect evidence until the plan is done or a bound is reached."""
        if self.budget.past_deadline:
            return "deadline"
        plan = await self._plan(run)
        while not plan.answered:
            plan.cascade()
            if not plan.unfinished:
                return "plan_exhausted"
            if self.budget.past_deadline:
                return "deadline"
            if len(run.rounds) >= self._settings.max_rounds:
                return "answered" if plan.gathered else await self._look_ahead(run, plan)
            if rank := plan.ready():
                await self._round(run, plan, rank)
            elif not plan.answered:
                return "plan_exhausted"
        return "answered"

    async def _look_ahead(self, run: Run, plan: Plan) -> StopReason:
        """Search for what no round is left to solve: that costs nothing, and a model that reads can use it."""
        if self._takes_hints(run) and (rank := [node for node in plan.ready() if node.kind == "find"]):
            await self._search(run, [node.asked for node in rank])
            for node in rank:
                node.note = "searched for, and left to the answer"
        return "round_cap"

    async def _answer(self, run: Run, *, final: bool) -> None:
        """Write and check; where that names no answer, or the check a gap, look for it and write once more."""
        run.gap, run.unread = "", ()
        await self._write(run, final=final)
        for _ in range(self._settings.max_repairs - await self._reread(run)):
            gap = run.report.gap if run.report else None
            if gap is None or run.report is None or self.budget.past_deadline:
                break
            known = len(run.evidence)
            await self._search(run, [f"{gap.source} {gap.target}"])
            run.unread = tuple(number for number in run.evidence.numbers() if number > known)
            run.gap = f"{gap.source} | {gap.target}"
            if not (run.unread or self._takes_hints(run)):
                break
            run.before_repair = run.answer, run.report
            self._say(run, f"repair: {gap.text}")
            failed, stopped = "", run.stop_reason
            try:
                await self._write(run, final=False)
            except (BudgetSpent, ModelError) as error:
                failed = str(error)
            except asyncio.CancelledError:
                failed, stopped = "It was stopped.", _interrupted()
            if failed or run.report is None or run.answer.short_answer is None:
                run.answer, run.report = run.before_repair
                run.before_repair, run.stop_reason = None, stopped
                run.warnings.append(f"The first answer was kept: its repair came to nothing. {failed}".strip())
                break

    async def _reread(self, run: Run) -> int:
        """Write again from whole passages where the cited sentences of a complete plan were not enough.

        It counts as a repair: return 1 where it was tried, else 0.
        """
        complete = run.plan is not None and run.plan.answered
        tried = complete and run.answer.short_answer is None and not self.budget.past_deadline
        if not (tried and self._settings.max_repairs and self._takes_hints(run)):
            return 0
        first = run.answer, run.report, run.stop_reason
        if run.stop_reason == "no_evidence":
            run.stop_reason = "answered"
        try:
            await self._write(run, final=False, whole=True)
        except (BudgetSpent, ModelError) as error:
            run.warnings.append(f"The answer was not tried again from whole passages. {error}")
        if run.answer.short_answer is None:
            run.answer, run.report, run.stop_reason = first
        return 1

    async def _plan(self, run: Run) -> Plan:
        task = PlanTask(
            question=run.question,
            passages=run.evidence.offer(run.evidence.numbers()),
            max_nodes=self._settings.max_nodes,
        )
        try:
            reply = (await self._asked(run, task)).reply
        except ModelRefused:
            raise
        except ModelError as error:
            run.warnings.append(f"Planning failed, so the question itself is the plan. {error}")
            reply = PlanReply()
        plan = Plan.of(run.question, reply, max_nodes=self._settings.max_nodes)
        run.plan = plan
        self._say(run, f"plan: {counted(len(plan.nodes), 'sub-question')}, {plan.form}")
        return plan

    async def _round(self, run: Run, plan: Plan, rank: list[SubQuestion]) -> None:
        """Retrieve and solve one rank, settle it, fold the memory and grow the plan."""
        finds = [node for node in rank if node.kind == "find"]
        found = await self._found([node.asked for node in finds])
        retrieved = {node.id: run.evidence.add(f.hits) for node, f in zip(finds, found, strict=True)}
        this = Round([(node.id, node.asked) for node in rank], retrieved, run.memory)
        run.rounds.append(this)
        for number, asked in this.asked:
            self._say(run, f"round {len(run.rounds)}: {number}. {asked}")
        offered, reply = await self._solve(run, plan, rank, retrieved)
        findings = {finding.id: finding for finding in reply.findings}
        if len(rank) == len(reply.findings) == 1:
            findings = {rank[0].id: reply.findings[0]}  # it can be about nothing else, whatever its number
        for node in rank:
            plan.settle(node.id, *judge(node, findings.get(node.id), offered, run.evidence))
            self._say(run, f"round {len(run.rounds)}: {node.id}. → {node.answer or 'no answer'}")
        run.memory, cut = bound(reply.memory, self._settings.memory_tokens)
        if cut:
            run.warnings.append(f"The memory of round {len(run.rounds)} was cut to its bound.")
        grown = plan.grow(reply.missing, max_nodes=self._settings.max_nodes, max_grown=self._settings.max_grown)
        this.memory, this.missing = run.memory, reply.missing
        this.grown = tuple(node.id for node in grown)

    async def _solve(
        self, run: Run, plan: Plan, rank: list[SubQuestion], retrieved: dict[int, tuple[int, ...]]
    ) -> tuple[frozenset[Cite], SolveReply]:
        """Return the sentences that were offered, and the reply."""
        cited = [cite.passage for node in plan.established() for cite in node.citations]
        numbers = [number for numbers in retrieved.values() for number in numbers]
        task = SolveTask(
            question=run.question,
            sub_questions=tuple(
                RankQuestion(
                    id=node.id,
                    question=node.asked,
                    kind=node.kind,
                    inputs=plan.inputs(node),
                    passages=retrieved.get(node.id, ()),
                )
                for node in rank
            ),
            memory=run.memory,
            memory_tokens=self._settings.memory_tokens,
            passages=run.evidence.offer([*cited, *numbers]),
            planned=plan.ahead(),
        )
        try:
            replied = await self._asked(run, task)
            return _offered(task, replied), replied.reply
        except ModelRefused:
            raise
        except ModelError as error:
            run.warnings.append(f"Round {len(run.rounds)} found nothing. {error}")
            return frozenset(), SolveReply(memory=run.memory)

    async def _write(self, run: Run, *, final: bool, whole: bool = False) -> None:
        task = self._write_task(run, run.evidence.numbers())
        if whole:
            task = task.model_copy(update={"complete": False})
        left_out = len(run.evidence) - len(task.passages)
        if left_out:
            run.warnings.append(f"{left_out} passages did not fit into the final write and were left out of it.")
        self._say(run, "answer: writing")
        replied = await self._asked(run, task, final=final)
        run.answer = accept(replied.reply, _offered(task, replied), run.evidence, run.question)
        run.report = None
        if run.answer.statements:
            self._say(run, "answer: checking")
            run.report = await self._checker.check(run.question, run.answer, run.plan, run.evidence, self._model)
            run.warnings += run.report.notes
        elif run.stop_reason not in BOUNDED:
            run.stop_reason = "no_evidence"

    def _say(self, run: Run, text: str) -> None:
        self._watch(Progress(text, run, self.budget))

    def _takes_hints(self, run: Run) -> bool:
        """Whether the model reads a prompt, so that naming the gap may help where no new passage does."""
        return bool(self._digest(self._write_task(run, ())))

    async def _asked(self, run: Run, task: Task[ReplyT], *, final: bool = False) -> Replied[ReplyT]:
        """Ask ``task``; what the model's side has to say on it is kept for the reader."""
        replied = await self._model.ask(task, final=final)
        run.warnings += [note for note in replied.notes if note not in run.warnings]
        return replied

    def _largest_write(self, run: Run) -> WriteTask:
        """A write as large as any of this run: its budget is set aside at the start."""
        text = "x" * (CHARACTERS_PER_TOKEN * self._settings.write_tokens)
        filler = OfferedPassage(number=1, title="", sentences=(text,))
        memory = text[: CHARACTERS_PER_TOKEN * self._settings.memory_tokens]
        return self._write_task(run, ()).model_copy(update={"passages": (filler,), "memory": memory})

    def _write_task(self, run: Run, numbers: range | tuple[int, ...]) -> WriteTask:
        established = run.plan.established() if run.plan else []
        cited = [cite.passage for node in established for cite in node.citations]
        offered = run.evidence.offer([*cited, *numbers])
        return WriteTask(
            question=run.question,
            form=run.plan.form if run.plan else "chain",
            established=tuple(node.as_established() for node in established),
            complete=run.plan is not None and run.plan.answered,
            memory=run.memory,
            passages=fitting(offered, self._settings.write_tokens),
            unread=run.unread,
            gap=run.gap,
            max_statements=self._settings.max_statements,
            max_words=self._settings.max_words,
            force_answer=self._settings.force_answer,
        )

    async def _found(self, queries: list[str]) -> list[Found]:
        return await in_thread(self._searcher.search, queries, self._settings.k, self._filters)

    async def _search(self, run: Run, queries: list[str]) -> list[Confidence]:
        found = await self._found(queries)
        for one in found:
            run.evidence.add(one.hits)
        return [one.confidence for one in found]


def _interrupted() -> StopReason:
    """Take a cancellation for the wish to end with what there is; another one is not waited for."""
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()
    return "interrupted"


def _offered(task: SolveTask | WriteTask, replied: Replied[Any]) -> frozenset[Cite]:
    """The sentences that a reply to ``task`` may cite."""
    return all_sentences(task.passages) if replied.shown is None else replied.shown


def _chance(confidence: Confidence) -> str:
    if confidence.probability is None:
        return "sufficiency unknown"
    return f"sufficient with probability {confidence.probability:.2f}"
