"""``answer.md``: the answer for people, with its quotes, plan, path and scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from transcripts.escape import markdown, mermaid
from transcripts.record import ScoreInfo, Transcript
from transcripts.site.citations import Numbering

_MEASURES = (
    ("completeness", "Completeness", "1 when stated facts connect question and answer without a gap"),
    ("essentiality", "Essentiality", "share of the stated facts that lie on that connection"),
    ("determinateness", "Determinateness", "1 when the short answer follows from the long one alone"),
)


def answer_md(transcript: Transcript, path: Mapping[str, Any]) -> str:
    """Return the text of ``answer.md``. GitHub draws the plan and the path as diagrams."""
    blocks = [f"# {markdown(transcript.question)}", *_answer(transcript)]
    if transcript.plan is not None:
        blocks += ["## Plan", _plan(transcript)]
    if transcript.score is not None:
        blocks += ["## Path", _path(path), "## Scores", _scores(transcript.score)]
    blocks += ["## Run", _run(transcript)]
    return "\n\n".join(blocks) + "\n"


def _answer(transcript: Transcript) -> list[str]:
    answer = transcript.answer
    if answer.short_answer is not None:
        blocks = [f"**{markdown(answer.short_answer)}**"]
    else:
        blocks = [f"*No short answer: {markdown((answer.withheld or 'none was found').rstrip('.'))}.*"]
    numbering = Numbering(transcript)
    notes: dict[int, str] = {}
    lines: list[str] = []
    for statement in answer.statements:
        marks = numbering.marks(statement.citations)
        notes |= {mark.number: f"{markdown(mark.title)}: “{markdown(mark.quote)}”" for mark in marks}
        cited = "".join(f" [^{mark.number}]" for mark in marks)
        lines.append(f"- {markdown(statement.text)}{cited or ' *(unsupported)*'}")
    if lines:
        blocks += ["\n".join(lines), "\n".join(f"[^{number}]: {note}" for number, note in notes.items())]
    return blocks


def _plan(transcript: Transcript) -> str:
    plan = transcript.plan
    if plan is None:
        return ""
    lines = ["```mermaid", "flowchart TD"]
    for node in plan.nodes:
        # On one line: of labels with a line break some versions read the entities as Markdown.
        label = (
            f"{node.id}#58; {mermaid(node.asked or node.question)} #8594; {mermaid(node.answer or node.status)}"
        )
        lines.append(f'  q{node.id}["{label}"]')
        lines += [f"  q{need} --> q{node.id}" for need in node.needs]
    return "\n".join([*lines, "```"])


def _path(path: Mapping[str, Any]) -> str:
    nodes = list(path["nodes"])
    if not nodes:
        gap = path.get("gap")
        return f"No path: {markdown(gap['text'])}." if gap else "No path was found."
    ids = {node: f"n{index}" for index, node in enumerate(nodes)}
    lines = ["```mermaid", "flowchart LR"]
    lines += [f'  {ids[node]}(["{mermaid(str(node))}"])' for node in nodes]
    for edge in path["edges"]:
        joined = [ids[entity] for entity in edge["entities"] if entity in ids]
        lines += [f'  {joined[0]} ---|"{mermaid(edge["text"], 60)}"| {other}' for other in joined[1:]]
    return "\n".join([*lines, "```"])


def _scores(score: ScoreInfo) -> str:
    verdict = score.verdict
    reasons = verdict.get("not_applicable", {})
    lines = ["| measure | value | meaning |", "|---|---|---|"]
    for key, name, meaning in _MEASURES:
        value = verdict.get(key)
        shown = f"not measured: {markdown(reasons.get(key, ''))}" if value is None else f"{value:.2f}"
        lines.append(f"| {name} | {shown} | {meaning} |")
    if verdict.get("class"):
        lines += ["", f"Failure class: {markdown(str(verdict['class']))}."]
    return "\n".join(lines)


def _run(transcript: Transcript) -> str:
    usage = transcript.usage
    cost = "unknown" if usage.cost is None else f"{usage.cost:.4f}"
    lines = [
        f"- status: {transcript.status}, stopped by: {transcript.stop_reason}",
        f"- model: {markdown(transcript.model)}; {usage.calls} calls, {usage.prompt_tokens} + "
        f"{usage.completion_tokens} tokens, cost {cost}, {usage.seconds:.2f} s",
        f"- searched: {markdown(transcript.library.name)}; {len(transcript.evidence)} passages read",
        *(f"  - for: {markdown(query)}" for query in dict.fromkeys(one.query for one in transcript.searches)),
        f"- asked: {transcript.created:%Y-%m-%d %H:%M} UTC, run {transcript.id}",
    ]
    return "\n".join(lines + [f"- warning: {markdown(warning)}" for warning in transcript.warnings])
