"""
``surefoot capture``: its options reach the plan, its mistakes are told.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.capture.settings import Settings
from surefoot.core.errors import ExitCode
from surefoot.run.building import capturing
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally


def test_options_become_settings(
    surefoot: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Viewport, scale, language and the rest arrive where pages are captured."""
    seen: list[Any] = []

    def capture(*given: object, **options: object) -> Outcome:
        seen.extend([given, options])
        return Outcome(tmp_path, Tally())

    monkeypatch.setattr(capturing, "capture_screens", capture)
    view = ("--width", 300, "--height", 200, "--scale", 2, "--locale", "fr-FR", "--full-page")
    more = ("--limit", 3, "--workers", 1, "--retry-failed")
    ended = surefoot("capture", "a.html", "demo:", "--out", tmp_path, *view, *more)

    assert ended.code == ExitCode.FINE
    assert seen[0] == (
        ["a.html", "demo:"],
        tmp_path,
        Settings(300, 200, 2.0, "fr-FR", full_page=True),
    )
    options = {name: seen[1][name] for name in ("limit", "workers", "retry_failed")}
    assert options == {"limit": 3, "workers": 1, "retry_failed": True}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("nothing-there",), "nothing-there"),
        ((".", "--scale", "0"), "scale above 0"),
        ((".", "--width", "100000", "--height", "100000"), "pixels"),
        ((".", "--limit", "-1"), "--limit"),
        ((".", "--workers", "0"), "--workers"),
    ],
)
def test_mistakes_exit_with_2(
    surefoot: Callable[..., Any], tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    """A source that is not there and impossible views begin no folder."""
    ended = surefoot("capture", *given, "--out", tmp_path / "out")

    assert ended.code == ExitCode.USER_ERROR
    assert said in ended.err
    assert not (tmp_path / "out").exists()
