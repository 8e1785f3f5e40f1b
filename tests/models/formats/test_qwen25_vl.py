"""
Qwen2.5-VL's replies.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Unparsed
from surefoot.models.formats.qwen25_vl import QWEN25_VL

CLICK = '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [966, 546]}}'
MOVE = '{"name": "computer_use", "arguments": {"action": "mouse_move", "coordinate": [3, 3]}}'


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (f"<tool_call>{CLICK}</tool_call><tool_call>{MOVE}</tool_call>", Point(960, 540)),
        ('[{"bbox_2d": [0, 0, 1932, 1092], "label": "Save"}]', Box(0, 0, 1920, 1080)),
    ],
)
def test_places_are_those_of_the_image(reply: str, expected: Point | Box) -> None:
    """The first place is converted from 1932 x 1092, which the model saw, to the image."""
    assert QWEN25_VL.parse(reply, 1920, 1080) == expected


def test_an_end_without_failure_is_no_refusal() -> None:
    """Ending the task as done is no answer, and no refusal either."""
    ended = '{"name": "computer_use", "arguments": {"action": "terminate", "status": "success"}}'
    assert isinstance(QWEN25_VL.parse(ended, 640, 480), Unparsed)
