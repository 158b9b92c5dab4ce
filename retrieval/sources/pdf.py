"""The text of a PDF."""

from __future__ import annotations

import re

from retrieval.sources.page_layout import running_text

_HYPHENATED = re.compile("(\\w)(?:\ufffe|\u00ad)\\s*\n?\\s*(\\w)")


class PdfFault(Exception):
    """A PDF without usable text; its message says why."""


def read_pdf(raw: bytes) -> str:
    """Return the text of all pages as :func:`running_text` reads them; words cut at line ends are joined.

    :raises PdfFault: the file is broken or encrypted, or no page holds text (a scan).
    """
    import pypdfium2

    pages: list[str] = []
    try:
        document = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError as error:
        reason = "it needs a password" if "password" in str(error).lower() else f"it is no readable PDF ({error})"
        raise PdfFault(reason) from error
    try:
        for page in document:
            text_page = page.get_textpage()
            pages.append(text_page.get_text_bounded())
            text_page.close()
            page.close()
    except pypdfium2.PdfiumError as error:
        raise PdfFault(f"page {len(pages) + 1} cannot be read ({error})") from error
    finally:
        document.close()
    text = running_text([_HYPHENATED.sub(r"\1\2", page.replace("\r\n", "\n")) for page in pages])
    if not text.strip():
        raise PdfFault("it holds no text; a scan needs text recognition first")
    return text
