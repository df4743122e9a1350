"""The browser that tests of pages look through."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser import opened


@pytest.mark.integration
def test_a_page_is_seen_and_its_faults_are_noted(tmp_path: Path) -> None:
    """A title, an exception, and an address of another machine that is not asked."""
    place = tmp_path / "page.html"
    place.write_text(
        "<title>Fog</title><img src='https://example.org/a.png'>"
        "<script>throw Error('torn')</script>"
    )
    with opened() as seen:
        seen.page.goto(place.as_uri())
        assert seen.page.title() == "Fog"
        assert seen.errors[0] == "torn"
        assert seen.asked_outside == ["https://example.org/a.png"]
