"""
UI-TARS-1.5's replies.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Refusal, Unparsed
from surefoot.models.formats.ui_tars_15 import UI_TARS_15


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Action: click(start_box='(966,546)')", Point(960, 540)),
        ("Action: click(start_box='<|box_start|>(966,546)<|box_end|>')", Point(960, 540)),
        ("Action: click(point='<point>966 546</point>')", Point(960, 540)),
        (
            "Thought: not click(start_box='(1,1)').\nAction: left_double(start_box='(966,546)')",
            Point(960, 540),
        ),
        ("Action: type(content='a')\nclick(start_box='(966,546)')", Point(960, 540)),
        ("click(start_box='(966,546)')", Point(960, 540)),
        ("Action: click(start_box='[0, 0, 1932, 1092]')", Box(0, 0, 1920, 1080)),
    ],
)
def test_places(reply: str, expected: Point | Box) -> None:
    """The first pointing call after "Action:" counts, with or without tokens."""
    assert UI_TARS_15.parse(reply, 1920, 1080) == expected


@pytest.mark.parametrize(
    "reply",
    [
        "Action: scroll(direction='down', start_box='(794,483)')",
        "Action: type(content='TSLA')",
        "Action: wait()",
        "Action: click(start_box='')",
        "Action: click()",
        "Action: click(start_box='(794')",
        "Action: finished()",
    ],
)
def test_no_place(reply: str) -> None:
    """Scrolling, typing, waiting and a click without a position are Unparsed."""
    assert isinstance(UI_TARS_15.parse(reply, 1920, 1080), Unparsed)


def test_refusal() -> None:
    """Calling the user is a Refusal."""
    assert isinstance(UI_TARS_15.parse("Thought: no.\nAction: call_user()", 640, 480), Refusal)


def test_small_images_are_grown() -> None:
    """An image below the least area is answered in the grown size."""
    assert UI_TARS_15.parse("click(point='<point>168 126</point>')", 200, 150) == Point(100, 75)
