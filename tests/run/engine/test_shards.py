"""
Parts of units: together they are all, each once, of equal number, sites together.
"""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.run.engine.shards import Shard, read_shard

UNITS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 10**6)), unique=True)


def _place(unit: tuple[str, int]) -> tuple[str, str]:
    return unit[0], str(unit[1])


@given(UNITS, st.integers(1, 12))
def test_parts_are_all_units_each_once(units: list[tuple[str, int]], count: int) -> None:
    """No unit is in two parts or in none, and parts differ by one unit at most."""
    parts = [list(Shard(index, count).part(units, _place)) for index in range(1, count + 1)]
    assert Counter(itertools.chain(*parts)) == Counter(units)
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1
    assert all(part == [unit for unit in units if unit in part] for part in parts), "the order"


@given(UNITS, st.integers(1, 12))
def test_a_site_is_cut_only_where_a_part_ends(units: list[tuple[str, int]], count: int) -> None:
    """N parts cut N - 1 sites at most, so nearly all sites are on one machine."""
    parts = [Shard(index, count).part(units, _place) for index in range(1, count + 1)]
    on = Counter(site for part in parts for site in {site for site, _ in part})
    assert sum(machines - 1 for machines in on.values()) <= count - 1


@given(UNITS, st.permutations(range(8)))
def test_the_order_of_units_does_not_matter(
    units: list[tuple[str, int]], order: list[int]
) -> None:
    """Two machines that list the units otherwise agree on whose they are."""
    other = sorted(units, key=lambda unit: order["abcdefgh".index(unit[0])])
    for index in (1, 2, 3):
        shard = Shard(index, 3)
        assert set(shard.part(units, _place)) == set(shard.part(other, _place))


@pytest.mark.parametrize(
    "text", ["0/2", "3/2", "1", "1/0", "-1/2", "1/2/3", "a/b", "1 /2", "\u0661/\u0662"]
)
def test_what_is_no_part_is_refused(text: str) -> None:
    """A part is I/N with I from 1 to N, and the error says so."""
    with pytest.raises(InvalidInputError, match="I/N"):
        read_shard(text)
    assert read_shard("2/2") == Shard(2, 2)
    assert read_shard("") is None
