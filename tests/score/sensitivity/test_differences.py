"""
What a paired difference says where all pages are alike, and which columns it pairs.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.core.geometry import Point
from surefoot.score.matched import Condition
from surefoot.score.outcomes import Record
from surefoot.score.sensitivity.differences import CONTRASTS
from surefoot.score.sensitivity.grid import Column
from surefoot.score.sensitivity.rows import Ruler
from surefoot.score.sensitivity.summary import sensitivity
from surefoot.score.sensitivity.table import read_sensitivity
from surefoot.score.stats.clusters import AGREEING

RecordMaker = Callable[..., Record]


def column(view: str, model: str = "m", value: str = "") -> Column:
    """Return a column without reasoning."""
    return Column(Condition(model, False, "", view), value)  # noqa: FBT003 - no reasoning


def test_pictures_and_rewordings_have_originals_of_their_own() -> None:
    """A view is paired with the original, its rewordings with the original's rewordings."""
    views = ["original", "crop", "original+reworded", "crop+reworded"]
    pairs = list(CONTRASTS["view"]([column(each) for each in views]))

    assert pairs == [(0, 1), (2, 3)]


def test_models_are_paired_within_view_and_value() -> None:
    """Each pair of models stands once, in the same view and slice."""
    columns = [
        column(view, model, value)
        for model in "ab"
        for view, value in (("original", "x"), ("original", "y"), ("crop", "x"))
    ]

    assert list(CONTRASTS["model"](columns)) == [(0, 3), (1, 4), (2, 5)]


def test_all_alike_is_bounded_not_certain(record: RecordMaker) -> None:
    """Where a kind misses on every site the change is 1, and its interval admits others."""
    records = [
        record(place, pair=f"e{page}", cluster=f"p{page}", instruction=kind)
        for page in range(10)
        for kind, place in (("direct", Point(120, 110)), ("relational", Point(300, 110)))
    ]
    summary = sensitivity(read_sensitivity(records, {}), Ruler())
    (out,) = (
        each for each in summary.differences if (each.contrast, each.metric) == ("kind", "s_oob")
    )
    share = 1 - 0.025 ** (1 / 10)

    assert (out.value, out.baseline, out.change) == ("relational", "direct", 1)
    assert out.interval is not None
    assert (out.interval.low, out.interval.high) == pytest.approx((1 - 2 * share, 1))
    assert (out.interval.method, out.interval.clusters) == (AGREEING, 10)
    assert out.p == 2 / 2**10


def test_views_are_compared_on_the_same_instructions(record: RecordMaker) -> None:
    """An instruction that one view lacks moves neither side of the comparison."""
    places = {"direct": Point(120, 110), "relational": Point(124, 110)}
    records = [
        record(place, pair=f"e{page}", cluster=f"p{page}", variant=view, instruction=kind,
               direction=direction)
        for page in range(3)
        for view in ("original", "crop")
        for (kind, place), direction in zip(places.items(), (None, "above"), strict=True)
    ]  # fmt: skip
    lost = [
        record(Point(900, 400), pair=f"e{page}", cluster=f"p{page}", instruction="far",
               direction="below")
        for page in range(3)
    ]  # fmt: skip
    both, alone = (
        sensitivity(read_sensitivity(each, {}), Ruler()) for each in ([*records, *lost], records)
    )
    views = [
        [each for each in summary.differences if each.contrast == "view"]
        for summary in (both, alone)
    ]

    assert views[0] == views[1]
    assert [each.change for each in views[0]] == [0, 0, 0]
    assert both.views != alone.views
