"""
Groups that take turns.
"""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from surefoot.run.turns import in_turns


@given(st.lists(st.sampled_from("abcd")), st.integers(0, 12))
def test_the_first_few_are_taken_evenly(groups: list[str], count: int) -> None:
    """Of any first few, no group has two more than one that has some left; none is lost."""
    items = list(enumerate(groups))
    turns = in_turns(items, lambda item: item[1])
    taken, all_of = Counter(name for _, name in turns[:count]), Counter(groups)

    assert sorted(turns) == items
    assert all(
        taken[one] <= taken[other] + 1
        for one in all_of
        for other in all_of
        if taken[other] < all_of[other]
    )
