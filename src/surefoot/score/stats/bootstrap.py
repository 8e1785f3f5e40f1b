"""
The bootstrap of many rates at once, over clusters, with shared weights.

Every statistic is a ratio of two sums over clusters. One matrix of multinomial weights
serves all of them, so paired quantities stay paired in every resample. The weights are
drawn in slices, so memory is bounded whatever the number of clusters; the slices' size
does not change the result.
"""

from __future__ import annotations

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.intervals import CONFIDENCE

SLICE = 4_000_000


def resampled_ratios(
    numerators: Floats, denominators: Floats, *, resamples: int, seed: int, slice_size: int = SLICE
) -> Floats:
    """
    Return (resamples, columns): each column's ratio of sums in each resample of the rows.

    Both inputs are (clusters, columns), one row a cluster; a resample draws as many
    clusters as there are, with replacement. A ratio over nothing is NaN.
    """
    clusters, columns = numerators.shape
    if denominators.shape != numerators.shape or not clusters or resamples < 1:
        raise InvalidInputError(
            "two equal matrices with a row and at least one resample",
            found=f"{numerators.shape}, {denominators.shape}, {resamples} resamples",
        )
    random = np.random.default_rng(seed)
    shared, place = np.unique(denominators, axis=1, return_inverse=True)
    sums = np.hstack([numerators, shared])
    ratios = np.empty((resamples, columns))
    step = max(1, slice_size // clusters)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        drawn = random.integers(0, clusters, size=(size, clusters))
        drawn += np.arange(size)[:, None] * clusters
        weights = np.bincount(drawn.ravel(), minlength=size * clusters)
        total = weights.reshape(size, clusters).astype(np.float64) @ sums
        below = total[:, columns:][:, place.ravel()]
        part = ratios[start : start + size]
        part.fill(np.nan)
        np.divide(total[:, :columns], below, out=part, where=below > 0)
    return ratios


def percentile_bounds(ratios: Floats, *, confidence: float = CONFIDENCE) -> Floats:
    """Return (2, columns): the percentile interval of each column, NaN resamples left out."""
    tail = 50 * (1 - confidence)
    bare = np.isnan(ratios).any(axis=0)
    bounds = np.full((2, ratios.shape[1]), np.nan)
    bounds[:, ~bare] = np.percentile(ratios[:, ~bare], [tail, 100 - tail], axis=0)
    for column in np.flatnonzero(bare & ~np.isnan(ratios).all(axis=0)):
        known = ratios[~np.isnan(ratios[:, column]), column]
        bounds[:, column] = np.percentile(known, [tail, 100 - tail])
    return bounds
