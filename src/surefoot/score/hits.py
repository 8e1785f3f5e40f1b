"""
Hits: whether the predicted place lies in the target's box.
"""

from __future__ import annotations

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.arrays import Bools
from surefoot.score.outcomes import Outcomes

__all__ = ["hit_rate", "hits"]


def hits(outcomes: Outcomes, *, tolerance: float = 0.0) -> Bools:
    """
    Tell for each row whether its place lies in the target's box, the border counted in.

    ``tolerance``, in pixels, is the total growth of each side, so 20 is 10 on every side.
    A reply that names no place is a miss, and so is a failed unit. Raises
    InvalidInputError for a tolerance that is negative or not finite.
    """
    if not (np.isfinite(tolerance) and tolerance >= 0):
        raise InvalidInputError("a finite tolerance of 0 or more", found=str(tolerance))
    margin = tolerance / 2
    near = outcomes.place >= outcomes.truth[:, :2] - margin
    far = outcomes.place <= outcomes.truth[:, 2:] + margin
    return np.asarray((near & far).all(axis=1))


def hit_rate(outcomes: Outcomes, *, tolerance: float = 0.0) -> float:
    """Return the share of hits among the questions that got a reply, NaN without any."""
    count = int(outcomes.answered.sum())
    found = int(hits(outcomes, tolerance=tolerance).sum())
    return found / count if count else float("nan")
