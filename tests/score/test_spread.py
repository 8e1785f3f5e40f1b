"""
Deviations against a slow loop, and what must not change them.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.score.spread import Spread, deviations
from surefoot.score.stats.arrays import Floats, Ints

SPREADS: list[Spread] = ["centroid", "pairwise"]
_PIXELS = st.floats(-5000, 5000, allow_subnormal=False)


@st.composite
def _clicks(draw: st.DrawFn) -> tuple[Floats, Floats, Ints]:
    count = draw(st.integers(1, 12))
    group = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    place = np.array(
        draw(st.lists(st.tuples(_PIXELS, _PIXELS), min_size=count, max_size=count)), dtype=float
    )
    lost = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    place[np.array(lost)] = np.nan
    units = draw(st.lists(st.floats(1, 500), min_size=4, max_size=4))
    return place, np.array(units)[group], np.array(group, dtype=np.int64)


def by_loop(place: Floats, diagonal: Floats, group: Ints, spread: Spread) -> list[float]:
    """Compute the same as the textbook does, one click at a time."""
    far = []
    for row, here in enumerate(place):
        mates = [
            other
            for other in range(len(place))
            if group[other] == group[row] and not math.isnan(place[other][0])
        ]
        if math.isnan(here[0]) or len(mates) < 2:
            far.append(math.nan)
            continue
        if spread == "centroid":
            x = sum(place[mate][0] for mate in mates) / len(mates)
            y = sum(place[mate][1] for mate in mates) / len(mates)
            distance = math.hypot(here[0] - x, here[1] - y)
        else:
            others = [mate for mate in mates if mate != row]
            distance = sum(math.dist(here, place[index]) for index in others) / len(others)
        far.append(distance / diagonal[row])
    return far


@pytest.mark.parametrize("spread", SPREADS)
@given(_clicks())
def test_it_is_that_of_a_loop(spread: Spread, clicks: tuple[Floats, Floats, Ints]) -> None:
    """Every click's deviation equals that of a loop over its group."""
    ours = deviations(*clicks, spread=spread)

    assert ours == pytest.approx(by_loop(*clicks, spread), rel=1e-6, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize("spread", SPREADS)
@given(_clicks(), _PIXELS, _PIXELS, st.floats(0.1, 8))
def test_moving_and_scaling_change_nothing(
    spread: Spread, clicks: tuple[Floats, Floats, Ints], right: float, down: float, scale: float
) -> None:
    """All clicks moved alike, or picture and boxes scaled alike, deviate as before."""
    place, diagonal, group = clicks
    before = deviations(place, diagonal, group, spread=spread)
    moved = deviations(place + np.array([right, down]), diagonal, group, spread=spread)
    scaled = deviations(place * scale, diagonal * scale, group, spread=spread)

    assert moved == pytest.approx(before, rel=1e-6, abs=1e-6, nan_ok=True)
    assert scaled == pytest.approx(before, rel=1e-6, abs=1e-6, nan_ok=True)


@given(_clicks())
def test_the_two_spreads_bound_each_other(clicks: tuple[Floats, Floats, Ints]) -> None:
    """The mean distance to the others lies between n/(n-1) times that to the mean, and twice."""
    place, _, group = clicks
    near = deviations(*clicks)
    wide = deviations(*clicks, spread="pairwise")

    for row in np.flatnonzero(~np.isnan(near)):
        count = int((~np.isnan(place[group == group[row], 0])).sum())
        assert wide[row] >= near[row] * count / (count - 1) - 1e-6
    for item in set(group.tolist()):
        own = (group == item) & ~np.isnan(near)
        if own.any():
            assert wide[own].mean() <= 2 * near[own].mean() * (1 + 1e-9) + 1e-6


def test_four_corners_by_hand() -> None:
    """Clicks on the corners of a square of side 6 lie 3 root 2 from its middle."""
    place = np.array(list(itertools.product([10.0, 16.0], [20.0, 26.0])))
    unit, group = np.full(4, 3.0), np.zeros(4, dtype=np.int64)

    assert deviations(place, unit, group) == pytest.approx(math.sqrt(2))
    assert deviations(place, unit, group, spread="pairwise") == pytest.approx(
        (6 + 6 + 6 * math.sqrt(2)) / 3 / 3
    )


def test_no_row_and_no_click() -> None:
    """Without rows there is nothing, without clicks nothing is known."""
    nowhere = np.full((3, 2), np.nan)

    assert deviations(np.empty((0, 2)), np.empty(0), np.empty(0, dtype=np.int64)).tolist() == []
    assert np.isnan(deviations(nowhere, np.ones(3), np.zeros(3, dtype=np.int64))).all()


@pytest.mark.parametrize("diagonal", [0.0, -1.0, math.nan])
def test_a_target_without_length_is_refused(diagonal: float) -> None:
    """A diagonal that measures nothing is refused, and so is no number."""
    with pytest.raises(InvalidInputError, match="diagonal above 0"):
        deviations(np.zeros((1, 2)), np.array([diagonal]), np.zeros(1, dtype=np.int64))
