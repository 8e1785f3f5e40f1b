"""
How far the clicks at one target lie from each other, in diagonals of its box.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Bools, Floats, Ints

Spread = Literal["centroid", "pairwise"]


def deviations(
    place: Floats, diagonal: Floats, group: Ints, *, spread: Spread = "centroid"
) -> Floats:
    """
    Return how far each click lies from the others of its group, in diagonals.

    ``place`` is (rows, 2) in pixels, NaN without a click; ``diagonal`` is each row's unit in
    pixels, and ``group`` its group's number. With "centroid" the distance is that to the
    mean of the group's clicks, with "pairwise" the mean distance to its other clicks. A row
    without a click, or alone with its click, gets NaN. Raises InvalidInputError for a
    diagonal that is not above 0.

    >>> place = np.array([[0.0, 0.0], [6.0, 8.0], [9.0, 9.0]])
    >>> deviations(place, np.full(3, 10.0), np.array([0, 0, 1])).tolist()
    [0.5, 0.5, nan]
    >>> deviations(place, np.full(3, 10.0), np.array([0, 0, 1]), spread="pairwise").tolist()
    [1.0, 1.0, nan]
    """
    if not (diagonal > 0).all():
        raise InvalidInputError(
            "targets whose boxes have a diagonal above 0",
            found="one without length",
            remedy="build the benchmark again; such an element cannot be clicked",
        )
    known = ~np.isnan(place).any(axis=1)
    count = np.bincount(group[known], minlength=int(group.max(initial=-1)) + 1)
    known &= count[group] > 1
    far = np.full(len(place), np.nan)
    measure = _from_centroid if spread == "centroid" else _from_others
    far[known] = measure(place[known], group[known], count) / diagonal[known]
    return far


def _from_centroid(place: Floats, group: Ints, count: Ints) -> Floats:
    first = place[_first_rows(group, len(count))]  # near the clicks: sums stay small and exact
    off = place - first
    sums = [np.bincount(group, weights=axis, minlength=len(count)) for axis in off.T]
    middle = np.stack(sums, axis=1) / np.maximum(count, 1)[:, None]
    return np.asarray(np.hypot(*(off - middle[group]).T))


def _first_rows(group: Ints, groups: int) -> Ints:
    first = np.zeros(groups, dtype=np.int64)
    rows = np.arange(len(group))[::-1]
    first[group[rows]] = rows
    return first[group]


def _from_others(place: Floats, group: Ints, count: Ints) -> Floats:
    order = np.argsort(group, kind="stable")
    ordered, home = place[order], group[order]
    total = np.zeros(len(place))
    for step in range(1, int(count.max(initial=0))):
        same: Bools = home[step:] == home[:-step]
        far = np.where(same, np.hypot(*(ordered[step:] - ordered[:-step]).T), 0.0)
        total[step:] += far
        total[:-step] += far
    means = np.empty(len(place))
    means[order] = total / (count[home] - 1)
    return means
