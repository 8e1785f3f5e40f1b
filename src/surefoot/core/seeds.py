"""
Randomness only through explicit seeds: one per run, and one derived for each use of it.
"""

from __future__ import annotations

import random

from surefoot.core.canonical import digest


def derive_seed(seed: int, *uses: str) -> int:
    """
    Derive the 63-bit seed of one use (a page, a perturbation, ...) from a run's seed.

    >>> derive_seed(7, "style", "page-1") == derive_seed(7, "style", "page-1")
    True
    >>> derive_seed(7, "style", "page-1") == derive_seed(7, "style", "page-2")
    False
    """
    return int(digest([seed, *uses])[:16], 16) >> 1


def random_source(seed: int, *uses: str) -> random.Random:
    """Return a generator of its own for one use of a seed; never used for secrets."""
    return random.Random(derive_seed(seed, *uses))  # noqa: S311 - reproducible, not secret
