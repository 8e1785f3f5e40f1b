"""
What is planted in simulated runs, and what their first sentences then claim: the short form.
"""

from __future__ import annotations

import pytest

from bench.what_is_said import SCENARIOS, Claim, Planted, claims, measure

RUNS = 60
NOTHING = [one for one in SCENARIOS if not one.main]
PLANTED = [one for one in SCENARIOS if one.main]


@pytest.mark.parametrize("planted", NOTHING, ids=lambda one: one.name)
def test_where_nothing_is_planted_nothing_is_claimed(planted: Planted) -> None:
    """Of runs without an effect at most one in ten claims something of a model, or of both."""
    row = measure(planted, "29 sites", runs=RUNS)

    assert row.false <= 0.1  # 5 % by design: six of sixty are beyond chance at 0.03


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.name)
def test_what_is_planted_is_claimed_first(planted: Planted) -> None:
    """Where a plain test would nearly always find it, the first claim is true, and names it."""
    row = measure(planted, "29 sites", runs=RUNS)

    assert row.false <= 0.1
    assert row.first >= (0.9 if row.power > 0.9 else 0.8)
    assert row.named >= 0.8


def test_a_claim_is_read_from_its_words() -> None:
    """Losses, gains, single levels, interactions and models are told apart; chance is no claim."""
    interaction = (
        "Under smaller text it is -0.1 points with direct instructions (-2.0 to +1.8), but -20.0 "
        "points with relational instructions (-30.0 to -9.0), on the same 80 elements: -19.9 ..."
    )
    said = [
        "Over 5 changes of the screen, a shows no change beyond chance: it hits 80.0 % ...",
        "With relational instructions instead of direct ones, it falls by 9.0 points: it ...",
        "Most of all under zoom 70 %, it rises by 3.0 points: it hits ...",
        interaction,
        "b does better than a: hit rate 90.0 % against 80.0 % on the same 90 elements, ...",
    ]

    assert list(claims(said)) == [
        Claim("a", "words"),
        Claim("a", "+precision"),
        Claim("a", "interaction text_shrink"),
        Claim("both", "+models"),
    ]
