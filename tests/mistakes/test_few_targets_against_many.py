"""
A model asked about a few targets beside one asked about all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from attacks.warm import draw_world
from surefoot.core.errors import ExitCode

Surefoot = Callable[..., Any]
LIMITS = {"all": 0, "most": 3, "few": 1}


@pytest.fixture
def runs(surefoot: Surefoot, tmp_path: Path) -> dict[str, Path]:
    """Ask two models about 4, 3 and 1 targets."""
    draw_world(tmp_path)
    folders = {}
    for name, limit in LIMITS.items():
        folders[name] = tmp_path / name
        model = "oracle" if name == "all" else "center"
        ended = surefoot(
            "run", tmp_path / "drawn", "--model", model, "--out", folders[name], "--limit", limit
        )
        assert ended.code == 0, ended.err
    return folders


@pytest.mark.parametrize("verb", ["score", "report"])
def test_they_are_not_compared_in_silence(
    surefoot: Surefoot, runs: dict[str, Path], tmp_path: Path, verb: str
) -> None:
    """Less than half shared is refused with both counts, and nothing is written."""
    out = ("--out", tmp_path / "r.html") if verb == "report" else ()
    ended = surefoot(verb, runs["all"], runs["few"], *out)

    assert ended.code == ExitCode.USER_ERROR
    assert "4 targets of 'oracle' and 1 of 'center', 1 of them shared" in ended.err
    assert "--shared-only" in ended.err
    assert not (tmp_path / "r.html").exists()


def test_what_is_shared_can_be_compared(
    surefoot: Surefoot, runs: dict[str, Path], tmp_path: Path
) -> None:
    """With --shared-only every score of both is of the one target that both were asked about."""
    scores = tmp_path / "scores.json"
    surefoot("score", runs["all"], runs["few"], "--shared-only", "--json", scores)
    found = msgspec.json.decode(scores.read_bytes())

    assert {score["n"] for score in found["scores"] if score["metric"] == "hit"} == {1}
    assert found["elements"] == 1
    assert found["warnings"][0] == "Only the 1 target that all runs share is scored."

    page = tmp_path / "r.html"
    told = surefoot(
        "report", runs["all"], runs["few"], "--shared-only", "--cards", "2", "--out", page
    )
    assert told.code == 0
    assert page.exists()


def test_most_shared_is_said(surefoot: Surefoot, runs: dict[str, Path]) -> None:
    """Where most is shared the comparison is on that, and both counts are said."""
    told = surefoot("score", runs["all"], runs["most"]).out

    assert "the 3 targets that the runs share; asked about: oracle 4, center 3" in told
