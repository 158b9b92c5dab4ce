"""From a frozen extraction to a verdict. Pure: the same extraction gives the same bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scoring.answers import contradicts_values
from scoring.connection import Connection, connect
from scoring.failures import Facts, classify, find_gap
from scoring.graph import ALL, BODY, Graph
from scoring.identity import Names
from scoring.paths import Route
from scoring.types import BRANCH_FORMS, Extraction
from scoring.verdict import Anchor, Edge, Measures, Path, Verdict

WITHHELD = "the short answer is withheld"
NO_GOLD = "no gold answer is known"
NOT_REINFERRED = "the short answer was not inferred again from the long answer"


def score(
    extraction: Extraction,
    *,
    short_answer: str | None,
    gold: Sequence[str] | None = None,
) -> Verdict:
    """Return Completeness, Essentiality and Determinateness of an answer, and what is wrong with it.

    :param short_answer: the run's own short answer; None when it was withheld.
    :param gold: the reference answer and its aliases, in evaluation. With it the headline figures
        are anchored at gold; without it, at the run's own answer.

    C is 1 when the body connects the anchor to the question as its form demands, else 0. E is the
    number of distinct propositions that the shortest connection needs, divided by all body
    propositions; 0 when C is 0. D is 1 when the re-inferred short answer equals the run's own
    (LogicScore, arXiv 2601.15050, section 3; the differences stand in ``docs/logicscore.md``).
    A measure that does not apply is None, with its reason in ``not_applicable``.
    """
    own = short_answer if short_answer and short_answer.strip() else None
    reference = tuple(text for text in gold or () if text.strip())
    names = Names(extraction, [reference])
    body = Graph(extraction.propositions, names, BODY)
    found: dict[Anchor, Connection] = {}
    if reference:
        found["gold"] = connect(extraction, body, names, reference[0])
    if own is not None:
        found["self"] = connect(extraction, body, names, own)
    anchor: Anchor | None = "gold" if reference else "self" if own is not None else None
    determined, no_determined = _determinateness(extraction, own, names)
    anchors = {name: _measures(extraction, body, one, determined) for name, one in found.items()}
    paper, no_paper = _paper(extraction, names, reference, determined)
    not_applicable = {f"paper.{measure}": reason for measure, reason in no_paper.items()}
    if no_determined:
        not_applicable["determinateness"] = no_determined
    if anchor is None:
        not_applicable |= dict.fromkeys(("completeness", "essentiality"), WITHHELD)
        return Verdict(
            None, None, None, determined, None, None, Path(), not_applicable=_sorted(not_applicable),
            counts=_counts(extraction, body), determinateness_by=extraction.reinferred_by,
        )  # fmt: skip
    connection, measures = found[anchor], anchors[anchor]
    if connection.not_applicable:
        not_applicable |= dict.fromkeys(("completeness", "essentiality"), connection.not_applicable)
    facts = Facts(
        extraction, body, names, connection, determined,
        wrong=_wrong(extraction, names, found, own, reference),
    )  # fmt: skip
    failure = classify(facts)
    return Verdict(
        anchor=anchor,
        completeness=measures.completeness,
        essentiality=measures.essentiality,
        determinateness=determined,
        failure_class=failure,
        gap=find_gap(facts) if measures.completeness == 0 else None,
        path=_path(extraction, body, names, connection.route),
        anchors=anchors,
        not_applicable=_sorted(not_applicable),
        paper=paper,
        counts=_counts(extraction, body),
        exact=connection.route is None or connection.route.exact,
        determinateness_by=extraction.reinferred_by if determined is not None else None,
    )


def _sorted(reasons: dict[str, str]) -> dict[str, str]:
    return dict(sorted(reasons.items()))


def _measures(extraction: Extraction, graph: Graph, one: Connection, determined: int | None) -> Measures:
    if one.not_applicable:
        return Measures(None, None, determined)
    if one.route is None:
        return Measures(0, 0.0, determined)
    used = len({graph.edges[edge].proposition for edge in one.route.edges})
    body = sum(proposition.role == "body" for proposition in extraction.propositions)
    return Measures(1, used / body, determined)


def _determinateness(extraction: Extraction, own: str | None, names: Names) -> tuple[int | None, str | None]:
    if own is None:
        return None, WITHHELD
    if extraction.reinferred is None:
        return None, extraction.not_reinferred or NOT_REINFERRED
    if not extraction.reinferred.strip():
        return 0, None
    # Several things may come in any order.
    return int(set(names.each(extraction.reinferred)) == set(names.each(own))), None


def _paper(
    extraction: Extraction, names: Names, reference: Sequence[str], determined: int | None
) -> tuple[Measures, dict[str, str]]:
    """The paper's C, E and D to the letter: all propositions, a chain, anchored at gold."""
    reasons = {"determinateness": NOT_REINFERRED} if determined is None else {}
    if not reference:
        return Measures(None, None, determined), reasons | dict.fromkeys(("completeness", "essentiality"), NO_GOLD)
    whole = Graph(extraction.propositions, names, ALL)
    one = connect(extraction, whole, names, reference[0], form="chain")
    if one.not_applicable:
        reasons |= dict.fromkeys(("completeness", "essentiality"), one.not_applicable)
        return Measures(None, None, determined), reasons
    if one.route is None:
        return Measures(0, 0.0, determined), reasons
    used = len({whole.edges[edge].proposition for edge in one.route.edges})
    return Measures(1, used / len(extraction.propositions), determined), reasons


def _wrong(
    extraction: Extraction,
    names: Names,
    found: dict[Anchor, Connection],
    own: str | None,
    reference: Sequence[str],
) -> bool:
    """Whether the reasoning holds together for the run's own answer, but that answer is wrong."""
    if own is None or "self" not in found or found["self"].route is None:
        return False
    if reference and names.key(own) != names.key(reference[0]):
        return extraction.form in BRANCH_FORMS or found["gold"].route is None
    return extraction.form in BRANCH_FORMS and contradicts_values(extraction, own, names)


def _path(extraction: Extraction, graph: Graph, names: Names, route: Route | None) -> Path:
    if route is None:
        return Path()
    on_edges = {entity for edge in route.edges for entity in graph.edges[edge].entities}
    nodes = route.nodes or tuple(sorted(on_edges))
    passed = set(nodes)
    edges = [
        Edge(
            graph.edges[edge].proposition,
            tuple(names.label(entity) for entity in sorted(graph.edges[edge].entities) if entity in passed),
            extraction.propositions[graph.edges[edge].proposition].text,
        )
        for edge in route.edges
    ]
    return Path(tuple(names.label(node) for node in nodes), tuple(edges))


def _counts(extraction: Extraction, graph: Graph) -> dict[str, int]:
    roles = Counter(proposition.role for proposition in extraction.propositions)
    body = [proposition for proposition in extraction.propositions if proposition.role == "body"]
    said = graph.meanings()
    seen = {
        said.get(place, proposition.text)
        for place, proposition in enumerate(extraction.propositions)
        if proposition.role == "body"
    }
    return {
        "body": roles["body"],
        "head": roles["head"],
        "meta": roles["meta"],
        "duplicates": len(body) - len(seen),
        "without_triple": sum(not any(not triple.negated for triple in one.triples) for one in body),
        "dropped": sum(count for _, count in extraction.dropped),
    }
