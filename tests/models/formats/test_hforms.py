"""
Replies of four numbers with separators.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.core.question import Unparsed
from surefoot.models.formats.hforms import HFORMS, SEPARATOR, read, spell_box

SIDES = st.integers(0, 4000).map(lambda number: number / 4)


@given(st.lists(SIDES, min_size=4, max_size=4))
def test_a_box_comes_back(sides: list[float]) -> None:
    """What is spelled is read again as the same box of the original image."""
    left, right = sorted(sides[:2])
    top, bottom = sorted(sides[2:])
    said = spell_box(left, top, right, bottom)
    assert HFORMS.parse(said, 640, 480) == Box(left, top, right, bottom)


@pytest.mark.parametrize(
    "reply",
    [
        " 12<SEP>30<SEP>88<SEP>61\n",
        "It is below the title.\n12<SEP>30<SEP>88<SEP>61",
        "12.0<SEP>30.<SEP>88<SEP>61",
    ],
)
def test_boxes(reply: str) -> None:
    """Spaces around it do not count, nor does what stands on lines before it."""
    assert HFORMS.parse(reply, 1280, 800) == Box(12, 30, 88, 61)


@pytest.mark.parametrize(
    "reply",
    [
        "12,30,88,61",
        "12<SEP>30",
        "12<SEP>30<SEP>88",
        "12<SEP>30<SEP>88<SEP>61<SEP>99",
        "12 <SEP> 30 <SEP> 88 <SEP> 61",
        "12<sep>30<sep>88<sep>61",
        "[12<SEP>30<SEP>88<SEP>61]",
        "12px<SEP>30px<SEP>88px<SEP>61px",
        "x1<SEP>y1<SEP>x2<SEP>y2",
        "88<SEP>30<SEP>12<SEP>61",
        "12<SEP>61<SEP>88<SEP>30",
        "1e3<SEP>30<SEP>88<SEP>61",
        "12<SEP>30<SEP>88<SEP>61\nI hope that helps.",
        "1<SEP>2<SEP>3<SEP>4\n12<SEP>30<SEP>88<SEP>61",
        "9999999<SEP>30<SEP>99999999<SEP>61",
        "",
    ],
)
def test_anything_else_is_unparsed(reply: str) -> None:
    """A reply that is nearly a box is none, nor is one of two."""
    assert isinstance(HFORMS.parse(reply, 1280, 800), Unparsed)


@given(st.text(f"0123456789.{SEPARATOR}\n ", max_size=60))
def test_only_whole_boxes_are_read(reply: str) -> None:
    """Whatever is read stands letter by letter on the last line."""
    found = read(reply)
    if not isinstance(found, Unparsed):
        last = reply.strip().splitlines()[-1].strip()
        assert tuple(float(part) for part in last.split(SEPARATOR)) == found.numbers
