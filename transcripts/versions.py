"""Records of older schema versions stay readable; one of a newer version is named, not guessed at.

A change of the schema gets a new version. The step that brings a record of the version before up to
it is added to :data:`_STEPS`; no step is ever removed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from transcripts.errors import TranscriptError
from transcripts.record import SCHEMA_VERSION, Transcript

#: From a version to the step that makes its records into those of the next one.
_STEPS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def read_version(data: Mapping[str, Any], file: Path) -> Transcript:
    """Return the record that ``data`` states, brought up to the present schema version.

    :param file: where it comes from, for the error.
    :raises TranscriptError: when it is of a newer version, or no record of its version.
    """
    version = data.get("schema_version")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise TranscriptError(
            f"The transcript {file} cannot be read",
            f"it has schema version {version}, and this program knows versions up to {SCHEMA_VERSION}",
            "Upgrade pinakes-ask",
        )
    record = dict(data)
    while isinstance(version, int) and version in _STEPS:
        record = _STEPS[version](record)
        version = record["schema_version"]
    try:
        return Transcript.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise TranscriptError(
            f"The transcript {file} cannot be used",
            f"{where}: {first['msg']}",
            "Restore the file from git; it may have been cut short or edited",
        ) from error
