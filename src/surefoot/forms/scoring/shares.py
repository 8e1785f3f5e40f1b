"""
Shares of episodes or of pages, with intervals that take forms as clusters.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np

from surefoot.score.cells import rate_interval
from surefoot.score.stats.bootstrap import percentile_bounds, resampled_ratios
from surefoot.score.stats.intervals import Interval, clopper_pearson

__all__ = ["Share", "interval_over_forms", "share"]

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

    The 95 % interval is a percentile bootstrap over forms; see ``interval_over_forms``.

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
    return Share(hits, n, forms, hits / n, interval_over_forms(hits, n, forms, low, high))


def interval_over_forms(hits: int, n: int, forms: int, low: float, high: float) -> Interval:
    """
    Return the bootstrap's interval of a rate, or the exact one where its resamples are alike.

    They are where every form has the same rate, so above all with a single form, which says
    nothing of others. Each form then counts once, and for its rate: no forms spread wider
    than those that are all right or all wrong.

    >>> interval_over_forms(2, 4, 1, 0.5, 0.5).method, interval_over_forms(2, 4, 2, 0, 1).method
    ('clopper-pearson over clusters', 'bootstrap percentile')
    """
    if low < high or not 0 < hits < n:
        return rate_interval(hits, n, forms, low, high)
    exact = clopper_pearson(forms * hits / n, forms)
    return Interval(exact.low, exact.high, "clopper-pearson over clusters")
