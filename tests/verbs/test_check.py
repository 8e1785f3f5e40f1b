"""
``surefoot check``: its lines, its JSON, its exit code.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.benchmarks import conformance
from surefoot.benchmarks.conformance import PageCheck
from surefoot.core.errors import ExitCode
from surefoot.perturb.check import Survival

KEPT = Survival(3, 3, 3, 3, lost=(), hidden=(), missed=())
DRAWS = PageCheck("draws of zoom", None, ())
FINE = PageCheck("site/a.html", KEPT, ())
BAD = PageCheck("site/b.html", KEPT, ("two renderings differ", "another"))


@pytest.fixture
def check(
    surefoot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Any]:
    """Run the verb on a page, with the browser's results given."""
    page = tmp_path / "a.html"
    page.write_text("<!doctype html>")

    def run(results: list[PageCheck], *given: str) -> Any:  # noqa: ANN401 - the fixture's own type
        monkeypatch.setattr(conformance, "check_perturbation", lambda *_, **__: results)
        return surefoot("check", "zoom:1.5", page, *given)

    return run


def test_promises_kept_exit_with_0(check: Callable[..., Any]) -> None:
    """Without a complaint each result is one line that says so."""
    ended = check([DRAWS, FINE])

    assert ended.code == ExitCode.FINE
    assert ended.out == "fine: draws of zoom\nfine: site/a.html (3 of 3 targets hit)\n"


def test_a_broken_promise_exits_with_1(check: Callable[..., Any]) -> None:
    """A complaint is told with its page, and programs see it by the exit code."""
    ended = check([FINE, BAD])

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert "two renderings differ; another: site/b.html" in ended.out


def test_json_is_a_list(check: Callable[..., Any]) -> None:
    """With --json each result is an object, and the exit code stays the same."""
    ended = check([FINE, BAD], "--json")

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert [load["complaints"] for load in json.loads(ended.out)] == [[], list(BAD.complaints)]


def test_an_unknown_perturbation_is_refused(surefoot: Callable[..., Any], tmp_path: Path) -> None:
    """A misspelt perturbation exits with 2 and is told the right one."""
    (tmp_path / "a.html").write_text("<!doctype html>")
    ended = surefoot("check", "shufle", tmp_path / "a.html")

    assert ended.code == ExitCode.USER_ERROR
    assert "'shuffle'" in ended.err


def test_a_perturbation_is_not_replayed(check: Callable[..., Any]) -> None:
    """What has no recorded actions is refused before any page is opened."""
    ended = check([FINE], "--replay")

    assert ended.code == ExitCode.USER_ERROR
    assert "a benchmark to replay" in ended.err
