"""
The report on hidden elements: rows that are always there, and pictures of the masks.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Parsed, Question
from surefoot.core.store import ObjectStore
from surefoot.report.hidden.figures import histogram_figure, threshold_figure
from surefoot.report.hidden.page import mask_cards, render_hidden, score_hidden
from surefoot.report.scoring import SCORINGS, Choices, scoring_of
from surefoot.run.asking.runs import FinishedRun, open_run
from surefoot.run.folders.folder import export, read_questions, read_screens
from surefoot.score.boxes import Histogram
from surefoot.score.hidden_summary import HiddenSummary, mask_rank

Write = Callable[..., Path]
MASKS = {"original": "static", "style": "high-contrast", "zoom:1.5": "low-contrast"}


@pytest.fixture(scope="module")
def bench(drawn: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the drawn benchmark with its variants taken for masks, and splits."""
    out = tmp_path_factory.mktemp("hidden") / "bench"
    source, target = ObjectStore(drawn), ObjectStore(out)
    questions = [
        msgspec.structs.replace(
            each,
            cell=Cell(MASKS[each.cell.variant], each.cell.instruction),
            split="train" if each.cluster == "site/a.html" else "test",
        )
        for each in read_questions(drawn)
    ]
    for each in questions:
        target.put(source.get(each.image))
    with Ledger.open(out, {"kind": "bench", "benchmark": "hidden@4"}):
        tables = {"screens.jsonl": read_screens(drawn), "questions.jsonl": questions}
        export(out, "bench", tables, {"funnel.json": Funnel((), {})})
    return out


def boxes(question: Question) -> Parsed:
    """Answer a box that is right on one mask, half as wide on another, and off on the last."""
    truth = question.truth
    half = Box(truth.left, truth.top, truth.left + truth.width / 2, truth.bottom)
    far = truth.moved(150, 0)
    return {"static": truth, "high-contrast": half, "low-contrast": far}[question.cell.variant]


def points(question: Question) -> Parsed:
    """Answer the middle of the target."""
    return question.truth.center


@pytest.fixture(scope="module")
def runs(
    bench: Path, write_run: Write, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """Return a run that answers boxes and one that answers points."""
    out = tmp_path_factory.mktemp("runs")
    return write_run(bench, out / "boxes", boxes), write_run(bench, out / "points", points)


@pytest.fixture(scope="module")
def opened(runs: tuple[Path, Path]) -> FinishedRun:
    """Return the run of boxes."""
    return open_run(runs[0])


@pytest.fixture(scope="module")
def summary(opened: FinishedRun) -> HiddenSummary:
    """Return its summary."""
    return score_hidden([opened])


def test_the_benchmark_chooses_its_scores(runs: tuple[Path, Path]) -> None:
    """Runs of `hidden` are scored by boxes, and said with both numbers."""
    assert scoring_of(runs[:1]) is SCORINGS["hidden"]
    scored = SCORINGS["hidden"].score(runs[:1], Choices())
    assert isinstance(scored.numbers, HiddenSummary)
    static = next(line for line in scored.lines if "'static'" in line)
    assert "mean IoU 1.000 [0.292 to 1.000 (3 sites)], BCP 1.000 [0.292 to 1.000 (3" in static
    half = next(line for line in scored.lines if "'high-contrast'" in line)
    assert "mean IoU 0.500" in half
    with pytest.raises(InvalidInputError, match="--by-sample"):
        SCORINGS["hidden"].score(runs[:1], Choices(by_site=False))


def test_points_are_said_to_have_no_iou(runs: tuple[Path, Path], tmp_path: Path) -> None:
    """Text and page of a model of points say that it has no IoU."""
    out = tmp_path / "page.html"
    lines = SCORINGS["hidden"].write(runs[1:], out, Choices())
    assert lines
    assert all("points only, so no IoU" in line for line in lines)
    page = out.read_text()
    assert "answered points and no box" in page
    assert "points only" in page


def test_sanity_rows_are_always_there(
    opened: FinishedRun, summary: HiddenSummary, bench: Path, write_run: Write, tmp_path: Path
) -> None:
    """Constant box, nearest mask and neighbours have rows, run or not; a run fills its own."""
    page = render_hidden([opened], summary, title="t")
    assert "Best constant box, fitted on train" in page
    for name in ("flat-mask", "ocr"):
        assert f"surefoot run BENCH --model {name}" in page
    reference = open_run(write_run(bench, tmp_path / "flat", boxes, name="flat-mask"))
    filled = render_hidden([opened], summary, title="t", references=score_hidden([reference]))
    assert "surefoot run BENCH --model flat-mask" not in filled
    assert "flat-mask, low-contrast" in filled
    assert "surefoot run BENCH --model ocr" in filled


def test_every_mask_is_shown_with_target_and_answer(opened: FinishedRun) -> None:
    """A card has a pane a mask, each well-formed, with a picture and both boxes."""
    cards = mask_cards(opened, limit=4, seed=0)
    assert len(cards) == 4
    assert len({each.page for each in cards[:3]}) == 3
    for card in cards:
        assert [each.variant for each in card.panes] == sorted(MASKS.values(), key=mask_rank)
        for pane in card.panes:
            drawing = ET.fromstring(pane.svg)
            names = [each.tag.rpartition("}")[2] for each in drawing]
            assert names == ["image", "rect", "rect"]
        verdicts = {each.variant: each.verdict for each in card.panes}
        assert verdicts["static"] == "IoU 1.00"
        assert verdicts["high-contrast"] == "IoU 0.50"
        assert verdicts["low-contrast"] == "IoU 0.00"


def test_figures_are_drawn_to_scale() -> None:
    """The highest bar fills its panel, and a curve runs through its shares."""
    found = Histogram(4, 8, (0.0, 0.5, 1.0), (2, 1))
    drawing = ET.fromstring(histogram_figure([("a <b>", found)], title="t"))
    heights = [float(each.attrib["height"]) for each in drawing.iter("rect")]
    assert heights == pytest.approx([65, 32.5, 16.25, 130, 130, 65], abs=0.1)
    curve = threshold_figure([("a & b", (1.0, 0.5)), ("c", (1.0, 0.5))], (0.0, 1.0), title="t")
    first, second = list(ET.fromstring(curve).iter("polyline"))
    assert first.attrib["points"] == second.attrib["points"] == "130.0,14.0 690.0,134.0"
