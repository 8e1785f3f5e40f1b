"""
Refusals: how often a model declines what the screen does not show, and what it does show.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.score.metric import Metric, Ruler
from surefoot.score.outcomes import Outcomes, Status
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import RATE


def _right(outcomes: Outcomes, _ruler: Ruler) -> Floats:
    refused = (outcomes.status == Status.REFUSAL).astype(np.float64)
    return np.where(outcomes.answered & ~outcomes.answerable, refused, np.nan)


def _wrong(outcomes: Outcomes, _ruler: Ruler) -> Floats:
    if not outcomes.occurring.unanswerable:  # nobody was asked for what is not there
        return np.full(len(outcomes), np.nan)
    refused = (outcomes.status == Status.REFUSAL).astype(np.float64)
    return np.where(outcomes.answered & outcomes.answerable, refused, np.nan)


RIGHT_REFUSALS: Final = Metric(
    name="right_refusals",
    version=1,
    title="right refusals",
    summary="the share of questions about what the screen does not show that are declined",
    unit="share",
    higher_is_better=True,
    bounds=RATE,
    reference="ours; the refusals of OSWorld-G (Xie et al., 2025) count so",
    counts="questions",
    column=_right,
)
WRONG_REFUSALS: Final = Metric(
    name="wrong_refusals",
    version=1,
    title="wrong refusals",
    summary=(
        "the share of questions about what the screen shows that are declined; told where "
        "something is asked for that it does not show"
    ),
    unit="share",
    higher_is_better=False,
    bounds=RATE,
    reference="ours: who declines everything is right about all that is not there",
    counts="questions",
    column=_wrong,
)
