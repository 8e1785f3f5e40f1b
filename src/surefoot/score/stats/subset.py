"""
Whether counts can come from a selection of known results.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Floats

__all__ = ["least_miscount"]


def least_miscount(results: Floats, counts: Floats, chosen: int) -> float:
    """
    Bound from below how far the counts of any selection of columns stay from given counts.

    ``results`` is (counts, items) of 0 and 1, and ``chosen`` items are selected; the
    result is the least sum of absolute deviations where items may be taken in part (a
    linear programme). Above zero it proves that no selection gives the counts; zero
    proves nothing. Raises InvalidInputError for shapes that do not fit.

    >>> import numpy as np
    >>> least_miscount(np.array([[1.0, 1.0, 0.0]]), np.array([0.0]), 2)
    1.0
    """
    rows, items = results.shape
    if counts.shape != (rows,) or not 0 <= chosen <= items:
        raise InvalidInputError(
            "a count for each row and a selection within the items",
            found=f"{counts.shape} counts, {chosen} of {items}",
        )
    slack = np.eye(rows)
    total = np.r_[np.ones(items), np.zeros(2 * rows)][None, :]
    solved = linprog(
        np.r_[np.zeros(items), np.ones(2 * rows)],
        A_eq=np.vstack([np.hstack([results, slack, -slack]), total]),
        b_eq=np.r_[counts, chosen],
        bounds=[(0, 1)] * items + [(0, None)] * (2 * rows),
        method="highs",
    )
    return round(float(np.abs(results @ np.asarray(solved.x)[:items] - counts).sum()), 6)
