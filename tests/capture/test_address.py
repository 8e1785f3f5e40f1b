"""
Names of pages and sites are stable, and show no path of the machine.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.address import Services, html_pages, origin_for
from surefoot.core.errors import InvalidInputError

LABEL = re.compile(r"http://[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.localhost")


@given(st.text())
def test_every_name_has_an_origin(name: str) -> None:
    """Any name at all gives a host name that the rules of the DNS allow."""
    assert LABEL.fullmatch(origin_for(name))


def test_long_names_stay_apart() -> None:
    """Names that differ only beyond a label's length have different origins."""
    assert origin_for("a" * 80 + "1") != origin_for("a" * 80 + "2")


def test_pages_are_found_and_quoted(tmp_path: Path) -> None:
    """HTML files are listed by percent-encoded path, whatever their names hold."""
    (tmp_path / "b").mkdir()
    for name in ("b/100% #1?.html", "a.HTM", "b/note.txt"):
        (tmp_path / name).write_text("x")
    assert html_pages(tmp_path) == ("a.HTM", "b/100%25%20%231%3F.html")
    assert html_pages(tmp_path, "b/100%25%20%231%3F.html") == ("b/100%25%20%231%3F.html",)


@pytest.mark.parametrize("under", ["..", "%2e%2e/", "/etc", "absent", "note.txt"])
def test_pages_outside_the_root_are_refused(tmp_path: Path, under: str) -> None:
    """What lies outside, is not there, or is no page is the caller's mistake."""
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "note.txt").write_text("x")
    (tmp_path / "page.html").write_text("x")
    with pytest.raises(InvalidInputError):
        html_pages(tmp_path / "root", under)


def test_services_start_once_and_end_together() -> None:
    """A service is started at its first use, shared after it, and ended with the rest."""
    log: list[str] = []

    @contextlib.contextmanager
    def service() -> Iterator[int]:
        log.append("start")
        yield len(log)
        log.append("end")

    with Services() as services:
        assert services.get("a", service) == services.get("a", service) == 1
        assert services.get("b", service) == 2
    assert log == ["start", "start", "end", "end"]
