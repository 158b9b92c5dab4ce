"""LogicScore: does a long answer's reasoning really lead from the question to the answer?

The measures are Completeness, Essentiality and Determinateness of LogicScore (arXiv 2601.15050,
section 3), restated in ``docs/logicscore.md``. The work is in three steps, each usable alone::

    from scoring import check_citations, score
    from scoring.extract import extract

    extraction = extract(question, statements, short_answer)      # text -> facts
    verdict = score(extraction, short_answer=short_answer)        # facts -> verdict
    citations = check_citations(cited_statements, evidence)

An :class:`~scoring.types.Extraction` is frozen and can be kept as JSON; scoring it is a pure
function, so the same extraction gives the same bytes. Extractions come from rules
(:func:`scoring.extract.extract`), from a language model (:mod:`scoring.extract.model`), or from
facts that somebody already has (:mod:`scoring.extract.given`).
"""

from scoring.citations import CitedStatement, check_citations
from scoring.logicscore import score
from scoring.types import Branch, Coreference, Extraction, Proposition, Triple
from scoring.verdict import Gap, Path, Verdict

__all__ = [
    "Branch",
    "CitedStatement",
    "Coreference",
    "Extraction",
    "Gap",
    "Path",
    "Proposition",
    "Triple",
    "Verdict",
    "check_citations",
    "score",
]
