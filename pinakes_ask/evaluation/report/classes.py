"""What is wrong with the reasoning: how many answers are of each failure class."""

from __future__ import annotations

from collections.abc import Mapping

from pinakes_ask.evaluation.report.drawing import Frame, Ink, Label, Plot, Shape

_ROW = 26.0


def classes(counts: Mapping[str, int]) -> Plot | None:
    """Return bars, the longest first; None where no answer was scored."""
    told = {name: count for name, count in counts.items() if count}
    if not set(told) - {"not scored"}:
        return None
    most = max(told.values())
    frame = Frame(left=170.0, top=6.0, width=250.0, height=_ROW * len(told), x_end=float(most))
    shapes = [Shape("line", (frame.left, frame.top, frame.left, frame.bottom), "axis")]
    labels = []
    for place, (name, count) in enumerate(told.items()):
        top = frame.top + place * _ROW
        words = _words(name)
        width = max(1.0, frame.x(count) - frame.left)
        ink: Ink = "first" if name not in ("none", "not scored") else "third"
        shapes.append(Shape("rect", (frame.left, top + 4, width, _ROW - 8), ink, f"{words}: {count}"))
        labels.append(Label(frame.left - 8, top + _ROW / 2 + 4, words, "end"))
        labels.append(Label(frame.left + width + 7, top + _ROW / 2 + 4, str(count), "start", strong=True))
    worst = next((name for name in told if name not in ("none", "not scored")), None)
    summary = "No failure was found." if worst is None else f"The most frequent failure is {_words(worst)}."
    return Plot(
        "classes",
        "What is wrong with the reasoning",
        summary,
        frame.right + 50,
        frame.bottom + 8,
        tuple(shapes),
        tuple(labels),
        ("class", "answers"),
        tuple((_words(name), str(count)) for name, count in told.items()),
    )


def _words(name: str) -> str:
    return "nothing is wrong" if name == "none" else name.replace("_", " ")
