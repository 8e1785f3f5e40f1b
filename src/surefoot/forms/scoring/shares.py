"""
Shares of episodes or of pages, with intervals that take forms as clusters.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np

from surefoot.score.bootstrap import percentile_bounds, resampled_ratios
from surefoot.score.cells import rate_interval
from surefoot.score.intervals import Interval

__all__ = ["Share", "share"]

_RESAMPLES = 2000


class Share(msgspec.Struct, frozen=True):
    """Hold a share: ``hits`` of ``n``, out of ``forms`` forms, with its interval."""

    hits: int
    n: int
    forms: int
    rate: float
    interval: Interval


def share(found: Iterable[tuple[str, bool]], *, seed: int = 0) -> Share | None:
    """
    Return the share of hits among (form, hit); None without any.

    The 95 % interval is a percentile bootstrap over forms, or, where all or none are hits,
    the exact one with each form counted once.

    >>> some = share([("a", True), ("a", False), ("b", True)])
    >>> some is not None and (some.hits, some.n, some.forms)
    (2, 3, 2)
    """
    by_form: dict[str, list[bool]] = {}
    for form, hit in found:
        by_form.setdefault(form, []).append(hit)
    if not by_form:
        return None
    above = np.array([[sum(each)] for each in by_form.values()], np.float64)
    below = np.array([[len(each)] for each in by_form.values()], np.float64)
    drawn = resampled_ratios(above, below, resamples=_RESAMPLES, seed=seed)
    low, high = (float(bound[0]) for bound in percentile_bounds(drawn))
    hits, n, forms = int(above.sum()), int(below.sum()), len(by_form)
    return Share(hits, n, forms, hits / n, rate_interval(hits, n, forms, low, high))
