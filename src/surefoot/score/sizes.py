"""
Sizes of targets, in bins that are the same for every benchmark.
"""

from __future__ import annotations

import itertools

import numpy as np

from surefoot.score.outcomes import AskedQuestions
from surefoot.score.stats.arrays import Labels

SIZE_EDGES = (16.0, 24.0, 32.0, 48.0)


def size_bins(asked: AskedQuestions) -> Labels:
    """
    Sort targets into bins of the shorter side of their box, in pixels; "" without an area.

    >>> from surefoot.score.outcomes import tabulate
    >>> size_bins(tabulate([]).asked).names
    ('', 'under 16', '16 to 24', '24 to 32', '32 to 48', '48 and over')
    """
    shorter = (asked.truth[:, 2:] - asked.truth[:, :2]).min(axis=1)
    names = (
        "",
        f"under {SIZE_EDGES[0]:g}",
        *(f"{low:g} to {high:g}" for low, high in itertools.pairwise(SIZE_EDGES)),
        f"{SIZE_EDGES[-1]:g} and over",
    )
    bins = 1 + np.digitize(shorter, SIZE_EDGES).astype(np.int8)
    return Labels(names, np.where(asked.placed, bins, 0))
