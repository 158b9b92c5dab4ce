"""Running ``pnk`` as a user does: a process of its own, its streams and its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TIMEOUT = 180


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def pnk(
    *arguments: object,
    cwd: Path | None = None,
    stdin: str = "",
    env: dict[str, str] | None = None,
    home: Path | None = None,
) -> Ran:
    """Run one command line. Settings of the caller's environment do not reach it."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PNK_ASK_")}
    if home is not None:
        clean |= {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_CACHE_HOME": str(home / "cache"),
        }
    done = subprocess.run(
        [sys.executable, "-m", "pinakes_ask", *map(str, arguments)],
        cwd=cwd,
        env={**clean, "NO_COLOR": "1", "COLUMNS": "100", **(env or {})},
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)
