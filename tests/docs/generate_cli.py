"""Write docs/cli.md from the commands' own help: ``python -m tests.docs.generate_cli``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CLI_MD = Path(__file__).parents[2] / "docs" / "cli.md"
_HEAD = """# Command line

This page is generated from the commands' own help, and a test keeps it true.
`pnk` is also installed as `pinakes-ask`.

Results go to standard output, everything else to standard error. Exit codes: 0 answered, fully or
partly; 1 no evidence or failed; 2 the call cannot be used, or its budget cannot pay for one answer;
4 with `--strict`, when Completeness or Determinateness is 0 or a citation is unresolved.
"""


def help_of(*command: str) -> str:
    """The help text of a command, at a fixed width and without colours."""
    env = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    env = {key: value for key, value in env.items() if not key.startswith("PNK_ASK_")}
    shown = subprocess.run(
        [sys.executable, "-m", "pinakes_ask", *command, "--help"],
        capture_output=True, text=True, check=True, env=env,
    )  # fmt: skip
    return "\n".join(line.rstrip() for line in shown.stdout.strip().splitlines())


def commands(*above: str) -> list[tuple[str, ...]]:
    """Every command below ``above``, groups before their members."""
    found: list[tuple[str, ...]] = []
    lines = help_of(*above).splitlines()
    if "Commands:" in lines:
        for line in lines[lines.index("Commands:") + 1 :]:
            if line.startswith("  ") and not line.startswith("   "):
                name = (*above, line.split()[0])
                found += [name, *commands(*name)]
    return found


def reference() -> str:
    """The whole page."""
    parts = [_HEAD]
    for command in [(), *commands()]:
        parts.append(f"## {' '.join(('pnk', *command))}\n\n```text\n{help_of(*command)}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    CLI_MD.write_text(reference(), encoding="utf-8")
