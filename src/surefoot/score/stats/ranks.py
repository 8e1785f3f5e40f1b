"""
How far two orders of models agree: Kendall's tau-b.
"""

from __future__ import annotations

import itertools

import numpy as np

from surefoot.score.stats.arrays import Floats


def tau_b(first: Floats, second: Floats) -> Floats:
    """
    Return Kendall's tau-b of each row of two (rows, models) matrices.

    It is the number of pairs of models in the same order minus that in opposite orders,
    over the geometric mean of the pairs that are not tied in one and in the other
    (Kendall, Biometrika 33, 1945). NaN stands where an order ties all models, or where a
    row holds NaN.

    >>> tau_b(np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 1.0, 3.0]])).round(4).tolist()
    [0.3333]
    """
    pairs = np.array(list(itertools.combinations(range(first.shape[1]), 2)), dtype=np.int64)
    left, right = pairs.reshape(-1, 2).T
    ahead, above = (np.sign(values[:, left] - values[:, right]) for values in (first, second))
    agree = (ahead * above).sum(axis=1)
    untied = (ahead**2).sum(axis=1) * (above**2).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(agree / np.sqrt(untied))


def tau_p(first: Floats, second: Floats) -> float | None:
    """
    Return the two-sided p of tau-b over models, exact without ties; None where it has none.

    >>> tau_p(np.arange(4.0), np.arange(4.0)).__round__(4)
    0.0833
    """
    from scipy.stats import kendalltau

    p = float(kendalltau(first, second).pvalue)
    return None if np.isnan(p) else p
