"""
Qwen2.5-VL's replies.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Refusal, Unparsed
from surefoot.models.formats.qwen25_vl import QWEN25_VL

CLICK = '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [966, 546]}}'
TYPE = '{"name": "computer_use", "arguments": {"action": "type", "text": "[1, 2]"}}'
MOVE = '{"name": "computer_use", "arguments": {"action": "mouse_move", "coordinate": [3, 3]}}'


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (f"<tool_call>\n{CLICK}\n</tool_call>", Point(960, 540)),
        (f"Thought: at [1, 2].\n<tool_call>\n{CLICK}\n</tool_call>", Point(960, 540)),
        (f"<tool_call>{TYPE}</tool_call><tool_call>{CLICK}</tool_call>", Point(960, 540)),
        (f"<tool_call>{CLICK}</tool_call><tool_call>{MOVE}</tool_call>", Point(960, 540)),
        (f"```json\n{CLICK}\n```", Point(960, 540)),
        (CLICK[:-1], Point(960, 540)),
        ('[{"bbox_2d": [0, 0, 1932, 1092], "label": "Save"}]', Box(0, 0, 1920, 1080)),
        ('{"point_2d": [966, 546]}', Point(960, 540)),
    ],
)
def test_places(reply: str, expected: Point | Box) -> None:
    """The first call with a coordinate counts, whatever surrounds it."""
    assert QWEN25_VL.parse(reply, 1920, 1080) == expected


@pytest.mark.parametrize(
    "reply",
    [
        f"<tool_call>{TYPE}</tool_call>",
        '{"action": "scroll", "coordinate": [5, 5], "pixels": -400}',
        '{"action": "left_click", "coordinate": "there"}',
        '{"action": "left_click"}',
        "The button is at [966, 546].",
    ],
)
def test_no_place(reply: str) -> None:
    """Typing, scrolling and prose are Unparsed."""
    assert isinstance(QWEN25_VL.parse(reply, 1920, 1080), Unparsed)


def test_refusal() -> None:
    """Ending the task as failed is a Refusal; ending it as done is not."""
    ended = '{"name": "computer_use", "arguments": {"action": "terminate", "status": "%s"}}'
    assert isinstance(QWEN25_VL.parse(ended % "failure", 640, 480), Refusal)
    assert isinstance(QWEN25_VL.parse(ended % "success", 640, 480), Unparsed)
