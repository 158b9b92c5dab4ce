"""Markdown: front matter, the title, and the links a document states."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from urllib.parse import unquote

import yaml

from retrieval.sources.sidecar import first_line, text_of, texts_of
from retrieval.types import Link

_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,}).*?(?:^(?P=fence)[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_WIKI = re.compile(r"(?<!\\)\[\[([^\]\[|#\n]{1,200})(?:#[^\]\[|\n]*)?(?:\|[^\]\[\n]*)?\]\]")
_RELATIVE = re.compile(r"(?<![\\!])\[[^\]\n]*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"\n]*\")?\)")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#")


@dataclass(frozen=True)
class Marked:
    """What Markdown says of its document. ``body_start`` is the offset after the front matter."""

    title: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    body_start: int = 0


@dataclass(frozen=True)
class Heading:
    """A heading where it stands: ``end`` is the offset after its line."""

    level: int
    title: str
    start: int
    end: int


def read_markdown(text: str) -> tuple[Marked, str]:
    """Return what ``text`` says of itself, and what is wrong with its front matter (empty if nothing)."""
    marked, fault = _front_matter(text)
    body = without_code(text)
    if not marked.title:
        below = (heading for heading in headings(text) if heading.start >= marked.body_start)
        first = next((heading for heading in below if heading.level == 1), None)
        marked = replace(marked, title=first.title if first else "")
    return replace(marked, links=_links(body)), fault


def headings(text: str) -> list[Heading]:
    """Return the ATX headings outside code, in order."""
    return [
        Heading(len(match["marks"]), _plain(match["title"]), match.start(), match.end())
        for match in _HEADING.finditer(without_code(text))
        if _plain(match["title"])
    ]


def without_code(text: str) -> str:
    """Return ``text`` with fenced code blanked out, every offset kept."""
    return _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def _front_matter(text: str) -> tuple[Marked, str]:
    match = _FRONT.match(text)
    if match is None:
        return Marked(), ""
    start = match.end()
    try:
        loaded = yaml.safe_load(match.group(1) or "")
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        return Marked(body_start=start), f"its front matter cannot be read ({first_line(error)})"
    if not isinstance(loaded, dict):
        return Marked(body_start=start if loaded is None else 0), ""
    aliases = texts_of(loaded.get("aliases")) + texts_of(loaded.get("alias"))
    return Marked(text_of(loaded.get("title")), texts_of(loaded.get("tags")), aliases, (), start), ""


def _links(body: str) -> tuple[Link, ...]:
    wiki = [Link(match[1].strip(), "wiki") for match in _WIKI.finditer(body)]
    relative = [
        Link(unquote(match[1]).split("#")[0], "relative")
        for match in _RELATIVE.finditer(body)
        if not _SCHEME.match(match[1])
    ]
    return tuple(dict.fromkeys(link for link in wiki + relative if link.target))


def _plain(title: str) -> str:
    return re.sub(r"[*_`]+|\[\[|\]\]|!?\[([^\]]*)\]\([^)]*\)", lambda match: match[1] or "", title).strip()
