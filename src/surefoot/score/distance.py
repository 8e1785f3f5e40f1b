"""
How far off a predicted place is from the centre of the target's box.

A reply without a place has no distance: it is left out of the means, and how many had one
is told beside them.
"""

from __future__ import annotations

import numpy as np

from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Floats


def offsets(outcomes: Outcomes) -> tuple[Floats, Floats]:
    """
    Return how far each place lies right of and below the centre of the truth, in pixels.

    NaN stands where there is no place.
    """
    (x, y), (left, top, right, bottom) = outcomes.place.T, outcomes.asked.truth.T
    across, down = (left + right) / 2, (top + bottom) / 2
    return x - across[outcomes.question], y - down[outcomes.question]


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
    asked, question = outcomes.asked, outcomes.question
    x, y = offsets(outcomes)
    if name in ("bias_x", "bias_y"):
        return x if name == "bias_x" else y
    width, height = asked.size.T
    if name == "image_mse":
        x, y = x / width[question], y / height[question]
    squared = np.asarray(x**2 + y**2)
    if name in ("mse", "image_mse"):
        return squared
    if name == "image_distance":
        return np.asarray(np.sqrt(squared) / np.hypot(width, height)[question])
    left, top, right, bottom = asked.truth.T
    wide, tall = right - left, bottom - top
    unit = wide * tall if name == "normalised_mse" else np.hypot(wide, tall)
    known = np.where(asked.placed, unit, np.nan)[question]
    return np.asarray(squared / known if name == "normalised_mse" else np.sqrt(squared) / known)
