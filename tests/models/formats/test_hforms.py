"""
Replies of four numbers with separators.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.core.question import Unparsed
from surefoot.models.formats.hforms import HFORMS, SEPARATOR, read

SIDES = st.integers(0, 4000).map(lambda number: number / 4)


@given(st.lists(SIDES, min_size=4, max_size=4))
def test_a_box_comes_back(sides: list[float]) -> None:
    """What is spelled is read again as the same box of the original image."""
    left, right = sorted(sides[:2])
    top, bottom = sorted(sides[2:])
    box = Box(left, top, right, bottom)
    assert HFORMS.parse(HFORMS.write(box, 640, 480), 640, 480) == box


@pytest.mark.parametrize("reply", ["88<SEP>30<SEP>12<SEP>61", "12<SEP>61<SEP>88<SEP>30"])
def test_a_box_turned_inside_out_is_unparsed(reply: str) -> None:
    """A box whose right bottom corner is not below and right of the other one is none."""
    assert isinstance(HFORMS.parse(reply, 1280, 800), Unparsed)


@given(st.text(f"0123456789.{SEPARATOR}\n ", max_size=60))
def test_only_whole_boxes_are_read(reply: str) -> None:
    """Whatever is read stands letter by letter on the last line."""
    found = read(reply)
    if not isinstance(found, Unparsed):
        last = reply.strip().splitlines()[-1].strip()
        assert tuple(float(part) for part in last.split(SEPARATOR)) == found.numbers
