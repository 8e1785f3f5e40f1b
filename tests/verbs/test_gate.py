"""
``surefoot gate``: a release that lost an element fails a build, and one that lost nothing passes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

import surefoot
from surefoot.core.errors import InvalidInputError
from surefoot.report.gate import GateReport
from tests.conftest import TARGETS

Pointer = Callable[[Image.Image, str], tuple[float, float]]
BROKEN: Final = TARGETS[1]


def pointer(lost: str = "") -> Pointer:
    """Return a model that finds a button by the pixels in its column, but for a lost one."""

    def point(picture: Image.Image, words: str) -> tuple[float, float]:
        name = next((name for name in TARGETS if f"'{name}'" in words), TARGETS[0])
        across = 20 + 66 * TARGETS.index(name) + 25
        column = np.asarray(picture.convert("L"))[80:, across]
        down = 80 + int(np.flatnonzero(column < 100).mean())
        return (2.0, 198.0) if name == lost else (across, down)

    return point


def asked(bench: Path, out: Path, model: Pointer, samples: int) -> Path:
    """Ask a function as one model, whatever it is."""
    found = surefoot.run(
        bench, model=model, name="pointer", version="1", out=out, samples=samples, self_check=False
    )
    return found.folder


@pytest.fixture
def baseline(drawn: Path, tmp_path: Path) -> Path:
    """Return a baseline of ten answers a question."""
    file = tmp_path / "gate.jsonl"
    run = asked(drawn, tmp_path / "base", pointer(), 10)
    assert surefoot.gate(run, against=file, update=True) is None
    return file


def judged(run: Path, baseline: Path, **options: Any) -> GateReport:  # noqa: ANN401
    """Return the report of a gate, whose models are all the same one by name."""
    found = surefoot.gate(run, against=baseline, **options)
    assert found is not None
    return found


def test_a_lost_element_fails_and_is_named(drawn: Path, baseline: Path, tmp_path: Path) -> None:
    """What is missed at first sight is asked again, and is lost where it is missed again."""
    broken = pointer(BROKEN)
    run = asked(drawn, tmp_path / "next", broken, 1)

    first = judged(run, baseline)
    assert first.finding.verdict == "failed"  # half of all answers are gone: losses are spread
    assert first.finding.suspects
    assert not first.finding.lost

    second = judged(run, baseline, model=broken, name="pointer", version="1")
    assert not second.finding.suspects
    assert {second.asked[name].words for name in second.finding.lost} == {
        f"Click '{BROKEN}' & wait"
    }
    cases = ET.fromstring(second.junit()).findall("testcase")
    assert sum(case.find("failure") is not None for case in cases) == len(second.finding.lost) + 1
    assert len({case.get("name") for case in cases}) == len(cases)
    assert BROKEN in second.markdown()
    assert all(line.startswith("::error title=") for line in second.annotations())


def test_a_release_without_a_change_passes(drawn: Path, baseline: Path, tmp_path: Path) -> None:
    """The same replies pass, whatever is listed, and make the baseline if that is wanted."""
    run = asked(drawn, tmp_path / "next", pointer(), 1)
    found = judged(run, baseline, update=True)
    assert found.finding.verdict == "passed"
    assert next(found.sentences()).startswith("passed")
    assert judged(run, baseline).finding.questions == 36


def test_what_cannot_be_told_is_not_passed(
    surefoot: Callable[..., Any], drawn: Path, baseline: Path, tmp_path: Path
) -> None:
    """The command exits with 2 where the margin is too small, and says what it would take."""
    run = asked(drawn, tmp_path / "next", pointer(), 1)
    summary = tmp_path / "job" / "gate.md"
    told = surefoot("gate", run, "--against", baseline, "--max-drop", 1, "--summary", summary)
    fine = surefoot("gate", run, "--against", baseline, "--junit", tmp_path / "gate.xml")
    assert (told.code, fine.code) == (2, 0)
    assert "would be seen with" in told.out
    assert summary.read_text().startswith("### Surefoot: pointer")
    assert ET.parse(tmp_path / "gate.xml").getroot().get("failures") == "0"


def test_another_model_is_no_release(
    drawn: Path, baseline: Path, write_run: Callable[..., Path], stumble: object, tmp_path: Path
) -> None:
    """A run of another model is refused: what differs would be the model."""
    run = write_run(drawn, tmp_path / "other", stumble)
    with pytest.raises(InvalidInputError, match="walker"):
        surefoot.gate(run, against=baseline)


def test_a_baseline_of_another_model_is_replaced_where_that_is_wanted(
    drawn: Path, baseline: Path, write_run: Callable[..., Path], stumble: object, tmp_path: Path
) -> None:
    """--update does what the refusal of another model advises; then that model's run passes."""
    run = write_run(drawn, tmp_path / "other", stumble)
    assert surefoot.gate(run, against=baseline, update=True) is None
    assert judged(run, baseline).model == "walker"


def test_what_is_asked_again_is_asked_of_the_same_model(
    drawn: Path, baseline: Path, tmp_path: Path
) -> None:
    """Another model's answers decide nothing about what this one lost."""
    run = asked(drawn, tmp_path / "next", pointer(BROKEN), 1)
    with pytest.raises(InvalidInputError, match=r"as .*next was asked"):
        surefoot.gate(run, against=baseline, model="center")


def test_a_few_pages_tell_nothing_of_others(drawn: Path, baseline: Path, tmp_path: Path) -> None:
    """With --unit page three pages pass nothing, and the lines say why; alone they pass."""
    run = asked(drawn, tmp_path / "next", pointer(), 3)
    alone, others = judged(run, baseline), judged(run, baseline, unit="page")

    assert (alone.finding.verdict, others.finding.verdict) == ("passed", "cannot tell")
    lines = "\n".join(others.sentences())
    assert "3 pages say nothing of others: 5 are needed, or leave --unit page out." in lines
    assert "on pages like these is ruled out" in lines
