"""
Distances from the predicted place to the centre of the target's box.

A reply without a place has no distance: it is left out of the means, and how many had one
is told beside them.
"""

from __future__ import annotations

import numpy as np

from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Floats

__all__ = [
    "mean_squared_error",
    "normalised_distances",
    "normalised_squared_error",
    "offsets",
]


def offsets(outcomes: Outcomes) -> Floats:
    """Return (rows, 2): place minus the centre of the truth, in pixels; NaN without a place."""
    center = (outcomes.truth[:, :2] + outcomes.truth[:, 2:]) / 2
    return np.asarray(outcomes.place - center)


def mean_squared_error(outcomes: Outcomes) -> float:
    """Return the mean squared Euclidean distance to the box centre, in square pixels."""
    return _mean((offsets(outcomes) ** 2).sum(axis=1))


def normalised_squared_error(outcomes: Outcomes) -> float:
    """Return the same with x in image widths and y in image heights: 0 to 2 in the image."""
    return _mean(((offsets(outcomes) / outcomes.size) ** 2).sum(axis=1))


def normalised_distances(outcomes: Outcomes) -> Floats:
    """Return each row's distance to the box centre in diagonals of the image."""
    return np.asarray(
        np.hypot(*offsets(outcomes).T) / np.hypot(outcomes.size[:, 0], outcomes.size[:, 1])
    )


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
