"""Write what ``make ask`` prints into README.md: ``python -m tests.docs.generate_readme``."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from tests.cli.pnk import pnk

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
#: The block of the README that holds the output.
BLOCK = re.compile(r"(?<=```text\n).*?(?=\n```)", re.DOTALL)
_LIBRARY = "docs/sample/library"


def demo() -> str:
    """Return what the default ``make ask`` prints on a fresh clone, without what differs between runs."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    question = re.search(r"^Q\s*\?= (.+)$", makefile, re.MULTILINE)
    assert question is not None
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder)
        left_out = shutil.ignore_patterns(".pinakes-ask", "asks")
        shutil.copytree(ROOT / _LIBRARY, clone / _LIBRARY, ignore=left_out)
        synced = pnk("sync", "--kb", _LIBRARY, cwd=clone)
        asked = pnk("ask", "--deep", "--kb", _LIBRARY, question.group(1), cwd=clone)
    assert (synced.code, asked.code) == (0, 0), synced.err + asked.err
    text = "\n".join(line.rstrip() for line in (synced.out + asked.out).strip().splitlines())
    text = re.sub(r"\d+\.\d\d s\b", "1.50 s", text)
    return re.sub(r"asks/\d{4}/\d\d/[0-9A-Z]{26}", "asks/2026/03/01KJM0A7R3V5T9X2C4B6D8F0GH", text)


if __name__ == "__main__":
    README.write_text(BLOCK.sub(lambda _: demo(), README.read_text(encoding="utf-8"), count=1), encoding="utf-8")
