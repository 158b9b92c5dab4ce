"""How a transcript looks on a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from pinakes_ask.cli.show import show as show_answer
from pinakes_ask.cli.transcripts.show_rows import REVIEW_STYLE, measure
from retrieval.text import without_markup
from transcripts.escape import one_line
from transcripts.record import Transcript
from transcripts.rescore import Rescored
from transcripts.reviews import Reviews


def show_record(
    console: Console, transcript: Transcript, folder: Path, reviews: Reviews, rescored: Sequence[Rescored] = ()
) -> None:
    """Print a run as a reviewer reads it, with its reviews and later scores."""
    console.print(Text(one_line(transcript.question), "bold"))
    head = f"{transcript.id}, asked {transcript.created:%Y-%m-%d %H:%M} UTC, {transcript.status}"
    console.print(Text(head, "dim"))
    show_answer(console, transcript, folder)
    _path(console, transcript)
    _quotes(console, transcript)
    _rounds(console, transcript)
    if rescored:
        console.print(Text("\nScored again", "bold"))
    for later in rescored:
        verdict = later.verdict
        scores = " ".join(f"{name[0].upper()} {measure(verdict[name])}" for name in _MEASURES)
        console.print(Text(f"  {later.time:%Y-%m-%d} by version {later.version}: {scores}"))
    console.print(Text("\nReviews", "bold"))
    for review in reviews.all:
        said = Text(f"  {review.verdict}", REVIEW_STYLE[review.verdict])
        said.append(f" by {one_line(review.reviewer)}, {review.time:%Y-%m-%d %H:%M}", "default")
        if not review.is_of(transcript):
            said.append(" (of another record)", "yellow")
        if review.note:
            said.append(f": {one_line(review.note)}", "default")
        console.print(said)
    if not reviews.all:
        console.print(Text("  none yet", "dim"))


def show_passages(console: Console, transcript: Transcript) -> None:
    """Print every passage that the run read, with its number and how it was reached."""
    console.print(Text("\nEvidence", "bold"))
    for passage in transcript.evidence:
        head = Text(f"  [{passage.number}] ", "cyan").append(one_line(passage.title), "bold")
        console.print(head.append(f"  {one_line(passage.location)}", "dim"))
        ways = [f"{way.via} {way.detail}".strip() for way in passage.reached_by]
        console.print(Padding(Text(f"reached by {', '.join(ways)}", "dim"), (0, 0, 0, 6)))
        for number, (start, end) in enumerate(passage.sentences, start=1):
            console.print(Padding(Text(f"{number}. {one_line(passage.text[start:end])}"), (0, 0, 0, 6)))


def show_exchanges(console: Console, transcript: Transcript) -> None:
    """Print every call of the model: what it was asked for, what it took, what it replied."""
    console.print(Text("\nCalls of the model", "bold"))
    for call in transcript.exchanges:
        used = call.usage
        cost = "cost unknown" if used.cost is None else f"cost {used.cost:.4f}"
        head = Text(f"  {call.number}. {call.kind}", "cyan")
        tokens = f"{used.prompt_tokens} + {used.completion_tokens} tokens"
        console.print(head.append(f"  {tokens}, {cost}, {used.seconds:.2f} s", "dim"))
        said = call.error if call.reply is None else json.dumps(call.reply, ensure_ascii=False)
        console.print(Padding(Text(one_line(said)), (0, 0, 0, 6)))


_MEASURES = ("completeness", "essentiality", "determinateness")


def _path(console: Console, transcript: Transcript) -> None:
    """The facts that lead from the question to the answer."""
    score = transcript.score
    facts = [score.extraction["propositions"][index] for index in score.verdict["path"]] if score else []
    if facts:
        console.print(Text("\nPath", "bold"))
    for fact in facts:
        number = fact["statement"] + 1
        console.print(Text(f"  {one_line(fact['text'])}").append(f" (statement {number})", "dim"))


def _quotes(console: Console, transcript: Transcript) -> None:
    """The cited sentences, but for those that their statement repeats word for word."""
    cites = [(one.text, cite) for one in transcript.answer.statements for cite in one.citations]
    other = [(n, cite) for n, (text, cite) in enumerate(cites, start=1) if without_markup(cite.quote) != text]
    if other:
        console.print(Text("\nQuoted", "bold"))
    for number, cite in other:
        line = Text(f"  [{number}] ", "cyan").append(f"“{one_line(cite.quote)}”", "default")
        console.print(line.append(f" passage {cite.passage} of {one_line(cite.document)}", "dim"))


def _rounds(console: Console, transcript: Transcript) -> None:
    if transcript.rounds:
        console.print(Text("\nRounds", "bold"))
    titles = {one.number: one_line(one.title) for one in transcript.evidence}
    for number, one in enumerate(transcript.rounds, start=1):
        for node, asked in one.asked:
            found = [f"{titles[passage]} [{passage}]" for passage in one.retrieved.get(node, ())]
            console.print(Text(f"  {number}. ", "cyan").append(f"{node}: {one_line(asked)}", "default"))
            if found:
                console.print(Padding(Text(f"found {', '.join(found)}", "dim"), (0, 0, 0, 5)))
        if one.missing:
            console.print(Padding(Text(f"missing: {one_line('; '.join(one.missing))}", "yellow"), (0, 0, 0, 5)))
