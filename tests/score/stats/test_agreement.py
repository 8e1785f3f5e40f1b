"""
Agreement is what statsmodels and published examples say it is.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as oracle

from surefoot.score.stats.agreement import (
    UNRATED,
    agreement_interval,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    raw_agreement,
)
from surefoot.score.stats.arrays import Ints


def repeated(cells: dict[tuple[int, ...], int]) -> Ints:
    """Return ratings from how often each row of them occurs."""
    return np.array([row for row, count in cells.items() for _ in range(count)])


TABLES = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.integers(0, 2), min_size=raters, max_size=raters), min_size=2, max_size=20
    )
)


@given(TABLES)
def test_kappas_are_those_of_statsmodels(rows: list[list[int]]) -> None:
    """Fleiss' kappa of all raters and Cohen's of the first two are what statsmodels computes."""
    ratings = np.array([*rows, [0] * len(rows[0]), [1] * len(rows[0])])
    counts, _ = aggregate_raters(ratings, 3)
    square = np.zeros((3, 3))
    np.add.at(square, (ratings[:, 0], ratings[:, 1]), 1)

    assert fleiss_kappa(ratings) == pytest.approx(oracle(counts))
    assert cohen_kappa(ratings[:, :2]) == pytest.approx(cohens_kappa(square).kappa)


def test_gwets_example_of_the_paradox() -> None:
    """Of 125 items with 118, 5, 2 and 0 in the cells, kappa is -0.0234 and AC1 is 0.9408."""
    ratings = repeated({(0, 0): 118, (0, 1): 5, (1, 0): 2})

    assert raw_agreement(ratings) == pytest.approx(0.944)
    assert round(cohen_kappa(ratings), 4) == -0.0234
    assert round(gwet_ac1(ratings, 2), 4) == 0.9408


def test_fleiss_example_of_fourteen_raters() -> None:
    """The textbook's ten subjects, rated by fourteen in five categories, give 0.210."""
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    ratings = np.array([np.repeat(np.arange(5), row) for row in counts])

    assert round(fleiss_kappa(ratings), 3) == 0.210


def test_items_that_one_rated_tell_nothing() -> None:
    """Ratings without a second one change no statistic; with nothing else there is none."""
    both = repeated({(0, 0): 5, (0, 1): 2, (1, 1): 4})
    alone = np.array([[0, UNRATED], [UNRATED, 1], [UNRATED, UNRATED]])
    more = np.concatenate([both, alone])

    for statistic in (raw_agreement, fleiss_kappa, cohen_kappa):
        assert statistic(more) == statistic(both)
    assert gwet_ac1(more, 3) == gwet_ac1(both, 3)
    assert math.isnan(raw_agreement(alone))
    assert agreement_interval(raw_agreement, alone, ["a", "b", "c"], over="sites") is None


def test_the_interval_is_that_of_the_mean() -> None:
    """Over items that are clusters, raw agreement has a mean's t interval by the jackknife."""
    from statsmodels.stats.weightstats import DescrStatsW

    ratings = repeated({(0, 0): 14, (0, 1): 6})
    found = agreement_interval(raw_agreement, ratings, [str(n) for n in range(20)], over="items")
    agreed = DescrStatsW((ratings[:, 0] == ratings[:, 1]).astype(float))

    assert found is not None
    low, high = agreed.tconfint_mean()
    middle, reach = (low + high) / 2, (high - low) / 2 * math.sqrt(20 / 19)
    assert (found.low, found.high) == pytest.approx((middle - reach, middle + reach))
    assert (found.clusters, found.over) == (20, "items")
    assert found.degrees == pytest.approx(19)
    assert agreement_interval(raw_agreement, ratings, ["one"] * 20, over="sites") is None
    alike = ratings[:14]
    assert agreement_interval(raw_agreement, alike, [str(n) for n in range(14)], over="") is None


@given(TABLES, st.integers(1, 6))
def test_an_interval_leaves_out_each_cluster(rows: list[list[int]], sites: int) -> None:
    """The interval's error is that of a jackknife that computes the statistic each time anew."""
    ratings = np.array([*rows, [0] * len(rows[0]), [1] * len(rows[0])])
    clusters = np.array([f"s{at % sites}" for at in range(len(ratings))])
    found = agreement_interval(fleiss_kappa, ratings, clusters.tolist(), over="sites")
    names = sorted(set(clusters))
    if len(names) == 1:
        assert found is None
        return
    without = np.array([fleiss_kappa(ratings[clusters != name]) for name in names])
    error = math.sqrt(float(((without - fleiss_kappa(ratings)) ** 2).sum()))

    if found is None:
        assert np.isnan(without).any() or np.ptp(without) < 1e-9
    else:
        assert found.standard_error == pytest.approx(error)


def test_the_kappa_of_a_published_benchmark_follows_from_its_agreement() -> None:
    """A Fleiss' kappa of 0.168 beside a raw agreement of 0.912 means 94.4 % of one verdict."""
    # MPR-GUI prints both; with two verdicts chance is 1 - 2 p (1 - p), however many raters.
    raw, kappa = 0.912, 0.168
    chance = (raw - kappa) / (1 - kappa)
    accepted = (1 + math.sqrt(1 - 2 * (1 - chance))) / 2
    ratings = np.array([[0, 0, 0]] * 428 + [[0, 0, 1]] * 66 + [[1, 1, 1]] * 6)

    assert accepted == pytest.approx(0.944, abs=5e-4)
    assert (ratings == 0).mean() == pytest.approx(accepted, abs=5e-4)
    assert raw_agreement(ratings) == pytest.approx(raw)
    assert fleiss_kappa(ratings) == pytest.approx(kappa, abs=5e-4)
    assert gwet_ac1(ratings, 2) == pytest.approx(0.902, abs=5e-4)
