"""
Answers in words: how many of the right words an answer has.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.score.metric import Metric, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import RATE


def _f1(outcomes: Outcomes, _ruler: Ruler) -> Floats:
    return np.where(outcomes.answered, outcomes.f1, np.nan)


F1: Final = Metric(
    name="f1",
    version=1,
    title="token F1",
    summary="the harmonic mean of the shares of right words said and of said words right",
    unit="share",
    higher_is_better=True,
    bounds=RATE,
    reference="SQuAD (Rajpurkar et al., 2016), after its normalisation; used by ScreenQA",
    column=_f1,
)


def _chance(outcomes: Outcomes, _ruler: Ruler) -> Floats:
    return np.where(outcomes.answered, outcomes.chance, np.nan)


CHANCE: Final = Metric(
    name="chance",
    version=1,
    title="chance",
    summary="the rate that guessing among the options would have",
    unit="share",
    higher_is_better=True,
    bounds=RATE,
    reference="one over the number of options, where one is right",
    column=_chance,
)
