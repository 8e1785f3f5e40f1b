"""
The change of a number on the same elements under two conditions: its interval and its test.

Each element brings one change, and all weigh the same. Where changes have a bound, both ends
and the test come from one formula that has no case of its own for no change at all: half a
change each way is added to the count of the changes, as Agresti and Min add pseudo-counts
(Statistics in Medicine 24, 2005), at the number of independent elements that would tell as
much (Korn and Graubard, Survey Methodology 24, 1998). That number follows from the jackknife
over clusters, drawn towards a small design effect where few elements changed. Without a
bound the jackknife's own error is taken. Degrees of freedom are Bell and McCaffrey's.

``bench/what_is_said.py`` measures how often the intervals hold the truth.
"""

from __future__ import annotations

import math
from typing import Final

import msgspec
import numpy as np

from surefoot.score.stats.arrays import Floats, Ints
from surefoot.score.stats.clusters import (
    FEW_CLUSTERS,
    POWER,
    design_effects,
    ratio,
    weight_degrees,
)
from surefoot.score.stats.exact import ExactSums
from surefoot.score.stats.intervals import CONFIDENCE, Interval

_ROUNDING: Final = 1e-12
PAIRED: Final = "paired changes at effective size, Student's t"


class PairedChange(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the mean change of ``n`` elements from a number of ``clusters``, and how sure it is.

    ``mean`` is the plain mean, in the unit of the changes, NaN of none. Intervals and the test
    stand around ``scale`` times ``centre``, with the standard error ``error`` in the same
    units as ``centre``; ``bound`` is the greatest change there can be. ``size`` is how many
    independent elements would tell as much, ``variance`` that of one change around none.
    ``degrees`` of freedom are 0 where one cluster, or none, tells nothing of others.
    ``test`` names how it was estimated.
    """

    mean: float
    n: int
    clusters: int
    over: str
    degrees: float
    bound: float
    scale: float
    centre: float
    error: float
    size: float
    variance: float
    test: str = PAIRED

    @property
    def p(self) -> float:
        """Return the two-sided p: the least alpha whose interval leaves out no change."""
        from scipy.special import stdtr

        if not self.degrees:
            return 1.0
        if self.error <= 0:  # without a bound, and all clusters agree: the sign test
            return 1.0 if self.centre == 0 else min(1.0, 2 * 0.5**self.clusters)
        return float(2 * stdtr(self.degrees, -abs(self.centre) / self.error))

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Return the interval, None where nothing is known of other clusters."""
        from scipy.special import stdtrit

        if not self.degrees or self.error <= 0:
            return None
        reach = float(stdtrit(self.degrees, (1 + confidence) / 2)) * self.error
        low, high = (
            max(-self.bound, min(self.bound, self.scale * end))
            for end in (self.centre - reach, self.centre + reach)
        )
        return Interval(
            low,
            high,
            self.test,
            confidence=confidence,
            clusters=self.clusters,
            over=self.over,
            standard_error=self.scale * self.error,
            degrees=self.degrees,
        )

    def detectable(self, level: float = 1 - CONFIDENCE, power: float = POWER) -> float | None:
        """
        Return the smallest true change that the test at a level finds with a power.

        The change brings variance of its own, which is counted in. None under FEW_CLUSTERS
        clusters: what is found then hangs on which they are.
        """
        from scipy.special import stdtrit

        if self.clusters < FEW_CLUSTERS or not self.degrees:
            return None
        reach = sum(float(stdtrit(self.degrees, part)) for part in (1 - level / 2, power))
        if math.isinf(self.bound):
            return reach * self.error or None
        square = reach**2
        pseudo = self.size + 1 + square
        inner = math.sqrt(square**2 + 4 * pseudo * square * self.variance)
        return min(self.bound, self.scale * (square + inner) / (2 * pseudo))


class ChangeSums:
    """
    Hold all that the mean of changes, its interval and its test are made of, as sums.

    ``count`` is (clusters,): how many elements each has. Sums of parts merge to those of the
    whole to the last bit, if an element lies in one part and clusters are numbered alike.
    """

    def __init__(self, clusters: int) -> None:
        self.count = np.zeros(clusters)
        self.changes = ExactSums(clusters)
        self.spread = ExactSums(2)  # squares, amounts

    def add(self, changes: Floats, home: Ints) -> None:
        """Add the (elements,) changes of elements whose clusters are ``home``."""
        self.count += np.bincount(home, minlength=len(self.count))
        self.changes.add(changes, home)
        for place, values in enumerate((changes**2, np.abs(changes))):
            self.spread.add_all(values, place)

    def merge(self, other: ChangeSums) -> None:
        """Add the sums of other elements."""
        self.count += other.count
        self.changes.merge(other.changes)
        self.spread.merge(other.spread)

    @property
    def n(self) -> int:
        """Count the elements."""
        return int(self.count.sum())

    def estimate(self, bound: float, *, over: str = "sites") -> PairedChange:
        """
        Estimate the mean change.

        ``bound`` is the greatest change that an element can have, infinite where there is none;
        ``over`` names the clusters in the plural.
        """
        n, sizes = self.n, self.count[:, None]
        clusters = int(np.count_nonzero(sizes))
        degrees = float(weight_degrees(sizes / n)[0]) if clusters > 1 else 0.0
        mean = self.changes.whole() / n if n else math.nan
        scale, centre, size, variance = 1.0, mean, float(n), math.nan
        sums = self.changes.rounded()[:, None]
        if math.isinf(bound) or not n:
            error = float(ratio(sums, sizes).standard_error[0])
            error = error if error > _ROUNDING * max(1.0, abs(mean)) else 0.0
        else:
            squares, amounts = self.spread.rounded() / (bound**2, bound)
            typical = float((squares + 1) / (amounts + 1))
            changed = float(squares) / typical**2
            found = ratio(sums / bound / typical, sizes)
            middle = float(found.value[0])
            effect = design_effects(
                np.array([changed]),
                np.array([(changed / n - middle**2) / n]),
                found.standard_error**2,
                found.crowding,
            )
            scale, size = bound * typical, n / float(effect[0])
            centre = size * middle / (size + 1)
            variance = (size * changed / n + 1) / (size + 1)
            error = math.sqrt((variance - centre**2) / (size + 1))
        return PairedChange(
            mean=mean,
            n=n,
            clusters=clusters,
            over=over,
            degrees=degrees,
            bound=bound,
            scale=scale,
            centre=centre,
            error=error,
            size=size,
            variance=variance,
        )


def paired_change(
    changes: Floats, home: Ints, bound: float, *, over: str = "sites"
) -> PairedChange:
    """
    Estimate the mean of (elements,) changes, whose clusters are the codes ``home``.

    ``bound`` is the greatest change that an element can have, infinite where there is none;
    ``over`` names the clusters in the plural.

    >>> lost = np.array([-1.0] * 8 + [0.0] * 52)
    >>> found = paired_change(lost, np.arange(60) % 12, 1.0)
    >>> ends = found.interval()
    >>> round(found.mean, 3), [round(end, 3) for end in (ends.low, ends.high)], round(found.p, 3)
    (-0.133, [-0.21, -0.054], 0.003)
    """
    sums = ChangeSums(int(home.max(initial=0)) + 1)
    sums.add(changes, home)
    return sums.estimate(bound, over=over)
