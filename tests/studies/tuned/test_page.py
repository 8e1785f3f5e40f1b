"""
The page of the training study, written by its command on a very small setting.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from surefoot.score.calibration import Calibration, MetricChange, PlaceRule
from surefoot_studies.cli import main
from surefoot_studies.tuned import perturbed
from surefoot_studies.tuned.masked import WAYS, MaskedScore, MaskedStep, MaskedStudy
from surefoot_studies.tuned.page import write_study
from surefoot_studies.tuned.perturbed import AXES, LEARNED, TunedChange, TunedStudy

pytest.importorskip("trl")


def test_the_command_writes_the_page_and_resumes(
    command_line: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every way and every adapter, mixture and axis that was run is in a table of the page."""
    # Two adapters on a mixture, a step or so each; a second call trains and asks nothing.
    monkeypatch.setattr(perturbed, "ADAPTERS", perturbed.ADAPTERS[1:3])
    monkeypatch.setattr(perturbed, "MIXTURES", ("text-shrink-precision",))
    given = ("--out", tmp_path, "--screens", "3", "--steps", "1", "--share", "0.0003")
    first = command_line(main, "training", *given, "--write", tmp_path / "one.md")
    trained = sorted(tmp_path.glob("**/*.safetensors"))
    times = [path.stat().st_mtime_ns for path in trained]
    again = command_line(main, "training", *given, "--write", tmp_path / "two.md")

    assert (first.code, again.code) == (0, 0), first.err
    page = (tmp_path / "one.md").read_text()
    assert (tmp_path / "two.md").read_text() == page
    assert [path.stat().st_mtime_ns for path in trained] == times
    assert len(re.findall(r"^\| (as it is|trained on)", page, re.MULTILINE)) == 4
    for adapter in perturbed.ADAPTERS:
        assert f"| {adapter.name} |" in page
    assert page.count("| axis | untrained | text-shrink-precision |") == 2
    assert len(re.findall(r"^\| [\w :%,-]+ \| \d+\.\d % \| [+-]", page, re.MULTILINE)) == 2 * 7
    assert "--steps 1 --share 0.0003`" in page


def test_multiples_and_verdicts_follow(tmp_path: Path) -> None:
    """Multiples follow from the scores, and verdicts from the intervals."""
    ious = dict(zip(WAYS, (0.1, 0.3, 0.35, 0.5), strict=True))
    variants = ("original", "static", "high-contrast", "low-contrast")
    scores = [MaskedScore(way, one, ious[way], 0.5) for way in WAYS for one in variants]
    changes = zip(WAYS[1:], (0.2, 0.05, 0.15), strict=True)
    steps = [
        MaskedStep(way, mask, metric, change, change - 0.01, change + 0.01)
        for way, change in changes
        for mask in variants[1:]
        for metric in ("iou", "bcp")
    ]
    rule = Calibration(
        model="untrained",
        rule=PlaceRule("scale", scale=(0.75, 0.6)),
        places=90,
        elements=60,
        clusters=60,
        over="sites",
        size=(128, 96),
        changes=(MetricChange("iou", 0.1, 0.3, 0.1, 0.3),),
    )
    masks = MaskedStudy(
        elements=60,
        scores=tuple(scores),
        steps=tuple(steps),
        rule=rule,
        seconds={"untrained": 3.0},
        examples=4,
        updates=2,
    )
    lost, gained = (-0.1, -0.15, -0.05), (0.2, -0.1, 0.3)
    by_axis = [
        TunedChange("last sixth", "25k", axis, 0.9, *(lost if axis in LEARNED else gained))
        for axis in AXES
    ]
    tuned = TunedStudy(60, tuple(by_axis), {"25k": 8}, {"last sixth, 25k": 2.0})
    write_study(tmp_path / "page.md", masks, tuned, "surefoot-studies training")
    page = (tmp_path / "page.md").read_text()
    nothing = tuple(msgspec.structs.replace(row, iou=0.0) for row in scores)
    flat = msgspec.structs.replace(masks, scores=nothing)
    write_study(tmp_path / "flat.md", flat, tuned, "surefoot-studies training")

    assert (
        "- static: training on masks multiplies the IoU by 5.0, training on boxes without masks "
        "by 3.5, and the right space without any training by 3.0."
    ) in page
    assert "| trained on masks | 0.500, 50.0 | 0.500, 50.0 |" in page
    assert "| last sixth | 0 | 4 | 3 | -10.0 | +20.0 |" in page
    assert "| original | 90.0 % | **-10.0 (-15.0 to -5.0)** |" in page
    assert "- static: no IoU to multiply." in (tmp_path / "flat.md").read_text()
