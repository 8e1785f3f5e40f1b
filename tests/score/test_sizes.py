"""
Sizes of targets, in bins.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.score.metric import METRICS, Ruler
from surefoot.score.outcomes import Record, by_model, tabulate
from surefoot.score.rows import rows_of
from surefoot.score.scores import score_rows
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.sizes import size_bins
from surefoot.score.standardise import standardised_rate

RecordMaker = Callable[..., Record]
HIT, MISS = Point(120.0, 110.0), Point(900.0, 400.0)


@pytest.mark.parametrize(
    ("side", "expected"),
    [(15.9, "under 16"), (16.0, "16 to 24"), (31.0, "24 to 32"), (48.0, "48 and over"), (0, "")],
)
def test_size_is_that_of_the_shorter_side(record: RecordMaker, side: float, expected: str) -> None:
    """The shorter side decides, whichever it is; an edge belongs to the larger bin."""
    for box in (Box(0.0, 0.0, side, 200.0), Box(0.0, 0.0, 200.0, side)):
        bins = size_bins(tabulate([record(HIT, truth=box)]).asked)

        assert bins.names[bins.codes[0]] == expected


def test_standardising_weighs_rates_by_other_counts(record: RecordMaker) -> None:
    """Rates 1 and 0 of two bins, weighed 1 to 3, give a quarter."""
    small, large = Box(110.0, 100.0, 120.0, 120.0), Box(100.0, 100.0, 160.0, 160.0)
    ours = [record(HIT, pair="a", truth=large), record(MISS, pair="b", truth=small)]
    boxes = [large, small, small, small]
    theirs = [record(MISS, pair=f"p{n}", truth=box) for n, box in enumerate(boxes)]
    hit = METRICS.get("hit")
    tables = [tabulate_for(HITS, by_model(rows)) for rows in (ours, theirs)]
    shares, weights = (
        score_rows(rows_of(table, Ruler()), hit, hit.values(table, Ruler()), "size")
        for table in tables
    )

    assert standardised_rate(shares, weights) == 0.25
    with pytest.raises(InvalidInputError, match="in common"):
        standardised_rate(shares, [])
