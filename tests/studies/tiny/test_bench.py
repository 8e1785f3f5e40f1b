"""
Benchmarks of drawn screens, written and asked through the ordinary doors.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.cli.main import main
from surefoot.core.errors import ExitCode
from surefoot.core.ledger import read_plan
from surefoot.run.folders.folder import read_questions, read_screens
from surefoot_studies.tiny.asking import LANGUAGES
from surefoot_studies.tiny.bench import SPLITS, write_benches, write_clicks


@pytest.fixture(scope="module")
def benches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a small BENCH of clicks and one of each split."""
    out = tmp_path_factory.mktemp("tiny")
    write_benches(out, screens=dict.fromkeys(SPLITS, 6), clicked=6)
    return out


def test_splits_share_no_screen(benches: Path) -> None:
    """No page and no picture of a split is in another, nor among those that are clicked."""
    names = (*SPLITS, "click")
    screens = {name: read_screens(benches / name) for name in names}
    for one, other in itertools.combinations(names, 2):
        for part in ("page", "image"):
            assert {getattr(screen, part) for screen in screens[one]}.isdisjoint(
                getattr(screen, part) for screen in screens[other]
            )


def test_every_item_is_asked_in_each_language(benches: Path) -> None:
    """A pair is one item in all languages: one picture, one right label, one order of keys."""
    asked = read_questions(benches / "test")
    pairs = {question.pair for question in asked}

    assert len(asked) == len(pairs) * len(LANGUAGES)
    for pair in pairs:
        own = [question for question in asked if question.pair == pair]
        assert {question.instruction.language for question in own} == set(LANGUAGES)
        same = {(item.image, item.answers, item.facts["keys"], item.split) for item in own}
        assert len(same) == 1


def test_the_same_seed_writes_the_same_bytes(benches: Path, tmp_path: Path) -> None:
    """Written again elsewhere, each folder has the same manifest, and another seed another."""
    write_benches(tmp_path / "again", screens=dict.fromkeys(SPLITS, 6), clicked=6)
    write_benches(tmp_path / "other", seed=1, screens=dict.fromkeys(SPLITS, 6), clicked=6)
    for name in (*SPLITS, "click"):
        manifest = (benches / name / "manifest.json").read_bytes()
        assert manifest == (tmp_path / "again" / name / "manifest.json").read_bytes()
        assert manifest != (tmp_path / "other" / name / "manifest.json").read_bytes()


def test_the_command_writes_what_a_run_and_a_score_take(
    studies: Callable[..., Any], command_line: Callable[..., Any], tmp_path: Path
) -> None:
    """From the verb over a built-in model to scores by dimension and language."""
    counts = [part for name in (*SPLITS, "click") for part in (f"--{name}", 3)]
    ended = studies("tiny", "bench", "--out", tmp_path, *counts)
    assert ended.code == ExitCode.FINE
    assert ended.out.count("wrote ") == 4

    run, scores = tmp_path / "run", tmp_path / "scores.json"
    command_line(main, "run", tmp_path / "test", "--model", "center", "--out", run)
    command_line(main, "score", run, "--json", scores)

    profiles = json.loads(scores.read_text())["details"]["languages"]
    languages = {profile["language"] for profile in profiles}
    assert languages == {"original", "fr", "zh"}


def test_a_masked_click_has_a_picture_of_its_own(tmp_path: Path) -> None:
    """Two clicks on a screen share a picture as it is, and none where one is under a mask."""
    bench = write_clicks(
        tmp_path / "b", screens=6, clicked=2, variants=("original", "low-contrast")
    )
    asked = read_questions(bench)
    plain, hidden = (
        [one for one in asked if one.cell.variant == variant]
        for variant in ("original", "low-contrast")
    )
    targets = len({one.pair for one in asked})

    assert sorted(one.pair for one in plain) == sorted(one.pair for one in hidden)
    assert len({one.image for one in plain}) == 6
    assert len({one.image for one in hidden}) == len({one.screen for one in hidden}) == targets
    assert str(read_plan(bench)["benchmark"]).startswith("hidden@")
