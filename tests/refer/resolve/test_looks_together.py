"""
Ink, outline, round form and icon: both resolvers see what is drawn, and no more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.screen import Element, Screen
from surefoot.refer.judge.verdict import Judge
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.scene.scene import Scene

PLACES = {"disk": 20, "square": 80, "lined": 140, "filled": 220, "red": 300, "dark": 360}
LOOKS: list[tuple[dict[str, Any], set[str]]] = [
    ({"shape": "round"}, {"disk"}),
    ({"outline": "blue"}, {"lined"}),
    ({"outline": "red"}, set()),
    ({"ink": "red"}, {"red"}),
    ({"ink": "grey"}, set()),
    ({"icon": "bell"}, {"disk"}),
    ({"icon": "star"}, set()),
]


def drawn() -> tuple[Screen, Any]:
    """Draw a disk, a square, an outline, a block and two words, all of them buttons."""
    picture = Image.new("RGB", (420, 80), "white")
    pen = ImageDraw.Draw(picture)
    pen.ellipse((20, 20, 59, 59), fill=(0, 0, 255))
    pen.rectangle((80, 20, 119, 59), fill=(0, 0, 255))
    pen.rectangle((140, 20, 199, 59), outline=(0, 0, 255), width=2)
    pen.rectangle((220, 20, 279, 59), fill=(0, 0, 255))
    pen.text((302, 30), "Open", fill=(230, 0, 0))
    pen.text((362, 30), "Shut", fill=(85, 85, 85))
    icons = {"disk": "bell", "square": "star-of-life"}
    elements = []
    for name, left in PLACES.items():
        box = Box(left, 20, left + (40 if name in icons else 60 if left < 300 else 40), 60)
        words = (Box(left, 28, left + 34, 44),) if left >= 300 else ()
        elements.append(
            Element(
                name, "button", box, text="Open" if words else "", text_boxes=words,
                visible_fraction=1.0, hits=(True,) * 5,
                attributes={"icons": icons[name]} if name in icons else {},
            )
        )  # fmt: skip
    screen = Screen("s", "p", "x", "", 420, 80, 1.0, "web", "en", tuple(elements))
    return screen, np.asarray(picture)


@pytest.mark.parametrize(("look", "expected"), LOOKS)
def test_both_see_what_is_drawn(look: dict[str, Any], expected: set[str]) -> None:
    """Each look fits what was drawn so, by either resolver, and strictly nothing else."""
    screen, pixels = drawn()
    expression = Expression(role="button", **look)
    scene, judge = Scene(screen, pixels), Judge(screen, pixels)
    for reading in ("strict", "lenient"):
        mine = set(np.flatnonzero(fits(scene, expression, reading)).tolist())
        theirs = set(judge.fits(expression, reading))
        assert mine == theirs
        assert reading == "lenient" or {screen.elements[at].id for at in mine} == expected


def test_an_icon_of_a_like_name_is_a_rival() -> None:
    """Another picture with a word of an icon's name, and one without a name, could be it."""
    screen, pixels = drawn()
    star = Expression(role="button", icon="star")
    found = np.flatnonzero(fits(Scene(screen, pixels), star, "lenient"))
    assert "square" in {screen.elements[at].id for at in found}
    assert "disk" not in {screen.elements[at].id for at in found}
