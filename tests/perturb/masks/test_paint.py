"""
Masks on pictures: nothing outside the boxes changes, nothing inside them is left.
"""

from __future__ import annotations

from typing import get_args

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.core.canonical import canonical_json
from surefoot.core.edit import Edit, Mask, MaskKind
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.perturb.masks.findable import findability
from surefoot.perturb.masks.paint import LOW_CONTRAST, MASKS, mask, masked, paint
from surefoot.perturb.pixels import Pixels, regions

KINDS: tuple[MaskKind, ...] = get_args(MaskKind)
LOW: tuple[MaskKind, ...] = ("membrane", "sides", "median", "mode", "inpaint")
kinds = st.sampled_from(KINDS)
side = st.floats(-25, 75)
boxes = st.lists(
    st.builds(Box.from_xywh, side, side, st.floats(0, 50), st.floats(0, 40)),
    min_size=1, max_size=4,
)  # fmt: skip


def noise(high: int = 40, wide: int = 60) -> Pixels:
    """Return a picture of noise."""
    return np.random.default_rng(3).integers(0, 256, (high, wide, 3), dtype=np.uint8)


@settings(max_examples=60, deadline=None)
@given(kind=kinds, found=boxes, ring=st.integers(1, 9))
def test_only_the_boxes_change(kind: MaskKind, found: list[Box], ring: int) -> None:
    """Outside the boxes every pixel is kept, the original is untouched, and it is repeatable."""
    pixels = noise()
    before = pixels.copy()
    edit = Mask(tuple(found), kind, ring)
    after = paint(pixels, edit)
    hidden = masked(regions(found, pixels.shape), pixels.shape)
    assert np.array_equal(pixels, before)
    assert np.array_equal(after[~hidden], pixels[~hidden])
    assert np.array_equal(paint(pixels, edit), after)


@settings(max_examples=60, deadline=None)
@given(kind=kinds, found=boxes)
def test_what_was_hidden_has_no_say(kind: MaskKind, found: list[Box]) -> None:
    """Pictures that differ only under the boxes are the same picture once masked."""
    one = noise()
    other = one.copy()
    hidden = masked(regions(found, one.shape), one.shape)
    other[hidden] = 255 - other[hidden]
    edit = Mask(tuple(found), kind, 3)
    assert np.array_equal(paint(one, edit), paint(other, edit))


@pytest.mark.parametrize("kind", LOW)
def test_a_box_on_a_flat_ground_disappears(kind: MaskKind) -> None:
    """On one colour every mask of low contrast is that colour, in the corner as well."""
    pixels = np.full((50, 70, 3), (240, 241, 242), np.uint8)
    ground = pixels.copy()
    pixels[20:30, 20:50] = 0
    pixels[0:6, 60:70] = 9
    edit = Mask((Box(20, 20, 50, 30), Box(60, 0, 90, 6)), kind)
    assert np.array_equal(paint(pixels, edit), ground)


@pytest.mark.parametrize("kind", ["membrane", "sides"])
def test_two_grounds_are_joined(kind: MaskKind) -> None:
    """Across an edge in the ground a smooth fill shows no border where it meets either."""
    pixels = np.full((60, 80, 3), 250, np.uint8)
    pixels[:, :40] = 20
    edit = Mask((Box(25, 20, 55, 40),), kind)
    after = paint(pixels, edit)
    assert np.abs(after[30, 25].astype(int) - 20).max() < 25
    assert np.abs(after[30, 54].astype(int) - 250).max() < 25


def test_the_masks_are_found_as_they_should_be() -> None:
    """On a page with two grounds: high contrast is findable, the default hardly."""
    pixels = np.full((120, 160, 3), 250, np.uint8)
    pixels[:, :60] = (30, 40, 60)
    box = Box(40, 40, 100, 70)
    (place,) = regions([box], pixels.shape)
    hidden = masked([place], pixels.shape)

    def found(kind: MaskKind) -> float:
        return findability(paint(pixels, Mask((box,), kind)), place, hidden)

    assert found("high-contrast") > 0.9
    assert found(LOW_CONTRAST) < 0.5
    assert found(LOW_CONTRAST) < min(found("median"), found("static"))


@pytest.mark.parametrize("kind", ["membrane", "sides", "median", "mode"])
def test_an_element_as_wide_as_its_panel_leaves_the_panel(kind: MaskKind) -> None:
    """A link from edge to edge of a side bar is the bar's colour, not the page's beside it."""
    pixels = np.full((120, 160, 3), 255, np.uint8)
    pixels[:, :70] = (40, 60, 120)
    ground = pixels.copy()
    pixels[50:60, 10:60] = 255
    assert np.array_equal(paint(pixels, Mask((Box(0, 45, 70, 65),), kind)), ground)


def test_overlapping_boxes_are_filled_as_their_union() -> None:
    """Boxes that overlap leave no trace of their common border on a flat ground."""
    pixels = np.full((50, 70, 3), 200, np.uint8)
    ground = pixels.copy()
    pixels[10:40, 10:60] = 0
    edit = Mask((Box(10, 10, 40, 40), Box(30, 15, 60, 40), Box(40, 10, 60, 15)), "membrane")
    assert np.array_equal(paint(pixels, edit), ground)


@pytest.mark.parametrize("kind", KINDS)
def test_the_whole_picture_and_nothing_of_it(kind: MaskKind) -> None:
    """A mask over all of a picture leaves one colour, and one beside it the picture."""
    pixels = noise()
    whole = paint(pixels, Mask((Box(-5, -5, 100, 100),), kind))
    assert len(np.unique(whole.reshape(-1, 3), axis=0)) == 1
    assert np.array_equal(paint(pixels, Mask((Box(60, 0, 90, 40),), kind)), pixels)
    assert np.array_equal(paint(pixels, Mask((), kind)), pixels)


@pytest.mark.parametrize("kind", LOW)
def test_a_ring_without_width_is_refused(kind: MaskKind) -> None:
    """A ring under one pixel is the caller's mistake."""
    edit = Mask((Box(5, 5, 20, 20),), kind, 0)
    with pytest.raises(InvalidInputError, match="ring"):
        paint(noise(), edit)


def test_a_masked_element_is_not_visible() -> None:
    """The screen says so, and keeps the element, its box and its name for the truth."""
    element = Element(
        "a", "button", Box(5, 5, 25, 15), name="Save", visible_fraction=1.0, hits=(True,) * 5
    )
    screen = Screen("s", "p", "x", "", 60, 40, 1.0, "web", "en", (element,))
    after, pixels = mask(screen, noise(), Mask((element.box,), "static"))
    found = after.element("a")
    assert found is not None
    assert (found.visible_fraction, found.hit, found.name) == (0.0, False, "Save")
    assert pixels[5:15, 5:25].min() == 255


def test_the_three_masks_have_their_names() -> None:
    """Static, high contrast and low contrast are there, and edits of them survive JSON."""
    assert list(MASKS) == ["static", "high-contrast", "low-contrast"]
    edits: tuple[Edit, ...] = tuple(Mask((Box(1, 2, 3, 4),), kind, 2) for kind in MASKS.values())
    assert msgspec.json.decode(canonical_json(edits), type=tuple[Edit, ...]) == edits
