"""
Intervals of rates, means and differences against textbook loops, statsmodels, and promises.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import t as student

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import (
    ANY,
    CHANGE,
    JACKKNIFE,
    POSITIVE,
    RATE,
    WILSON,
    Bounds,
    difference_of_ratios,
    few_clusters,
    interval_bounds,
    intervals,
    p_values,
    quotient_of_ratios,
    ratio,
    sum_by_cluster,
)

ABOVE = np.array([[9.0], [12.0], [3.0], [0.0], [20.0], [7.0]])
BELOW = np.array([[10.0], [30.0], [4.0], [5.0], [22.0], [7.0]])


@st.composite
def hit_tables(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """Draw hits and answers of 1 to 8 clusters in three columns, some without answers."""
    clusters = draw(st.integers(1, 8))
    below = draw(arrays(np.float64, (clusters, 3), elements=st.integers(0, 20).map(float)))
    share = draw(arrays(np.float64, (clusters, 3), elements=st.sampled_from([0, 0.25, 0.5, 1])))
    return np.floor(share * below), below


def left_out(above: Floats, below: Floats, cluster: int) -> float:
    """Return a ratio of sums without one cluster."""
    kept = np.arange(len(above)) != cluster
    return float(above[kept].sum() / below[kept].sum())


def test_the_error_is_the_jackknifes() -> None:
    """It is the root of the summed squares of how far the ratio moves without each cluster."""
    whole = ABOVE.sum() / BELOW.sum()
    moved = [left_out(ABOVE, BELOW, index) - whole for index in range(6)]

    found = ratio(ABOVE, BELOW)
    assert found.value[0] == pytest.approx(whole)
    assert found.standard_error[0] == pytest.approx(np.sqrt(np.square(moved).sum()))
    assert found.clusters.tolist() == [6]


def test_equal_clusters_have_the_error_of_a_clustered_regression() -> None:
    """With equal sizes it is statsmodels' cluster-robust error times sqrt(m / (m - 1))."""
    hits = np.random.default_rng(4).binomial(1, 0.7, (12, 8))
    fitted = sm.OLS(hits.ravel(), np.ones(hits.size)).fit(
        cov_type="cluster",
        cov_kwds={"groups": np.repeat(np.arange(12), 8)},
    )

    found = ratio(hits.sum(axis=1, keepdims=True).astype(float), np.full((12, 1), 8.0))
    assert found.standard_error[0] == pytest.approx(float(fitted.bse[0]) * np.sqrt(12 / 11))
    assert found.degrees[0] == pytest.approx(11)


def bell_mccaffrey(below: Floats) -> float:
    """Compute their degrees of freedom from the definition, answer by answer."""
    group = np.repeat(np.arange(len(below)), below.astype(int))
    size = len(group)
    residual = np.eye(size) - np.full((size, size), 1 / size)
    rows = []
    for cluster in range(len(below)):
        own = np.flatnonzero(group == cluster)
        values, vectors = np.linalg.eigh(residual[np.ix_(own, own)])
        root = vectors @ np.diag(np.where(values > 1e-9, values, np.inf) ** -0.5) @ vectors.T
        rows.append(residual[:, own] @ root @ np.full(len(own), 1 / size))
    inner = np.array(rows) @ np.array(rows).T
    return float(np.trace(inner) ** 2 / np.trace(inner @ inner))


@pytest.mark.parametrize("sizes", [[5, 5, 5, 5], [1, 2, 3, 30], [40, 2, 2, 2, 2], [9, 1]])
def test_the_degrees_are_those_of_bell_and_mccaffrey(sizes: list[int]) -> None:
    """They equal the definition by matrices over single answers, whatever the sizes."""
    below = np.array(sizes, dtype=float)

    found = ratio(below[:, None] / 2, below[:, None])
    assert found.degrees[0] == pytest.approx(bell_mccaffrey(below))


def test_without_bounds_it_is_students_interval() -> None:
    """The interval of an unbounded mean of equal clusters is value plus and minus t errors."""
    values = np.array([[3.0], [5.0], [4.0], [9.0]])
    found = ratio(values, np.ones_like(values))
    reach = student.ppf(0.975, 3) * float(found.standard_error[0])

    ends = interval_bounds(found, ANY)[:, 0]
    assert ends == pytest.approx([5.25 - reach, 5.25 + reach])


def test_positive_means_are_measured_by_their_logarithm() -> None:
    """The interval's ends are as many times the value as the value is times them."""
    found = ratio(np.array([[1.0], [2.0], [9.0]]), np.ones((3, 1)))

    low, high = interval_bounds(found, POSITIVE)[:, 0]
    assert low > 0
    assert low * high == pytest.approx(float(found.value[0]) ** 2)


@given(hit_tables())
def test_no_interval_has_no_width(table: tuple[Floats, Floats]) -> None:
    """An interval of a rate holds it, lies within its bounds and is wider than nothing."""
    found = ratio(*table)
    low, high = interval_bounds(found, RATE)

    observed = np.count_nonzero(table[1], axis=0) > 1
    assert (np.isnan(low) == ~observed).all()
    assert (high - low > 1e-6)[observed].all()
    assert ((low >= 0) & (high <= 1))[observed].all()
    held = (low - 1e-12 <= found.value) & (found.value <= high + 1e-12)
    assert held[observed].all()


@given(hit_tables(), hit_tables())
def test_interval_and_test_agree(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> None:
    """The p is under 0.05 where, and only where, the interval leaves out the null value."""
    clusters = min(len(one[0]), len(other[0]))
    sides = [(above[:clusters], below[:clusters]) for above, below in (one, other)]
    found = difference_of_ratios(sides[0], sides[1])
    low, high = interval_bounds(found, CHANGE)
    p = p_values(found, CHANGE)

    clear = np.minimum(np.abs(low), np.abs(high)) > 1e-9
    without = (low > 0) | (high < 0)
    assert ((p < 0.05) == without)[clear].all()
    assert ((p > 0) & (p <= 1)).all()


def rate_by_hand(hits: list[float], sizes: list[float]) -> tuple[float, float]:
    """Compute the interval of a rate from the formulas, cluster by cluster."""
    total, count, clusters = sum(hits), sum(sizes), len(sizes)
    rate = total / count
    moved = [
        (total - h) / (count - n) - rate for h, n in zip(hits, sizes, strict=True)
    ]  # fmt: skip
    jackknife = sum(move**2 for move in moved)
    independent = rate * (1 - rate) / count
    expected = 1 + 0.05 * (sum(n**2 for n in sizes) / count - 1)
    seen = jackknife / independent if independent else expected
    fewer = min(total, count - total)
    effect = max(0.3, (fewer * seen + 2 * expected) / (fewer + 2))
    size = count / effect
    weights = [n / count for n in sizes]
    levers = [w**2 / (1 - w) for w in weights]
    degrees = 1 / (
        sum(w**2 for w in weights) + sum(levers) ** 2 - sum(lever**2 for lever in levers)
    )
    t = float(student.ppf(0.975, degrees))
    assert clusters > 1
    middle = (rate + t**2 / (2 * size)) / (1 + t**2 / size)
    reach = t * np.sqrt(rate * (1 - rate) / size + t**2 / (4 * size**2)) / (1 + t**2 / size)
    return middle - reach, middle + reach


@pytest.mark.parametrize(
    ("hits", "sizes"),
    [
        ([9, 12, 3, 0, 20, 7], [10, 30, 4, 5, 22, 7]),
        ([0, 0, 0], [4, 9, 2]),
        ([4, 9, 2], [4, 9, 2]),
        ([1] + [0] * 11, [8] * 12),
        ([7] * 28 + [6], [7] * 29),
    ],
)
def test_a_rate_has_wilsons_interval_at_the_effective_size(
    hits: list[float], sizes: list[float]
) -> None:
    """It is that of the formulas by hand, at no hit, no miss, one and many alike."""
    columns = (np.array([part], dtype=float).T for part in (hits, sizes))

    low, high = interval_bounds(ratio(*columns), RATE)[:, 0]
    assert (low, high) == pytest.approx(rate_by_hand(hits, sizes))


@pytest.mark.parametrize(
    ("sites", "each", "ends"),
    [
        (6, 9, [(0, 14.6), (0.2, 17.1), (0.6, 18.6), (1.4, 19.6)]),
        (12, 8, [(0, 6.4), (0.1, 7.8), (0.5, 9.1), (0.9, 10.3)]),
        (29, 7, [(0, 2.6), (0.1, 3.3), (0.2, 4.0), (0.5, 4.7)]),
        (100, 7, [(0, 0.7), (0, 0.9), (0.1, 1.1), (0.1, 1.3)]),
    ],
)
def test_few_misses_have_the_published_ends(
    sites: int, each: int, ends: list[tuple[float, float]]
) -> None:
    """With 0 to 3 misses on sites of their own the ends are those found by simulation."""
    found = []
    for misses in range(4):
        above = np.array([[1.0]] * misses + [[0.0]] * (sites - misses))
        low, high = interval_bounds(ratio(above, np.full_like(above, each)), RATE)[:, 0]
        found.append((float(100 * low), float(100 * high)))

    for (low, high), (least, most) in zip(found, ends, strict=True):
        assert low == pytest.approx(least, abs=0.06)
        assert high == pytest.approx(most, abs=0.06)


@given(st.integers(10, 40), st.integers(2, 12))
def test_a_further_miss_never_lowers_an_interval(sites: int, each: int) -> None:
    """While misses lie on sites of their own both ends rise with their number."""
    ends = []
    for misses in range(6):
        above = np.array([[1.0]] * misses + [[0.0]] * (sites - misses))
        ends.append(interval_bounds(ratio(above, np.full_like(above, each)), RATE)[:, 0])

    for fewer, more in itertools.pairwise(ends):
        assert (more >= fewer - 1e-12).all()


def test_values_between_hit_and_miss_make_an_interval_narrower() -> None:
    """A mean of values that all lie near it is surer than a rate of hits of the same mean."""
    sizes = np.full((12, 1), 5.0)
    values = np.random.default_rng(2).uniform(0.6, 0.8, (12, 5))
    sums = values.sum(axis=1, keepdims=True)
    squares = (values**2).sum(axis=1, keepdims=True)

    narrow, wide = (
        float(np.diff(interval_bounds(found, RATE)[:, 0])[0])
        for found in (ratio(sums, sizes, squares), ratio(sums, sizes))
    )
    assert narrow < wide / 1.5


@pytest.mark.parametrize("hits", [0.0, 7.0, 10.0])
def test_one_cluster_tells_nothing_of_others(hits: float) -> None:
    """A single cluster has no interval, and p is 1."""
    found = ratio(np.array([[hits]]), np.array([[10.0]]))

    assert np.isnan(interval_bounds(found, RATE)).all()
    assert intervals(found, RATE) == [None]
    assert p_values(found, RATE, null=0.5).tolist() == [1.0]


@pytest.mark.parametrize("bounds", [POSITIVE, ANY])
def test_without_bounds_clusters_that_agree_have_no_interval(bounds: Bounds) -> None:
    """Where clusters agree on a number that may be anything, there is no interval."""
    same = ratio(np.full((4, 1), 6.0), np.full((4, 1), 2.0))
    single = ratio(np.full((1, 1), 6.0), np.full((1, 1), 2.0))

    assert np.isnan(interval_bounds(same, bounds)).all()
    assert np.isnan(interval_bounds(single, bounds)).all()


@pytest.mark.parametrize("change", [-1.0, -0.2, 0.0, 0.2, 1.0])
def test_a_change_that_all_clusters_share_is_tested_by_their_number(change: float) -> None:
    """Clusters that agree on a change have the p at which the exact bound leaves out 0."""
    found = ratio(np.full((7, 1), change), np.ones((7, 1)))

    (p,) = p_values(found, CHANGE)
    assert p == pytest.approx(min(1.0, 2 * (1 + abs(change)) ** -7))
    low, high = interval_bounds(found, CHANGE, confidence=1 - p)[:, 0]
    assert p == 1.0 or min(abs(low), abs(high)) == pytest.approx(0, abs=1e-9)


def test_wholly_changed_clusters_have_the_p_of_the_sign_test() -> None:
    """Six clusters that all lose every hit have p of 2/2^6, bounded or not."""
    lost = ratio(np.full((6, 1), -3.0), np.full((6, 1), 3.0))

    assert p_values(lost, CHANGE).tolist() == [2 / 64]
    assert p_values(lost, ANY).tolist() == [2 / 64]


def test_a_difference_on_the_same_denominators_is_the_ratio_of_differences() -> None:
    """Both ways to a paired change give the same value, error and degrees."""
    after = np.minimum(BELOW, ABOVE + np.array([[1.0], [-2], [0], [3], [-9], [0]]))

    one = difference_of_ratios((ABOVE, BELOW), (after, BELOW))
    other = ratio(after - ABOVE, BELOW)
    for name in ("value", "standard_error", "degrees", "clusters"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))


def test_a_difference_with_other_denominators_leaves_clusters_out_of_both() -> None:
    """Its error is the jackknife's of the difference itself."""
    other = BELOW + np.arange(6.0)[:, None]
    whole = ABOVE.sum() / other.sum() - ABOVE.sum() / BELOW.sum()
    moved = [
        left_out(ABOVE, other, index) - left_out(ABOVE, BELOW, index) - whole for index in range(6)
    ]

    found = difference_of_ratios((ABOVE, BELOW), (ABOVE, other))
    assert found.standard_error[0] == pytest.approx(np.sqrt(np.square(moved).sum()))


def test_a_quotient_is_measured_by_its_logarithm() -> None:
    """Turning a quotient around turns its interval around, and keeps its p."""
    one, other = (ABOVE, BELOW), (BELOW - ABOVE + 1, BELOW)
    found, turned = quotient_of_ratios(one, other), quotient_of_ratios(other, one)

    ends, turned_ends = (interval_bounds(estimate, POSITIVE)[:, 0] for estimate in (found, turned))
    assert ends == pytest.approx(1 / turned_ends[::-1])
    p, turned_p = (p_values(estimate, POSITIVE, null=1.0) for estimate in (found, turned))
    assert p == pytest.approx(turned_p)


def test_a_quotient_over_nothing_is_not_a_number() -> None:
    """Without a hit below there is neither a quotient nor its interval."""
    found = quotient_of_ratios((ABOVE, BELOW), (0 * ABOVE, BELOW))

    assert np.isnan(found.value).all()
    assert np.isnan(interval_bounds(found, POSITIVE)).all()


@given(hit_tables(), st.sampled_from([0.5, 3.0, 128.0]))
def test_the_unit_of_the_sums_does_not_matter(table: tuple[Floats, Floats], unit: float) -> None:
    """Sums that are all so many times larger have the same interval."""
    same, larger = (
        interval_bounds(ratio(*sums), CHANGE)
        for sums in (table, (table[0] * unit, table[1] * unit))
    )

    assert same == pytest.approx(larger, nan_ok=True)


@given(hit_tables())
def test_the_order_of_clusters_does_not_matter(table: tuple[Floats, Floats]) -> None:
    """Clusters in another order, and clusters without an answer, change no end."""
    above, below = (np.vstack([item[::-1], np.zeros((1, 3))]) for item in table)

    same, other = (interval_bounds(ratio(*sums), RATE) for sums in (table, (above, below)))
    assert same == pytest.approx(other, nan_ok=True)


def test_uneven_clusters_have_fewer_degrees() -> None:
    """The more of the weight one cluster holds, the fewer degrees of freedom are left."""
    degrees = [
        float(ratio(np.ones((10, 1)), np.array([[first], *[[1.0]] * 9])).degrees[0])
        for first in (1.0, 3.0, 9.0, 90.0)
    ]

    assert degrees[0] == pytest.approx(9)
    assert all(later < earlier for earlier, later in itertools.pairwise(degrees))


def test_it_keeps_its_level_where_pairs_of_a_cluster_do_not() -> None:
    """With 10 uneven clusters that lean either way 3 % to 7 % of true nulls are rejected."""
    random = np.random.default_rng(11)
    sizes = np.array([40.0, 20, 10, 8, 6, 5, 5, 4, 4, 3])[:, None]
    lean = random.normal(0, 0.2, (10, 4000))
    changes = np.rint(np.clip(lean + random.normal(0, 0.1, (10, 4000)), -1, 1) * sizes)
    p = p_values(ratio(changes, np.broadcast_to(sizes, changes.shape)), CHANGE)

    assert 0.03 < (p < 0.05).mean() < 0.07


def test_an_interval_says_what_it_rests_on() -> None:
    """Method, clusters, their noun, error and degrees stand in it; of nothing there is none."""
    above, below = np.hstack([ABOVE, BELOW]), np.hstack([BELOW, BELOW])
    found = ratio(above, below)

    for bounds, method in ((RATE, WILSON), (CHANGE, JACKKNIFE)):
        apart, _ = intervals(found, bounds, over="forms")
        assert apart is not None
        assert (apart.method, apart.clusters, apart.over) == (method, 6, "forms")
        assert (apart.standard_error, apart.degrees) == (found.standard_error[0], found.degrees[0])
    assert intervals(ratio(0 * above, 0 * below), RATE) == [None, None]


@pytest.mark.parametrize(
    ("sizes", "start"),
    [
        ([5], "Only 1 site: nothing"),
        ([5, 0, 7], "Only 2 sites: a difference"),
        ([3] * 9, "Only 9 sites: a difference"),
        ([3] * 10, ""),
        ([3] * 30 + [400], "31 sites, but some hold so much that they tell as little as"),
        ([3] * 30 + [9], ""),
    ],
)
def test_few_or_uneven_clusters_are_said(sizes: list[int], start: str) -> None:
    """Under ten sites, and where a few hold most, a sentence says what may be concluded."""
    said = few_clusters(np.array(sizes))

    assert said.startswith(start)
    assert bool(said) == bool(start)


def test_sums_are_those_of_a_loop() -> None:
    """Rows of one cluster are added up, clusters in the order of their names."""
    names = ["b", "a", "b", "c", "a"]
    values = np.arange(10.0).reshape(5, 2)
    by_hand = [
        sum(row for row, name in zip(values, names, strict=True) if name == wanted)
        for wanted in "abc"
    ]

    assert sum_by_cluster(names, values).tolist() == np.array(by_hand).tolist()


def test_shapes_must_fit() -> None:
    """Matrices of different shapes, or of one dimension, are refused."""
    with pytest.raises(InvalidInputError, match="one shape"):
        ratio(np.ones((3, 1)), np.ones((2, 1)))
    with pytest.raises(InvalidInputError, match="one shape"):
        ratio(np.ones(3), np.ones(3))


def test_nothing_moves_where_nothing_is_left() -> None:
    """With one cluster no error is known, also where rounding parts a sum from its parts."""
    one = np.array([[1.0]])
    found = difference_of_ratios((one, np.array([[49.0]])), (one, np.array([[98.0]])))

    assert 1 / 49 * 49 != 1
    assert np.isnan(found.standard_error).all()
    assert found.value[0] == pytest.approx(1 / 98 - 1 / 49)
