"""
Another resolution or aspect moves pixels and boxes alike.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from surefoot.core.edit import Letterbox, Resize
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.screen import Element, Screen
from surefoot.perturb.image.change import placing, resized

WIDTH, HEIGHT = 80, 50
factors = st.floats(0.1, 3.0)
edits = st.one_of(
    st.builds(Resize, factors, factors),
    st.builds(Letterbox, st.integers(5, 200), st.integers(5, 200), st.just("#102030")),
)
side = st.floats(-20, 90)
boxes = st.builds(Box.from_xywh, side, side, st.floats(1, 50), st.floats(1, 50))


def pixels() -> np.ndarray:
    """Return a picture of noise."""
    return np.random.default_rng(7).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)


def shown(*found: Box) -> Screen:
    """Return a screen with one button a box."""
    elements = tuple(
        Element(
            f"e{n}", "button", box, name="x", name_boxes=(box,), text_boxes=(box,), font_px=16.0,
            visible_fraction=0.7, hits=(True, False, True, True, True),
        )
        for n, box in enumerate(found)
    )  # fmt: skip
    return Screen("s", "p", "x", "", WIDTH, HEIGHT, 2.0, "web", "en", elements)


@given(box=boxes, point=st.builds(Point, side, side), edit=edits)
def test_points_stay_in_their_boxes(box: Box, point: Point, edit: Resize | Letterbox) -> None:
    """A point lies in a box before exactly where the moved point lies in the moved box."""
    view, _ = resized(shown(box), pixels(), edit)
    place = placing((WIDTH, HEIGHT), edit)
    after = view.elements[0]
    moved = Point(point.x * place.across + place.left, point.y * place.down + place.top)
    margins = [abs(point.x - box.left), abs(point.x - box.right), abs(point.y - box.top),
               abs(point.y - box.bottom)]  # fmt: skip
    if min(margins) > 1e-6:
        assert after.box.contains(moved) is box.contains(point)
    assert after.text_boxes == (after.box,)
    assert (after.visible_fraction, after.hits) == (0.7, (True, False, True, True, True))
    assert after.font_px == pytest.approx(16.0 * place.down)
    assert view.scale == pytest.approx(2.0 * place.across)


@given(edit=edits)
def test_the_picture_fills_its_place(edit: Resize | Letterbox) -> None:
    """The box of the whole picture is where its pixels are; around it are bars alone."""
    view, found = resized(shown(Box(0, 0, WIDTH, HEIGHT)), pixels(), edit)
    left, top, right, bottom = (round(value) for value in view.elements[0].box.as_tuple())
    assert view.elements[0].box.as_tuple() == pytest.approx((left, top, right, bottom))
    assert (view.width, view.height) == (found.shape[1], found.shape[0])
    size = (right - left, bottom - top)
    expected = Image.fromarray(pixels())
    if size != expected.size:
        expected = expected.resize(size, Image.Resampling.LANCZOS)
    assert np.array_equal(found[top:bottom, left:right], np.asarray(expected))
    bars = np.ones(found.shape[:2], dtype=bool)
    bars[top:bottom, left:right] = False
    assert np.all(found[bars] == (16, 32, 48))


@given(width=st.integers(1, 300), height=st.integers(1, 300))
def test_a_letterbox_is_as_large_as_fits(width: int, height: int) -> None:
    """One side of the picture fills the canvas, the other fits; the bars are even."""
    place = placing((WIDTH, HEIGHT), Letterbox(width, height))
    assert place.wide == width or place.high == height
    assert 1 <= place.wide <= width
    assert 1 <= place.high <= height
    assert 0 <= width - place.wide - 2 * place.left <= 1
    assert 0 <= height - place.high - 2 * place.top <= 1


def test_words_that_reached_out_spell_nothing_between_bars() -> None:
    """A name cut off at the picture's edge is not spelled on the bar; resized it stays cut."""
    box = Box(60, 10, 95, 20)
    barred = resized(shown(box), pixels(), Letterbox(200, 60))[0].elements[0]
    assert barred.name_boxes == ()
    plain = resized(shown(box), pixels(), Resize(0.5, 1.0))[0].elements[0]
    assert plain.name_boxes == (Box(30, 10, 47.5, 20),)


def test_a_factor_of_one_is_the_picture() -> None:
    """Where no size changes neither does a pixel or an element."""
    screen = shown(Box(3, 4, 50, 40))
    assert resized(screen, pixels(), Letterbox(WIDTH, HEIGHT))[0] == screen
    view, found = resized(screen, pixels(), Resize(1.0, 1.0))
    assert np.array_equal(found, pixels())
    assert view == msgspec.structs.replace(screen, width=WIDTH)


@pytest.mark.parametrize(
    "edit",
    [Resize(0.0, 1.0), Resize(1.0, -1.0), Resize(math.nan, 1.0), Resize(math.inf, 1.0),
     Resize(1e9, 1.0), Letterbox(0, 10), Letterbox(10, 30_000), Letterbox(10, 10, "black")],
)  # fmt: skip
def test_what_is_no_size_is_refused(edit: Resize | Letterbox) -> None:
    """Sizes and colours that do not exist are the caller's mistake."""
    with pytest.raises(InvalidInputError):
        resized(shown(), pixels(), edit)
