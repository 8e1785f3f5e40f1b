"""
Scoring by overlap: what a box answers, the spread of IoUs, and the best constant box.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Unparsed
from surefoot.score.outcomes import Record, by_model
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.overlap import OVERLAP
from surefoot.score.summary import summarise

RecordMaker = Callable[..., Record]
TRUTH = Box(100.0, 100.0, 140.0, 120.0)


def test_only_what_a_box_answers_is_scored(record: RecordMaker) -> None:
    """A question without a place, and one that nothing answers, are left out."""
    model, question, answer = record(TRUTH)
    nowhere = msgspec.structs.replace(question, id="n", pair="n", truth=Box(0.0, 0.0, 0.0, 0.0))
    refused = msgspec.structs.replace(question, id="r", pair="r", answerable=False)
    rows = [(model, question, answer), (model, nowhere, None), (model, refused, None)]

    assert len(tabulate_for(OVERLAP, by_model(rows))) == 1


def test_a_model_of_points_has_no_iou_and_an_unread_one_has_zero(record: RecordMaker) -> None:
    """Only a model that answers points has no IoU; of one never read nothing says that."""
    rows = [
        record(parsed, model=model, pair=f"p{pair}", cluster=f"s{pair}")
        for model, parsed in (
            ("boxes", TRUTH),
            ("points", Point(1.0, 1.0)),
            ("dumb", Unparsed("?")),
        )
        for pair in range(4)
    ]
    found = {
        (score.model, score.metric): score
        for score in summarise(tabulate_for(OVERLAP, by_model(rows)), OVERLAP).scores
    }

    assert found["boxes", "iou"].amount == 1.0
    assert (found["points", "iou"].amount, found["points", "iou"].n) == (None, 0)
    assert (found["dumb", "iou"].amount, found["dumb", "iou"].unparsed) == (0.0, 4)
    assert (found["boxes", "bcp"].amount, found["points", "bcp"].amount) == (1.0, 0.0)


def test_the_constant_box_is_fitted_on_train_alone(record: RecordMaker) -> None:
    """It is one box for all splits, each target counted once, and absent without train."""
    random = np.random.default_rng(11)
    rows: list[Record] = []
    for number in range(24):
        left, top = random.integers(0, 800), random.integers(0, 400)
        truth = Box.from_xywh(float(left), float(top), *random.integers(9, 80, 2).astype(float))
        for mask in ("static", "low-contrast"):
            model, question, answer = record(
                truth, pair=f"p{number}", cluster=f"c{number % 6}", variant=mask, truth=truth
            )
            split = ("train", "test")[number % 2]
            rows.append((model, msgspec.structs.replace(question, split=split), answer))
    summary = summarise(tabulate_for(OVERLAP, by_model(rows)), OVERLAP)
    found = {detail.split: detail for detail in summary.details["constants"]}
    box = Box(
        *(side * size for side, size in zip(found["train"].box, (1000, 500) * 2, strict=True))
    )
    targets = {question.pair: question for _, question, _ in rows}

    assert {name: item.n for name, item in found.items()} == {"train": 12, "test": 12}
    for split, item in found.items():
        ious = [box.iou(one.truth) for one in targets.values() if one.split == split]
        assert item.iou == pytest.approx(sum(ious) / len(ious))
    untold = [(m, msgspec.structs.replace(q, split=""), a) for m, q, a in rows]
    assert summarise(tabulate_for(OVERLAP, by_model(untold)), OVERLAP).details["constants"] == ()


def test_targets_are_counted_by_set_and_split(record: RecordMaker) -> None:
    """A target counts once, whatever its masks and models; each set has scores of its own."""
    rows = []
    for model in ("a", "b"):
        for pair, (name, split) in {
            "p": ("x", "test"),
            "q": ("x", "train"),
            "r": ("y", "test"),
        }.items():
            for mask in ("static", "original"):
                _, question, answer = record(
                    TRUTH, model=model, pair=pair, cluster=pair, variant=mask
                )
                asked = msgspec.structs.replace(question, split=split, facts={"set": name})
                rows.append((model, asked, answer))
    found = summarise(tabulate_for(OVERLAP, by_model(rows)), OVERLAP)

    counts = [(one.set, one.split, one.targets) for one in found.details["counts"]]
    assert counts == [("x", "test", 1), ("x", "train", 1), ("y", "test", 1)]
    assert {one.value for one in found.slices if one.trait == "set"} == {"x", "y"}
