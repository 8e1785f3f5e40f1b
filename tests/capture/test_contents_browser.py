"""
Files that were edited, as a browser meets them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.settings import Settings
from surefoot.capture.sources import contents_of, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.errors import CaptureError

SMALL = Settings(width=300, height=200)


@pytest.mark.browser
def test_an_edited_file_fails_the_visit_that_needs_it_and_no_other(tmp_path: Path) -> None:
    """A page whose style sheet is not what it was is refused by its name; its neighbour stays."""
    (tmp_path / "a.html").write_text("<!doctype html><link rel=stylesheet href=s.css><h1>a</h1>")
    (tmp_path / "b.html").write_text("<!doctype html><h1>b</h1><img src=new.png>")
    (tmp_path / "s.css").write_text("h1 { color: red }")
    styled, plain = list_addresses(str(tmp_path))
    with Browser(contents=contents_of([styled, plain])) as browser:
        before = [capture(browser, address, SMALL) for address in (styled, plain)]
        (tmp_path / "s.css").write_text("h1 { color: blue }")
        (tmp_path / "new.png").write_bytes(b"new")
        with pytest.raises(CaptureError, match=r"'s\.css' of folder:") as raised:
            capture(browser, styled, SMALL, original=before[0].screen)
        again = capture(browser, plain, SMALL, original=before[1].screen)
    assert raised.value.reason == "content-changed"
    assert again == before[1]
    assert list(again.screen.missing.values()) == ["status 404"]
