"""
Boxes on pictures, and sheets of pictures.
"""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from surefoot.capture.draw import Mark, contact_sheet, draw_marks, draw_screen
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.screen import Element, Screen


def blank(width: int = 60, height: int = 40) -> bytes:
    """Return a white picture."""
    file = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(file, "PNG")
    return file.getvalue()


def opened(png: bytes) -> Image.Image:
    """Return the picture behind PNG bytes."""
    return Image.open(io.BytesIO(png)).convert("RGB")


def test_a_mark_frames_its_box() -> None:
    """The frame lies on the box's own edge pixels and leaves the inside alone."""
    image = opened(draw_marks(blank(), [Mark(Box(10, 5, 30, 25), "#ff0000", width=1)]))
    assert image.getpixel((10, 5)) == image.getpixel((29, 24)) == (255, 0, 0)
    assert image.getpixel((20, 15)) == image.getpixel((30, 25)) == (255, 255, 255)


@given(
    left=st.floats(-500, 500), top=st.floats(-500, 500), width=st.floats(0, 500),
    height=st.floats(0, 500),
)  # fmt: skip
def test_any_box_can_be_drawn(left: float, top: float, width: float, height: float) -> None:
    """Boxes outside the picture, without area or far too large do no harm."""
    drawn = draw_marks(blank(), [Mark(Box.from_xywh(left, top, width, height), "red", "label")])
    assert opened(drawn).size == (60, 40)


def test_only_visible_elements_are_drawn() -> None:
    """An element without a visible part leaves the picture as it was."""
    unseen = Element("a", "link", Box(5, 5, 20, 20), name="a")
    seen = Element("b", "link", Box(5, 5, 20, 20), name="b", visible_fraction=1.0)
    for element, same in ((unseen, True), (seen, False)):
        screen = Screen("s", "p", "x", "", 60, 40, 1.0, "web", "en", (element,))
        drawn = opened(draw_screen(screen, blank()))
        assert (drawn.tobytes() == opened(blank()).tobytes()) is same
        none = opened(draw_screen(screen, blank(), wanted=lambda _: False))
        assert none.tobytes() == opened(blank()).tobytes()


def test_contact_sheet() -> None:
    """Pictures keep their proportions and lie in rows of the asked width."""
    sheet = opened(
        contact_sheet([("a", blank()), ("b", blank()), ("c", blank(60, 80))], width=120)
    )
    assert sheet.width == 2 * 120 + 3 * 12
    assert sheet.height == 12 + (34 + 80 + 12) + (34 + 160 + 12)


@pytest.mark.parametrize("data", [b"", b"no image", blank()[:40]])
def test_what_is_no_image_is_refused(data: bytes) -> None:
    """Bytes that are no image, or half of one, are refused."""
    with pytest.raises(InvalidInputError, match="an image"):
        draw_marks(data, [])


def test_a_sheet_wants_pictures() -> None:
    """A sheet without pictures is refused."""
    with pytest.raises(InvalidInputError, match="at least one picture"):
        contact_sheet([])


def test_a_polygon_is_drawn_along_its_corners() -> None:
    """A mark with corners leaves out the box around them, and closes the outline."""
    file = io.BytesIO()
    Image.new("RGB", (60, 60), "white").save(file, "PNG")
    corners = (Point(5.0, 5.0), Point(50.0, 5.0), Point(5.0, 50.0))
    mark = Mark(Box(5, 5, 50, 50), "#ff0000", width=3, corners=corners)
    image = Image.open(io.BytesIO(draw_marks(file.getvalue(), [mark]))).convert("RGB")
    red, white = (255, 0, 0), (255, 255, 255)
    assert [image.getpixel(at) for at in ((27, 5), (27, 28), (5, 27))] == [red] * 3
    assert [image.getpixel(at) for at in ((50, 27), (27, 50), (15, 15))] == [white] * 3
