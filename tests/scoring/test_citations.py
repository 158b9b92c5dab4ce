"""Citations resolve, and hold what they are cited for."""

from __future__ import annotations

from scoring.citations import CitedStatement, check_citations

EVIDENCE = {
    3: ["Ermengarde of Tours (d. 20 March 851) was the daughter of Hugh of Tours.", "She had eight children."],
    7: ["He was the second son of Emperor Lothair I."],
}
TITLES = {3: "Ermengarde of Tours", 7: "Lothair II"}


def check(text: str, *citations: tuple[int, int]):  # type: ignore[no-untyped-def]
    return check_citations([CitedStatement(text, citations)], EVIDENCE, titles=TITLES)


def test_a_supported_statement() -> None:
    report = check("Ermengarde of Tours died on March 20, 851.", (3, 0))
    assert (report.precision, report.recall, report.unresolved) == (1.0, 1.0, 0)


def test_what_is_cited_but_does_not_exist() -> None:
    report = check("Ermengarde of Tours died on 20 March 851.", (3, 0), (9, 0), (3, 5), (3, -1))
    assert report.unresolved == 3
    assert report.precision == 1 / 4
    assert report.statements[0].unresolved == ((9, 0), (3, 5), (3, -1))


def test_a_number_a_date_and_a_name_that_no_sentence_holds() -> None:
    (found,) = check(
        "Ermengarde of Tours married Boso the Elder in 855 and had nine children.", (3, 0), (3, 1)
    ).statements
    assert set(found.unsupported) == {"Boso the Elder", "855", "nine"}
    assert not found.supported


def test_a_year_is_held_by_a_day_in_it_but_no_day_by_a_year() -> None:
    assert check("Ermengarde of Tours died in 851.", (3, 0)).recall == 1.0
    assert check("Hugh of Tours died on 21 March 851.", (3, 0)).recall == 0.0


def test_a_title_says_whom_a_sentence_is_about() -> None:
    assert check("Lothair II was the second son of Lothair I.", (7, 0)).recall == 1.0


def test_nothing_cited_and_nothing_said() -> None:
    report = check("Ermengarde of Tours died.")
    assert (report.precision, report.recall) == (None, 0.0)
    empty = check_citations([], EVIDENCE)
    assert (empty.precision, empty.recall) == (None, None)


def test_an_irrelevant_citation_costs_precision() -> None:
    report = check("Ermengarde of Tours died on 20 March 851.", (3, 0), (7, 0))
    assert (report.precision, report.recall) == (0.5, 1.0)
