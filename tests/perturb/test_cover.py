"""
What is drawn over a picture takes away exactly what it covers.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.perturb.cover import HITS, cover, shared_area

whole = st.integers(-20, 60).map(float)
boxes = st.builds(
    Box.from_xywh, whole, whole, st.integers(1, 40).map(float), st.integers(1, 40).map(float)
)


def shown(*elements: Element) -> Screen:
    """Return a screen of 60 x 50 pixels."""
    return Screen("s", "p", "x", "", 60, 50, 1.0, "web", "en", elements)


def button(box: Box) -> Element:
    """Return an element that is whole, hit everywhere and spelled in its box."""
    return Element("a", "button", box, name_boxes=(box,), visible_fraction=1.0, hits=(True,) * 5)


def counted(box: Box, others: list[Box]) -> int:
    """Count pixels one by one: those of a box of whole sides that others cover."""
    grid = np.zeros((200, 200), dtype=bool)
    for other in others:
        grid[int(other.top) + 50 : int(other.bottom) + 50,
             int(other.left) + 50 : int(other.right) + 50] = True  # fmt: skip
    part = grid[int(box.top) + 50 : int(box.bottom) + 50,
                int(box.left) + 50 : int(box.right) + 50]  # fmt: skip
    return int(part.sum())


@given(box=boxes, others=st.lists(boxes, max_size=5))
def test_covered_area_is_that_of_counted_pixels(box: Box, others: list[Box]) -> None:
    """However boxes overlap, each pixel that they share with the box counts once."""
    assert shared_area(box, others) == counted(box, others)


@given(box=boxes, others=st.lists(boxes, min_size=1, max_size=4))
def test_an_element_loses_what_is_covered_on_the_picture(box: Box, others: list[Box]) -> None:
    """The visible share falls by the covered one; points under a box are hit no more."""
    screen = shown(button(box))
    inside = [part for other in others if (part := screen.bounds.intersection(other)) is not None]
    found = cover(screen, others).elements[0]
    expected = 1.0 - counted(box, inside) / box.area

    assert found.visible_fraction == pytest.approx(max(0.0, expected), abs=1e-6)
    for hit, (x, y) in zip(found.hits, HITS, strict=True):
        point = (box.left + x * box.width, box.top + y * box.height)
        under = any(
            item.left <= point[0] < item.right and item.top <= point[1] < item.bottom
            for item in inside
        )
        assert hit is not under
    assert (found.name_boxes == ()) is (counted(box, inside) > 0)
    assert found.box == box


def test_what_is_wholly_covered_is_not_visible() -> None:
    """A covered element stays on the screen, with no visible share and no hit."""
    found = cover(shown(button(Box(3.3, 4.7, 20.1, 30.9))), [Box(0, 0, 25, 31)]).elements[0]
    assert (found.visible_fraction, found.hit, any(found.hits)) == (0.0, False, False)


def test_a_pointer_covers_and_does_not_block() -> None:
    """Under a pointer less is seen, and a click still arrives."""
    found = cover(shown(button(Box(0, 0, 10, 10))), [Box(0, 0, 10, 5)], blocks=False).elements[0]
    assert (found.visible_fraction, found.hits) == (0.5, (True,) * 5)


def test_never_more_is_visible_than_before() -> None:
    """What another thing hid already stays hidden, a container keeps its lack of hits."""
    half = msgspec.structs.replace(button(Box(0, 0, 10, 10)), visible_fraction=0.4)
    group = msgspec.structs.replace(button(Box(0, 0, 50, 40)), id="g", hits=())
    found = cover(shown(half, group), [Box(0, 0, 10, 8)])
    assert found.elements[0].visible_fraction == 0.0
    assert found.elements[1].hits == ()


def test_what_is_not_touched_is_the_same() -> None:
    """Boxes outside the picture or beside an element change nothing of it."""
    screen = shown(button(Box(0, 0, 10, 10)))
    assert cover(screen, [Box(10, 0, 20, 10)]) == screen
    assert cover(screen, [Box(-30, -30, 0, 0)]) == screen
    assert cover(screen, []) == screen


def test_an_element_without_area_is_covered_by_what_lies_on_it() -> None:
    """A line or a point has no share to lose: it is seen or it is not."""
    line = button(Box(5, 5, 20, 5))
    assert cover(shown(line), [Box(0, 0, 30, 30)]).elements[0].visible_fraction == 0.0
    assert cover(shown(line), [Box(0, 6, 30, 30)]).elements[0].visible_fraction == 1.0
