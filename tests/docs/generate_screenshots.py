"""Write the pictures of the review site in docs/images: ``python -m tests.docs.generate_screenshots``.

It asks the sample library some questions, judges two answers, and opens the site in a browser. The
pages name the font Inter first; with Debian's ``fonts-inter`` the pictures look alike everywhere.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.cli.pnk import pnk
from tests.transcripts.browser import browser, resize
from transcripts.folders import run_folders
from transcripts.reviews import add_review
from transcripts.site.build import build_site
from transcripts.store import load

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
SHOWN = "Who founded the shipyard that built the ferry Grey Heron?"
#: Bytes that a picture may have.
LIMIT = 300_000
_WIDTH, _HEIGHT = 1280, 860
_SCALE = 1.25


def make_site(folder: Path) -> Path:
    """Ask the sample questions and return the folder of their site."""
    library = folder / "Corvane Isles"
    left_out = shutil.ignore_patterns(".pinakes-ask", "asks")
    shutil.copytree(ROOT / "docs" / "sample" / "library", library, ignore=left_out)
    assert pnk("sync", "--kb", library).code == 0
    lines = (ROOT / "docs" / "sample" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    for question in [*(one for one in questions if one != SHOWN), SHOWN]:
        pnk("ask", "--deep", "--kb", library, question)
    asks = library / "asks"
    judged = {"Where was the composer of The Lantern Suite born?": "accept", SHOWN: "accept"}
    for run in run_folders(asks):
        record = load(asks / run.name)
        wrong = record.score is not None and record.score.verdict["class"] is not None
        if record.question in judged or wrong:
            time_ = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
            verdict = "reject" if wrong else "accept"
            add_review(asks / run.name, record, verdict, reviewer="Ada Lane <ada@example.org>", time=time_)
    build_site(asks, folder / "site", library=library.name)
    return folder / "site"


def take(driver: Chrome, name: str) -> None:
    """Write a picture of what is on the screen, somewhat enlarged."""
    time.sleep(1)  # the evidence scrolls smoothly
    file = IMAGES / f"{name}.png"
    file.write_bytes(driver.get_screenshot_as_png())
    assert file.stat().st_size < LIMIT, f"{file.name} has {file.stat().st_size} bytes"


def main() -> None:
    """Make all pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, browser(_WIDTH, _HEIGHT) as driver:
        resize(driver, _WIDTH, _HEIGHT, _SCALE)
        driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        site = make_site(Path(folder))
        driver.get((site / "index.html").as_uri())
        take(driver, "review-list")
        driver.find_element(By.LINK_TEXT, SHOWN).click()
        cites = driver.find_elements(By.CSS_SELECTOR, "#answer a.cite")
        driver.execute_script("arguments[0].click(); document.activeElement.blur()", cites[1])
        take(driver, "review-run")
        driver.find_element(By.ID, "theme").click()
        driver.execute_script("arguments[0].click(); document.activeElement.blur()", cites[-1])
        path = driver.find_element(By.ID, "path-title")
        driver.execute_script("scrollTo(0, arguments[0].getBoundingClientRect().top + scrollY - 100)", path)
        take(driver, "review-path-dark")


if __name__ == "__main__":
    main()
