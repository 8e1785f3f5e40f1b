"""
How far the predicted place is from the centre of the target.

A reply without a place has no distance: it is left out, and counted beside the mean.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.score.distance import errors
from surefoot.score.metric import Metric, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import ANY, POSITIVE, Bounds


def _metric(
    name: str, title: str, summary: str, unit: str, reference: str, bounds: Bounds = POSITIVE
) -> Metric:
    def column(outcomes: Outcomes, _ruler: Ruler) -> Floats:
        return np.where(outcomes.located, errors(outcomes, name), np.nan)

    return Metric(
        name=name,
        version=1,
        title=title,
        summary=summary,
        unit=unit,
        higher_is_better=False,
        bounds=bounds,
        reference=reference,
        column=column,
    )


MSE: Final = _metric(
    "mse",
    title="squared error",
    summary="the squared distance of the place from the centre of the target",
    unit="square pixels",
    reference="GUI-Perturbed, MSE",
)
NORMALISED_MSE: Final = _metric(
    "normalised_mse",
    title="squared error / area",
    summary="the squared distance over the area of the target",
    unit="",
    reference="GUI-Perturbed, normalised MSE",
)
NORMALISED_DISTANCE: Final = _metric(
    "normalised_distance",
    title="distance / diagonal",
    summary="the distance in diagonals of the target",
    unit="diagonals",
    reference="GUI-Perturbed, normalised distance",
)
IMAGE_MSE: Final = _metric(
    "image_mse",
    title="squared error in images",
    summary="the squared distance with x in image widths and y in image heights",
    unit="",
    reference="ours: it does not grow as targets shrink",
)
IMAGE_DISTANCE: Final = _metric(
    "image_distance",
    title="distance in images",
    summary="the distance in diagonals of the image",
    unit="image diagonals",
    reference="ours: it does not grow as targets shrink",
)
BIAS_X: Final = _metric(
    "bias_x",
    title="error to the right",
    summary="how far the place lies right of the centre of the target, signed",
    unit="pixels",
    reference="ours",
    bounds=ANY,
)
BIAS_Y: Final = _metric(
    "bias_y",
    title="error downwards",
    summary="how far the place lies below the centre of the target, signed",
    unit="pixels",
    reference="ours",
    bounds=ANY,
)
