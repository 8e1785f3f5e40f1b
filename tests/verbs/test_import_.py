"""
``surefoot import``: published runs and labelled sets become folders; mistakes are told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from surefoot.core.errors import ExitCode

GOOD = {
    "model": "gta1",
    "reasoning": False,
    "instruction_type": "direct",
    "variant": "original",
    "task_id": "t",
    "step_index": 1,
    "instruction": "Click on 'A'",
    "raw_prediction": "(966,546)",
    "box_xywh": [950, 530, 20, 20],
}
Surefoot = Callable[..., Any]


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Write three published records, the last without an area."""
    changes: list[dict[str, Any]] = [
        {},
        {"variant": "style"},
        {"step_index": 2, "box_xywh": [0, 0, 0, 0]},
    ]
    path = tmp_path / "raw.jsonl"
    path.write_text("".join(json.dumps({**GOOD, **change}) + "\n" for change in changes))
    return path


def test_what_is_imported_can_be_scored_and_reported(
    surefoot: Surefoot, published: Path, tmp_path: Path
) -> None:
    """The folders that the verb writes are what score and report take."""
    ended = surefoot("import", "gui-perturbed", published, "--out", tmp_path / "out")
    run = tmp_path / "out" / "runs" / "gta1"

    assert ended.code == ExitCode.FINE
    assert "left out line 3" in ended.out
    assert re.search(r"gta1, direct, theme and order +\d+ +100\.0 %", surefoot("score", run).out)
    reported = surefoot("report", run, "--out", tmp_path / "page.html")
    assert reported.code == ExitCode.FINE
    assert (tmp_path / "page.html").is_file()


def test_mistakes_exit_with_2(surefoot: Surefoot, published: Path, tmp_path: Path) -> None:
    """A misspelt dataset, a missing file, and a bad record where strict are told."""
    out = ("--out", tmp_path / "out")
    misspelt = surefoot("import", "gui-pertubed", published, *out)
    missing = surefoot("import", "gui-perturbed", tmp_path / "none.jsonl", *out)
    strict = surefoot("import", "gui-perturbed", published, "--strict", *out)

    assert [item.code for item in (misspelt, missing, strict)] == [ExitCode.USER_ERROR] * 3
    assert "'gui-perturbed'" in misspelt.err
    assert "none.jsonl" in missing.err
    assert "line 3" in strict.err


def test_an_import_that_keeps_nothing_exits_with_1(surefoot: Surefoot, tmp_path: Path) -> None:
    """One sentence says so, nothing is written, and a program can tell by the exit code."""
    path = tmp_path / "raw.jsonl"
    path.write_text(json.dumps({**GOOD, "box_xywh": [0, 0, 0, 0]}) + "\n")
    ended = surefoot("import", "gui-perturbed", path, "--out", tmp_path / "out")

    assert (ended.code, ended.out) == (ExitCode.SOME_UNITS_FAILED, "")
    assert "found none that is good of 1. Line 1: Expected a box with an area" in ended.err
    assert not (tmp_path / "out").exists()


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Write a set in OSWorld-G's layout: a box, a polygon, a refusal, and one bad record."""
    box = {
        "image_path": "a.png",
        "image_size": [200, 100],
        "instruction": "Open the file menu",
        "box_type": "bbox",
        "box_coordinates": [10, 20, 30, 40],
    }
    rows = [
        box,
        box | {"box_type": "polygon", "box_coordinates": [0, 0, 90, 0, 90, 5, 5, 5, 5, 90, 0, 90]},
        box | {"box_type": "refusal", "instruction": "Open the pod bay doors"},
        box | {"box_coordinates": [10, 20, 0, 40]},
    ]
    folder = tmp_path / "set"
    (folder / "images").mkdir(parents=True)
    Image.new("RGB", (200, 100), "white").save(folder / "images" / "a.png")
    (folder / "OSWorld-G.json").write_text(json.dumps(rows))
    return folder


def test_a_labelled_set_goes_the_whole_way(
    surefoot: Surefoot, labelled: Path, tmp_path: Path
) -> None:
    """It can be run, scored, reported, audited and exported; the oracle hits all of it."""
    bench, run = tmp_path / "bench", tmp_path / "run"
    ended = surefoot("import", "osworld-g", labelled, "--out", bench)
    assert ended.code == ExitCode.FINE
    assert "left out OSWorld-G.json, record 4" in ended.out
    assert "3 questions on 1 screens" in ended.out

    assert surefoot("run", bench, "--model", "oracle", "--out", run).code == ExitCode.FINE
    assert re.search(r"oracle, given, original +\d+ +100\.0 %", surefoot("score", run).out)
    for verb in (
        ("report", run, "--out", tmp_path / "page.html"),
        ("audit", bench, "--out", tmp_path / "audit", "--count", "3"),
        ("export", bench, "--out", tmp_path / "published"),
    ):
        assert surefoot(*verb).code == ExitCode.FINE, verb
    assert (tmp_path / "page.html").is_file()


def test_counts_are_an_object(surefoot: Surefoot, labelled: Path, tmp_path: Path) -> None:
    """With --json the counts alone are printed; a limit keeps the first records."""
    options = ("--out", tmp_path / "bench", "--limit", "2", "--json")
    counts = json.loads(surefoot("import", "osworld-g", labelled, *options).out)

    assert counts["questions"] == 2
    assert counts["unpictured"] == 0


def test_strict_and_missing_pictures(surefoot: Surefoot, labelled: Path, tmp_path: Path) -> None:
    """A bad record ends a strict import with its place; --images must be a folder."""
    strict = surefoot("import", "osworld-g", labelled, "--out", tmp_path / "a", "--strict")
    nowhere = ("--out", tmp_path / "b", "--images", tmp_path / "none")
    images = surefoot("import", "osworld-g", labelled, *nowhere)

    assert [item.code for item in (strict, images)] == [ExitCode.USER_ERROR] * 2
    assert "OSWorld-G.json, record 4" in strict.err
    assert "a folder of pictures" in images.err
