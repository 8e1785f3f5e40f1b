"""
Pictures for models that see: what is drawn lies where it should, and nothing else changes.
"""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from surefoot.benchmarks.seeing.pictures import (
    SeeingRequest,
    ShownPicture,
    draw_shown,
    framed,
    read_request,
    spell,
)
from surefoot.core.edit import Crop
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.pictures import pixels_of, png_of
from surefoot.core.screen import Screen

PLAIN = png_of(Image.new("RGB", (200, 100), "#eeeeee"))
BOX = Box(50, 30, 90, 60)
SCREEN = Screen("s", "p", "x", "ab", 200, 100, 1.0, "web", "en", ())


def changed(shown: ShownPicture) -> tuple[int, int, int, int]:
    """Return what is other than in the plain picture: left, top, right and bottom pixel."""
    rows, columns = np.nonzero((pixels_of(draw_shown(shown, PLAIN)) != 0xEE).any(axis=2))
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


def test_a_frame_lies_around_its_box_and_leaves_it_as_it_was() -> None:
    """No pixel of the box is drawn over, and none is that is far from it."""
    shown, _ = framed(SCREEN, BOX, Crop(0, 0, 200, 100))
    pixels = pixels_of(draw_shown(shown, PLAIN))

    assert (pixels[30:60, 50:90] == 0xEE).all()
    assert changed(shown) == (46, 26, 93, 63)
    assert (pixels[45, 47] == (255, 0, 255)).all()


def test_a_part_is_cut_out_and_enlarged_in_whole_steps() -> None:
    """The frame is where the box is in the part."""
    _, close = framed(SCREEN, BOX, Crop(40, 20, 140, 80))
    with Image.open(io.BytesIO(draw_shown(close, PLAIN))) as image:
        assert image.size == (400, 240)
        assert image.getpixel((4 * (47 - 40) + 2, 4 * 25)) == (255, 0, 255)


def test_numbers_stand_at_their_boxes_also_at_the_edges() -> None:
    """Each box has a frame and a number, one at the top edge within the picture."""
    apart = (Box(10, 50, 40, 70), Box(120, 50, 150, 70))
    one = changed(ShownPicture("ab", numbered=apart[:1]))
    assert one[0] == 9
    assert one[2:] == (40, 70)
    assert changed(ShownPicture("ab", numbered=apart))[2] == 150
    high = changed(ShownPicture("ab", numbered=(Box(-20, -5, 300, 9),)))
    assert high[:2] == (0, 0)
    assert high[3] < 20


def test_a_picture_without_marks_is_sent_as_it_was_captured() -> None:
    """Its bytes are the stored ones."""
    assert draw_shown(ShownPicture("ab"), PLAIN) is PLAIN


def test_the_same_data_draws_the_same_bytes() -> None:
    """What is asked is known by its data, and drawn alike each time."""
    shown = ShownPicture("ab", frame=BOX, numbered=(BOX, BOX), part=Crop(0, 0, 100, 100))
    request = SeeingRequest((shown,), 'Is it "so"?\n\u2028')

    assert read_request(spell(request)) == request
    assert draw_shown(shown, PLAIN) == draw_shown(shown, PLAIN)
    with pytest.raises(InvalidInputError):
        read_request('{"pictures": 3}')
