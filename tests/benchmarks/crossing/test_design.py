"""
Designs: what a page is dealt, and how evenly.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.crossing.design import Design, in_turns, read_design
from surefoot.core.errors import InvalidInputError

BASES = ("original", "theme", "zoom:1.5", "jpeg:30")
VARIANTS = ("original", "static", "hide")


@given(
    cells=st.integers(2, 14),
    seed=st.integers(0, 2**32),
    sites=st.lists(st.integers(0, 4), min_size=1, max_size=40),
)
def test_a_fraction_deals_every_condition_as_often(
    cells: int, seed: int, sites: list[int]
) -> None:
    """Each page has the plain condition and others that differ, all dealt equally often."""
    pages = {f"page-{at}": f"site-{site}" for at, site in enumerate(sites)}

    dealt = Design("fraction", cells).deal(BASES, VARIANTS, pages, seed)
    assert dealt == Design("fraction", cells).deal(BASES, VARIANTS, pages, seed)
    assert dealt.keys() == pages.keys()
    for own in dealt.values():
        assert own[0] == ("original", "original")
        assert len(own) == len(set(own)) == min(cells, 12)
    counts = Counter(cell for own in dealt.values() for cell in own[1:])
    if len(counts) == 11:
        assert max(counts.values()) - min(counts.values()) <= 2


def test_one_at_a_time_changes_one_thing() -> None:
    """Each condition is plain in its base or in its variant."""
    (own,) = Design("one-at-a-time").deal(BASES, VARIANTS, {"p": "s"}, 0).values()
    assert len(own) == len(BASES) + len(VARIANTS) - 1
    assert all("original" in cell for cell in own)


def test_all_conditions_are_asked_of_every_page() -> None:
    """The full design is the product, and so is a fraction of as many conditions."""
    pages = {"p": "s", "q": "s"}
    full = Design().deal(BASES, VARIANTS, pages, 1)
    assert {len(set(own)) for own in full.values()} == {12}
    assert Design("fraction", 12).deal(BASES, VARIANTS, pages, 1) == full


@pytest.mark.parametrize("text", ["half", "full:3", "fraction:1", "fraction:x", "fraction:-2", ""])
def test_what_is_no_design_is_refused(text: str) -> None:
    """A kind that there is none of, and too few conditions, are refused."""
    with pytest.raises(InvalidInputError):
        read_design(text)


@given(st.dictionaries(st.text(max_size=3), st.sampled_from("abc"), min_size=1), st.integers())
def test_sites_take_turns(pages: dict[str, str], seed: int) -> None:
    """No site has its second page before every site has had its first."""
    order = [pages[page] for page in in_turns(pages, abs(seed))]
    assert sorted(order) == sorted(pages.values())
    assert set(order[: len(set(order))]) == set(order)
