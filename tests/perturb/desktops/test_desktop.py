"""
Drawn desktops: what they show is known, and what is covered is known to be covered.
"""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from surefoot.core.edit import Paste
from surefoot.core.errors import UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element
from surefoot.perturb.desktops.desktop import DESKTOPS, desktop_named, draw_desktop, work_area

RED = (255, 0, 0)
WINDOW = Box(300, 200, 900, 620)


def drawn(name: str, pattern: int = 1) -> tuple[np.ndarray, tuple[Element, ...]]:
    """Draw a desktop of 1280 x 720 with a red picture in its window."""
    picture = Image.new("RGB", (600, 400), RED)
    canvas, _ = draw_desktop(Paste(name, pattern, 1280, 720, 300, 220, 1.0, 20), picture, "Red")
    return np.asarray(canvas.image), canvas.elements()


@pytest.mark.parametrize("name", DESKTOPS)
def test_every_desktop_shows_controls_and_a_window(name: str) -> None:
    """Icons, a clock and the window's buttons are elements; the picture is whole."""
    pixels, elements = drawn(name)
    seen = [element for element in elements if element.visible_fraction > 0]

    assert (pixels[220:620, 300:900] == RED).all()
    assert sum(item.role == "button" for item in seen) >= 9
    assert {"Minimise", "Maximise", "Close"} <= {item.name for item in seen}
    assert len({element.id for element in elements}) == len(elements)
    assert any(item.role == "window" and item.box == WINDOW for item in seen)


@pytest.mark.parametrize("name", DESKTOPS)
def test_what_the_window_covers_is_neither_visible_nor_hit(name: str) -> None:
    """Visible shares and hits of what lies behind agree with the window's own box."""
    own = {"Red", "Minimise", "Maximise", "Close"}
    for pattern in range(3):
        for element in drawn(name, pattern)[1]:
            common = WINDOW.intersection(element.box)
            if common is None or element.name in own:
                continue
            assert element.visible_fraction <= 1 - common.area / element.box.area + 0.02
            if element.hits and common == element.box:
                assert not any(element.hits)
            if any(WINDOW.intersection(box) for box in element.text_boxes):
                assert element.name_boxes == ()


@pytest.mark.parametrize("name", DESKTOPS)
def test_icons_are_drawn_where_their_boxes_are(name: str) -> None:
    """In each visible icon's box the picture has more than one colour."""
    pixels, elements = drawn(name)
    for element in elements:
        if element.role == "button" and element.visible_fraction == 1.0:
            left, top, right, bottom = (round(side) for side in element.box.as_tuple())
            colors = np.unique(pixels[top:bottom, left:right].reshape(-1, 3), axis=0)
            assert len(colors) > 1, element.name


def test_wallpapers_differ_by_desktop_and_pattern() -> None:
    """No two desktops look alike, and a pattern's number changes the drawing."""
    pictures = [drawn(name)[0].tobytes() for name in DESKTOPS]
    assert len(set(pictures)) == len(DESKTOPS)
    assert drawn("meadow", 1)[0].tobytes() != drawn("meadow", 2)[0].tobytes()


def test_an_unknown_desktop_is_refused() -> None:
    """A name that is no desktop is an error with the nearest name."""
    with pytest.raises(UnknownNameError, match="'paper'"):
        desktop_named("papers")
    with pytest.raises(UnknownNameError):
        work_area("", 1280, 720)
