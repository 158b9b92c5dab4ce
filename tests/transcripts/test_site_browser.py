"""The site in a real browser: from files as from the server, by mouse and by keys, wide and narrow."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.common import StaleElementReferenceException
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.transcripts.browser import MISSING, browser, resize
from tests.transcripts.made_runs import hostile_run, made_run, run_id, scored, store_run
from transcripts.reviews import add_review
from transcripts.site.build import build_site

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

HOSTILE = 63
_LONG = " ".join(f"Sentence {number} of a long passage." for number in range(200))


@pytest.fixture(scope="module")
def asks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 runs of several outcomes, one with long evidence, and a hostile one."""
    library = tmp_path_factory.mktemp("library")
    asks = library / "asks"
    for arguments in (
        ["init", "--quiet"],
        ["config", "user.name", "Ada Lane"],
        ["config", "user.email", "a@b.org"],
    ):
        subprocess.run(["git", "-C", str(library), *arguments], check=True)
    store_run(asks, 1)
    for number in range(2, 61):
        changes: dict[str, Any] = {"question": f"Where does river {number} rise?"}
        if number % 10 == 0:
            changes |= scored(completeness=0, essentiality=0.0, **{"class": "broken"})
        if number % 15 == 0:
            changes |= {"status": "partial"}
        folder = store_run(asks, number, **changes)
        if number == 7:
            record = made_run(7, **changes)
            add_review(folder, record, "reject", reviewer="Bo", time=record.created)
    store_run(asks, 61, question="Où habite Séverine Almássy?")
    evidence = tuple(one.model_copy(update={"text": f"{one.text} {_LONG}"}) for one in made_run().evidence)
    store_run(asks, 62, question="What does a long passage say?", evidence=evidence)
    hostile_run(asks, HOSTILE)
    return asks


@pytest.fixture(scope="module")
def site(asks: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    build_site(asks, out, library="rivers")
    return out


@pytest.fixture(scope="module")
def window() -> Iterator[Chrome]:
    with browser() as driver:
        yield driver


@pytest.fixture
def driver(window: Chrome) -> Iterator[Chrome]:
    """A browser at its usual size, which at the end has no error to tell of."""
    resize(window, 1360, 900)
    window.get_log("browser")
    yield window
    said = [one["message"] for one in window.get_log("browser") if one["level"] == "SEVERE"]
    assert said == []


def open_list(driver: Chrome, site: Path) -> None:
    driver.get("about:blank")
    driver.get((site / "index.html").as_uri())


def open_run(driver: Chrome, site: Path, number: int = 1) -> None:
    driver.get("about:blank")
    driver.get((site / "runs" / f"{run_id(number)}.html").as_uri())


def questions(driver: Chrome) -> list[str]:
    return [one.text for one in driver.find_elements(By.CSS_SELECTOR, "#rows a")]


def matches(driver: Chrome) -> str:
    return driver.find_element(By.ID, "matches").text


def field(driver: Chrome, name: str) -> WebElement:
    return driver.find_element(By.NAME, name)


def choose(driver: Chrome, name: str, value: str) -> None:
    field(driver, name).find_element(By.CSS_SELECTOR, f"option[value='{value}']").click()


def press(driver: Chrome, *keys: str) -> None:
    for key in keys:
        driver.switch_to.active_element.send_keys(key)


def until(driver: Chrome, condition: Any) -> None:
    ignored = [StaleElementReferenceException]
    WebDriverWait(driver, 10, ignored_exceptions=ignored).until(lambda _: condition())


def visible(driver: Chrome, element: WebElement) -> bool:
    """Whether the middle of an element is what a person sees there."""
    script = """
        const box = arguments[0].getClientRects()[0];
        const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return arguments[0].contains(seen);
    """
    return bool(driver.execute_script(script, element))


def value(driver: Chrome, script: str) -> Any:
    return driver.execute_script(f"return {script}")


def colour(driver: Chrome) -> int:
    """How bright the page is, from 0 to 255."""
    shade = driver.find_element(By.TAG_NAME, "body").value_of_css_property("background-color")
    return int(shade.partition("(")[2].partition(",")[0])


def test_the_list_shows_the_newest_first_in_pages(driver: Chrome, site: Path) -> None:
    open_list(driver, site)
    assert matches(driver) == "63 runs"
    assert len(questions(driver)) == 50
    assert questions(driver)[1] == "What does a long passage say?"
    driver.find_element(By.ID, "next").click()
    assert len(questions(driver)) == 13
    assert driver.find_element(By.ID, "page").text == "Page 2 of 2"


def test_search_finds_words_in_any_order_without_accents(driver: Chrome, site: Path) -> None:
    open_list(driver, site)
    field(driver, "q").send_keys("almassy severine")
    until(driver, lambda: questions(driver) == ["Où habite Séverine Almássy?"])
    assert matches(driver) == "1 of 63 runs"
    field(driver, "q").clear()
    field(driver, "q").send_keys("no such thing")
    until(driver, lambda: driver.find_element(By.ID, "empty").is_displayed())
    driver.find_element(By.ID, "clear").click()
    assert matches(driver) == "63 runs"


def test_filters_narrow_the_list_together(driver: Chrome, site: Path) -> None:
    open_list(driver, site)
    choose(driver, "class", "broken")
    assert matches(driver) == "6 of 63 runs"
    choose(driver, "status", "partial")
    assert matches(driver) == "2 of 63 runs"
    driver.find_element(By.ID, "clear").click()
    choose(driver, "review", "reject")
    assert questions(driver) == ["Where does river 7 rise?"]
    driver.find_element(By.ID, "clear").click()
    choose(driver, "score", "c0")
    assert matches(driver) == "6 of 63 runs"
    driver.find_element(By.ID, "clear").click()
    for name in ("from", "to"):
        value(driver, f"(document.forms[0].elements['{name}'].value = '2026-03-06')")
    value(driver, "document.forms[0].elements.to.dispatchEvent(new Event('change', {bubbles: true}))")
    assert questions(driver) == ["Where does river 5 rise?"]


def test_a_column_sorts_both_ways_with_what_is_unknown_last(driver: Chrome, site: Path) -> None:
    open_list(driver, site)
    head = driver.find_element(By.CSS_SELECTOR, "th[data-sort='question']")
    field(driver, "q").send_keys("river")
    until(driver, lambda: matches(driver) == "59 of 63 runs")
    head.find_element(By.TAG_NAME, "button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert questions(driver)[:2] == ["Where does river 2 rise?", "Where does river 3 rise?"]
    head.find_element(By.TAG_NAME, "button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert questions(driver)[0] == "Where does river 60 rise?"
    driver.find_element(By.CSS_SELECTOR, "th[data-sort='class'] button").click()
    assert driver.find_element(By.CSS_SELECTOR, "#rows [data-cell='class']").text == "broken"


def test_the_list_is_the_same_after_a_run_was_read(driver: Chrome, site: Path) -> None:
    open_list(driver, site)
    choose(driver, "class", "broken")
    shown = questions(driver)
    driver.find_element(By.LINK_TEXT, shown[1]).click()
    until(driver, lambda: driver.find_element(By.TAG_NAME, "h1").text == shown[1])
    assert driver.find_element(By.ID, "position").text == "2 of 6"
    press(driver, "n")
    until(driver, lambda: driver.find_element(By.TAG_NAME, "h1").text == shown[2])
    press(driver, "p")
    until(driver, lambda: driver.find_element(By.TAG_NAME, "h1").text == shown[1])
    driver.back()
    driver.back()
    driver.back()
    until(driver, lambda: matches(driver) == "6 of 63 runs")
    assert questions(driver) == shown


def test_a_click_on_a_citation_shows_its_sentence(driver: Chrome, site: Path) -> None:
    open_run(driver, site, 62)
    cites = driver.find_elements(By.CSS_SELECTOR, "#answer a.cite")
    for cite in (cites[1], cites[0], cites[1]):
        cite.click()
        sentence = driver.find_element(By.ID, (cite.get_attribute("href") or "").partition("#")[2])
        assert driver.find_elements(By.CSS_SELECTOR, ".sentence.active") == [sentence]
        until(driver, lambda sentence=sentence: visible(driver, sentence))
        assert cite.get_attribute("aria-current") == "true"
        assert visible(driver, cite)
    assert "Ann Bell was born in Dale." in sentence.text


def test_keys_lead_from_citation_to_citation(driver: Chrome, site: Path) -> None:
    open_run(driver, site)
    active = lambda: [one.text for one in driver.find_elements(By.CSS_SELECTOR, ".sentence.active")]  # noqa: E731
    press(driver, "j")
    assert "written by Ann Bell" in active()[0]
    press(driver, "j")
    assert "born in Dale" in active()[0]
    press(driver, "k")
    assert "written by Ann Bell" in active()[0]
    press(driver, Keys.ENTER)
    assert driver.switch_to.active_element.get_attribute("class") == "sentence cited active"
    press(driver, Keys.ESCAPE)
    assert "cite" in (driver.switch_to.active_element.get_attribute("class") or "").split()


def test_keys_lead_through_the_list(driver: Chrome, site: Path) -> None:
    open_list(driver, site)
    shown = questions(driver)
    press(driver, "j", "j", "j", "k")
    assert driver.switch_to.active_element.text == shown[1]
    press(driver, "/")
    assert driver.switch_to.active_element == field(driver, "q")
    press(driver, "jk/?")
    assert field(driver, "q").get_attribute("value") == "jk/?"
    press(driver, Keys.ESCAPE, "?")
    dialog = driver.find_element(By.ID, "help")
    assert dialog.is_displayed()
    press(driver, Keys.ESCAPE)
    until(driver, lambda: not dialog.is_displayed())


def test_from_a_run_keys_lead_back_to_the_list_and_to_its_search(driver: Chrome, site: Path) -> None:
    open_run(driver, site)
    press(driver, "u")
    until(driver, lambda: matches(driver) == "63 runs")
    open_run(driver, site)
    press(driver, "/")
    until(driver, lambda: driver.switch_to.active_element.get_attribute("name") == "q")


def test_a_drawing_leads_to_the_sentence_of_a_fact(driver: Chrome, site: Path) -> None:
    open_run(driver, site)
    fact = driver.find_element(By.CSS_SELECTOR, ".drawing .fact")
    fact.click()
    sentence = driver.find_element(By.CSS_SELECTOR, ".sentence.active")
    assert "The Reed was written by Ann Bell." in sentence.text
    until(driver, lambda: visible(driver, sentence))


def test_a_number_of_a_passage_opens_it_even_when_it_is_folded(driver: Chrome, site: Path) -> None:
    open_run(driver, site)
    driver.find_element(By.CSS_SELECTOR, ".timeline a.passage:last-of-type").click()
    passage = driver.switch_to.active_element
    assert "evidence-passage" in (passage.get_attribute("class") or "")
    until(driver, lambda: visible(driver, passage))


def test_colours_follow_the_system_until_the_reader_chooses(site: Path) -> None:
    with browser(dark=True) as driver:
        open_run(driver, site)
        assert colour(driver) < 60
        driver.find_element(By.ID, "theme").click()
        assert colour(driver) > 200
        driver.refresh()
        assert colour(driver) > 200
        open_list(driver, site)
        assert colour(driver) > 200


@pytest.mark.parametrize("number", [1, 10, 62, HOSTILE])
@pytest.mark.parametrize("width", [320, 390, 800])
def test_no_page_is_wider_than_the_screen(number: int, width: int, driver: Chrome, site: Path) -> None:
    resize(driver, width, 800)
    open_run(driver, site, number)
    value(driver, _UNFOLD)
    assert value(driver, "document.documentElement.scrollWidth") <= width
    open_list(driver, site)
    assert value(driver, "document.documentElement.scrollWidth") <= width


def test_on_a_phone_a_citation_leads_down_and_back_returns(driver: Chrome, site: Path) -> None:
    resize(driver, 390, 800)
    open_run(driver, site)
    cite = driver.find_element(By.CSS_SELECTOR, "#answer a.cite")
    cite.click()
    sentence = driver.find_element(By.CSS_SELECTOR, ".sentence.active")
    until(driver, lambda: visible(driver, sentence))
    driver.back()
    until(driver, lambda: visible(driver, cite))


def test_every_control_has_a_name_and_every_field_a_label(driver: Chrome, site: Path) -> None:
    """As the browser computes it for those who cannot see the page."""
    for open_page in (open_list, open_run):
        open_page(driver, site)
        value(driver, _UNFOLD)
        controls = driver.find_elements(By.CSS_SELECTOR, "a[href], button, input, select, textarea, summary")
        assert len(controls) > 10
        for control in controls:
            if control.is_displayed():
                assert control.accessible_name.strip(), control.get_attribute("outerHTML")


@pytest.mark.parametrize("dark", [False, True])
def test_texts_stand_out_from_what_they_stand_on(dark: bool, driver: Chrome, site: Path) -> None:
    """At least 4.5 to 1, as WCAG 2 asks of texts."""
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    try:
        for number in (1, 10):
            open_run(driver, site, number)
            assert value(driver, f"({_PALE})()") == []
        open_list(driver, site)
        assert value(driver, f"({_PALE})()") == []
    finally:
        scheme["value"] = "light"
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


_UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
_PALE = """() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (shade) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = shade;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = (shade) => {
        const [r, g, b] = shade.map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const under = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const shade = rgb(getComputedStyle(at).backgroundColor);
            if (shade[3] > 0) return shade;
        }
        return [255, 255, 255, 255];
    };
    const pale = [];
    for (const one of document.querySelectorAll('body *:not(svg *, script, template, dialog, dialog *)')) {
        const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!own || !one.checkVisibility() || one.matches(':disabled')) continue;
        const [dark, bright] = [light(rgb(getComputedStyle(one).color)), light(under(one))].sort((a, b) => a - b);
        const ratio = (bright + 0.05) / (dark + 0.05);
        if (ratio < 4.5) pale.push(`${ratio.toFixed(2)} ${one.className} ${one.textContent.trim().slice(0, 40)}`);
    }
    return pale;
}"""


def test_hostile_texts_do_nothing_in_a_browser(driver: Chrome, site: Path) -> None:
    open_list(driver, site)
    assert questions(driver)[0].startswith("Where was the author of The Reed born?</script>")
    assert value(driver, "window.hit") is None
    driver.find_element(By.CSS_SELECTOR, "#rows a").click()
    until(driver, lambda: "window.hit" in driver.find_element(By.TAG_NAME, "h1").text)
    value(driver, _UNFOLD)
    for element in driver.find_elements(By.CSS_SELECTOR, "a.cite, .drawing a, a.passage"):
        value(driver, "document.activeElement.blur()")
        driver.execute_script("arguments[0].focus(); arguments[0].dispatchEvent(new Event('mouseover'))", element)
    press(driver, "j", "j")
    assert value(driver, "window.hit") is None
    assert value(driver, "document.querySelectorAll('img, iframe, object, embed').length") == 0
    assert "<script>window.hit = 1</script>" in driver.find_element(By.TAG_NAME, "main").text


def test_without_a_script_citations_still_lead_to_their_sentence(site: Path) -> None:
    with browser() as driver:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        open_run(driver, site)
        cite = driver.find_element(By.CSS_SELECTOR, "#answer a.cite")
        cite.click()
        assert driver.current_url.endswith(cite.get_attribute("href") or "none")
        open_list(driver, site)
        assert len(driver.find_elements(By.CSS_SELECTOR, "#rows tr")) == 50
        assert "need JavaScript" in driver.find_element(By.TAG_NAME, "main").text
