"""
Holo's replies.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Point
from surefoot.models.format import Format
from surefoot.models.formats.holo import HOLO1, HOLO2, HOLO15


@pytest.mark.parametrize(
    ("form", "reply", "expected"),
    [
        (HOLO1, "Click(658, 364)", Point(960, 540)),
        (HOLO15, '{"action": "click_absolute", "x": 966, "y": 546}', Point(960, 540)),
        (HOLO2, '{"x": 500, "y": 500}', Point(960, 540)),
    ],
)
def test_places_are_those_of_the_image(form: Format, reply: str, expected: Point) -> None:
    """A place is converted from what each generation counts in, and the prompt says its size."""
    assert form.parse(reply, 1920, 1080) == expected
    asked = form.messages("Save", 1920, 1080, reasoning=False).user
    width, height = form.space.shown(1920, 1080)
    assert (f"{width} pixels wide and {height} pixels high" in asked) is (form is not HOLO2)
