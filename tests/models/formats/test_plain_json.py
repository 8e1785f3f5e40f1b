"""
Plain JSON replies.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Refusal, Unparsed
from surefoot.models.formats.plain_json import PLAIN_JSON


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"x": 12, "y": 34.5}', Point(12, 34.5)),
        ('```json\n{"x": 12, "y": 34}\n```', Point(12, 34)),
        ('{"x": "12", "y": " 34 "}', Point(12, 34)),
        ('First {"x": 1, "y": 1}, no: {"x": 12, "y": 34}', Point(12, 34)),
        ('{"point": [12, 34]}', Point(12, 34)),
        ('{"answer": {"x": 12, "y": 34}}', Point(12, 34)),
        ('{"box": [1, 2, 3, 4]}', Box(1, 2, 3, 4)),
        ('{"x": 0, "y": 0}', Point(0, 0)),
        ('{"refusal": "none"} {"x": 1, "y": 2}', Point(1, 2)),
    ],
)
def test_places(reply: str, expected: Point | Box) -> None:
    """The last object with a place counts, in pixels of the image as they are."""
    assert PLAIN_JSON.parse(reply, 1920, 1080) == expected


@pytest.mark.parametrize("reply", ['{"x": 1}', '{"x": null, "y": 2}', "1, 2", '{"refusal": ""}'])
def test_no_place(reply: str) -> None:
    """Half a place, an empty refusal and bare numbers are Unparsed."""
    assert isinstance(PLAIN_JSON.parse(reply, 1920, 1080), Unparsed)


def test_refusal() -> None:
    """A refusal keeps its words."""
    assert PLAIN_JSON.parse('{"refusal": "no such"}', 9, 9) == Refusal("no such")
