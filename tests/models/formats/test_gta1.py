"""
GTA1's replies.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Unparsed
from surefoot.models.formats.gta1 import GTA1


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("(966,546)", Point(960, 540)),
        ("(966, 546)\nassistant\n(1,1)\nassistant", Point(960, 540)),
        ("Thought: not (5,5), but there.\nAction: (966,546)", Point(960, 540)),
        ("Thought: there.\nAction: click(start_box='(966,546)')", Point(960, 540)),
        ("Action: ((966.0,546.0))", Point(960, 540)),
        ("(0,0,1932,1092)", Box(0, 0, 1920, 1080)),
        ("(-161,91)", Point(-160, 90)),
    ],
)
def test_places(reply: str, expected: Point | Box) -> None:
    """The first pair after "Action:" counts, converted from 1932 x 1092 to the image."""
    assert GTA1.parse(reply, 1920, 1080) == expected


@pytest.mark.parametrize("reply", ["Thought: (5,5).\nAction: (9", "[1, 2]", "(1 2)", "x=1"])
def test_no_place(reply: str) -> None:
    """A cut-off answer is Unparsed, even where the thoughts name coordinates."""
    assert isinstance(GTA1.parse(reply, 1920, 1080), Unparsed)
