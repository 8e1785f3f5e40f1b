"""
Hit rate: whether the predicted place lies in the target.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.score.hits import hits
from surefoot.score.metric import Metric, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import RATE

__all__ = ["HIT"]


def _hit(outcomes: Outcomes, ruler: Ruler) -> Floats:
    inside = hits(outcomes, tolerance=ruler.tolerance).astype(np.float64)
    return np.where(outcomes.answered, inside, np.nan)


HIT: Final = Metric(
    name="hit",
    version=1,
    title="hit rate",
    summary=(
        "the share of answers that lie in the target (its box, any of several, or its polygon), "
        "are right in words, or decline what the screen does not show"
    ),
    unit="share",
    higher_is_better=True,
    bounds=RATE,
    reference="accuracy of ScreenSpot (SeeClick, 2024) and of GUI-Perturbed",
    column=_hit,
)
