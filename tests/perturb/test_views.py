"""
Views carry pixels and elements along together: what was under a point stays under it.
"""

from __future__ import annotations

import io
from typing import Final

import msgspec
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from surefoot.core.canonical import sha256
from surefoot.core.edit import Crop, Paste
from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.geometry import Box, Point
from surefoot.core.screen import Element, Screen
from surefoot.perturb.views import background, crop, moved_point

WIDTH: Final = 160
HEIGHT: Final = 120
SMALL_DESKTOP: Final = (480, 270)


def _noise() -> bytes:
    pixels = np.random.default_rng(5).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


PNG: Final = _noise()
sides = st.integers(-40, 200)
boxes = st.builds(
    Box.from_xywh, sides.map(float), sides.map(float), st.floats(1, 90), st.floats(1, 90)
)
points = st.builds(Point, st.floats(-50, 220), st.floats(-50, 220))
crops = st.tuples(
    st.lists(st.integers(0, WIDTH), min_size=2, max_size=2, unique=True).map(sorted),
    st.lists(st.integers(0, HEIGHT), min_size=2, max_size=2, unique=True).map(sorted),
).map(lambda item: Crop(item[0][0], item[1][0], item[0][1], item[1][1]))
pastes = st.builds(
    Paste,
    background=st.sampled_from(["meadow", "evening", "workshop"]),
    pattern=st.integers(0, 5),
    width=st.just(SMALL_DESKTOP[0]),
    height=st.just(SMALL_DESKTOP[1]),
    left=st.integers(16, 320),
    top=st.integers(20, 129),
    scale=st.floats(0.3, 1.0),
    bar=st.sampled_from([0, 12]),
)


def element(name: str, box: Box, **more: object) -> Element:
    """Return an element that is whole, hit everywhere and spelled in its box."""
    made = Element(
        name, "button", box, name=name, name_boxes=(box,), text=name, text_boxes=(box,),
        font_px=16.0, visible_fraction=1.0, hits=(True,) * 5,
    )  # fmt: skip
    return msgspec.structs.replace(made, **more)


def shown(*elements: Element) -> Screen:
    """Return a screen with the noisy picture and these elements."""
    return Screen(
        "s", "site/a.html", "x", sha256(PNG), WIDTH, HEIGHT, 1.0, "web", "en", elements,
        title="A page",
    )  # fmt: skip


def pixels_of(png: bytes) -> np.ndarray:
    """Return a picture's pixels."""
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


@given(box=boxes, point=points, edit=crops)
def test_a_crop_keeps_points_in_their_boxes(box: Box, point: Point, edit: Crop) -> None:
    """A point lies in a box before exactly where the moved point lies in the moved box."""
    screen = shown(element("a", box))
    view, _ = crop(screen, PNG, edit)
    after = view.element("a")
    reaches = box.intersection(Box(edit.left, edit.top, edit.right, edit.bottom)) is not None

    assert (after is not None) is reaches
    if after is not None:
        assert after.box == box.moved(-edit.left, -edit.top)
        assert after.name_boxes == after.text_boxes == (after.box,)
        whole = Point(float(round(point.x)), float(round(point.y)))
        inside = after.box.contains(moved_point(whole, screen, edit))
        near = Box(*(round(side, 6) for side in box.as_tuple()))
        assert inside is box.contains(whole) or near.contains(whole) is not box.contains(whole)


@given(edit=crops)
def test_a_crop_is_the_part_itself(edit: Crop) -> None:
    """The view's pixels are the picture's, its size the part's, its hash its own."""
    view, png = crop(shown(), PNG, edit)

    part = pixels_of(PNG)[edit.top : edit.bottom, edit.left : edit.right]
    assert np.array_equal(pixels_of(png), part)
    assert (view.width, view.height) == (part.shape[1], part.shape[0])
    assert view.image == sha256(png)
    assert view.edits == (edit,)


@given(box=boxes, edit=crops)
def test_a_crop_counts_what_it_cuts_off(box: Box, edit: Crop) -> None:
    """The visible share is that of the box in the part, and hits outside the part are none."""
    part = Box(edit.left, edit.top, edit.right, edit.bottom)
    common = part.intersection(box)
    found = crop(shown(element("a", box)), PNG, edit)[0].element("a")
    if common is None:
        assert found is None
        return

    assert found is not None
    assert found.visible_fraction == pytest.approx(common.area / box.area)
    middle = box.center
    inside = part.left <= middle.x < part.right and part.top <= middle.y < part.bottom
    assert found.hit is inside
    if common == box:
        assert sum(found.hits) >= 4  # a point on the far border itself is outside the pixels


def test_a_crop_never_makes_more_visible_or_hit() -> None:
    """What another thing covered stays covered, and a container still has no hits."""
    half = element("half", Box(10, 10, 50, 30), visible_fraction=0.4, hits=(False,) * 5)
    group = element("group", Box(0, 0, 90, 90), role="group", hits=())
    view, _ = crop(shown(half, group), PNG, Crop(5, 5, 100, 100))

    found = {item.id: item for item in view.elements}
    assert found["half"].visible_fraction == 0.4
    assert not any(found["half"].hits)
    assert found["group"].hits == ()


def test_children_of_what_is_dropped_go_to_its_parent() -> None:
    """A chain of parents is closed over an element that the part leaves out."""
    screen = shown(
        element("all", Box(0, 0, 160, 120)),
        element("far", Box(100, 100, 120, 110), parent="all"),
        element("near", Box(10, 10, 30, 30), parent="far"),
        element("ring", Box(10, 40, 30, 60), parent="knot"),
        element("knot", Box(100, 40, 130, 60), parent="ring"),
    )
    view, _ = crop(screen, PNG, Crop(0, 0, 80, 80))

    assert {item.id: item.parent for item in view.elements} == {
        "all": "", "near": "all", "ring": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    "edit", [Crop(0, 0, 0, 10), Crop(-1, 0, 10, 10), Crop(0, 0, 161, 10), Crop(20, 0, 160, 121)]
)
def test_a_part_outside_the_picture_is_refused(edit: Crop) -> None:
    """An empty part and one that reaches beyond the picture are the caller's mistake."""
    with pytest.raises(InvalidInputError, match="a part of the picture"):
        crop(shown(), PNG, edit)


def test_an_inverted_part_is_refused() -> None:
    """Sides the wrong way round are no box."""
    with pytest.raises(InvalidInputError):
        crop(shown(), PNG, Crop(50, 0, 10, 10))


@pytest.mark.parametrize("data", [b"", b"no picture", PNG[:200]])
def test_bytes_that_are_no_picture_are_refused(data: bytes) -> None:
    """Damaged bytes are told from a picture."""
    with pytest.raises(InvalidInputError, match="an image"):
        crop(shown(), data, Crop(0, 0, 10, 10))


def test_another_picture_is_refused() -> None:
    """A picture of another size is not the screen's."""
    other = msgspec.structs.replace(shown(), width=WIDTH + 1)
    with pytest.raises(InvalidInputError, match="161 x 120"):
        crop(other, PNG, Crop(0, 0, 10, 10))


# A window of 50 pixels, whose title has no room beside the buttons.
@example(Box(0, 0, 1, 1), Point(0, 0), Paste("meadow", 0, *SMALL_DESKTOP, 16, 20, 0.3125, 12))
@given(box=boxes, point=points, edit=pastes)
def test_a_desktop_keeps_points_in_their_boxes(box: Box, point: Point, edit: Paste) -> None:
    """A point well inside or outside a box stays so, at any scale and place."""
    screen = shown(element("a", box))
    view, _ = background(screen, PNG, edit)
    after = view.element("a")

    assert (after is not None) is (screen.bounds.intersection(box) is not None)
    near = [abs(point.x - box.left), abs(point.x - box.right), abs(point.y - box.top),
            abs(point.y - box.bottom)]  # fmt: skip
    if after is not None and min(near) > 1e-6:
        assert after.box.contains(moved_point(point, screen, edit)) is box.contains(point)
        assert (after.visible_fraction, after.hits) == (1.0, (True,) * 5)


@settings(max_examples=15)
@given(edit=pastes)
def test_a_desktop_shows_the_same_pixels_at_scale_one(edit: Paste) -> None:
    """Where nothing is scaled the window shows the picture itself, pixel by pixel."""
    exact = msgspec.structs.replace(edit, scale=1.0)
    view, png = background(shown(), PNG, exact)

    window = pixels_of(png)[edit.top : edit.top + HEIGHT, edit.left : edit.left + WIDTH]
    assert np.array_equal(window, pixels_of(PNG))
    assert (view.width, view.height) == SMALL_DESKTOP
    assert view.image == sha256(png)


def test_a_desktop_is_the_same_twice_and_differs_by_pattern() -> None:
    """The edit alone decides the bytes; another pattern is another drawing."""
    edit = Paste("lagoon", 3, *SMALL_DESKTOP, 200, 60, 0.8, 12)
    first = background(shown(), PNG, edit)

    assert background(shown(), PNG, edit) == first
    other = msgspec.structs.replace(edit, pattern=4)
    assert background(shown(), PNG, other)[1] != first[1]


def test_the_new_window_holds_the_screen() -> None:
    """With a title bar the roots are in a window of the page's title, with three buttons."""
    screen = shown(element("a", Box(0, 0, 20, 20)), element("b", Box(5, 5, 9, 9), parent="a"))
    view, _ = background(screen, PNG, Paste("meadow", 1, *SMALL_DESKTOP, 200, 60, 1.0, 12))
    found = {item.id: item for item in view.elements}
    window = found[found["a"].parent]

    assert (window.role, window.name) == ("window", "A page")
    assert window.box == Box(200, 48, 360, 180)
    assert found["b"].parent == "a"
    held = {item.name for item in view.elements if item.parent == window.id}
    assert {"Minimise", "Maximise", "Close"} <= held


def test_without_a_bar_the_screen_stands_alone() -> None:
    """Without a title bar no window is added and the roots stay roots."""
    edit = Paste("meadow", 1, *SMALL_DESKTOP, 200, 60, 1.0)
    view, _ = background(shown(element("a", Box(0, 0, 20, 20))), PNG, edit)

    a = view.element("a")
    assert a is not None
    assert a.parent == ""


def test_lengths_follow_the_scale() -> None:
    """Font sizes and the screen's own scale shrink with its window."""
    edit = Paste("meadow", 1, *SMALL_DESKTOP, 200, 60, 0.5)
    view, _ = background(shown(element("a", Box(0, 0, 20, 20))), PNG, edit)

    a = view.element("a")
    assert a is not None
    assert (a.font_px, view.scale) == (8.0, 0.5)


def test_words_cut_by_the_window_spell_nothing() -> None:
    """A name that reached out of the picture would now be read on the wallpaper."""
    edit = Paste("meadow", 1, *SMALL_DESKTOP, 200, 60, 1.0)
    cut = element("cut", Box(150, 10, 190, 30))
    view, _ = background(shown(cut), PNG, edit)

    found = view.element("cut")
    assert found is not None
    assert found.name_boxes == ()


@pytest.mark.parametrize(
    "edit",
    [
        Paste("meadow", 0, *SMALL_DESKTOP, 330, 60, 1.0),
        Paste("meadow", 0, *SMALL_DESKTOP, 10, 10, 1.0, 12),
        Paste("meadow", 0, *SMALL_DESKTOP, -1, 60, 1.0),
        Paste("meadow", 0, *SMALL_DESKTOP, 10, 160, 1.0),
        Paste("meadow", 0, *SMALL_DESKTOP, 10, 60, 0.0),
        Paste("meadow", 0, *SMALL_DESKTOP, 10, 60, float("nan")),
    ],
)
def test_a_window_off_the_desktop_is_refused(edit: Paste) -> None:
    """A window that would be cut off, and a scale that is none, are the caller's mistake."""
    with pytest.raises(InvalidInputError):
        background(shown(), PNG, edit)


def test_an_unknown_desktop_is_told_the_nearest() -> None:
    """A misspelt desktop is refused with the one that was meant."""
    with pytest.raises(UnknownNameError, match="'meadow'"):
        background(shown(), PNG, Paste("medow", 0, *SMALL_DESKTOP, 10, 60, 1.0))
