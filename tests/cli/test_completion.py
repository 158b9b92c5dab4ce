"""Completion by the shell, under both names of the program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["pnk", "pinakes-ask"])
def test_a_shell_completes_commands_under_both_names(name: str) -> None:
    program = Path(sys.executable).with_name(name)
    if not program.exists():
        pytest.skip("the program is not installed beside this Python")
    variable = f"_{name.replace('-', '_').upper()}_COMPLETE"
    env = {**os.environ, variable: "complete_bash", "COMP_WORDS": f"{name} transc", "COMP_CWORD": "1"}
    done = subprocess.run([program], env=env, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["transcripts"]
