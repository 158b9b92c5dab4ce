"""The folder that a site is written into: whose it is, and files that appear whole.

The folder is ours once it holds the site's own list of what it wrote. Files that are not on that list
are never touched, and a folder that holds something and no list is refused.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from transcripts.errors import TranscriptError

#: The site's list of what it wrote, and from what.
LIST = "pinakes-ask-site.json"
_FORMAT = 1


def open_output(out: Path) -> dict[str, str]:
    """Make ``out`` ready to be written to, and return its list: for each page's id, what it was made of.

    :raises TranscriptError: when it is no folder, holds something that is not ours, or cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        names = {entry.name for entry in out.iterdir()}
    except OSError as error:
        raise _unwritten(out, error) from error
    if LIST in names:
        return _read_list(out / LIST)
    if names:
        raise TranscriptError(
            f"The site was not written into {out}",
            f"the folder is not empty and holds no such site; it has {min(names)}, for one",
            "Name an empty folder, or the one of an earlier site",
        )
    write_list(out, {})
    return {}


def write_list(out: Path, pages: Mapping[str, str]) -> None:
    """Write down which pages the folder holds, and what each was made of; "" for one that may be half done."""
    write(out / LIST, json.dumps({"format": _FORMAT, "pages": dict(pages)}, indent=0) + "\n")


def write(file: Path, text: str) -> None:
    """Write ``text`` into ``file``, which then holds either what it held before or all of it.

    :raises TranscriptError: when it cannot be written.
    """
    draft: Path | None = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=".draft-", dir=file.parent)
        draft = Path(name)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(text.encode(errors="replace"))
        draft.chmod(0o644)
        draft.replace(file)
        draft = None
    except OSError as error:
        raise _unwritten(file, error) from error
    finally:
        if draft is not None:
            draft.unlink(missing_ok=True)


def _read_list(file: Path) -> dict[str, str]:
    """What the list says; one that cannot be read, or of another format, says nothing."""
    try:
        content = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        return {}
    pages = content.get("pages")
    return {str(key): str(value) for key, value in pages.items()} if isinstance(pages, dict) else {}


def _unwritten(place: Path, error: OSError) -> TranscriptError:
    return TranscriptError(
        f"The site was not written to {place}", error.strerror or str(error), "Name a folder that can be written"
    )
