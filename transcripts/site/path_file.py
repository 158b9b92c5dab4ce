"""Reading ``path.json`` back. It is made from the record, so one that is damaged costs only its drawing."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from transcripts.record import Citation

PATH = "path.json"


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True)


class PathEdge(_Read):
    """A fact, the entities it joins, and the sentences it rests on."""

    text: str
    entities: tuple[str, ...]
    citations: tuple[Citation, ...] = ()


class PathGap(_Read):
    """The two names that nothing connects."""

    source: str = Field(alias="from")
    target: str = Field(alias="to")
    text: str


class Anchors(_Read):
    """Where a path begins and ends."""

    question: tuple[str, ...] = ()
    answer: str | None = None


class RecoveredPath(_Read):
    """What ``path.json`` holds."""

    nodes: tuple[str, ...] = ()
    edges: tuple[PathEdge, ...] = ()
    anchors: Anchors = Anchors()
    gap: PathGap | None = None

    @property
    def question(self) -> tuple[str, ...]:
        """What the question names."""
        return self.anchors.question

    @property
    def answer(self) -> str | None:
        """The short answer, where there is one."""
        return self.anchors.answer


def read_path(folder: Path) -> tuple[RecoveredPath, str]:
    """Return the path in ``folder``, and what is wrong with its file: "" where nothing is."""
    file = folder / PATH
    try:
        return RecoveredPath.model_validate_json(file.read_bytes()), ""
    except OSError as error:
        return RecoveredPath(), f"{PATH} cannot be read: {error.strerror or error}"
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        return RecoveredPath(), f"{PATH} cannot be used: {where}: {first['msg']}"
