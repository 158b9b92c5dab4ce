"""Where records lie, and how they get there whole."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from transcripts.errors import TranscriptError
from transcripts.escape import slug
from transcripts.record import Transcript
from transcripts.render import answer_md


def run_folder(asks: Path, transcript: Transcript) -> Path:
    """Return ``asks/yyyy/mm/ULID-slug`` for a record."""
    created = transcript.created
    return asks / f"{created:%Y}" / f"{created:%m}" / f"{transcript.id}-{slug(transcript.question)}"


def save(asks: Path, transcript: Transcript, path: Mapping[str, Any]) -> Path:
    """Write the record's three files and return their folder. They appear together or not at all.

    :param path: the recovered path, as :func:`path_json` wants it.
    :raises TranscriptError: when the folder cannot be written.
    """
    folder = run_folder(asks, transcript)
    draft: Path | None = None
    try:
        sealed = transcript.sealed()
        files = {
            "transcript.json": sealed.to_json(),
            "path.json": json.dumps(dict(path), ensure_ascii=False, indent=1, allow_nan=False) + "\n",
            "answer.md": answer_md(sealed, path),
        }
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{transcript.id}-", dir=folder.parent))
        for name, text in files.items():
            with (draft / name).open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        draft.chmod(0o755)
        draft.rename(folder)
        draft = None
    except (OSError, ValueError) as error:
        raise TranscriptError(
            f"The transcript was not saved in {folder.parent}",
            getattr(error, "strerror", None) or str(error),
            "Make the folder writable, or name another with --asks",
        ) from error
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)
    return folder


def load(folder: Path) -> Transcript:
    """Read a record back.

    :param folder: the run's folder, or its ``transcript.json``.
    :raises TranscriptError: when it is missing, truncated, no transcript, or was changed after its seal.
    """
    file = folder if folder.suffix == ".json" else folder / "transcript.json"
    try:
        transcript = Transcript.model_validate_json(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise TranscriptError(f"No transcript at {folder}", "there is no such file", "Check the path") from error
    except (OSError, UnicodeDecodeError) as error:
        raise TranscriptError(f"The transcript {file} cannot be read", str(error), "Check the file") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise TranscriptError(
            f"The transcript {file} cannot be used",
            f"{where}: {first['msg']}",
            "Restore the file from git; it may have been cut short or edited",
        ) from error
    if transcript.content_hash() != transcript.sha256:
        raise TranscriptError(
            f"The transcript {file} was changed",
            "its content no longer has the hash it was sealed with",
            "Restore the file from git",
        )
    return transcript
