"""
UI-TARS-1.5's replies.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box, Point
from surefoot.models.formats.ui_tars_15 import UI_TARS_15, read
from surefoot.models.reading import Place

NUMBERS = st.integers(0, 9999) | st.integers(0, 99990).map(lambda tenths: tenths / 10)
MARKS = (
    "",
    "Action: ",
    "```action\nAction: ",
    "**Action:** ",
    "It is there. Action: ",
    "Action:\n",
)
CALLS = ("click", "left_double", "right_single", "long_press", "hover", "Click", "pyautogui.click")
NAMES = ("", "start_box=", "point = ", "coordinate=", "start_point=", "button='left', point=")
SHAPES = (
    "'({x},{y})'",
    "({x}, {y})",
    "[{x},{y}]",
    '"{x} {y}"',
    "'<|box_start|>({x},{y})<|box_end|>'",
    "<point>{x} {y}</point>",
    "x={x}, y={y}",
    "'{x}', '{y}'",
    "(( {x} , {y} ))",
)
ENDS = ("", ")", "))", ") ", ")```", ")  # there", ", clicks=2)")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Action: click(start_box='(966,546)')", Point(960, 540)),
        ("Action: click(start_box='[0, 0, 1932, 1092]')", Box(0, 0, 1920, 1080)),
        ("click(start_box='<|box_start|>(0,0),(966,546)<|box_end|>')", Box(0, 0, 960, 540)),
    ],
)
def test_places_are_those_of_the_image(reply: str, expected: Point | Box) -> None:
    """A place is converted from 1932 x 1092, which the model saw, to the image."""
    assert UI_TARS_15.parse(reply, 1920, 1080) == expected


@given(
    st.sampled_from(MARKS),
    st.sampled_from(CALLS),
    st.sampled_from(NAMES),
    st.sampled_from(SHAPES),
    st.sampled_from(ENDS[1:]),
    NUMBERS,
    NUMBERS,
)
def test_a_position_is_read_in_every_combination_of_shapes(
    mark: str, call: str, name: str, shape: str, end: str, x: float, y: float
) -> None:
    """Any mark, call, name, spelling of a pair and end together give the pair that was written."""
    reply = f"{mark}{call}({name}{shape.format(x=x, y=y)}{end}"
    assert read(reply) == Place((x, y))


def test_small_images_are_grown() -> None:
    """An image below the least area is answered in the grown size."""
    assert UI_TARS_15.parse("click(point='<point>168 126</point>')", 200, 150) == Point(100, 75)
