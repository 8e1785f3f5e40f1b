"""
What a paired comparison could have seen: the power of McNemar's test.
"""

from __future__ import annotations

import math

from scipy.special import ndtri

from surefoot.core.errors import InvalidInputError

__all__ = ["minimum_detectable_effect", "pairs_needed"]


def minimum_detectable_effect(
    pairs: int, discordance: float, *, power: float = 0.8, alpha: float = 0.05
) -> float:
    """
    Return the smallest true change of a rate that McNemar's test finds with the power.

    ``discordance`` is the expected share of pairs whose two results differ. The change's
    variance is taken as it is without an effect, discordance / pairs, which is Connor's
    formula (Biometrics 43, 1987) for small effects and a little cautious for large ones.
    The result is never above the discordance, which bounds any change.

    >>> round(100 * minimum_detectable_effect(390, 0.2), 1)
    6.3
    """
    if pairs < 1 or not 0 <= discordance <= 1:
        raise InvalidInputError(
            "at least one pair and a discordance in [0, 1]", found=f"{pairs}, {discordance}"
        )
    return min(_quantiles(power, alpha) * math.sqrt(discordance / pairs), discordance)


def pairs_needed(
    effect: float, discordance: float, *, power: float = 0.8, alpha: float = 0.05
) -> int:
    """
    Return the pairs that McNemar's test needs to find a change with the power.

    >>> pairs_needed(0.02, 0.1)
    1963
    """
    if not 0 < effect <= discordance <= 1:
        raise InvalidInputError(
            "0 < effect <= discordance <= 1", found=f"{effect} and {discordance}"
        )
    return math.ceil(discordance * (_quantiles(power, alpha) / effect) ** 2)


def _quantiles(power: float, alpha: float) -> float:
    return float(ndtri(1 - alpha / 2) + ndtri(power))
