"""What the tables hold. A change of their meaning raises :data:`FORMAT`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

#: An index of another format is refused.
FORMAT = 1
#: One row for each sync that changed something; see :mod:`retrieval.lance.log`.
LOG = "generations"
PASSAGES = "passages"
#: Vectors of syncs under way, by the hash of their text.
EMBEDDINGS = "embeddings"
FILES, DOCUMENTS, PROBLEMS = "files", "documents", "problems"
#: Names and links, how they are looked up, and which of them stand in each row.
NAMES, SPELLINGS, ROWS = "names", "spellings", "rows"
WORDS = "words"
#: Written anew by every sync that finds a change, unlike the passages.
WHOLE = (FILES, DOCUMENTS, PROBLEMS, NAMES, SPELLINGS, ROWS, WORDS)

#: Of processes that insert a row with the same key at once, only one does so.
_KEY = {b"lance-schema:unenforced-primary-key": b"true"}
#: Columns of a passage that are shown, apart from its row.
SHOWN = (
    "id",
    "document",
    "title",
    "location",
    "ordinal",
    "start",
    "stop",
    "text",
    "sentences",
    "heading_path",
    "source_type",
    "aliases",
)


def log() -> pa.Schema:
    """Return the schema of the log; it never changes, so that every version can read who wrote last."""
    import pyarrow as pa

    number = pa.field("number", pa.int64(), nullable=False, metadata=_KEY)
    return pa.schema([number, ("format", pa.int32()), ("body", pa.string())])


def passages(dimension: int) -> pa.Schema:
    """Return the schema of the passages.

    A row is told by ``id`` and is the same as long as ``digest`` (of its document) and ``model``
    are. ``words`` are its tokens, those of title and headings first, which are ``head`` many.
    """
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False, metadata=_KEY),
            ("digest", pa.string()),
            ("model", pa.string()),
            ("hash", pa.binary()),
            *((name, pa.string()) for name in ("document", "title", "location", "text")),
            *((name, pa.int64()) for name in ("ordinal", "start", "stop")),
            *((name, pa.string()) for name in ("sentences", "heading_path", "source_type", "aliases")),
            ("words", pa.string()),
            ("head", pa.int32()),
            ("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def embeddings() -> pa.Schema:
    """Return the schema of the vectors that were computed and are in no generation yet."""
    import pyarrow as pa

    return pa.schema([("model", pa.string()), ("hash", pa.binary()), ("vector", pa.binary())])


def documents() -> pa.Schema:
    """Return the schema of the documents; their passages are ``count`` rows from ``first`` on."""
    import pyarrow as pa

    texts = "id, file, title, location, source_type, content_hash, modified".split(", ")
    rest = "aliases, links, external_id, digest".split(", ")
    return pa.schema(
        [
            *((name, pa.string()) for name in texts),
            ("tags", pa.list_(pa.string())),
            *((name, pa.string()) for name in rest),
            ("first", pa.int64()),
            ("count", pa.int64()),
        ]
    )
