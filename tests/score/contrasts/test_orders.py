"""
Orders of models by hit rate and by wavering.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from scipy.stats import kendalltau

from surefoot.core.geometry import Point
from surefoot.score.contrasts.orders import OTHER_STANDARD, OWN_STANDARD, Orders, compare_orders
from surefoot.score.metric import Ruler
from surefoot.score.outcomes import Record, by_model, tabulate
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.scatter import SCATTER

RecordMaker = Callable[..., Record]
NOISE = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}


def waver(
    record: RecordMaker, rates: Mapping[str, float], noise: Mapping[str, float] = NOISE
) -> list[Record]:
    """Build models whose direct click hits at a rate, and whose other click wavers."""
    records = []
    for model, rate in rates.items():
        for site in range(10):
            direct = Point(120.0, 110.0 if site < 10 * rate else 300.0)
            other = Point(direct.x + noise[model] + site % 3, direct.y)
            records += [
                record(place, model=model, pair=f"e{site}", cluster=f"p{site}", instruction=kind)
                for kind, place in (("direct", direct), ("relational", other))
            ]
    return records


def orders_of(records: list[Record], standard: list[Record] | None = None) -> Orders:
    """Compare the orders of some records' models."""
    table = tabulate_for(SCATTER, by_model(records))
    other = None if standard is None else tabulate(standard)
    return compare_orders(table, SCATTER.metrics, Ruler(), standard=other)


def test_orders_are_compared_by_tau(record: RecordMaker) -> None:
    """Over four models tau and p equal scipy's on the numbers shown."""
    rates = {"a": 0.9, "b": 0.5, "c": 0.7, "d": 0.2}
    found = orders_of(waver(record, rates))
    taus = {comparison.metric: comparison.tau for comparison in found.comparisons}

    assert (found.missing, found.standard) == ("", OWN_STANDARD)
    assert {model.model: model.hit_rate for model in found.models} == pytest.approx(rates)
    assert taus == pytest.approx({"s_mean": 2 / 3, "s_worst": 2 / 3, "s_oob": 1})
    for order in found.comparisons:
        theirs = kendalltau(
            [model.hit_rate for model in found.models],
            [-model.metrics[order.metric] for model in found.models],
        )
        assert (order.tau, order.p) == pytest.approx((theirs.statistic, theirs.pvalue))
        assert order.models == 4
        assert order.interval is None or -1 <= order.interval.low < order.interval.high <= 1


def test_a_standard_of_its_own_orders_the_models(record: RecordMaker) -> None:
    """Hit rates of other runs replace the direct ones; models without are left out."""
    mine = waver(record, dict.fromkeys("abcd", 0.5))
    theirs = [
        record(
            Point(110, 110) if site < 2 * at else Point(0, 0),
            model=model, pair=f"x{site}", cluster=f"q{site}", variant=variant,
        )
        for at, model in enumerate("cba", start=1)
        for site in range(8)
        for variant in ("original", "zoom")
    ]  # fmt: skip
    theirs = [
        their if their[1].cell.variant == "original" else (their[0], their[1], None)
        for their in theirs
    ]
    found = orders_of(mine, theirs)

    assert found.standard == OTHER_STANDARD
    assert [(order.model, order.hit_rate) for order in found.models] == [
        ("a", 0.75),
        ("b", 0.5),
        ("c", 0.25),
    ]
    assert {comparison.metric: comparison.tau for comparison in found.comparisons}["s_mean"] == 1


def test_no_common_model_is_no_order(record: RecordMaker) -> None:
    """Where the standard was asked of other models there is a sentence instead of numbers."""
    mine = waver(record, dict.fromkeys("abc", 0.5))
    found = orders_of(mine, [record(None, model="z")])

    assert (found.models, found.comparisons) == ((), ())
    assert "there are none" in found.missing
