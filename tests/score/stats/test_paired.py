"""
The mean of paired changes against its formulas by hand, published figures, and promises.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from surefoot.score.stats.paired import PAIRED, paired_change


def by_hand(
    changes: list[float], sites: list[int], bound: float
) -> tuple[float, float, float, float]:
    """Compute both ends of the 95 % interval, p and what is found from, element by element."""
    count = len(changes)
    units = [change / bound for change in changes]
    delta = (sum(u * u for u in units) + 1) / (sum(abs(u) for u in units) + 1)
    sizes = [sites.count(site) for site in sorted(set(sites))]
    mean = sum(units) / (count * delta)
    q = sum(u * u for u in units) / delta**2
    jackknife = 0.0
    for left in set(sites):
        kept = [u for u, site in zip(units, sites, strict=True) if site != left]
        jackknife += (sum(kept) / (len(kept) * delta) - mean) ** 2
    independent = (q / count - mean**2) / count
    usual = 1 + 0.05 * (sum(n * n for n in sizes) / count - 1)
    seen = jackknife / independent if independent > 1e-20 else usual
    size = count / max(0.3, (q * seen + 2 * usual) / (q + 2))
    centre = size * mean / (size + 1)
    variance = (size * q / count + 1) / (size + 1)
    error = math.sqrt((variance - centre**2) / (size + 1))
    weights = [n / count for n in sizes]
    levers = [w**2 / (1 - w) for w in weights]
    degrees = 1 / (
        sum(w**2 for w in weights) + sum(levers) ** 2 - sum(lever**2 for lever in levers)
    )
    t = float(student.ppf(0.975, degrees))
    low, high = (bound * delta * (centre + sign * t * error) for sign in (-1, 1))
    reach = t + float(student.ppf(0.8, degrees))
    pseudo = size + 1 + reach**2
    root = math.sqrt(reach**4 + 4 * pseudo * reach**2 * variance)
    least = bound * delta * (reach**2 + root) / (2 * pseudo)
    p = float(2 * student.cdf(-abs(centre) / error, degrees))
    return max(-bound, low), min(bound, high), p, min(bound, least)


@st.composite
def paired_changes(draw: st.DrawFn) -> tuple[list[float], list[int]]:
    """Draw changes of elements on 10 to 14 sites, on each at least one."""
    sites = list(range(draw(st.integers(10, 14))))
    sites += draw(st.lists(st.sampled_from(sites), max_size=60))
    kind = st.sampled_from([-1.0, -0.5, 0.0, 0.0, 0.0, 0.25, 1.0])
    return draw(st.lists(kind, min_size=len(sites), max_size=len(sites))), sites


@given(paired_changes(), st.sampled_from([1.0, 2.0]))
def test_it_is_the_formulas_by_hand(drawn: tuple[list[float], list[int]], bound: float) -> None:
    """Interval, p and the smallest change found are those of a loop over elements."""
    changes, sites = drawn
    found = paired_change(np.array(changes), np.array(sites), bound)
    low, high, p, least = by_hand(changes, sites, bound)

    ends = found.interval()
    assert ends is not None
    assert (ends.low, ends.high) == pytest.approx((low, high), abs=1e-12)
    assert found.p == pytest.approx(p)
    assert found.detectable() == pytest.approx(least)
    assert found.mean == pytest.approx(np.mean(changes))
    assert (ends.method, ends.clusters) == (PAIRED, len(set(sites)))


@pytest.mark.parametrize(
    ("sites", "each", "lost", "ends"),
    [
        (6, 9, 0, (-6.5, 6.5)),
        (6, 9, 1, (-10.0, 6.4)),
        (6, 9, 5, (-17.4, -1.0)),
        (12, 8, 0, (-3.1, 3.1)),
        (12, 8, 3, (-7.8, 1.7)),
        (29, 7, 0, (-1.3, 1.3)),
        (29, 7, 1, (-2.1, 1.2)),
        (29, 7, 3, (-3.6, 0.7)),
    ],
)
def test_few_changes_have_the_published_ends(
    sites: int, each: int, lost: int, ends: tuple[float, float]
) -> None:
    """No loss, and some on sites of their own, have the ends that simulation chose."""
    home = np.repeat(np.arange(sites), each)
    changes = np.zeros(len(home))
    changes[: lost * each : each] = -1.0

    interval = paired_change(changes, home, 1.0).interval()
    assert interval is not None
    assert (100 * interval.low, 100 * interval.high) == pytest.approx(ends, abs=0.06)


@given(paired_changes(), st.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_interval_and_test_agree(drawn: tuple[list[float], list[int]], confidence: float) -> None:
    """The p is under one minus the confidence exactly where the interval leaves out zero."""
    found = paired_change(np.array(drawn[0]), np.array(drawn[1]), 1.0)

    ends = found.interval(confidence)
    assert ends is not None
    assert (ends.low > 0 or ends.high < 0) == (found.p < 1 - confidence)


@given(paired_changes())
def test_gains_mirror_losses(drawn: tuple[list[float], list[int]]) -> None:
    """Turned around, changes have the same p, and their interval turned around."""
    changes, home = np.array(drawn[0]), np.array(drawn[1])
    one, other = (paired_change(sign * changes, home, 1.0) for sign in (1, -1))
    ends, turned = one.interval(), other.interval()

    assert ends is not None
    assert turned is not None
    assert (ends.low, ends.high) == pytest.approx((-turned.high, -turned.low))
    assert one.p == pytest.approx(other.p)


def test_one_cluster_says_nothing_of_others() -> None:
    """However many elements it has, there is no interval, p is 1, and nothing is found from."""
    found = paired_change(np.full(40, -1.0), np.zeros(40, dtype=int), 1.0)

    assert (found.mean, found.n, found.clusters) == (-1.0, 40, 1)
    assert (found.interval(), found.p, found.detectable()) == (None, 1.0, None)


def test_under_ten_clusters_no_smallest_change_is_told() -> None:
    """Nine clusters have an interval and a p, and no smallest change; ten have all three."""
    nine, ten = (paired_change(np.zeros(4 * m), np.repeat(np.arange(m), 4), 1.0) for m in (9, 10))

    assert nine.interval() is not None
    assert nine.detectable() is None
    assert ten.detectable() is not None


def test_without_a_bound_it_is_the_jackknife() -> None:
    """A change of distances has Student's t over how far its mean moves without each site."""
    changes = np.random.default_rng(5).normal(0.3, 1.0, 60)
    home = np.repeat(np.arange(12), 5)
    found = paired_change(changes, home, math.inf)
    moved = [changes[home != site].mean() - changes.mean() for site in range(12)]
    error = math.sqrt(sum(move**2 for move in moved))
    reach = float(student.ppf(0.975, 11)) * error

    ends = found.interval()
    assert ends is not None
    assert (ends.low, ends.high) == pytest.approx((changes.mean() - reach, changes.mean() + reach))
    assert found.p == pytest.approx(float(2 * student.cdf(-abs(changes.mean()) / error, 11)))


def test_a_smallest_change_is_found_with_the_power() -> None:
    """Losses of its size are found in about four of five draws, and the null in at most 5 %."""
    home = np.repeat(np.arange(30), 6)
    random = np.random.default_rng(8)

    def found(lost: float, gained: float) -> float:
        draws = random.random((1500, len(home)))
        changes = (draws > 1 - gained) * 1.0 - (draws < lost) * 1.0
        return float(np.mean([paired_change(row, home, 1.0).p < 0.05 for row in changes]))

    flat = np.zeros(len(home))
    flat[:54:6], flat[90:144:6] = -1.0, 1.0
    least = paired_change(flat, home, 1.0).detectable()
    assert least is not None
    assert 0.7 < found(0.05 + least, 0.05) < 0.92
    assert found(0.05, 0.05) <= 0.05
