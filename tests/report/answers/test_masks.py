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
from surefoot.core.geometry import Box
from surefoot.core.ledger import Ledger
from surefoot.core.perturbation import variant_title
from surefoot.core.question import Cell, Parsed, Question
from surefoot.core.store import ObjectStore
from surefoot.report.answers.masks import mask_cards
from surefoot.report.answers.page import write_report
from surefoot.report.answers.scored import Choices
from surefoot.report.choices import score_folders
from surefoot.run.asking.runs import FinishedRun, open_run
from surefoot.run.folders.folder import export, read_questions, read_screens
from surefoot.score.scorings.overlap import mask_rank

Write = Callable[..., Path]
MASKS = {"original": "static", "style": "high-contrast", "zoom:1.5": "low-contrast"}


@pytest.fixture(scope="module")
def bench(drawn: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the drawn benchmark with its variants taken for masks, and splits."""
    out = tmp_path_factory.mktemp("hidden") / "bench"
    source, target = ObjectStore(drawn), ObjectStore(out)
    questions = [
        msgspec.structs.replace(
            question,
            cell=Cell(MASKS[question.cell.variant], question.cell.instruction),
            split="train" if question.cluster == "site/a.html" else "test",
        )
        for question in read_questions(drawn)
    ]
    for question in questions:
        target.put(source.get(question.image))
    with Ledger.open(out, {"kind": "bench", "benchmark": "hidden@9"}):
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


def test_the_benchmark_chooses_its_scores(runs: tuple[Path, Path]) -> None:
    """Runs of `hidden` are scored by boxes, kinds of instruction being parts of them."""
    summary = score_folders(runs[:1], Choices())
    found = {(one.metric, one.variant): one.amount for one in summary.scores}

    assert [metric.name for metric in summary.metrics] == ["iou", "bcp"]
    assert (found["iou", "static"], found["bcp", "static"]) == (1.0, 1.0)
    assert found["iou", "high-contrast"] == pytest.approx(0.5)
    assert {one.value for one in summary.slices if one.trait == "kind"} == {"direct", "relational"}


def test_points_are_said_to_have_no_iou(runs: tuple[Path, Path], tmp_path: Path) -> None:
    """The page on a model of points says that it has no IoU."""
    write_report(runs[1:], tmp_path / "page.html", Choices())

    assert "walker answered points and no box" in (tmp_path / "page.html").read_text()


def test_sanity_rows_are_always_there(
    runs: tuple[Path, Path], bench: Path, write_run: Write, tmp_path: Path
) -> None:
    """Constant box, nearest mask and words nearby have rows, run or not; a run fills its own."""
    out = tmp_path / "page.html"
    write_report(runs[:1], out, Choices(cards=0))
    page = out.read_text()
    reference = write_run(bench, tmp_path / "flat", boxes, name="flat-mask")
    write_report(runs[:1], out, Choices(sanity=(reference,), cards=0))
    filled = out.read_text()

    assert "Best constant box, fitted on train" in page
    for name in ("flat-mask", "ocr"):
        assert f"surefoot run BENCH --model {name}" in page
    assert "surefoot run BENCH --model flat-mask" not in filled
    assert "flat-mask, inconspicuous mask" in filled
    assert "surefoot run BENCH --model ocr" in filled


def test_every_mask_is_shown_with_target_and_answer(opened: FinishedRun) -> None:
    """A card has a pane a mask, each well-formed, with a picture and both boxes."""
    cards = mask_cards(opened, tolerance=0.0, limit=4, seed=0)
    assert len(cards) == 4
    assert len({item.page for item in cards[:3]}) == 3
    for card in cards:
        masks = sorted(MASKS.values(), key=mask_rank)
        assert [item.variant for item in card.panes] == [*map(variant_title, masks)]
        for pane in card.panes:
            drawing = ET.fromstring(pane.svg)
            names = [element.tag.rpartition("}")[2] for element in drawing]
            assert names == ["image", "rect", "rect"]
        verdicts = {item.variant: item.verdict for item in card.panes}
        assert verdicts["white mask"] == "IoU 1.00"
        assert verdicts["conspicuous mask"] == "IoU 0.50"
        assert verdicts["inconspicuous mask"] == "IoU 0.00"
