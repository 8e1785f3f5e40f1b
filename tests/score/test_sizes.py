"""
Sizes of targets, in bins.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.score.outcomes import Record, tabulate
from surefoot.score.sizes import size_bins

RecordMaker = Callable[..., Record]
HIT = Point(120.0, 110.0)


@pytest.mark.parametrize(
    ("side", "expected"),
    [(15.9, "under 16"), (16.0, "16 to 24"), (31.0, "24 to 32"), (48.0, "48 and over"), (0, "")],
)
def test_size_is_that_of_the_shorter_side(record: RecordMaker, side: float, expected: str) -> None:
    """The shorter side decides, whichever it is; an edge belongs to the larger bin."""
    for box in (Box(0.0, 0.0, side, 200.0), Box(0.0, 0.0, 200.0, side)):
        bins = size_bins(tabulate([record(HIT, truth=box)]).asked)

        assert bins.names[bins.codes[0]] == expected
