"""
What cells have beside a hit rate where words or options are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from surefoot.score.cells import CellScore
from surefoot.score.matched import conditions
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Bools, Floats
from surefoot.score.stats.bootstrap import percentile_bounds, resampled_ratios
from surefoot.score.stats.intervals import Interval, clopper_pearson

__all__ = ["add_words"]


def add_words(
    cells: Sequence[CellScore], outcomes: Outcomes, *, resamples: int, seed: int, cluster: bool
) -> tuple[CellScore, ...]:
    """
    Return the cells, in the order of ``conditions``, with token F1 and the level of chance.

    F1's interval is a percentile bootstrap over pages, or over pairs without ``cluster``;
    where F1 is 0 or 1 throughout, the exact interval counts each of them once.
    """
    words = outcomes.answered & ~np.isnan(outcomes.f1)
    options = outcomes.answered & ~np.isnan(outcomes.chance)
    if not (words.any() or options.any()):
        return tuple(cells)
    right, asked = _sums(outcomes, words, outcomes.f1, len(cells), cluster=cluster)
    bounds = percentile_bounds(resampled_ratios(right, asked, resamples=resamples, seed=seed))
    guessed, given = _sums(outcomes, options, outcomes.chance, len(cells), cluster=cluster)
    return tuple(
        msgspec.structs.replace(
            cell,
            f1=_mean(right[:, at], asked[:, at]),
            f1_interval=_interval(right[:, at], asked[:, at], bounds[:, at]),
            chance=_mean(guessed[:, at], given[:, at]),
        )
        for at, cell in enumerate(cells)
    )


def _sums(
    outcomes: Outcomes, rows: Bools, values: Floats, cells: int, *, cluster: bool
) -> tuple[Floats, Floats]:
    """Sum values, and count them, over each unit and cell: (units, cells) each."""
    labels = outcomes.cluster if cluster else outcomes.pair
    _, cell = conditions(outcomes)
    sums = np.zeros((2, len(labels.names), cells))
    place = labels.codes[rows], cell[rows]
    np.add.at(sums[0], place, values[rows])
    np.add.at(sums[1], place, 1.0)
    return sums[0], sums[1]


def _mean(sums: Floats, counts: Floats) -> float | None:
    return float(sums.sum() / counts.sum()) if counts.any() else None


def _interval(sums: Floats, counts: Floats, bounds: Floats) -> Interval | None:
    total, count, units = float(sums.sum()), float(counts.sum()), int(np.count_nonzero(counts))
    if not count:
        return None
    if 0 < total < count:
        low, high = bounds.tolist()
        return Interval(low, high, "bootstrap percentile")
    exact = clopper_pearson(units if total else 0, units)
    return Interval(exact.low, exact.high, "clopper-pearson over clusters")
