"""A real browser for tests of pages: Debian's Chromium, without a window, driven by Playwright.

Nothing reaches the network: a page may load files and this machine's own addresses, and whatever
else it asks for fails, and is listed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

LOCAL_SCHEMES = frozenset({"file", "data", "blob", "about"})
LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}


class Watched:
    """A page, and what went wrong on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        """Uncaught exceptions and what the console calls errors."""
        self.asked_outside: list[str] = []
        """Addresses of other machines that the page wanted."""
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._note)
        page.route("**/*", self._let_through)

    def _note(self, message: object) -> None:
        if getattr(message, "type", "") == "error":
            self.errors.append(str(getattr(message, "text", message)))

    def _let_through(self, route: Route) -> None:
        address = urlsplit(route.request.url)
        if address.scheme in LOCAL_SCHEMES or address.hostname in LOCAL_HOSTS:
            route.continue_()
        else:
            self.asked_outside.append(route.request.url)
            route.abort()


@contextmanager
def opened(*, dark: bool = False, narrow: bool = False) -> Iterator[Watched]:
    """An empty page in a new browser. Skips the test where there is no Playwright or Chromium."""
    driver = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no chromium is installed")
    with driver.sync_playwright() as playwright:
        # As root, in a container, Chromium cannot have its own sandbox.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            page = browser.new_page(
                viewport=NARROW if narrow else WIDE, color_scheme="dark" if dark else "light"
            )
            yield Watched(page)
        finally:
            browser.close()
