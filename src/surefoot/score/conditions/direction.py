"""
Directional bias: to which side the misses fall.
"""

from __future__ import annotations

import msgspec
import numpy as np

from surefoot.score.conditions.rows import Condition, conditions, rank_of
from surefoot.score.distance import offsets
from surefoot.score.hits import hits
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Floats, Ints, combine, renumber
from surefoot.score.stats.keyed import KeyedSums

SIDES = ("left", "right", "above", "below")


class Bias(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the direction of one model's errors in one cell.

    ``direction`` is where the target lies from its landmark, "" for instructions without
    one. ``mean_x`` and ``mean_y`` are mean signed errors of the ``located`` replies, in
    pixels to the right and down. The four shares say to which side of the target's centre
    the ``misses`` fell, by the longer component of the error; None without a miss.
    """

    model: str
    reasoning: bool
    instruction: str
    variant: str
    direction: str
    tolerance: float
    located: int
    misses: int
    mean_x: float
    mean_y: float
    left: float | None
    right: float | None
    above: float | None
    below: float | None


def directional_bias(outcomes: Outcomes, *, tolerance: float = 0.0) -> tuple[Bias, ...]:
    """Measure the bias of each model in each cell and direction that has a located reply."""
    return told_bias(sums_of_errors(outcomes, tolerance=tolerance), tolerance=tolerance)


def sums_of_errors(outcomes: Outcomes, *, tolerance: float = 0.0) -> KeyedSums:
    """
    Sum up the errors of located replies by condition and direction.

    The sums are of replies, of their errors to the right and down, and of misses by side.
    """
    found, cell = conditions(outcomes)
    direction, located = outcomes.direction, outcomes.located
    names = direction.names
    group = combine(cell, direction.codes, len(names))[located]
    present, row = renumber(group, len(found) * len(names))
    x, y = (column[located] for column in offsets(outcomes))
    missed = ~hits(outcomes, tolerance=tolerance)[located]
    one = np.ones(len(row))
    sums = KeyedSums(3 + len(SIDES))
    keys = [(found[int(code) // len(names)], names[int(code) % len(names)]) for code in present]
    sums.add(
        keys, row, [(one, 0), (x, 1), (y, 2), (np.where(missed, one, np.nan), 3 + _side(x, y))]
    )
    return sums


def told_bias(sums: KeyedSums, *, tolerance: float) -> tuple[Bias, ...]:
    """Return the biases that sums come to, sorted by condition and direction."""
    found = {key: values for key, values in sums.rounded().items() if isinstance(key, tuple)}
    return tuple(
        _bias(
            condition,
            direction,
            (tolerance, int(values[0])),
            (float(values[1] / values[0]), float(values[2] / values[0])),
            values[3:].astype(np.int64),
        )
        for (condition, direction), values in sorted(
            found.items(), key=lambda item: (rank_of(item[0][0]), item[0][1])
        )
    )


def _side(x: Floats, y: Floats) -> Ints:
    return np.where(np.abs(x) >= np.abs(y), (x > 0).astype(np.int64), 2 + (y > 0))


def _bias(
    condition: Condition,
    direction: str,
    ruler: tuple[float, int],
    means: tuple[float, float],
    sides: Ints,
) -> Bias:
    misses = int(sides.sum())
    left, right, above, below = (int(count) / misses if misses else None for count in sides)
    return Bias(
        model=condition.model,
        reasoning=condition.reasoning,
        instruction=condition.instruction,
        variant=condition.variant,
        direction=direction,
        tolerance=ruler[0],
        located=ruler[1],
        misses=misses,
        mean_x=means[0],
        mean_y=means[1],
        left=left,
        right=right,
        above=above,
        below=below,
    )
