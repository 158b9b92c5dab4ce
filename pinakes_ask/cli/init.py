"""``pnk init``: make a folder a library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pinakes_ask.cli.common import notice, print_result
from retrieval.errors import LibraryNotFound

_TEXT = """\
# Settings of Pinakes Ask for this library. Everything here is optional; `pnk config` shows what is in force.

[transcripts]
# Commit each transcript with git, alone, after the run that made it.
commit = {commit}
"""


def init(
    folder: Annotated[Path, typer.Argument(help="The library's folder.")] = Path(),
) -> int:
    """Write pinakes-ask.toml into a folder, so that it is found as a library.

    Your documents and pinakes.toml are not touched. In a git work tree, transcripts will be
    committed. An existing file is left as it is.
    """
    from pinakes_ask.config_file import FILE_NAME
    from transcripts.git import in_work_tree

    if not folder.is_dir():
        raise LibraryNotFound(f"Cannot make {folder} a library", "there is no such folder", "Create it first")
    file = folder / FILE_NAME
    if file.exists():
        notice(f"{file} is there already and was left as it is.")
        return 0
    commit = in_work_tree(folder)
    try:
        file.write_text(_TEXT.format(commit="true" if commit else "false"), encoding="utf-8")
    except OSError as error:
        from retrieval.errors import LibraryError

        raise LibraryError(
            f"Cannot write {file}", error.strerror or str(error), "Make the folder writable"
        ) from error
    print_result(f"Wrote {file}. Transcripts {'will' if commit else 'will not'} be committed with git.")
    print_result(f'Next: pnk sync --kb {folder}, then pnk ask --deep --kb {folder} "your question"')
    return 0
