"""
Corrections of a family of p-values for the number of tests.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Floats


def holm(p_values: Sequence[float]) -> list[float]:
    """
    Return p-values adjusted by Holm (1979): the family-wise error rate is kept.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    values = _checked(p_values)
    order = np.argsort(values, kind="stable")
    scaled = values[order] * np.arange(len(values), 0, -1)
    return _placed(np.minimum(np.maximum.accumulate(scaled), 1.0), order)


def holm_steps(p_values: Sequence[float], level: float) -> list[float]:
    """
    Return the level at which Holm tests each of several p-values, of which ``level`` is for all.

    The smallest is tested at ``level`` over their number, the next at ``level`` over one fewer,
    until one is not found; those behind it have the level at which that one failed.

    >>> [round(step, 4) for step in holm_steps([0.2, 0.001, 0.03], 0.05)]
    [0.025, 0.0167, 0.025]
    """
    values = _checked(p_values)
    order = np.argsort(values, kind="stable")
    steps = [level] * len(values)
    left, going = len(values), True
    for place in order:
        steps[place] = level / left
        if going and values[place] < steps[place]:
            left -= 1
        else:
            going = False
    return steps


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """
    Return p-values adjusted by Benjamini and Hochberg (1995): the false discovery rate is kept.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    values = _checked(p_values)
    order = np.argsort(values, kind="stable")
    scaled = values[order] * len(values) / np.arange(1, len(values) + 1)
    return _placed(np.minimum.accumulate(scaled[::-1])[::-1], order)


def _checked(p_values: Sequence[float]) -> Floats:
    values = np.asarray(p_values, dtype=np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise InvalidInputError("p-values between 0 and 1", found=str(list(p_values)[:5]))
    return values


def _placed(ranked: Floats, order: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> list[float]:
    adjusted = np.empty_like(ranked)
    adjusted[order] = ranked
    return [float(value) for value in adjusted]
