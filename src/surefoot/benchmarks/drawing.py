"""
How many targets each page gives, so that no site outweighs another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from surefoot.benchmarks.benchmark import PageResult
from surefoot.core.question import Question

__all__ = ["shares", "site_of", "targets_by_site"]

Rank: TypeAlias = tuple[float | str, ...]


def shares(
    sites: Sequence[str], ranks: Sequence[Sequence[Rank]], *, a_site: int = 0, in_all: int = 0
) -> list[int]:
    """
    Return how many of its targets each page gives: its first ones.

    The pages of a site take turns, and so do the sites: every site gives one target before
    any gives its second. Whose turn it is in a round, and who is left out in the last one,
    the targets' ranks decide, lower ones first. ``a_site`` and ``in_all`` are the most to
    take, 0 for all; ``sites`` and ``ranks`` have one entry a page.

    >>> shares(["a", "a", "b"], [[(1,), (2,)], [(3,)], [(4,), (5,)]], a_site=2)
    [1, 1, 2]
    """
    turns = sorted(
        (turn, rank, page) for page, each in enumerate(ranks) for turn, rank in enumerate(each)
    )
    given: Counter[str] = Counter()
    order = []
    for _, rank, page in turns:
        order.append((given[sites[page]], rank, page))
        given[sites[page]] += 1
    taken = sorted(each for each in order if not a_site or each[0] < a_site)
    counts = Counter(page for _, _, page in taken[: in_all or None])
    return [counts[page] for page in range(len(ranks))]


def site_of(page: PageResult) -> str:
    """Return the site of a page, the page itself where it has none."""
    return page.site or page.page


def targets_by_site(pages: Iterable[PageResult], questions: Iterable[Question]) -> dict[str, int]:
    """Count the targets that are asked for on each site, the sites sorted; 0 for none."""
    pages = list(pages)
    sites = {screen.id: site_of(page) for page in pages for screen in page.screens}
    counts = Counter(dict.fromkeys(sorted(map(site_of, pages)), 0))
    counts.update(site for site, _ in {(sites[each.screen], each.pair) for each in questions})
    return dict(counts)
