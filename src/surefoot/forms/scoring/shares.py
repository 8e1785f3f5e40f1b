"""
Shares of episodes, of pages or of fields, with intervals that take forms as clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from surefoot.score.stats.clusters import RATE, ratio, single_interval
from surefoot.score.stats.intervals import Interval

__all__ = ["Share", "interval_over_forms", "share"]


class Share(msgspec.Struct, frozen=True):
    """Hold a share: ``hits`` of ``n``, out of ``forms`` forms, with its interval."""

    hits: int
    n: int
    forms: int
    rate: float
    interval: Interval


def share(found: Iterable[tuple[str, bool]]) -> Share | None:
    """
    Return the share of hits among (form, hit); None without any.

    >>> some = share([("a", True), ("a", False), ("b", True)])
    >>> some is not None and (some.hits, some.n, some.forms)
    (2, 3, 2)
    """
    by_form: dict[str, list[bool]] = {}
    for form, hit in found:
        by_form.setdefault(form, []).append(hit)
    if not by_form:
        return None
    groups = list(by_form.values())
    hits, n = sum(map(sum, groups)), sum(map(len, groups))
    return Share(hits, n, len(groups), hits / n, interval_over_forms(groups))


def interval_over_forms(groups: Sequence[Sequence[bool]]) -> Interval:
    """
    Return the interval of a rate; each group has the hits and misses of one form.

    Raises InvalidInputError without any.

    >>> interval_over_forms([[True], [True]]).method
    'exact bound where all agree'
    """
    hits = np.array([[sum(each)] for each in groups], np.float64).reshape(-1, 1)
    sizes = np.array([[len(each)] for each in groups], np.float64).reshape(-1, 1)
    return single_interval(ratio(hits, sizes), RATE, over="forms")
