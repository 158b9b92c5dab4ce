"""Model files that arrive in packages: found without importing the package, checked by hash."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from retrieval.errors import ModelFileError


def package_file(package: str, *parts: str) -> Path:
    """Return the path of a file inside an installed package, without importing it.

    :raises ModelFileError: the package or the file is not there.
    """
    spec = importlib.util.find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise ModelFileError(
            "The embedding model cannot be loaded",
            f"the package {package} is not installed",
            "Run `make install`, or reinstall pinakes-ask",
        )
    path = Path(folders[0], *parts)
    if not path.exists():
        raise ModelFileError(
            "The embedding model cannot be loaded",
            f"{path.name} is missing from the package {package}",
            f"Reinstall it: pip install --force-reinstall {package.replace('_', '-')}",
        )
    return path


def checked(path: Path, sha256: str) -> Path:
    """Return ``path`` if its content has this SHA-256.

    :raises ModelFileError: it has another one, so its vectors could differ from the indexed ones.
    """
    with path.open("rb") as file:
        actual = hashlib.file_digest(file, "sha256").hexdigest()
    if actual != sha256:
        raise ModelFileError(
            f"{path} is not the model file that was expected",
            f"its SHA-256 begins with {actual[:12]}, not {sha256[:12]}",
            "Reinstall the package it belongs to",
        )
    return path
