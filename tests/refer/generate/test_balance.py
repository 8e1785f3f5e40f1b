"""
Directions in balance: checked against every possible choice on small cases.
"""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.instruction import Direction
from surefoot.refer.generate.balance import balance
from surefoot.refer.scene.geometry import DIRECTIONS

OFFERS = st.sets(st.sampled_from(DIRECTIONS), max_size=4).map(sorted)
SMALL = st.lists(OFFERS, max_size=6).map(lambda rows: {f"g{i}": row for i, row in enumerate(rows)})
LARGE = st.lists(OFFERS, max_size=80).map(
    lambda rows: {f"g{i}": row for i, row in enumerate(rows)}
)
Offers = dict[str, list[Direction]]


def squares(chosen: list[Direction]) -> int:
    """Return the sum of squares of the counts: the less, the better balanced."""
    return sum(place**2 for place in Counter(chosen).values())


@given(SMALL, st.integers(0, 9))
def test_no_choice_is_better_balanced(offers: Offers, seed: int) -> None:
    """The sum of squares is the least among all possible choices."""
    chosen = balance(offers, seed)
    every = itertools.product(*(offer for offer in offers.values() if offer))
    assert squares(list(chosen.values())) == min(squares(list(item)) for item in every)


@given(LARGE, st.integers(0, 9))
def test_groups_get_what_they_offer_and_the_seed_decides(offers: Offers, seed: int) -> None:
    """Each choice is on offer, repeats exactly, and does not hang on the order of groups."""
    chosen = balance(offers, seed)
    assert all(direction in offers[group] for group, direction in chosen.items())
    turned = dict(reversed(offers.items()))
    assert chosen == balance(turned, seed)
    assert set(chosen) == {group for group, offer in offers.items() if offer}


def test_plenty_of_choice_gives_a_quarter_each() -> None:
    """Groups that offer everything are shared out evenly."""
    offers = {f"g{i}": list(DIRECTIONS) for i in range(40)}
    assert Counter(balance(offers, 3).values()) == dict.fromkeys(DIRECTIONS, 10)


def test_scarce_directions_are_not_spent_elsewhere() -> None:
    """Groups with a choice make way for groups without one."""
    offers: Offers = {f"a{i}": ["above"] for i in range(10)}
    offers |= {f"b{i}": ["above", "left of"] for i in range(10)}
    offers |= {f"c{i}": ["below", "right of"] for i in range(20)}
    assert set(Counter(balance(offers).values()).values()) == {10}


@pytest.mark.parametrize("offers", [{}, {"a": []}])
def test_nothing_on_offer_gives_nothing(offers: Offers) -> None:
    """No groups, or groups without a direction, give an empty choice."""
    assert balance(offers) == {}
