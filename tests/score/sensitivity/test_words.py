"""
The sentences: three metrics together, and no more claimed than interval and test hold.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.score.sensitivity.differences import Difference
from surefoot.score.sensitivity.ranks import RankComparison
from surefoot.score.sensitivity.rows import Estimate, SensitivityRow
from surefoot.score.sensitivity.words import difference_sentence, order_sentence, view_sentence
from surefoot.score.stats.intervals import Interval

ROW = SensitivityRow(
    model="m", reasoning=True, view="crop", by="view", value="crop", spread="centroid",
    tolerance=0.0, elements=12, clusters=9, instructions=1200, measured=11, clicks=1100,
    outside=300, unparsed=7, refused=2, failed=1,
    s_mean=Estimate(0.25, Interval(0.2, 0.3, "b", clusters=9, over="sites")),
    s_worst=Estimate(0.5, None),
    s_oob=Estimate(0.25, Interval(0.1, 0.4, "b", clusters=9, over="sites")),
)  # fmt: skip
CHANGE = Difference(
    contrast="view", metric="s_oob", model="m", reasoning=False, view="crop", value="",
    baseline="original", elements=12, clusters=9, before=0.1, after=0.3, change=0.2,
    interval=Interval(0.1, 0.3, "b"), test="t", p=0.001, p_holm=0.004, family=4,
)  # fmt: skip


def test_a_view_has_all_metrics_and_rulers() -> None:
    """The three metrics stand in one sentence with their n, losses and tolerance."""
    assert view_sentence(ROW) == (
        "m, reasoning, crop: s_mean 0.250 [0.200 to 0.300 (9 sites)], s_worst 0.500 [no interval] "
        "(diagonals, 1,100 clicks at 11 elements); s_oob 0.250 [0.100 to 0.400 (9 sites)] of "
        "1,200 instructions about 12 elements on 9 sites (7 unparsed, 2 declined, 1 failed; "
        "tolerance 0 px)."
    )


@pytest.mark.parametrize(
    ("p_holm", "low", "verdict"),
    [
        (0.004, 0.1, "s_oob grows ("),
        (0.2, 0.1, "a difference that does not outlast correction for 4 tests"),
        (0.004, -0.1, "which chance can explain"),
    ],
)
def test_a_change_is_claimed_only_where_both_agree(
    p_holm: float, low: float, verdict: str
) -> None:
    """Interval and corrected test must both leave out zero before growth is said."""
    each = msgspec.structs.replace(CHANGE, p_holm=p_holm, interval=Interval(low, 0.3, "b"))

    assert verdict in difference_sentence(each)
    assert difference_sentence(each).startswith(
        "m in crop against original, on the same 12 elements of 9 sites:"
    )


def test_a_shrinking_and_an_unknown_change() -> None:
    """A drop is said to shrink, the same to be the same, and nothing shared to be nothing."""
    less = msgspec.structs.replace(CHANGE, change=-0.2, interval=Interval(-0.3, -0.1, "b"))
    same = msgspec.structs.replace(CHANGE, change=0.0, interval=None)
    none = msgspec.structs.replace(CHANGE, before=None, after=None, change=None)

    assert "s_oob shrinks" in difference_sentence(less)
    assert "s_oob is the same" in difference_sentence(same)
    assert difference_sentence(none) == "m in crop against original: no element has s_oob in both."


@pytest.mark.parametrize(
    ("contrast", "start"),
    [("model", "m against original in crop"), ("kind", "m in crop, x against original")],
)
def test_each_contrast_names_its_sides(contrast: str, start: str) -> None:
    """The baseline is a model, or a value of the trait."""
    each = msgspec.structs.replace(CHANGE, contrast=contrast, value="x")

    assert difference_sentence(each).startswith(start)


def test_orders_name_their_models() -> None:
    """The number of models stands beside tau; ties are said in words."""
    order = RankComparison(
        metric="s_mean",
        models=4,
        tau=0.667,
        interval=Interval(0.0, 1.0, "b", clusters=9, over="sites"),
        p=0.33,
    )
    tied = RankComparison(metric="s_oob", models=3, tau=None, interval=None, p=None)

    assert order_sentence(order, "x") == (
        "Order of 4 models by s_mean and by hit rate on x: tau-b 0.67 [0.00 to 1.00 (9 sites)]; "
        "p = 0.33."
    )
    assert order_sentence(tied, "x").endswith("all are tied, so nothing can be said.")
