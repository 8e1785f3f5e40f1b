"""
Orders of models by hit rate and by wavering.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from scipy.stats import kendalltau

from surefoot.core.geometry import Point
from surefoot.score.outcomes import Record, tabulate
from surefoot.score.sensitivity.ranks import RankComparison
from surefoot.score.sensitivity.rows import Ruler
from surefoot.score.sensitivity.summary import OTHER_STANDARD, OWN_STANDARD, sensitivity
from surefoot.score.sensitivity.table import read_sensitivity

RecordMaker = Callable[..., Record]
FAST = Ruler()
NOISE = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}


def waver(
    record: RecordMaker, rates: Mapping[str, float], noise: Mapping[str, float] = NOISE
) -> list[Record]:
    """Build models whose direct click hits at a rate, and whose other click wavers."""
    records = []
    for model, rate in rates.items():
        for page in range(10):
            direct = Point(120.0, 110.0 if page < 10 * rate else 300.0)
            other = Point(direct.x + noise[model] + page % 3, direct.y)
            records += [
                record(place, model=model, pair=f"e{page}", cluster=f"p{page}", instruction=kind)
                for kind, place in (("direct", direct), ("relational", other))
            ]
    return records


def taus(orders: tuple[RankComparison, ...]) -> dict[str, float | None]:
    """Return each metric's tau."""
    return {each.metric: each.tau for each in orders}


def test_orders_are_compared_by_tau(record: RecordMaker) -> None:
    """Over four models tau and p equal scipy's on the numbers shown."""
    rates = {"a": 0.9, "b": 0.5, "c": 0.7, "d": 0.2}
    summary = sensitivity(read_sensitivity(waver(record, rates), {}), FAST)

    assert (summary.no_ranks, summary.standard) == ("", OWN_STANDARD)
    assert {each.model: each.hit_rate for each in summary.ranks} == pytest.approx(rates)
    assert taus(summary.orders) == pytest.approx({"s_mean": 2 / 3, "s_worst": 2 / 3, "s_oob": 1})
    for order in summary.orders:
        theirs = kendalltau(
            [each.hit_rate for each in summary.ranks],
            [-getattr(each, order.metric) for each in summary.ranks],
        )
        assert (order.tau, order.p) == pytest.approx((theirs.statistic, theirs.pvalue))
        assert order.models == 4
        assert order.interval is None or -1 <= order.interval.low < order.interval.high <= 1


def test_the_interval_says_how_sure_the_order_is(record: RecordMaker) -> None:
    """Models far apart keep their order in every resample, which is no interval of no width."""
    far = waver(record, {"a": 0.9, "b": 0.5, "c": 0.1})
    near = waver(record, {"a": 0.6, "b": 0.5, "c": 0.4})
    sure, open_ = (
        sensitivity(read_sensitivity(each, {}), FAST).orders[0].interval for each in (far, near)
    )

    assert sure is None
    assert open_ is not None
    assert open_.low < open_.high


def test_a_standard_of_its_own_orders_the_models(record: RecordMaker) -> None:
    """Hit rates of other runs replace the direct ones; models without are left out."""
    mine = waver(record, dict.fromkeys("abcd", 0.5))
    theirs = [
        record(
            Point(110, 110) if page < 2 * at else Point(0, 0),
            model=model, pair=f"x{page}", cluster=f"q{page}",
        )
        for at, model in enumerate("cba", start=1)
        for page in range(8)
    ]  # fmt: skip
    summary = sensitivity(read_sensitivity(mine, {}), FAST, standard=tabulate(theirs))

    assert summary.standard == OTHER_STANDARD
    assert [(each.model, each.hit_rate) for each in summary.ranks] == [
        ("a", 0.75),
        ("b", 0.5),
        ("c", 0.25),
    ]
    assert taus(summary.orders)["s_mean"] == 1
    assert {each.models for each in summary.orders} == {3}


def test_a_standards_variants_are_no_standard(record: RecordMaker) -> None:
    """Of a run over variants only the direct instructions on the original count."""
    mine = waver(record, dict.fromkeys("abc", 0.5))
    theirs = [
        record(Point(120, 110), model=model, **cell)
        for model in "abc"
        for cell in ({}, {"variant": "zoom"}, {"instruction": "relational"})
    ]
    theirs = [
        each if each[1].cell.variant == "original" and each[1].cell.instruction == "direct"
        else (each[0], each[1], None)
        for each in theirs
    ]  # fmt: skip
    summary = sensitivity(read_sensitivity(mine, {}), FAST, standard=tabulate(theirs))

    assert [each.hit_rate for each in summary.ranks] == [1, 1, 1]
    assert set(taus(summary.orders).values()) == {None}


def test_no_common_model_is_no_order(record: RecordMaker) -> None:
    """Where the standard was asked of other models there is a sentence instead of numbers."""
    mine = waver(record, dict.fromkeys("abc", 0.5))
    summary = sensitivity(
        read_sensitivity(mine, {}), FAST, standard=tabulate([record(None, model="z")])
    )

    assert (summary.ranks, summary.orders) == ((), ())
    assert "there are none" in summary.no_ranks
