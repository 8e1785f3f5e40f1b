"""
Standardisation: what a condition's hit rate would be with the targets of another.
"""

from __future__ import annotations

from collections.abc import Sequence

from surefoot.core.errors import InvalidInputError
from surefoot.score.scores import Score

__all__ = ["standardised_rate"]


def standardised_rate(shares: Sequence[Score], weights: Sequence[Score]) -> float:
    """
    Weight the rates of some shares by the counts of others (direct standardisation).

    Both are the shares of one condition by one property. Values that ``shares`` lacks are
    left out of the weights. Raises InvalidInputError where the two have no value in common.
    """
    rate = {share.value: share.amount for share in shares if share.amount is not None}
    common = [share for share in weights if share.value in rate]
    total = sum(share.n for share in common)
    if not total:
        raise InvalidInputError("shares with a value in common", found="none")
    return sum(share.n * rate[share.value] for share in common) / total
