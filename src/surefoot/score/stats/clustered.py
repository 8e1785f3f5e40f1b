"""
A paired test for pairs that share pages.
"""

from __future__ import annotations

import msgspec
from scipy.special import chdtrc

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Floats, Ints

__all__ = ["ClusteredTest", "clustered_test"]


class ClusteredTest(msgspec.Struct, frozen=True):
    """
    Hold the test of one paired change whose pairs come in clusters.

    ``design_effect`` is the variance of the change over what independent pairs would
    have; None without a discordant pair.
    """

    p: float
    chi_square: float
    clusters: int
    design_effect: float | None
    test: str = "obuchowski"


def clustered_test(differences: Floats | Ints, discordant: int) -> ClusteredTest:
    """
    Test that a paired change is zero, clusters being independent but not their pairs.

    ``differences`` holds for each cluster the sum over its pairs of (after - before), and
    ``discordant`` the number of pairs that differ. The statistic is (m - 1)/m times
    (sum d)^2 / (sum d^2), which is Obuchowski's test (Statistics in Medicine 17, 1998) with
    the pooled rate of the null hypothesis in its variance, on one degree of freedom. With
    one pair a cluster it is McNemar's without correction, times (m - 1)/m. No discordant
    pair, or fewer than two clusters, gives p = 1.

    >>> import numpy as np
    >>> round(clustered_test(np.array([1, 1, 1, -1, 0, 2]), 6).p, 4)
    0.1967
    """
    clusters = len(differences)
    squares = float((differences.astype(float) ** 2).sum())
    total = float(differences.sum())
    if discordant < 0 or discordant < abs(total):
        raise InvalidInputError(
            "discordant pairs that explain the change", found=f"{discordant} for {total:g}"
        )
    effect = squares / discordant if discordant else None
    if squares == 0 or clusters < 2:  # noqa: PLR2004 - one cluster has no variance
        return ClusteredTest(1.0, 0.0, clusters, effect)
    statistic = total**2 / squares * (clusters - 1) / clusters
    return ClusteredTest(float(chdtrc(1, statistic)), statistic, clusters, effect)
