"""Facts found without a language model: by the parser where it is installed, and by patterns."""

from __future__ import annotations

import pytest

from retrieval.text.parser import english_parser
from scoring.extract import Statement, extract
from scoring.extract.heads import is_answer_line, is_meta
from scoring.extract.mentions import Known, find_mentions
from scoring.extract.parentheses import acronyms
from scoring.extract.question import comparison_operator, question_entities, question_form
from scoring.extract.references import stands_for_title
from scoring.identity import is_reference
from scoring.logicscore import score
from scoring.types import Branch, Extraction

needs_parser = pytest.mark.skipif(english_parser() is None, reason="the English parser is not installed")
BOTH = pytest.mark.parametrize("use_parser", [pytest.param(True, marks=needs_parser), False])


def pairs(extraction: Extraction, place: int = 0) -> set[tuple[str, str]]:
    return {(t.subject, t.object) for t in extraction.propositions[place].triples}


def read(text: str, title: str | None = None, *, use_parser: bool = True) -> Extraction:
    return extract("What?", [Statement(text, title)], None, use_parser=use_parser)


@BOTH
def test_dates_in_brackets(use_parser: bool) -> None:
    one = read("Ermengarde of Tours (d. 20 March 851) was the daughter of Hugh of Tours.", use_parser=use_parser)
    assert {("Ermengarde of Tours", "20 March 851"), ("Ermengarde of Tours", "Hugh of Tours")} <= pairs(one)
    relations = {t.object: t.relation for t in one.propositions[0].triples}
    assert relations["20 March 851"] == "died"


@BOTH
def test_birth_and_death(use_parser: bool) -> None:
    one = read("Ada Bohr (3 May 1900 – 4 June 1950) was a Danish painter.", use_parser=use_parser)
    relations = {t.object: t.relation for t in one.propositions[0].triples}
    assert (relations["3 May 1900"], relations["4 June 1950"]) == ("born", "died")


@BOTH
def test_a_pronoun_of_a_quotation_stands_for_its_title_and_only_there(use_parser: bool) -> None:
    text = "He was the second son of Emperor Lothair I and Ermengarde of Tours."
    quoted = read(text, "Lothair II", use_parser=use_parser)
    assert [(c.mention, c.entity) for c in quoted.propositions[0].coreferences] == [("He", "Lothair II")]
    assert ("He", "Ermengarde of Tours") in pairs(quoted)
    assert read(text, use_parser=use_parser).propositions[0].coreferences == ()


@needs_parser
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Blood Street was directed by Leo Fong.", ("Blood Street", "Leo Fong")),
        ("Blood Street is a 1988 film directed by Leo Fong.", ("Blood Street", "Leo Fong")),
        ("Leo Fong's mother is Ada Bohr.", ("Leo Fong", "Ada Bohr")),
        ("The director of Blood Street is Leo Fong.", ("Blood Street", "Leo Fong")),
        ("Leo Fong, who was born in Canton, moved to Paris.", ("Leo Fong", "Canton")),
        ("Leo Fong, son of Ada Bohr, lived in Paris.", ("Leo Fong", "Ada Bohr")),
        ("Leo Fong is the son of Bob Bohr and Ada Bohr.", ("Leo Fong", "Ada Bohr")),
        ("Leo Fong was born in Canton and died in Lisbon.", ("Leo Fong", "Lisbon")),
    ],
)
def test_constructions(text: str, wanted: tuple[str, str]) -> None:
    found = pairs(read(text))
    assert wanted in found or wanted[::-1] in found


@needs_parser
def test_negation_and_separate_clauses() -> None:
    denied = read("Leo Fong was not born in Canton.").propositions[0]
    assert [t.negated for t in denied.triples] == [True]
    both = extract("What?", ["Leo Fong was born in Canton, and Ada Bohr was born in Lisbon."], None)
    assert score(Extraction(both.propositions, ("Leo Fong",)), short_answer="Lisbon").completeness == 0


@needs_parser
def test_a_title_that_looks_like_a_clause() -> None:
    one = read('"When the Stars Go Blue" is a song performed by Ryan Adams.', "When the Stars Go Blue")
    assert ("When the Stars Go Blue", "Ryan Adams") in pairs(one)


@needs_parser
def test_pronouns_between_statements() -> None:
    one = extract("Where?", ["Blood Street was directed by Leo Fong.", "He was born in Canton."], "Canton")
    assert [(c.mention, c.entity) for c in one.propositions[1].coreferences] == [("He", "Leo Fong")]


@BOTH
def test_the_comparison_finds_its_branches(use_parser: bool) -> None:
    one = extract(
        "Which film was released first, Blood Street or Night Harbour?",
        ["Blood Street is a 1988 film.", "Night Harbour is a 1946 film."],
        "Night Harbour",
        use_parser=use_parser,
    )
    assert one.branches == (Branch("Blood Street", "1988"), Branch("Night Harbour", "1946"))
    assert (one.form, one.operator) == ("comparison", "least")
    verdict = score(one, short_answer="Night Harbour")
    assert (verdict.completeness, verdict.essentiality, verdict.failure_class) == (1, 1.0, None)
    assert score(one, short_answer="Blood Street").failure_class == "wrong_answer"


@BOTH
def test_a_missing_value_is_a_missing_branch(use_parser: bool) -> None:
    one = extract(
        "Which film was released first, Blood Street or Night Harbour?",
        ["Blood Street is a 1988 film.", "Night Harbour is a film."],
        "Night Harbour",
        use_parser=use_parser,
    )
    assert one.branches is not None
    assert one.branches[1].value is None
    assert score(one, short_answer="Night Harbour").failure_class == "partial_branch"


def test_another_language_is_read_by_patterns() -> None:
    one = extract("Wo?", ["Leo Fong wurde in Kanton geboren.", "Kanton liegt am Perlfluss."], "Perlfluss")
    assert one.method == "patterns"
    assert score(one, short_answer="Perlfluss").gap is not None or one.question_entities == ()


def test_question_wording() -> None:
    assert question_form("Are both films from the same country?") == "yes/no"
    assert question_form("Who is older, Ann or Bob?") == "comparison"
    assert question_form("Where was the director of Night Harbour born?") == "chain"
    assert comparison_operator("Who is older, Ann or Bob?") == "least"
    assert comparison_operator("Who is younger, Ann or Bob?") == "greatest"
    assert comparison_operator("Who lived longer, Ann or Bob?") is None


def test_question_entities_by_what_the_answer_shares() -> None:
    question = "Who directed God'S Gift To Women and where was Lisbeth Palme's husband born?"
    texts = ["God's Gift to Women was directed by Michael Curtiz.", "Olof Palme was born in Stockholm."]
    assert question_entities(question, (), texts) == ("God'S Gift To Women", "Lisbeth Palme")


def test_forms_of_a_title() -> None:
    assert stands_for_title("Lothair", "Lothair II")
    assert stands_for_title("Francis Albert Sinatra", "Frank Sinatra")
    assert not stands_for_title("Lothair I", "Lothair II")
    assert not stands_for_title("Mexico City", "Mexico")
    assert not stands_for_title("Olof Palme", "Lisbeth Palme")


def test_small_parts() -> None:
    assert acronyms("The World Health Organization (WHO) is old.") == [("World Health Organization", "WHO")]
    assert is_reference("who") and not is_reference("WHO")
    assert is_answer_line("So the answer is: Paris.") and is_answer_line("Thus, for Ann the answer is Paris.")
    assert not is_answer_line("Paris was the answer to her wishes.")
    assert is_meta("I could not find this.") and is_meta("The provided documents do not say so.")
    assert not is_meta("I Can't See Myself Leaving You is a song.")
    kinds = {one.text: one.kind for one in find_mentions("Born on 5 May 1946 in Paris.", Known(["1946"]))}
    assert kinds["5 May 1946"] == "date"


def test_nothing_to_extract() -> None:
    assert extract("Q?", [], None).propositions == ()
    blank = extract("", [""], "", use_parser=False)
    assert score(blank, short_answer="").completeness is None


DIRECTORS = [
    Statement("Night Harbour is a 1931 American film directed by Lena Voss.", "Night Harbour"),
    Statement("Winter Ferry is a 1954 British film directed by Leo Fong.", "Winter Ferry"),
    Statement("Lena Voss (3 May 1900, Oslo – 2 June 1970) was an American director.", "Lena Voss"),
    Statement("Leo Fong (born 12 June 1950) is a British director.", "Leo Fong"),
]


@needs_parser
@pytest.mark.parametrize("gone", [None, 2, 3])
def test_a_films_year_is_not_its_directors_birth(gone: int | None) -> None:
    question = "Which film has the director who is older, Night Harbour or Winter Ferry?"
    kept = [one for place, one in enumerate(DIRECTORS) if place != gone]
    one = extract(question, kept, "Night Harbour", plan_hops=2)
    verdict = score(one, short_answer="Night Harbour")
    if gone is None:
        assert one.branches == (Branch("Night Harbour", "3 May 1900"), Branch("Winter Ferry", "12 June 1950"))
        assert (verdict.completeness, verdict.essentiality) == (1, 1.0)
    else:
        assert (verdict.completeness, verdict.failure_class) == (0, "partial_branch")


@needs_parser
@pytest.mark.parametrize("gone", [None, 2, 3])
def test_a_films_country_is_not_its_directors_nationality(gone: int | None) -> None:
    question = "Do Night Harbour and Winter Ferry have directors of the same nationality?"
    kept = [one for place, one in enumerate(DIRECTORS) if place != gone]
    verdict = score(extract(question, kept, "no", plan_hops=2), short_answer="no")
    assert verdict.completeness == (gone is None)


def test_a_released_first_question_takes_no_birth() -> None:
    one = extract(
        "Which film was released first, Night Harbour or Winter Ferry?",
        ["Night Harbour was directed by Lena Voss (born 3 May 1900).", "Winter Ferry is a 1954 film."],
        "Winter Ferry",
        use_parser=False,
    )
    assert one.branches == (Branch("Night Harbour", None), Branch("Winter Ferry", "1954"))


def test_a_word_is_a_name_only_where_the_question_writes_it_as_one() -> None:
    assert question_entities("Where was the composer of Winter Song born?", ["Born"], ["Born in Oslo."]) == (
        "Winter Song",
    )
    assert question_entities("who directed night harbour?", ["Night Harbour"]) == ("night harbour",)
    assert question_entities("Who made Dancing In The Rain (Film)?", (), ["Dancing in the Rain came out."]) == (
        "Dancing In The Rain",
    )


def test_older_is_about_births_and_foundations() -> None:
    one = extract(
        "Which is older, the Merrow School or the Quist Shipyard?",
        ["The Merrow School was founded in 1871.", "The Quist Shipyard was founded in 1864."],
        "Quist Shipyard",
        use_parser=False,
    )
    assert [branch.value for branch in one.branches or ()] == ["1871", "1864"]
    assert score(one, short_answer="Quist Shipyard").completeness == 1
