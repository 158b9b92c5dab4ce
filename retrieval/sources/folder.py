"""A folder of documents, and the reading of each kind of file."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from retrieval.sources.corpus import REPLACED
from retrieval.sources.decode import decode
from retrieval.sources.markdown import Marked, read_markdown
from retrieval.sources.origin import Origin, Reading, Scan
from retrieval.sources.pdf import PdfFault, read_pdf
from retrieval.sources.sidecar import Sidecar, read_sidecar, sidecar_of
from retrieval.sources.walk import relative, walk
from retrieval.text import clean
from retrieval.text.wording import counted
from retrieval.types import Document, FileProblem

MARKDOWN = frozenset({".md", ".markdown", ".mdx", ".qmd"})
TEXT = frozenset({".txt", ".text", ".rst", ".org", ".adoc", ".tex"})
PDF = frozenset({".pdf"})
CODE = frozenset(
    ".py .pyi .js .mjs .ts .tsx .jsx .java .kt .c .h .cc .cpp .hpp .cs .go .rs .rb .php .swift .scala .lua "
    ".r .jl .pl .sh .bash .sql .hs .ml .ex .exs .erl .clj .dart .zig .nim .css .scss .vue .svelte".split()
)
SOURCE_TYPES = {
    **dict.fromkeys(MARKDOWN, "markdown"),
    **dict.fromkeys(TEXT, "text"),
    **dict.fromkeys(PDF, "pdf"),
    **dict.fromkeys(CODE, "code"),
}
#: Kinds that hold text for people but are not read; a user must hear of them.
UNREAD = frozenset(
    ".doc .docx .odt .rtf .html .htm .xhtml .epub .mobi .ppt .pptx .odp .xls .xlsx .ods .csv .tsv .eml .mbox .msg "
    ".ipynb .pages .numbers .key .one .djvu .ps".split()
)
#: A text file above this size (bytes) is no document; reading it would fill the memory.
LARGEST = 64 * 2**20


def scan_folder(library: Path) -> Scan:
    """List every file under ``library`` of a kind that can be read."""
    found = Scan()
    paths = list(walk(library, library, found.problems))
    readable = (path for path in paths if path.suffix.lower() in SOURCE_TYPES)
    found.origins = origins(readable, library, found.problems)
    found.problems += unread(paths)
    return found


def unread(paths: Iterable[Path]) -> list[FileProblem]:
    """Name the kinds of documents among ``paths`` that are not read, one problem a kind."""
    kinds = Counter(path.suffix.lower() for path in paths if path.suffix.lower() in UNREAD)
    return [
        FileProblem(
            f"*{kind}",
            f"{counted(count, 'file')} of a kind that is not read; save as Markdown, text or PDF",
            True,
        )
        for kind, count in sorted(kinds.items())
    ]


def origins(paths: Iterable[Path], library: Path, problems: list[FileProblem]) -> list[Origin]:
    """Turn paths into origins with unique keys, ordered by key."""
    made: dict[str, Origin] = {}
    for path in paths:
        key = relative(path, library)
        while key in made:  # two names that differ only in their Unicode form
            key += "~"
        try:
            made[key] = _origin(path, key)
        except OSError as error:
            problems.append(FileProblem(key, f"it cannot be read: {error.strerror}", True))
    return [made[key] for key in sorted(made)]


def _origin(path: Path, key: str) -> Origin:
    stats = [path.stat()]
    sidecar = sidecar_of(path)
    if sidecar.is_file():
        stats.append(sidecar.stat())
    stamp = "|".join(f"{stat.st_size}:{stat.st_mtime_ns}" for stat in stats)
    modified = datetime.fromtimestamp(stats[0].st_mtime, UTC)

    def digest() -> str:
        hashed = hashlib.sha256(path.read_bytes())
        if sidecar.is_file():
            hashed.update(b"\x00" + sidecar.read_bytes())
        return hashed.hexdigest()

    return Origin(
        key, stamp, max(stat.st_mtime_ns for stat in stats), digest, lambda: read_file(path, key, modified)
    )


def read_file(path: Path, key: str, modified: datetime) -> Reading:
    """Read one file and its sidecar; whatever is wrong with them is in the reading's problems."""
    problems: list[FileProblem] = []
    try:
        raw = path.read_bytes()
        if len(raw) > LARGEST:
            raise ValueError(f"it is larger than {LARGEST // 2**20} MiB")
        kind = SOURCE_TYPES.get(path.suffix.lower(), "text")
        if kind == "pdf":
            text, reservation = clean(read_pdf(raw)), ""
        else:
            decoded, reservation = decode(raw)
            text = clean(decoded)
        if "\ufffd" in text and not reservation:
            reservation = REPLACED
    except OSError as error:
        return Reading(problems=(FileProblem(key, f"it cannot be read: {error.strerror or error}", True),))
    except (ValueError, PdfFault) as error:
        return Reading(problems=(FileProblem(key, str(error), True),))
    if not text.strip():
        return Reading(problems=(FileProblem(key, "it is empty", True),))
    if reservation:
        problems.append(FileProblem(key, reservation, False))
    sidecar, fault = read_sidecar(path)
    if fault:
        problems.append(FileProblem(f"{key}{sidecar_of(path).name[len(path.name) :]}", fault, False))
    marked, fault = read_markdown(text) if kind == "markdown" else (Marked(), "")
    if fault:
        problems.append(FileProblem(key, fault, False))
    return Reading((_document(path, key, text, kind, modified, marked, sidecar),), tuple(problems))


def _document(
    path: Path, key: str, text: str, kind: str, modified: datetime, marked: Marked, sidecar: Sidecar
) -> Document:
    return Document(
        id=key,
        title=sidecar.title or marked.title or clean(path.stem).replace("_", " ").strip() or key,
        location=key,
        text=text,
        source_type=kind,
        content_hash=hashlib.sha256(text.encode()).hexdigest(),
        modified=modified,
        tags=tuple(dict.fromkeys(sidecar.tags + marked.tags)),
        aliases=tuple(dict.fromkeys(marked.aliases + ((marked.title,) if sidecar.title and marked.title else ()))),
        links=marked.links + sidecar.links,
        external_id=sidecar.id,
        body_start=marked.body_start,
    )
