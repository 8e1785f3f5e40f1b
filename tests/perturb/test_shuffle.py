"""
Shuffles reorder groups, and nothing but groups.
"""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Callable

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from surefoot.core.edit import Reorder
from surefoot.core.screen import Screen
from surefoot.perturb.shuffle import SHUFFLE, sibling_groups

group_sizes = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d", "e"]), st.integers(1, 6), min_size=1
)
shared_fixture = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def orders(screen: Screen, seed: int, level: str = "all") -> dict[str, tuple[str, ...]]:
    """Return each reordered group's new order."""
    edits = SHUFFLE.edits(screen, seed, level)
    return {edit.group: edit.order for edit in edits if isinstance(edit, Reorder)}


@shared_fixture
@given(sizes=group_sizes, seed=st.integers(0, 2**63 - 1))
def test_every_group_gets_a_permutation_of_itself_other_than_its_own_order(
    screen_of: Callable[..., Screen], sizes: dict[str, int], seed: int
) -> None:
    """A reordered group has the same members in another order; single controls stay."""
    screen = screen_of(sizes)
    found = orders(screen, seed)

    assert {group for group, size in sizes.items() if size > 1} == set(found)
    for group, order in found.items():
        before = sibling_groups(screen)[group]
        assert sorted(before) == sorted(order)
        assert before != order


def test_a_group_whose_ids_are_not_distinct_is_left_as_it_is(
    screen_of: Callable[..., Screen],
) -> None:
    """Elements that share an id have no other order, and drawing one comes to an end."""
    screen = screen_of({"a": 3, "b": 2})
    spoilt = tuple(
        msgspec.structs.replace(element, id="") if element.group == "a" else element
        for element in screen.elements
    )

    assert set(orders(msgspec.structs.replace(screen, elements=spoilt), seed=1)) == {"b"}


@shared_fixture
@given(sizes=group_sizes, seed=st.integers(0, 2**63 - 1))
def test_a_milder_level_is_a_part_of_a_stronger_one(
    screen_of: Callable[..., Screen], sizes: dict[str, int], seed: int
) -> None:
    """What "one" reorders "half" reorders alike, and what "half" does "all" does."""
    screen = screen_of(sizes)
    one, half, whole = (orders(screen, seed, level) for level in ("one", "half", "all"))

    assert one.items() <= half.items() <= whole.items()
    assert min(1, len(whole)) == len(one)
    assert math.ceil(len(whole) / 2) == len(half)


def test_controls_without_a_group_are_left_alone(screen_of: Callable[..., Screen]) -> None:
    """A screen without groups has nothing to reorder."""
    assert SHUFFLE.edits(screen_of({"": 5}), 1) == ()


def test_orders_other_than_the_original_are_drawn_evenly(
    screen_of: Callable[..., Screen],
) -> None:
    """Over 5,000 seeds the five other orders of three controls pass a chi-square test."""
    screen = screen_of({"g": 3})
    counts = collections.Counter(orders(screen, seed)["g"] for seed in range(5000))
    members = sibling_groups(screen)["g"]

    assert set(itertools.permutations(members)) - {members} == set(counts)
    assert stats.chisquare(list(counts.values())).pvalue > 1e-3
