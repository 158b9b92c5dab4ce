"""From text to facts: by rules (:func:`extract`), by a language model, or from given triples."""

from scoring.extract.extractor import extract
from scoring.extract.statement import Statement

__all__ = ["Statement", "extract"]
