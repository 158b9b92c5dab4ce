"""How the hits of a search look on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from retrieval.indexes.tokens import tokens, tokens_at
from retrieval.text import fold
from retrieval.types import Confidence, Found, Reach

#: Characters of a passage that are shown.
SHOWN = 420


def show_hits(console: Console, found: Found, *, explain: bool) -> None:
    """Print the hits with the question's words marked, and the confidence."""
    wanted = set(tokens(found.query))
    for rank, hit in enumerate(found.hits, start=1):
        passage = hit.passage
        head = (
            Text(f"{rank}. ", style="cyan")
            .append(passage.title, style="bold")
            .append(f"  {passage.location}", "dim")
        )
        console.print(head)
        console.print(Padding(_marked(_cut(passage.text), wanted), (0, 0, 0, 3)))
        console.print(
            Padding(Text("reached by " + "; ".join(map(_say, hit.reached_by)), style="dim"), (0, 0, 0, 3))
        )
        if explain:
            signals = ", ".join(f"{name} {value:.3f}" for name, value in hit.signals.items())
            console.print(Padding(Text(f"score {hit.score:.4f}: {signals}", style="dim"), (0, 0, 0, 3)))
    if not found.hits:
        console.print("Nothing in the library matches, or the filters leave nothing to search.")
        return
    console.print(_sure(found.confidence))
    if explain:
        signals = ", ".join(f"{name} {value:.3f}" for name, value in found.confidence.signals.items())
        console.print(Text(signals, style="dim"))


def _sure(confidence: Confidence) -> Text:
    if confidence.probability is None:
        return Text(f"Confidence unknown: {confidence.reason}.", style="yellow")
    verdict = "enough" if confidence.enough else "not enough"
    return Text(
        f"Confidence {confidence.probability:.2f} that these hold all the evidence "
        f"({verdict}: the threshold is {confidence.threshold:.2f}).",
        style="green" if confidence.enough else "yellow",
    )


def _say(reach: Reach) -> str:
    if reach.via == "name" and reach.source is None:
        return f"the name “{reach.detail}” in the question"
    if reach.source is not None:
        hops = f" ({reach.hops} hops)" if reach.hops > 1 else ""
        return f"the {reach.via} “{reach.detail}” in {reach.source}{hops}"
    return reach.via


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[:SHOWN].rsplit(" ", 1)[0] + " …"


def _marked(text: str, wanted: set[str]) -> Text:
    marked = Text(text)
    if len(fold(text)) != len(text):
        return marked  # folding moved the offsets; better no mark than a wrong one
    for token, start in zip(*tokens_at(text), strict=True):
        if token in wanted:
            end = start
            while end < len(text) and text[end].isalnum():
                end += 1
            marked.stylize("bold magenta", start, end)
    return marked
