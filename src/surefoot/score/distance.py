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
    truth = outcomes.asked.truth
    center = (truth[:, :2] + truth[:, 2:]) / 2
    return np.asarray(outcomes.place - center[outcomes.question])


def errors(outcomes: Outcomes, name: str) -> Floats:
    """
    Return each row's error of a name, NaN without a place; a cell's is their mean.

    ``mse`` is the squared distance in square pixels, ``bias_x`` and ``bias_y`` its signed
    parts in pixels. ``normalised_distance`` is in diagonals of the target's box and
    ``normalised_mse`` the squared distance in areas of that box, as GUI-Perturbed defines
    them; both are NaN for a target without an area. ``image_distance`` is in diagonals of
    the image, and ``image_mse`` takes x in image widths and y in image heights, so that
    neither grows as targets shrink.
    """
    off = offsets(outcomes)
    if name in ("bias_x", "bias_y"):
        return off[:, 0 if name == "bias_x" else 1]
    if name == "image_mse":
        return _squared(off / outcomes.size)
    squared = _squared(off)
    if name == "image_distance":
        return np.asarray(np.sqrt(squared) / np.hypot(*outcomes.size.T))
    if name == "mse":
        return squared
    truth = outcomes.asked.truth
    wide, tall = truth[:, 2] - truth[:, 0], truth[:, 3] - truth[:, 1]
    unit = wide * tall if name == "normalised_mse" else np.hypot(wide, tall)
    known = np.where(outcomes.asked.placed, unit, np.nan)[outcomes.question]
    return squared / known if name == "normalised_mse" else np.sqrt(squared) / known


def _squared(off: Floats) -> Floats:
    return np.asarray(off[:, 0] ** 2 + off[:, 1] ** 2)
