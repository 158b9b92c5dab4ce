"""Evidence that does not fit a model's window: the least of it is left out, the least wanted first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from pinakes_ask.models.endpoint.prompts import Prompt, prompt_for
from pinakes_ask.tasks import OfferedPassage, PlanTask, SolveTask, Task, WriteTask

#: A task that offers passages.
_Offering = PlanTask | SolveTask | WriteTask


@dataclass(frozen=True)
class Fitted:
    """A prompt with as much evidence as fits.

    :param left_out: sentences that the whole prompt would show and this one does not.
    :param begun: whether of the only sentence left no more than the beginning is shown.
    """

    prompt: Prompt
    left_out: int = 0
    begun: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What the run's reader should know, nothing where all of it fits."""
        if not self.left_out and not self.begun:
            return ()
        some = "1 sentence" if self.left_out == 1 else f"{self.left_out} sentences"
        short = "; the one that was kept was cut short" if self.begun else ""
        return (f"{some} did not fit into the model's window{short}.",)


def fitted(task: Task[Any], fits: Callable[[Prompt], bool]) -> Fitted:
    """Return the prompt for ``task`` with as many sentences left out as make it fit.

    Whole sentences go, the last of a passage first; passages that the task cites, or names for one of its
    questions, go last. Where not even one sentence fits, so much of its beginning is kept as does. A
    prompt without passages cannot be made to fit, and is returned as it is.
    """
    whole = prompt_for(task)
    if fits(whole) or not isinstance(task, PlanTask | SolveTask | WriteTask):
        return Fitted(whole)
    order = list(_least_wanted_first(task))
    if not order:
        return Fitted(whole)
    # The fewest sentences: one less, and it would not fit.
    cut = bisect_left(range(len(order)), True, key=lambda count: fits(prompt_for(_without(task, order[:count]))))
    begun = cut == len(order)
    fewer = _without(task, order[: cut - begun])
    prompt = prompt_for(_begun(fewer, fits) if begun else fewer)
    return Fitted(prompt, len((whole.shown or frozenset()) - (prompt.shown or frozenset())), begun)


def _least_wanted_first(task: _Offering) -> Iterator[int]:
    """Yield passage numbers, each as often as a sentence at its end may go."""
    cited = _last_cited(task)
    wanted = list(dict.fromkeys(_wanted(task)))
    sizes = {passage.number: len(passage.sentences) for passage in task.passages}
    others = [number for number in sizes if number not in wanted]
    for number in reversed(others):
        yield from [number] * sizes[number]
    kept = {number: cited.get(number, sizes[number]) for number in wanted if number in sizes}
    for number in reversed(kept):
        yield from [number] * (sizes[number] - kept[number])
    for number in reversed(kept):
        yield from [number] * kept[number]


def _wanted(task: _Offering) -> Iterator[int]:
    """Yield the passages that a task cites or names, the most wanted first."""
    match task:
        case SolveTask():
            ranks = zip_longest(*(one.passages for one in task.sub_questions))
            yield from (number for number in chain.from_iterable(ranks) if number is not None)
        case WriteTask():
            yield from (cite.passage for one in task.established for cite in one.citations)
            yield from task.unread


def _last_cited(task: _Offering) -> dict[int, int]:
    """The last sentence of each passage that a task cites."""
    last: dict[int, int] = {}
    if isinstance(task, WriteTask):
        for cite in (cite for one in task.established for cite in one.citations):
            last[cite.passage] = max(cite.sentence, last.get(cite.passage, 0))
    return last


def _without(task: _Offering, cuts: list[int]) -> _Offering:
    """Return ``task`` without so many sentences at the end of each passage; a passage without any is dropped."""
    passages = [_shortened(passage, cuts.count(passage.number)) for passage in task.passages]
    return _offering(task, [passage for passage in passages if passage.sentences])


def _shortened(passage: OfferedPassage, count: int) -> OfferedPassage:
    kept = passage.sentences[: len(passage.sentences) - count]
    return passage.model_copy(update={"sentences": kept, "left_out": passage.left_out + count})


def _offering(task: _Offering, passages: list[OfferedPassage]) -> _Offering:
    """Return ``task`` with these passages, naming and citing no other sentence."""
    sizes = {passage.number: len(passage.sentences) for passage in passages}
    changes: dict[str, Any] = {"passages": tuple(passages)}
    match task:
        case SolveTask():
            changes["sub_questions"] = tuple(
                one.model_copy(update={"passages": tuple(number for number in one.passages if number in sizes)})
                for one in task.sub_questions
            )
        case WriteTask():
            changes["established"] = tuple(
                one.model_copy(
                    update={
                        "citations": tuple(
                            cite for cite in one.citations if cite.sentence <= sizes.get(cite.passage, 0)
                        )
                    }
                )
                for one in task.established
            )
    return task.model_copy(update=changes)


def _begun(task: _Offering, fits: Callable[[Prompt], bool]) -> _Offering:
    """Return ``task`` with so much of the beginning of its only sentence as fits, but one word at least."""
    (passage,) = task.passages
    words = passage.sentences[0].split()

    def beginning(count: int) -> _Offering:
        text = " ".join([*words[:count], "…"])
        return _offering(task, [passage.model_copy(update={"sentences": (text,)})])

    # The most words: one more, and it would not fit.
    first_too_long = bisect_left(
        range(1, len(words)), True, key=lambda count: not fits(prompt_for(beginning(count)))
    )
    return beginning(max(1, first_too_long))
