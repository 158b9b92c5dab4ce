"""Write docs/transcript.schema.json from the record's model: ``python -m tests.docs.generate_schema``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transcripts.record import SCHEMA_VERSION, Transcript

SCHEMA = Path(__file__).parents[2] / "docs" / "transcript.schema.json"


def schema() -> dict[str, Any]:
    """The JSON Schema of the present version."""
    made = Transcript.model_json_schema(mode="serialization")
    for part in (made, *made["$defs"].values()):
        # The first paragraph of the docstring; what follows describes fields in our own markup.
        part["description"] = part["description"].split("\n\n")[0].replace("``", "").replace("\n", " ")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Transcript, schema version {SCHEMA_VERSION}",
    }
    return {**head, **{key: value for key, value in made.items() if key != "title"}}


def text() -> str:
    """The file's text."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(text(), encoding="utf-8")
