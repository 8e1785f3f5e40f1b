"""
Plain JSON replies.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Parsed, Refusal, Unparsed
from surefoot.models.formats.plain_json import PER_MILLE_JSON, PLAIN_JSON


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


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"x": 500, "y": 250}', Point(640, 200)),
        ('{"box": [0, 0, 1000, 500]}', Box(0, 0, 1280, 400)),
    ],
)
def test_thousandths_become_pixels(reply: str, expected: Point | Box) -> None:
    """A thousand is the whole width or height, whatever the picture's size."""
    assert PER_MILLE_JSON.parse(reply, 1280, 800) == expected


def test_the_prompt_asks_for_thousandths() -> None:
    """A model is told the size, and that its answer does not count in it."""
    for reasoning in (False, True):
        said = PER_MILLE_JSON.messages("Click", 1234, 876, reasoning=reasoning).user
        assert "1234 pixels wide" in said
        assert "not said in pixels" in said
        assert '{"x": <0 to 1000>, "y": <0 to 1000>}' in said
