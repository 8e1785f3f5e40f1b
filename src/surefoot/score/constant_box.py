"""
The best constant box: what is to be had without looking at the picture.
"""

from __future__ import annotations

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Floats

ROUNDS = 20
CANDIDATES = 200  # ends of a side that are tried, evenly among those that occur


def constant_ious(box: Floats, truths: Floats) -> Floats:
    """
    Return the IoU of one box (4) with each truth (n x 4), all in the same relative space.

    >>> constant_ious(np.array([0, 0, 1, 1.0]), np.array([[0, 0, 0.5, 1.0]])).tolist()
    [0.5]
    """
    low = np.maximum(truths[:, :2], box[:2])
    high = np.minimum(truths[:, 2:], box[2:])
    shared = np.prod(np.maximum(high - low, 0), axis=1)
    areas = np.prod(truths[:, 2:] - truths[:, :2], axis=1) + np.prod(box[2:] - box[:2])
    union = areas - shared
    ious: Floats = np.divide(shared, union, out=np.zeros(len(truths)), where=union > 0)
    return ious


def fit_constant_box(truths: Floats) -> Floats:
    """
    Return the box (4) with the largest mean IoU with the truths (n x 4) that was found.

    Of the truths themselves the best is taken; then each side in turn moves to the best of
    the places that it has in any truth, until none gets better. That is the best box of its
    kind or a local optimum; ties go to the first. Raises InvalidInputError without truths.
    """
    if not len(truths):
        raise InvalidInputError("at least one box to fit", found="none")
    distinct = np.unique(truths, axis=0)
    means = [constant_ious(box, truths).mean() for box in distinct]
    best: Floats = distinct[int(np.argmax(means))].copy()
    mean = float(max(means))
    ends = [_thinned(np.unique(truths[:, side])) for side in range(4)]
    for _ in range(ROUNDS):
        before = mean
        for side in range(4):
            best, mean = _moved(best, mean, side, ends[side], truths)
        if mean <= before:
            break
    return best


def _moved(
    best: Floats, mean: float, side: int, ends: Floats, truths: Floats
) -> tuple[Floats, float]:
    for end in ends:
        tried = best.copy()
        tried[side] = end
        if tried[0] < tried[2] and tried[1] < tried[3]:
            found = float(constant_ious(tried, truths).mean())
            if found > mean + 1e-12:
                best, mean = tried, found
    return best, mean


def _thinned(ends: Floats) -> Floats:
    chosen = np.linspace(0, len(ends) - 1, min(len(ends), CANDIDATES)).round().astype(int)
    return np.asarray(ends[chosen])
