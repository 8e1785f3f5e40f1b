"""
Distances against a slow loop over answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Parsed, Unparsed
from surefoot.score.distance import errors as error
from surefoot.score.distance import offsets
from surefoot.score.outcomes import Outcomes, Record, tabulate
from surefoot.score.stats.arrays import Floats

RecordMaker = Callable[..., Record]
NAMES = (
    "mse", "normalised_mse", "normalised_distance", "image_mse", "image_distance", "bias_x",
    "bias_y",
)  # fmt: skip


def errors(table: Outcomes) -> dict[str, Floats]:
    """Return all errors of a table by name."""
    return {name: error(table, name) for name in NAMES}


def test_errors_are_those_of_a_loop(record: RecordMaker) -> None:
    """Distances in pixels, targets and images equal a loop's over 40 random answers."""
    random = np.random.default_rng(1)
    boxes = [Box.from_xywh(*map(float, random.integers(1, 300, 4))) for _ in range(40)]
    places = [Point(*map(float, random.integers(0, 500, 2))) for _ in boxes]
    replies: list[Parsed] = [*places[:30], *[Unparsed("?")] * 10]
    found = errors(
        tabulate(
            record(reply, pair=f"p{n}", truth=box)
            for n, (reply, box) in enumerate(zip(replies, boxes, strict=True))
        )
    )

    for row, (place, box) in enumerate(zip(places[:30], boxes[:30], strict=True)):
        far = place.distance(box.center)
        across, down = place.x - box.center.x, place.y - box.center.y
        assert {name: column[row] for name, column in found.items()} == pytest.approx(
            {
                "mse": far**2,
                "normalised_mse": far**2 / box.area,
                "normalised_distance": far / box.diagonal,
                "image_mse": (across / 1000) ** 2 + (down / 500) ** 2,
                "image_distance": far / math.hypot(1000, 500),
                "bias_x": across,
                "bias_y": down,
            }
        )
    assert all(np.isnan(column[30:]).all() for column in found.values())


def test_a_click_at_a_corner_is_half_a_diagonal_off(record: RecordMaker) -> None:
    """On a square of 10 pixels a corner is 0.5 diagonals and 0.5 areas from the centre."""
    found = errors(tabulate([record(Point(30, 40), truth=Box(20, 30, 30, 40))]))
    assert found["normalised_distance"] == pytest.approx(0.5)
    assert found["normalised_mse"] == pytest.approx(0.5)


def test_a_target_without_area_measures_nothing(record: RecordMaker) -> None:
    """Where the target's box has no area there is no error in its measures, only in pixels."""
    found = errors(tabulate([record(Point(3, 4), truth=Box(0, 0, 0, 0))]))
    assert found["mse"] == 25
    assert np.isnan([found["normalised_mse"], found["normalised_distance"]]).all()


def test_a_reply_without_a_place_has_no_distance(record: RecordMaker) -> None:
    """Offsets of unread replies are NaN."""
    assert np.isnan(offsets(tabulate([record(Unparsed("?"))]))).all()
