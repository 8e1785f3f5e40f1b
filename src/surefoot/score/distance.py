"""
How far off a predicted place is from the centre of the target's box.

A reply without a place has no distance: it is left out of the means, and how many had one
is told beside them.
"""

from __future__ import annotations

import numpy as np

from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Floats

__all__ = ["errors", "offsets"]


def offsets(outcomes: Outcomes) -> Floats:
    """Return (rows, 2): place minus the centre of the truth, in pixels; NaN without a place."""
    center = (outcomes.truth[:, :2] + outcomes.truth[:, 2:]) / 2
    return np.asarray(outcomes.place - center)


def errors(outcomes: Outcomes) -> dict[str, Floats]:
    """
    Return each row's errors by name, NaN without a place; a cell's are their means.

    ``mse`` is the squared distance in square pixels, ``bias_x`` and ``bias_y`` its signed
    parts in pixels. ``normalised_distance`` is in diagonals of the target's box and
    ``normalised_mse`` the squared distance in areas of that box, as GUI-Perturbed defines
    them; both are NaN for a target without an area. ``image_distance`` is in diagonals of
    the image, and ``image_mse`` takes x in image widths and y in image heights, so that
    neither grows as targets shrink.
    """
    off = offsets(outcomes)
    squared = (off**2).sum(axis=1)
    sides = outcomes.truth[:, 2:] - outcomes.truth[:, :2]
    area = np.where(outcomes.placed, sides.prod(axis=1), np.nan)
    diagonal = np.where(outcomes.placed, np.hypot(*sides.T), np.nan)
    return {
        "mse": squared,
        "normalised_mse": squared / area,
        "normalised_distance": np.sqrt(squared) / diagonal,
        "image_mse": ((off / outcomes.size) ** 2).sum(axis=1),
        "image_distance": np.sqrt(squared) / np.hypot(*outcomes.size.T),
        "bias_x": off[:, 0],
        "bias_y": off[:, 1],
    }
