"""
How far the clicks at one element scatter over its descriptions: s_mean, s_worst, s_oob.

All three look at the answers about one element, by one model, in one view.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.score.conditions.rows import conditions
from surefoot.score.hits import hits
from surefoot.score.metric import Metric, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.spread import deviations
from surefoot.score.stats.arrays import Floats, combine
from surefoot.score.stats.clusters import POSITIVE, RATE


def _deviation(outcomes: Outcomes, ruler: Ruler) -> Floats:
    _, condition = conditions(outcomes)
    sides = outcomes.truth[:, 2:] - outcomes.truth[:, :2]
    group = combine(condition, outcomes.pair.codes, len(outcomes.pair.names))
    if (outcomes.sample > 1).any():  # how far samples of one question lie apart is no matter
        group = combine(group, outcomes.sample, int(outcomes.sample.max()) + 1)
    _, dense = np.unique(group, return_inverse=True)
    return deviations(
        outcomes.place, np.hypot(*sides.T), dense.astype(np.int64), spread=ruler.spread
    )


def _outside(outcomes: Outcomes, ruler: Ruler) -> Floats:
    return (~hits(outcomes, tolerance=ruler.tolerance)).astype(np.float64)


S_MEAN: Final = Metric(
    name="s_mean",
    version=1,
    title="mean deviation",
    summary="how far the clicks at one element lie from their middle, on average",
    unit="diagonals",
    higher_is_better=False,
    bounds=POSITIVE,
    reference="GUI Grounding Sensitivity Benchmark, s_mean",
    column=_deviation,
    within="mean",
    together=True,
)
S_WORST: Final = Metric(
    name="s_worst",
    version=1,
    title="worst deviation",
    summary="how far the farthest click at one element lies from their middle",
    unit="diagonals",
    higher_is_better=False,
    bounds=POSITIVE,
    reference="GUI Grounding Sensitivity Benchmark, s_worst",
    column=_deviation,
    within="max",
    together=True,
)
S_OOB: Final = Metric(
    name="s_oob",
    version=1,
    title="rate out of bounds",
    summary="the share of instructions without a click in the target",
    unit="share",
    higher_is_better=False,
    bounds=RATE,
    reference="GUI Grounding Sensitivity Benchmark, s_oob",
    column=_outside,
)
