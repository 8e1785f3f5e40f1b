"""
Plain JSON replies.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Parsed, Refusal, Unparsed
from surefoot.models.formats.plain_json import PLAIN_JSON


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"x": 0, "y": 0}', Point(0, 0)),
        ('{"box": [1, 2, 3, 4]}', Box(1, 2, 3, 4)),
        ('{"refusal": "none"} {"x": 1, "y": 2}', Point(1, 2)),
        ('{"x": 1, "y": 2} {"refusal": "none"}', Refusal("none")),
        ('{"x": 1}', Unparsed("no JSON object with a place")),
    ],
)
def test_the_last_word_counts(reply: str, expected: Parsed) -> None:
    """The last object with a place or a refusal counts, in pixels of the image as they are."""
    assert PLAIN_JSON.parse(reply, 1920, 1080) == expected
