"""The long answer: sentences quoted word for word, in reasoning order, each cited."""

from __future__ import annotations

from collections.abc import Sequence

from pinakes_ask.gate import stands_in
from pinakes_ask.models.extractive.candidates import Candidate, same_thing
from pinakes_ask.models.extractive.chance import Chance, chance, in_order, signals
from pinakes_ask.models.extractive.digest import digest, speaks_of, trimmed
from pinakes_ask.models.extractive.facts import other_names
from pinakes_ask.models.extractive.question import question_names
from pinakes_ask.models.extractive.think import Thought
from pinakes_ask.tasks import Cite, OfferedPassage, WriteReply, WriteTask, WrittenStatement
from retrieval.text import without_markup

#: How a withheld short answer is explained.
NOTHING_CONNECTS = "no sentence of the evidence connects what the question names to an answer"
#: Where quoting anything would only distract.
NOTHING_SPEAKS = "no sentence of the evidence has a word or a name of the question"
#: Where the likeliest answer stands in what has not happened.
UNREAL = "the sentence that holds the likeliest answer denies it, or only supposes it"
#: Where a question is read by patterns alone.
NOT_PARSED = (
    "the question is in no language that is parsed here, so that it was read by patterns, "
    "and how likely an answer is right is not known"
)


def write(task: WriteTask, thought: Thought, stated: Candidate | None) -> WriteReply:
    """Give the best answer where it is likely enough, and quote what leads to it.

    Only the sentences that lead to it are quoted then. Where it is not likely enough it is withheld,
    unless ``force_answer`` asks for it, and the sentences that are most worth reading follow.

    :param stated: the answer that facts state outright along the whole plan, None where they do not.
    """
    length = {
        Cite(passage=one.number, sentence=place): len(text.split())
        for one in task.passages
        for place, text in enumerate(one.sentences, start=1)
    }
    limits = task.max_statements, task.max_words, length
    ordered = in_order(thought, stated)
    if not ordered:
        return WriteReply(statements=_quoted(digest(thought, (), *limits), task), withheld=NOTHING_CONNECTS)
    best = ordered[0]
    leads = stated if stated is not None and same_thing(stated.answer, best.answer) else None
    found = chance(signals(thought, ordered, stated)) if thought.parsed else None
    route = leads.cites if leads is not None else best.cites
    leading = trimmed(route, *limits)
    unmet = _unmet(task, leading)
    supposed = leads is None and best.ranked is not None and best.ranked.support.signals["unreal"] > 0
    sure = found is not None and found.enough and not unmet and not supposed
    withheld = "" if task.force_answer else _why_withheld(found, unmet, supposed)
    if withheld and not speaks_of(thought):
        return WriteReply(withheld=NOTHING_SPEAKS)
    return WriteReply(
        statements=_quoted(leading if sure else digest(thought, route, *limits), task),
        short_answer=None if withheld else best.answer,
        probability=found.probability if found is not None and not withheld else None,
        withheld=withheld,
    )


def _why_withheld(found: Chance | None, unmet: Sequence[str], supposed: bool) -> str:
    if found is None:
        return NOT_PARSED
    if not found.enough:
        return (
            f"the likeliest answer is right with a probability of {found.probability:.2f}, "
            f"below the threshold of {found.threshold:.2f}"
        )
    if supposed:
        return UNREAL
    return f"the sentences that lead to the answer leave out {', '.join(unmet)}" if unmet else ""


def _unmet(task: WriteTask, leading: Sequence[Cite]) -> list[str]:
    """The names of the question that no sentence leading to the answer mentions, nor its document's title.

    An answer that passes over one of the conditions is an answer to another question.
    """
    by_number = {passage.number: passage for passage in task.passages}
    aliases = other_names(task.passages)
    shown = " ".join(
        f"{by_number[cite.passage].title}. {_sentence(by_number[cite.passage], cite)}" for cite in leading
    )
    titles = [passage.title for passage in task.passages]
    return [
        name.text
        for name in question_names(task.question, titles)
        if not any(stands_in(one, shown) for one in (name.text, *_also_called(name.text, aliases)))
    ]


def _also_called(name: str, groups: Sequence[Sequence[str]]) -> list[str]:
    return [one for group in groups if any(same_thing(name, other) for other in group) for one in group]


def _quoted(cites: Sequence[Cite], task: WriteTask) -> tuple[WrittenStatement, ...]:
    passages = {passage.number: passage for passage in task.passages}
    return tuple(
        WrittenStatement(text=_sentence(passages[cite.passage], cite), citations=(cite,)) for cite in cites
    )


def _sentence(passage: OfferedPassage, cite: Cite) -> str:
    return without_markup(passage.sentences[cite.sentence - 1])
