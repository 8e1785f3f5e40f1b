"""
The rendering half of a perturbation's check, on small pages in a real browser.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.benchmarks.conformance import PageCheck, check_perturbation
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.core.edit import AddStyle
from surefoot.core.errors import UnknownNameError
from surefoot.core.perturbation import PERTURBATIONS, Perturbation

GOOD = "<!doctype html><meta charset=utf-8><button>Save</button> <a href=#x>Home</a><input>"
SMALL = Settings(width=300, height=200, scale=2.0)


@pytest.fixture
def pages(tmp_path: Path) -> Callable[..., list[Address]]:
    """Write pages and return their addresses."""

    def write(*bodies: str) -> list[Address]:
        for number, body in enumerate(bodies):
            (tmp_path / f"{number}.html").write_text(body, encoding="utf-8")
        return list(list_addresses(f"folder:{tmp_path}"))

    return write


def broken(css: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Add a perturbation that applies a style sheet, and return its name."""
    made = Perturbation(
        name="broken",
        version=1,
        summary="breaks pages",
        levels={"all": 1.0},
        default="all",
        draw=lambda _screen, _seed, _level: (AddStyle(css),),
        seeded=False,
    )
    monkeypatch.setitem(PERTURBATIONS.entries, "broken", made)
    return "broken"


def said(results: list[PageCheck]) -> str:
    """Return all complaints in one text."""
    return "; ".join(complaint for result in results for complaint in result.complaints)


@pytest.mark.browser
def test_a_sound_perturbation_has_no_complaint(pages: Callable[..., list[Address]]) -> None:
    """A zoom keeps every promise, in the settings that were asked for."""
    drawing, page = check_perturbation("zoom:1.5", pages(GOOD), SMALL)

    assert said([drawing, page]) == ""
    assert page.survival is not None
    assert page.survival.hit == page.survival.targets == 3


@pytest.mark.browser
def test_covered_targets_are_told(
    pages: Callable[..., list[Address]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet that lets clicks pass through the controls breaks the promise of hits."""
    name = broken("button, a, input { pointer-events: none }", monkeypatch)
    assert "3 visible targets are covered" in said(check_perturbation(name, pages(GOOD), SMALL))


@pytest.mark.browser
def test_lost_targets_are_told(
    pages: Callable[..., list[Address]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet that hides most controls breaks the promise that they stay."""
    name = broken("button, a { visibility: hidden }", monkeypatch)
    assert "only 1 of 3 targets stay visible" in said(check_perturbation(name, pages(GOOD), SMALL))


@pytest.mark.browser
def test_a_page_that_cannot_be_captured_is_one_result(
    pages: Callable[..., list[Address]],
) -> None:
    """A page that leaves for elsewhere is told by name, and the others are still checked."""
    away = "<!doctype html><meta http-equiv=refresh content='0;url=about:blank'>"
    results = check_perturbation("zoom:1.5", pages(GOOD, away), SMALL)

    assert {
        result.page[-6:]: bool(result.complaints) for result in results if "/" in result.page
    } == {
        "0.html": False,
        "1.html": True,
    }


def test_an_unknown_perturbation_needs_no_browser() -> None:
    """A misspelt perturbation is refused at once."""
    with pytest.raises(UnknownNameError, match="zoom"):
        check_perturbation("zom:1.5", (), SMALL)
