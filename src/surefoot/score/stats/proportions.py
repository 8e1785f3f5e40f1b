"""
The two-proportion z-test, for comparison with work that used it on paired data.
"""

from __future__ import annotations

import math

from surefoot.core.errors import InvalidInputError


def two_proportion_z(counts: tuple[int, int], totals: tuple[int, int]) -> tuple[float, float]:
    """
    Return z and the two-sided p of rate 1 against rate 0, with the pooled variance.

    Where both rates are 0 or both are 1 there is no difference: z = 0 and p = 1.
    It takes the samples to be independent, which matched pairs are not.

    >>> two_proportion_z((390, 390), (390, 390))
    (0.0, 1.0)
    """
    from scipy.special import ndtr

    if min(totals) < 1 or not all(0 <= k <= n for k, n in zip(counts, totals, strict=True)):
        raise InvalidInputError("0 <= counts <= totals", found=f"{counts} of {totals}")
    pooled = sum(counts) / sum(totals)
    variance = pooled * (1 - pooled) * (1 / totals[0] + 1 / totals[1])
    if variance <= 0:
        return 0.0, 1.0
    z = (counts[1] / totals[1] - counts[0] / totals[0]) / math.sqrt(variance)
    return z, float(2 * ndtr(-abs(z)))
