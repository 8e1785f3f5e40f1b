"""
Small pages for the browser's tests: written to a folder, visited, captured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from surefoot.capture.browser import Browser
from surefoot.capture.captured import Captured
from surefoot.capture.page import capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.core.edit import Edit

Shooter = Callable[..., Captured]
SMALL = Settings(width=400, height=300)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Lend one Chromium to a module's tests."""
    with Browser() as running:
        yield running


@pytest.fixture
def address(tmp_path: Path) -> Callable[..., Address]:
    """Write files into a folder and return the address of its first page."""

    def write(html: str, **files: str) -> Address:
        folder = tmp_path / "site"
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
        page = folder / "index.html"
        page.write_text(f"<!doctype html><meta charset=utf-8>{html}", encoding="utf-8")
        return list_addresses(str(page))[0]

    return write


@pytest.fixture
def shot(browser: Browser, address: Callable[..., Address]) -> Shooter:
    """Capture a small page from its HTML, with edits, at 400 x 300."""

    def take(
        html: str, edits: Sequence[Edit] = (), settings: Settings = SMALL, **files: str
    ) -> Captured:
        return capture(browser, address(html, **files), settings, edits=edits)

    return take
