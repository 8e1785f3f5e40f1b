"""
A paired test by randomisation: within whole clusters the two conditions trade places.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Floats

__all__ = ["EXACT_CLUSTERS", "SWAPS", "swap_test", "swap_test_name"]

EXACT_CLUSTERS: Final = 12
SWAPS: Final = 10_000
_SLICE: Final = 2_000_000
_ROUNDING: Final = 1e-9


def swap_test(before: tuple[Floats, Floats], after: tuple[Floats, Floats], *, seed: int) -> Floats:
    """
    Test that two ratios of sums are equal; return a two-sided p for each column.

    Each side is (numerators, denominators), both (clusters, columns). Were the conditions
    alike, swapping them in any clusters would change nothing but by chance; p is the share
    of all swaps whose difference is at least the one seen. With up to 12 clusters every
    swap is made; else 10,000 are drawn, and the one seen counts as one more. The test
    assumes nothing about the clusters but that they are independent. Raises
    InvalidInputError for shapes that differ.

    >>> one = np.ones((4, 1))
    >>> swap_test((0 * one, one), (one, one), seed=0).tolist()
    [0.125]
    """
    shapes = {each.shape for each in (*before, *after)}
    if len(shapes) != 1 or not (width := before[0].shape)[0]:
        raise InvalidInputError("four matrices of one shape with a row", found=str(shapes))
    clusters, columns = width
    moved = np.hstack([now - then for now, then in zip(after, before, strict=True)])
    least = np.hstack([each.sum(axis=0) for each in before])
    whole = np.hstack([(now + then).sum(axis=0) for now, then in zip(after, before, strict=True)])

    def difference(kept: Floats) -> Floats:
        total = kept @ moved + least
        other = whole - total
        with np.errstate(invalid="ignore", divide="ignore"):
            change = (
                total[:, :columns] / total[:, columns:] - other[:, :columns] / other[:, columns:]
            )
        return np.asarray(np.nan_to_num(np.abs(change), nan=0.0))

    seen = difference(np.ones((1, clusters))) - _ROUNDING
    exact = clusters <= EXACT_CLUSTERS
    extreme, drawn = np.full(columns, float(not exact)), int(not exact)
    for kept in _swaps(clusters, seed):
        extreme += (difference(kept) >= seen).sum(axis=0)
        drawn += len(kept)
    return extreme / drawn


def swap_test_name(clusters: int) -> str:
    """
    Name the test as it is made over so many clusters.

    >>> swap_test_name(9)
    'randomisation over clusters, exact'
    """
    how = "exact" if clusters <= EXACT_CLUSTERS else f"{SWAPS:,} draws"
    return f"randomisation over clusters, {how}"


def _swaps(clusters: int, seed: int) -> Iterator[Floats]:
    """Yield 0-1 matrices of (swaps, clusters), 1 where a cluster stays as it is."""
    if clusters <= EXACT_CLUSTERS:
        numbers = np.arange(2**clusters)
        yield ((numbers[:, None] >> np.arange(clusters)) & 1).astype(np.float64)
        return
    random = np.random.default_rng(seed)
    step = max(1, _SLICE // clusters)
    for start in range(0, SWAPS, step):
        size = min(step, SWAPS - start)
        yield random.integers(0, 2, size=(size, clusters)).astype(np.float64)
