"""
GTA1's replies.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.models.formats.gta1 import GTA1


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Action: (966,546)", Point(960, 540)),
        ("(0,0,1932,1092)", Box(0, 0, 1920, 1080)),
        ("(-161,91)", Point(-160, 90)),
    ],
)
def test_places_are_those_of_the_image(reply: str, expected: Point | Box) -> None:
    """A place is converted from 1932 x 1092, which the model saw, to the image."""
    assert GTA1.parse(reply, 1920, 1080) == expected
