"""
What the sections compute beyond what they are given.
"""

from __future__ import annotations

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.score.conditions.scores import Score
from surefoot_studies.reanalysis.sections import standardised_rate


def share(size: str, n: int, amount: float | None) -> Score:
    """Return the score of one size of targets."""
    return Score(
        metric="hit", model="m", reasoning=False, instruction="direct", variant="original",
        trait="size", value=size, n=n, total=n * (amount or 0.0), rows=n, clusters=1,
        amount=amount, interval=None,
    )  # fmt: skip


def test_standardising_weighs_rates_by_other_counts() -> None:
    """Rates 1 and 0 of two bins, weighed 1 to 3, give a quarter; what has no rate is left out."""
    shares = [share("large", 1, 1.0), share("small", 1, 0.0), share("tiny", 0, None)]
    weights = [share("large", 1, 0.0), share("small", 3, 0.0), share("tiny", 9, 0.0)]

    assert standardised_rate(shares, weights) == 0.25
    with pytest.raises(InvalidInputError, match="in common"):
        standardised_rate(shares, [])
