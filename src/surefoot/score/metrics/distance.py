"""
How far the predicted place is from the centre of the target.

A reply without a place has no distance: it is left out, and counted beside the mean.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from surefoot.score.distance import errors
from surefoot.score.metric import Metric, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import ANY, POSITIVE

__all__ = [
    "BIAS_X",
    "BIAS_Y",
    "IMAGE_DISTANCE",
    "IMAGE_MSE",
    "MSE",
    "NORMALISED_DISTANCE",
    "NORMALISED_MSE",
]


def _error(name: str) -> Callable[[Outcomes, Ruler], Floats]:
    def column(outcomes: Outcomes, _ruler: Ruler) -> Floats:
        return np.where(outcomes.located, errors(outcomes, name), np.nan)

    return column


MSE: Final = Metric(
    name="mse",
    version=1,
    title="squared error",
    summary="the squared distance of the place from the centre of the target",
    unit="square pixels",
    higher_is_better=False,
    bounds=POSITIVE,
    reference="GUI-Perturbed, MSE",
    column=_error("mse"),
)
NORMALISED_MSE: Final = Metric(
    name="normalised_mse",
    version=1,
    title="squared error / area",
    summary="the squared distance over the area of the target",
    unit="",
    higher_is_better=False,
    bounds=POSITIVE,
    reference="GUI-Perturbed, normalised MSE",
    column=_error("normalised_mse"),
)
NORMALISED_DISTANCE: Final = Metric(
    name="normalised_distance",
    version=1,
    title="distance / diagonal",
    summary="the distance in diagonals of the target",
    unit="diagonals",
    higher_is_better=False,
    bounds=POSITIVE,
    reference="GUI-Perturbed, normalised distance",
    column=_error("normalised_distance"),
)
IMAGE_MSE: Final = Metric(
    name="image_mse",
    version=1,
    title="squared error in images",
    summary="the squared distance with x in image widths and y in image heights",
    unit="",
    higher_is_better=False,
    bounds=POSITIVE,
    reference="ours: it does not grow as targets shrink",
    column=_error("image_mse"),
)
IMAGE_DISTANCE: Final = Metric(
    name="image_distance",
    version=1,
    title="distance in images",
    summary="the distance in diagonals of the image",
    unit="image diagonals",
    higher_is_better=False,
    bounds=POSITIVE,
    reference="ours: it does not grow as targets shrink",
    column=_error("image_distance"),
)
BIAS_X: Final = Metric(
    name="bias_x",
    version=1,
    title="error to the right",
    summary="how far the place lies right of the centre of the target, signed",
    unit="pixels",
    higher_is_better=False,
    bounds=ANY,
    reference="ours",
    column=_error("bias_x"),
)
BIAS_Y: Final = Metric(
    name="bias_y",
    version=1,
    title="error downwards",
    summary="how far the place lies below the centre of the target, signed",
    unit="pixels",
    higher_is_better=False,
    bounds=ANY,
    reference="ours",
    column=_error("bias_y"),
)
