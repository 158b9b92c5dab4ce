"""How an answer looks on a terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from pinakes_ask.result import faults, unmeasured
from retrieval.types import Found
from transcripts.escape import one_line
from transcripts.record import Transcript
from transcripts.site.citations import Numbering

_CLASS_MEANS = {
    "extraction_failed": "the answer could not be read as facts",
    "wrong_answer": "the reasoning holds but leads to another answer",
    "head_only": "only the concluding sentence connects question and answer",
    "circular": "the reasoning returns to where it began",
    "deviated": "the reasoning goes elsewhere",
    "unresolved_reference": "a pronoun or short name stands for nothing named",
    "answer_unstated": "no statement names the answer",
    "question_unmentioned": "no statement names what the question names",
    "partial_branch": "one of the compared things lacks its value",
    "broken": "a link is missing",
    "undetermined": "the short answer does not follow from the long one alone",
}
_MEANS = {
    "completeness": "stated facts lead from question to answer without a gap",
    "essentiality": "share of the facts that lie on that path",
    "determinateness": "the short answer follows from the long one alone",
}


def show(console: Console, transcript: Transcript, folder: Path | None) -> None:
    """Print the answer, its sources, the plan, the scores and where the record lies."""
    answer = transcript.answer
    if answer.short_answer is not None:
        console.print(f"\n[bold green]{_plain(answer.short_answer)}[/]\n")
    elif transcript.status == "no_evidence":
        told = ", as far as quoting can tell" if transcript.model == "extractive" else ""
        console.print(f"\n[bold yellow]Not in these documents{told}.[/]\n")
    else:
        console.print(
            f"\n[bold yellow]No short answer[/]: {_plain((answer.withheld or transcript.failure).rstrip('.'))}.\n"
        )
    numbering = Numbering(transcript)
    sources: dict[int, str] = {}
    for statement in answer.statements:
        marks = ""
        for cite, mark in zip(statement.citations, numbering.marks(statement.citations), strict=True):
            where = f"({_plain(cite.document)}, sentence {cite.sentence})"
            sources[mark.number] = f"{_plain(cite.title)} [dim]{where}[/]"
            marks += f"[cyan]\\[{mark.number}][/]"
        console.print(Padding(f"{_plain(statement.text)} {marks or '[red](unsupported)[/]'}", (0, 0, 0, 2)))
    if sources:
        console.print("\n[bold]Sources[/]")
        for number, source in sources.items():
            console.print(f"  [cyan]\\[{number}][/] {source}")
    if transcript.plan is not None and len(transcript.plan.nodes) > 1:
        console.print("\n[bold]Plan[/]")
        for node in transcript.plan.nodes:
            console.print(
                f"  {node.id}. {_plain(node.asked or node.question)} → {_plain(node.answer or node.status)}"
            )
    _scores(console, transcript)
    for note in faults(transcript):
        console.print(f"[yellow]note[/] {_plain(note)}")
    usage = transcript.usage
    model = transcript.model
    if model == "extractive":
        model = "the extractive model: it quotes your documents and writes nothing of its own"
    console.print(f"\n[dim]Answered by {_plain(model)}; {usage.calls} steps, {usage.seconds:.2f} s, "
                  f"stopped by: {transcript.stop_reason}.[/]")  # fmt: skip
    if folder is not None:
        console.print(f"[dim]Transcript:[/] {_plain(str(folder))}", soft_wrap=True)


def show_evidence(console: Console, found: Found) -> None:
    """Print what a search found, and how sure it is."""
    if not found.hits:
        console.print("[yellow]Nothing was found.[/]")
        return
    for rank, hit in enumerate(found.hits, start=1):
        passage = hit.passage
        console.print(f"\n[cyan]{rank}.[/] [bold]{_plain(passage.title)}[/] [dim]{_plain(passage.location)}[/]")
        console.print(Padding(_plain(passage.text), (0, 0, 0, 3)))
    sure = found.confidence
    known = "unknown" if sure.probability is None else f"{sure.probability:.2f}"
    console.print(f"\n[bold]Confidence[/] {known} [dim]({_plain(sure.reason)})[/]")


def _scores(console: Console, transcript: Transcript) -> None:
    if transcript.score is None:
        return
    verdict = transcript.score.verdict
    reasons = unmeasured(transcript)
    if len(reasons) == len(_MEANS) and len(set(reasons.values())) == 1:
        console.print(f"\n[bold]LogicScore[/]  not measured: {_plain(reasons['completeness'])}")
        return
    table = Table.grid(padding=(0, 2))
    for key, meaning in _MEANS.items():
        value = verdict[key]
        shown = "–" if value is None else f"{value:.2f}"
        meaning = f"not measured: {_plain(reasons[key])}" if key in reasons else meaning
        table.add_row(f"  {key[0].upper()} {key}", shown, f"[dim]{meaning}[/]")
    console.print("\n[bold]LogicScore[/]")
    console.print(table)
    if verdict["class"]:
        gap = f": {verdict['gap']['text']}" if verdict["gap"] else ""
        console.print(f"  [red]{_CLASS_MEANS.get(verdict['class'], verdict['class'])}{_plain(gap)}[/]")


def _plain(text: str) -> str:
    """Text from documents must not act on the terminal."""
    return escape(one_line(text))
