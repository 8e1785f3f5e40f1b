"""
Hit rate: whether the predicted place lies in the target, of the answers, or of all asked.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.score.hits import hits
from surefoot.score.metric import Metric, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import RATE


def _hit(outcomes: Outcomes, ruler: Ruler) -> Floats:
    inside = hits(outcomes, tolerance=ruler.tolerance).astype(np.float64)
    return np.where(outcomes.answered, inside, np.nan)


def _hit_of_asked(outcomes: Outcomes, ruler: Ruler) -> Floats:
    if not (outcomes.occurring.failed and outcomes.occurring.answered):  # hits again, or nothing
        return np.full(len(outcomes), np.nan)
    return hits(outcomes, tolerance=ruler.tolerance).astype(np.float64)


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
HIT_OF_ASKED: Final = Metric(
    name="hit_of_asked",
    version=1,
    title="hits of all asked",
    summary=(
        "the share of all questions asked that are hits, one without a reply being none; told "
        "where there is such a one"
    ),
    unit="share",
    higher_is_better=True,
    bounds=RATE,
    reference="ours: the hit rate leaves a question without a reply out",
    column=_hit_of_asked,
)
