"""A real browser without a window: Debian's Chromium with its driver, where they are installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
#: Why tests with a browser are skipped; "" where they can run.
MISSING = (
    "" if CHROMIUM and DRIVER else "there is no chromium with chromedriver here; 'make browser' installs both"
)


@contextmanager
def browser(width: int = 1360, height: int = 900, *, dark: bool = False) -> Iterator[Chrome]:
    """Yield a browser with a page of this size, and close it afterwards.

    :param dark: whether the system prefers dark colours.
    """
    options = ChromeOptions()
    options.binary_location = CHROMIUM or ""
    # Without a sandbox, which the kernel denies to root; the pages are our own, from this machine.
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.add_argument("--disable-background-networking")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER))
    try:
        resize(driver, width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        yield driver
    finally:
        driver.quit()


def resize(driver: Chrome, width: int, height: int, scale: float = 1) -> None:
    """Give the page this size, as a phone would below 600; ``scale`` is how many pixels make one unit."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
