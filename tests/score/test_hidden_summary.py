"""
The summary of a hidden benchmark: means against loops, intervals against a slow jackknife.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Parsed, Unparsed
from surefoot.score.boxes import best_iou
from surefoot.score.hidden_summary import HiddenSummary, summarise_hidden
from surefoot.score.outcomes import Record

RecordMaker = Callable[..., Record]
SPLITS = ("train", "train", "validation", "test")


@pytest.fixture
def records(record: RecordMaker) -> list[Record]:
    """Return 60 targets on 12 pages under two masks, asked of a box and of a point model."""
    random = np.random.default_rng(11)
    found = []
    for number in range(60):
        left, top = random.integers(0, 800), random.integers(0, 400)
        truth = Box.from_xywh(float(left), float(top), *random.integers(9, 80, 2).astype(float))
        for mask in ("static", "low-contrast"):
            shift = random.normal(0, 8 if mask == "static" else 60, 2)
            said: list[tuple[str, Parsed | None]] = [
                ("boxes", None if number == 7 else truth.moved(*shift)),
                ("points", truth.moved(*shift).center),
            ]
            for model, parsed in said:
                name, question, answer = record(
                    parsed, model=model, pair=f"p{number}", cluster=f"c{number % 12}",
                    variant=mask, truth=truth,
                )  # fmt: skip
                split = SPLITS[number % 12 % 4]
                changed = msgspec.structs.replace(question, split=split, platform="web")
                found.append((name, changed, answer))
    return found


def summary_of(records: list[Record]) -> HiddenSummary:
    """Summarise with a seed."""
    return summarise_hidden(records, seed=5)


def test_means_are_those_of_a_loop(records: list[Record]) -> None:
    """Every score of every part is the mean over its answered rows, counted by hand."""
    summary = summary_of(records)
    parts = {"all": "", "split": "test", "platform": "web", "instruction": "direct"}
    for by, value in parts.items():
        for mask in ("static", "low-contrast"):
            rows = [
                (question, answer)
                for model, question, answer in records
                if model == "boxes" and question.cell.variant == mask
                if by != "split" or question.split == value
            ]
            answered = [(q, a) for q, a in rows if a is not None]
            (score,) = (
                each
                for each in summary.scores
                if (each.model, each.mask, each.by, each.value) == ("boxes", mask, by, value)
            )
            assert (score.n, score.failed) == (len(answered), len(rows) - len(answered))
            assert score.iou == pytest.approx(np.mean([best_iou(*each) for each in answered]))
            hits = [
                isinstance(a.parsed, Box) and q.truth.contains(a.parsed.center)
                for q, a in answered
            ]
            assert score.bcp == pytest.approx(np.mean(hits))


def test_intervals_are_those_of_a_slow_jackknife(
    records: list[Record], jackknife: Callable[..., tuple[float, float]]
) -> None:
    """Leaving out site after site in a loop gives the same interval."""
    summary = summary_of(records)
    (score,) = (
        each
        for each in summary.scores
        if (each.model, each.mask, each.by) == ("boxes", "low-contrast", "all")
    )
    sites: dict[str, list[float]] = {}
    for model, question, answer in records:
        if (model, question.cell.variant) == ("boxes", "low-contrast") and answer is not None:
            sites.setdefault(question.cluster, []).append(best_iou(question, answer))
    assert score.iou_interval is not None
    assert (score.iou_interval.low, score.iou_interval.high) == pytest.approx(
        jackknife(list(sites.values()))
    )
    assert score.iou_interval.clusters == score.clusters == 12


def test_points_have_no_iou_and_it_is_said(records: list[Record]) -> None:
    """A model of points has BCP alone, no histogram, and a sentence that says so."""
    summary = summary_of(records)
    assert summary.point_only == ("points",)
    points = [each for each in summary.scores if each.model == "points"]
    assert points
    assert all(each.iou is None and each.bcp is not None for each in points)
    assert {each.model for each in summary.spreads} == {"boxes"}
    assert any("points answered points and no box" in each for each in summary.warnings)


def test_a_model_that_is_never_read_scores_0(records: list[Record]) -> None:
    """Unread replies alone give an IoU of 0 beside their count, and no model of points."""
    unread = [
        (model, question, answer and Answer(question.id, "", Unparsed("?")))
        for model, question, answer in records
        if model == "boxes"
    ]
    summary = summary_of(unread)
    assert summary.point_only == ()
    for score in summary.scores:
        assert (score.iou, score.bcp, score.unparsed) == (0, 0, score.n)


def test_the_constant_box_knows_train_alone(records: list[Record]) -> None:
    """Other truths on validation and test change their scores and not the box."""
    first = summary_of(records)
    moved = []
    for model, question, answer in records:
        elsewhere = Box(900, 450, 990, 495) if question.split != "train" else question.truth
        moved.append((model, msgspec.structs.replace(question, truth=elsewhere), answer))
    second = summary_of(moved)
    assert [each.split for each in first.constants] == ["test", "train", "validation"]
    assert {each.box for each in first.constants} == {each.box for each in second.constants}
    assert sum(each.n for each in first.constants) == 60
    bare = summary_of([(m, msgspec.structs.replace(q, split=""), a) for m, q, a in records])
    assert bare.constants == ()
    assert any("'train'" in each for each in bare.warnings)


def test_a_perfect_model_has_only_the_upper_peak(record: RecordMaker) -> None:
    """Where every box is right the histogram is one peak, and the interval still no point."""
    truths = [Box(n, n, n + 20, n + 20) for n in range(8)]
    summary = summary_of(
        [record(each, pair=f"p{n}", cluster=f"c{n}", truth=each) for n, each in enumerate(truths)]
    )
    (spread,) = summary.spreads
    assert (spread.histogram.zeros, spread.histogram.ones) == (0, 8)
    assert sum(spread.histogram.counts) == 0
    assert set(spread.shares) == {1.0}
    interval = summary.scores[0].iou_interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((0.025 ** (1 / 8), 1.0))


def test_reasoning_is_a_model_of_its_own(record: RecordMaker) -> None:
    """Answers with and without reasoning stand apart."""
    said = [record(Point(0, 0), reasoning=mode) for mode in (False, True)]
    summary = summary_of(said)
    assert {each.model for each in summary.scores} == {"model", "model (reasoning)"}


def test_nothing_to_score() -> None:
    """Without a question there is nothing to score."""
    with pytest.raises(InvalidInputError, match="at least one question"):
        summary_of([])
