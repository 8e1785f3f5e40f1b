"""
What cells have beside a hit rate where words or options are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from surefoot.score.cells import CellScore, Units
from surefoot.score.matched import conditions
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Bools, Floats
from surefoot.score.stats.clusters import RATE, intervals, ratio

__all__ = ["add_words"]


def add_words(
    cells: Sequence[CellScore], outcomes: Outcomes, units: Units
) -> tuple[CellScore, ...]:
    """Return the cells, in the order of ``conditions``, with token F1 and the level of chance."""
    words = outcomes.answered & ~np.isnan(outcomes.f1)
    options = outcomes.answered & ~np.isnan(outcomes.chance)
    if not (words.any() or options.any()):
        return tuple(cells)
    right, asked = _sums(outcomes, words, outcomes.f1, len(cells), units)
    measured = intervals(ratio(right, asked), RATE, over=units)
    guessed, given = _sums(outcomes, options, outcomes.chance, len(cells), units)
    return tuple(
        msgspec.structs.replace(
            cell,
            f1=_mean(right[:, at], asked[:, at]),
            f1_interval=measured[at],
            chance=_mean(guessed[:, at], given[:, at]),
        )
        for at, cell in enumerate(cells)
    )


def _sums(
    outcomes: Outcomes, rows: Bools, values: Floats, cells: int, units: Units
) -> tuple[Floats, Floats]:
    """Sum values, and count them, over each cluster and cell: (clusters, cells) each."""
    labels = outcomes.cluster if units == "sites" else outcomes.pair
    _, cell = conditions(outcomes)
    sums = np.zeros((2, len(labels.names), cells))
    place = labels.codes[rows], cell[rows]
    np.add.at(sums[0], place, values[rows])
    np.add.at(sums[1], place, 1.0)
    return sums[0], sums[1]


def _mean(sums: Floats, counts: Floats) -> float | None:
    return float(sums.sum() / counts.sum()) if counts.any() else None
