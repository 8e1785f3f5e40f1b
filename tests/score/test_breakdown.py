"""
Breakdowns and directions against counting by hand.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Unparsed
from surefoot.score.breakdown import break_down, size_bins
from surefoot.score.outcomes import Record, tabulate
from surefoot.score.standardise import standardised_rate

RecordMaker = Callable[..., Record]
HIT, MISS = Point(120.0, 110.0), Point(900.0, 400.0)


def test_hits_are_counted_by_role_and_site(record: RecordMaker) -> None:
    """Each value has its own counts, unparsed replies among them and failed units not."""
    rows = [
        record(HIT, pair="a", role="link", cluster="x"),
        record(MISS, pair="b", role="link", cluster="y"),
        record(Unparsed("?"), pair="c", role="button", cluster="y"),
        record(None, pair="d", role="button", cluster="y"),
    ]
    table = tabulate(rows)
    by_role = {share.value: share for share in break_down(table, "role")}
    assert (by_role["link"].n, by_role["link"].hits) == (2, 1)
    assert (by_role["button"].n, by_role["button"].unparsed) == (1, 1)
    by_site = {share.value: share.n for share in break_down(table, "site")}
    assert by_site == {"x": 1, "y": 2}


def test_intervals_of_a_kind_take_sites_as_independent(
    record: RecordMaker, jackknife: Callable[..., tuple[float, float]]
) -> None:
    """They are those of a jackknife over the sites that have the kind, or over its pairs."""
    hits = {"x": [1, 0, 1], "y": [1, 1], "z": [0, 1, 1, 1]}
    rows = [
        record(HIT if hit else MISS, pair=f"{site}{n}", role="link", cluster=site)
        for site, several in hits.items()
        for n, hit in enumerate(several)
    ]
    table = tabulate([*rows, record(HIT, pair="w", role="button", cluster="w")])
    found = {
        (units, share.value): share.interval
        for units in ("sites", "pairs")
        for share in break_down(table, "role", units)
    }
    for units, groups in (
        ("sites", list(hits.values())),
        ("pairs", [[hit] for several in hits.values() for hit in several]),
    ):
        interval = found[units, "link"]
        assert interval is not None
        assert (interval.low, interval.high) == pytest.approx(jackknife(groups))
    alone = found["sites", "button"]
    assert alone is not None
    assert alone.clusters == 1
    assert alone.low == pytest.approx(0.025)


@pytest.mark.parametrize(
    ("side", "expected"),
    [(15.9, "under 16"), (16.0, "16 to 24"), (31.0, "24 to 32"), (48.0, "48 and over")],
)
def test_size_is_that_of_the_shorter_side(record: RecordMaker, side: float, expected: str) -> None:
    """The shorter side decides, whichever it is; an edge belongs to the larger bin."""
    for box in (Box(0.0, 0.0, side, 200.0), Box(0.0, 0.0, 200.0, side)):
        bins = size_bins(tabulate([record(HIT, truth=box)]))
        assert bins.names[bins.codes[0]] == expected


def test_standardising_weighs_rates_by_other_counts(record: RecordMaker) -> None:
    """Rates 1 and 0 of two bins, weighed 1 to 3, give a quarter."""
    small, large = Box(110.0, 100.0, 120.0, 120.0), Box(100.0, 100.0, 160.0, 160.0)
    ours = [record(HIT, pair="a", truth=large), record(MISS, pair="b", truth=small)]
    boxes = [large, small, small, small]
    theirs = [record(MISS, pair=f"p{n}", truth=box) for n, box in enumerate(boxes)]
    shares, weights = (break_down(tabulate(rows), "size") for rows in (ours, theirs))
    assert standardised_rate(shares, weights) == 0.25
    with pytest.raises(InvalidInputError, match="in common"):
        standardised_rate(shares, [])
