"""Where records lie, and how they get there whole."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transcripts.disk import make_folder, names_to_disk
from transcripts.errors import TranscriptError
from transcripts.escape import slug
from transcripts.record import Transcript, hash_of
from transcripts.render import answer_md
from transcripts.versions import read_version

#: The file of a run's folder that holds the whole record.
TRANSCRIPT = "transcript.json"
#: The folder of runs under way and of drafts, in the folder of records.
UNFINISHED = ".unfinished"


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
            TRANSCRIPT: sealed.to_json(),
            "path.json": json.dumps(dict(path), ensure_ascii=False, indent=1, allow_nan=False) + "\n",
            "answer.md": answer_md(sealed, path),
        }
        draft = Path(tempfile.mkdtemp(prefix=f"{transcript.id}-", dir=unfinished_folder(asks)))
        for name, text in files.items():
            with (draft / name).open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        names_to_disk(draft)
        draft.chmod(0o755)
        make_folder(folder.parent)
        draft.rename(folder)
        draft = None
        names_to_disk(folder.parent)
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


def unfinished_folder(asks: Path) -> Path:
    """Return the folder of what is no record yet, made with the ``.gitignore`` by which it ignores itself."""
    folder = asks / UNFINISHED
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
    return folder


def load(folder: Path) -> Transcript:
    """Read a record back, of this schema version or any older one.

    :param folder: the run's folder, or its ``transcript.json``.
    :raises TranscriptError: when it is missing, truncated, no transcript, of a newer version, or was
        changed after its seal.
    """
    file = folder if folder.suffix == ".json" else folder / TRANSCRIPT
    data = read_json(file)
    transcript = read_version(data, file)
    if hash_of(data) != data.get("sha256"):
        raise TranscriptError(
            f"The transcript {file} was changed",
            "its content no longer has the hash it was sealed with",
            "Restore the file from git",
        )
    return transcript


def read_json(file: Path) -> dict[str, Any]:
    """Return the JSON object in ``file``, unchecked.

    :raises TranscriptError: when there is none.
    """
    try:
        data = json.loads(file.read_bytes(), parse_constant=_no_constant)
    except FileNotFoundError as error:
        raise TranscriptError(f"No transcript at {file}", "there is no such file", "Check the path") from error
    except OSError as error:
        why = error.strerror or str(error)
        raise TranscriptError(f"The transcript {file} cannot be read", why, "Check the file") from error
    except (ValueError, RecursionError) as error:
        raise TranscriptError(
            f"The transcript {file} cannot be used",
            f"it is no JSON ({error}); it may have been cut short",
            "Restore the file from git",
        ) from error
    if not isinstance(data, dict):
        raise TranscriptError(
            f"The transcript {file} cannot be used", "it is no JSON object", "Restore the file from git"
        )
    return data


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")
