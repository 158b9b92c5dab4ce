"""Reviewing on the served pages, in a real browser: what is judged is kept, and only by who may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from tests.transcripts.browser import MISSING
from tests.transcripts.made_runs import made_run, run_id
from tests.transcripts.serving import Server, serving
from tests.transcripts.test_site_browser import (  # noqa: F401 (fixtures)
    asks,
    driver,
    field,
    matches,
    press,
    questions,
    until,
    window,
)
from transcripts.reviews import read_reviews

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.fixture(scope="module")
def server(asks: Path) -> Iterator[Server]:  # noqa: F811
    with serving(asks) as running:
        yield running


def test_a_run_is_accepted_and_stays_so(driver: Chrome, server: Server, asks: Path) -> None:  # noqa: F811
    driver.get(server.address)
    until(driver, lambda: matches(driver) == "63 runs")
    assert "token" not in driver.current_url
    field(driver, "q").send_keys("author of the reed " + run_id(1))
    until(driver, lambda: len(questions(driver)) == 1)
    driver.find_element(By.CSS_SELECTOR, "#rows a").click()
    until(driver, lambda: driver.find_elements(By.ID, "note") != [])
    field(driver, "note").send_keys("Checked <b>twice</b>.")
    driver.find_element(By.ID, "accept").click()
    until(driver, lambda: "accepted" in driver.find_element(By.ID, "review").text)
    assert "Ada Lane <a@b.org>" in driver.find_element(By.ID, "review").text
    driver.refresh()
    assert "Checked <b>twice</b>." in driver.find_element(By.ID, "review").text
    folder = next(path for path in asks.rglob(f"{run_id(1)}*") if path.is_dir())
    last = read_reviews(folder).last
    assert last is not None
    assert (last.verdict, last.note) == ("accept", "Checked <b>twice</b>.")
    driver.find_element(By.ID, "home").click()
    until(driver, lambda: "2 of 63 reviewed" in driver.find_element(By.CLASS_NAME, "intro").text)


def test_a_run_is_rejected_by_keys_alone(driver: Chrome, server: Server, asks: Path) -> None:  # noqa: F811
    driver.get(server.address)
    driver.get(f"{server.origin}/runs/{run_id(3)}.html")
    press(driver, "r")
    press(driver, Keys.ENTER)
    until(driver, lambda: "rejected" in driver.find_element(By.ID, "review").text)
    folder = next(path for path in asks.rglob(f"{run_id(3)}*") if path.is_dir())
    assert [one.verdict for one in read_reviews(folder).all] == ["reject"]


def test_a_page_from_elsewhere_cannot_review(driver: Chrome, server: Server, asks: Path, tmp_path: Path) -> None:  # noqa: F811
    """Even in the browser that holds the cookie."""
    driver.get(server.address)
    foreign = tmp_path / "foreign.html"
    foreign.write_text(
        f'<form method="post" action="{server.origin}/runs/{run_id(4)}/review">'
        f'<input name="verdict" value="accept"><input name="sha256" value="{made_run(4).sha256}">'
        '<button id="go">Win</button></form>',
        encoding="utf-8",
    )
    driver.get(foreign.as_uri())
    driver.find_element(By.ID, "go").click()
    until(driver, lambda: "Open the address" in driver.find_element(By.TAG_NAME, "body").text)
    folder = next(path for path in asks.rglob(f"{run_id(4)}*") if path.is_dir())
    assert read_reviews(folder).all == ()
    driver.get_log("browser")  # the refusal itself is logged
