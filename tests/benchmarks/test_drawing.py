"""
Targets are drawn evenly over sites, and within a site over its pages.
"""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.benchmark import PageResult
from surefoot.benchmarks.drawing import Rank, shares, targets_by_site
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen

pages = st.lists(
    st.tuples(st.sampled_from("abc"), st.lists(st.integers(0, 9), max_size=6)), max_size=7
)
most = st.integers(0, 8)


@given(pages, most, most)
def test_nobody_is_passed_over(
    found: list[tuple[str, list[int]]], a_site: int, in_all: int
) -> None:
    """As many as may be are taken; a site or page that gives less than another has no more."""
    sites = [site for site, _ in found]
    ranks: list[list[Rank]] = [[(rank,) for rank in item] for _, item in found]
    counts = shares(sites, ranks, a_site=a_site, in_all=in_all)
    offered, given_, room = Counter[str](), Counter[str](), Counter[str]()
    for site, item, count in zip(sites, ranks, counts, strict=True):
        offered[site] += len(item)
        given_[site] += count
    for site, total in offered.items():
        room[site] = min(total, a_site or total)

    assert sum(counts) == min(room.total(), in_all or room.total())
    for site in room:
        assert given_[site] <= room[site]
        assert given_[site] == room[site] or given_[site] >= max(given_.values()) - 1
    for page, count in enumerate(counts):
        beside = [counts[other] for other, site in enumerate(sites) if site == sites[page]]
        assert count == len(ranks[page]) or count >= max(beside) - 1


def _question(screen: str, pair: str) -> Question:
    words = Instruction("Click Save", "en", "direct", "high", Expression(), "save")
    box = Box(0, 0, 9, 9)
    return Question(screen + pair, pair, "c", Cell("o", "direct"), screen, "", 9, 9, words, box)


def _page(page: str, site: str) -> PageResult:
    screen = Screen(page + "!", page, page, "", 9, 9, 1.0, "web", "en", ())
    return PageResult(page, site, (screen,), (), ())


def test_targets_are_counted_once_on_the_site_that_shows_them() -> None:
    """Several questions about one target count once; a page without a site is its own."""
    made = [_page("p", "a"), _page("q", "a"), _page("r", ""), _page("s", "none")]
    asked = [("p!", "p#1"), ("p!", "p#1"), ("q!", "q#1"), ("r!", "r#1")]

    counts = targets_by_site(made, [_question(*item) for item in asked])

    assert counts == {"a": 2, "none": 0, "r": 1}
