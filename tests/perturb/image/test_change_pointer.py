"""
A pointer is drawn where it says, and takes no click away.
"""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.core.edit import Pointer
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.perturb.image.change import draw_pointer, pointer_box


def shown(box: Box) -> Screen:
    """Return a screen of 100 x 80 with one button."""
    element = Element(
        "a", "button", box, name_boxes=(box,), visible_fraction=1.0, hits=(True,) * 5
    )
    return Screen("s", "p", "x", "", 100, 80, 1.0, "web", "en", (element,))


@pytest.mark.parametrize("edit", [Pointer(20, 30, 24), Pointer(95, 75, 40), Pointer(-6, -9, 30)])
def test_only_its_box_changes(edit: Pointer) -> None:
    """Outside its box every pixel is kept, also where it reaches over the picture's edge."""
    before = np.full((80, 100, 3), 120, np.uint8)
    after = draw_pointer(shown(Box(0, 0, 5, 5)), before, edit)[1]
    changed = np.argwhere((after != before).any(axis=2))
    box = pointer_box(edit)
    assert len(changed)
    assert all(
        box.top <= row < box.bottom and box.left <= column < box.right for row, column in changed
    )
    assert before.min() == before.max() == 120


def test_it_is_black_with_a_white_edge() -> None:
    """Both colours are there, so that it is seen on any ground, and its tip is at its corner."""
    for ground in (0, 255):
        before = np.full((80, 100, 3), ground, np.uint8)
        after = draw_pointer(shown(Box(0, 0, 5, 5)), before, Pointer(10, 10, 48))[1]
        other = 255 - ground
        assert (after[..., 0] == other).sum() > 50
    white = draw_pointer(
        shown(Box(0, 0, 5, 5)), np.zeros((80, 100, 3), np.uint8), Pointer(10, 10, 48)
    )[1]
    rows, columns = np.nonzero(white[..., 0])
    assert (rows.min() - 10, columns.min() - 10) <= (2, 2)


def test_a_click_passes_and_the_name_is_covered() -> None:
    """Under a pointer an element is seen less, its words spell nothing, and hits stay."""
    found = draw_pointer(
        shown(Box(10, 10, 40, 30)), np.zeros((80, 100, 3), np.uint8), Pointer(10, 10, 20)
    )
    element = found[0].elements[0]
    assert element.visible_fraction == pytest.approx(1 - 12 * 20 / 600)
    assert element.hits == (True,) * 5
    assert element.name_boxes == ()


@pytest.mark.parametrize("height", [0, -3, 1001])
def test_a_height_that_is_none_is_refused(height: int) -> None:
    """A pointer of no height, or a giant, is the caller's mistake."""
    with pytest.raises(InvalidInputError, match="pointer"):
        pointer_box(Pointer(0, 0, height))
