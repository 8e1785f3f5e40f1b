"""
McNemar's test of two paired rates, from the discordant pairs alone.

The pairs are taken to be independent; where several come from one page, read the
clustered test beside it.
"""

from __future__ import annotations

import msgspec

from surefoot.core.errors import InvalidInputError

EXACT_BELOW = 25


class McNemar(msgspec.Struct, frozen=True):
    """Hold a two-sided p-value, its mid-p neighbour, and which test gave it."""

    p: float
    p_mid: float
    test: str
    chi_square: float | None


def mcnemar_chi_square(b: int, c: int) -> float:
    """
    Return (|b - c| - 1)^2 / (b + c): McNemar's statistic with continuity correction.

    The correction is not cut off where b = c (the value is then 1 / (b + c)), as in the
    published tables. It is 0 where b + c = 0.

    >>> mcnemar_chi_square(30, 10)
    9.025
    """
    if min(b, c) < 0:
        raise InvalidInputError("counts of 0 or more", found=f"b = {b}, c = {c}")
    return float((abs(b - c) - 1) ** 2 / (b + c)) if b + c else 0.0


def mcnemar(b: int, c: int) -> McNemar:
    """
    Test b = c: exact binomial under 25 discordant pairs, else chi-square with correction.

    No discordant pair gives p = 1. The mid-p value (Lancaster, 1961; Fagerland, Lydersen
    and Laake, 2013) is given beside either: of what is as likely as the observed counts it
    counts half, so where b = c it is 1 - f(b | b + c) / 2, and 0.5 without any pair.

    >>> mcnemar(0, 0).p, mcnemar(1, 1).p_mid
    (1.0, 0.75)
    >>> mcnemar(8, 1).test
    'mcnemar exact'
    """
    from scipy.special import chdtrc

    statistic = mcnemar_chi_square(b, c)
    exact, mid = _binomial(b, c)
    if b + c < EXACT_BELOW:
        return McNemar(exact, mid, "mcnemar exact", None)
    return McNemar(float(chdtrc(1, statistic)), mid, "mcnemar chi-square, continuity", statistic)


def _binomial(b: int, c: int) -> tuple[float, float]:
    total, fewer = b + c, min(b, c)
    from scipy.special import bdtr

    below = float(bdtr(fewer - 1, total, 0.5)) if fewer else 0.0
    upto = float(bdtr(fewer, total, 0.5))
    # Where b = c the outcome has no mirror image on the other side that is as likely.
    return min(1.0, 2 * upto), below + (0.5 if b == c else upto)
