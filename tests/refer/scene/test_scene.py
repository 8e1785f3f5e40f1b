"""
Icon-font words are told from text by the room they take.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box
from surefoot.refer.scene.scene import without_icons

ICON = Box(0, 0, 24, 24)
LABEL = Box(30, 4, 90, 20)


@pytest.mark.parametrize(
    ("name", "lines", "expected"),
    [
        ("home Home", [ICON, LABEL], "Home"),
        ("Sign up assignment", [LABEL, ICON], "Sign up"),
        ("receipt_long", [ICON], ""),
        ("home Home", [Box(0, 0, 60, 24), LABEL], "home Home"),
        ("Reply", [Box(0, 0, 21, 17), Box(0, 17, 12, 34)], "Reply"),
        ("Edit", [Box(0, 0, 24, 18)], "Edit"),
        ("follow this link.", [LABEL, Box(90, 4, 93, 20)], "follow this link."),
        ("", [], ""),
        ("\u9996\u9875 x", [ICON, LABEL], "\u9996\u9875 x"),
    ],
)
def test_only_words_without_room_are_icons(name: str, lines: list[Box], expected: str) -> None:
    """A word is dropped where its box is square and too narrow for its letters."""
    assert without_icons(name, lines) == expected
