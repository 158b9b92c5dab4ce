"""Bytes to text, whatever wrote them."""

from __future__ import annotations

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(raw: bytes) -> tuple[str, str]:
    """Return ``(text, reservation)``; the reservation is empty where the encoding was certain.

    A byte order mark decides; else UTF-8; else Windows-1252, which reads any Western text but may
    misread another, and therefore is said.

    :raises ValueError: the bytes are no text at all.
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            try:
                return raw.decode(encoding), ""
            except UnicodeDecodeError as error:
                raise ValueError(f"its byte order mark says {encoding}, but {error.reason}") from error
    if b"\x00" in raw:
        raise ValueError("it holds null bytes, so it is no text")
    try:
        return raw.decode("utf-8"), ""
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace"), "it is not UTF-8 and was read as Windows-1252"
