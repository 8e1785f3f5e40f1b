"""
Edits of the picture, one after another, on a screen and its bytes.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from surefoot.core.canonical import canonical_json, sha256
from surefoot.core.edit import (
    AddStyle,
    Crop,
    Edit,
    Filter,
    Hide,
    Letterbox,
    Mask,
    Notice,
    Paste,
    PictureEdit,
    Pointer,
    Resize,
    Tone,
    Zoom,
)
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.perturb.image.change import change_picture, split_edits
from surefoot.perturb.pixels import read_pixels, spell_png
from surefoot.perturb.views import crop

PIXELS = np.random.default_rng(6).integers(0, 256, (60, 90, 3), dtype=np.uint8)
PNG = spell_png(PIXELS)
EVERY: tuple[PictureEdit, ...] = (
    Crop(10, 10, 80, 55),
    Filter("noise", 4.0, 9),
    Letterbox(200, 160, "#ffffff"),
    Mask((Box(20, 20, 40, 30),), "membrane", 2),
    Notice("popup", 1, 20, 20, 180, 110),
    Paste("meadow", 1, 480, 270, 100, 60, 1.0),
    Pointer(3, 3, 20),
    Tone(Box(5, 5, 300, 200), 2.0, inverted=True),
    Resize(0.5, 0.75),
)


def shown() -> Screen:
    """Return a screen with one button on the picture of noise."""
    box = Box(30, 20, 60, 40)
    element = Element("a", "button", box, name="Save", name_boxes=(box,), visible_fraction=1.0,
                      hits=(True,) * 5)  # fmt: skip
    return Screen("s", "p", "web:x", sha256(PNG), 90, 60, 1.0, "web", "en", (element,))


def test_every_edit_of_a_picture_is_applied_in_order() -> None:
    """All kinds one after another: the last picture has the screen's size, hash and edits."""
    screen, png = change_picture(shown(), PNG, EVERY, variant="all")
    assert screen.edits == EVERY
    assert screen.variant == "all"
    assert screen.image == sha256(png)
    assert read_pixels(png, (screen.width, screen.height)).shape[:2] == (
        round(270 * 0.75), round(480 * 0.5),
    )  # fmt: skip
    assert screen.source == "web:x"
    assert screen.element("a") is not None


def test_the_same_edits_are_the_same_bytes() -> None:
    """A list that went through JSON regenerates screen and picture to the bit."""
    copy = msgspec.json.decode(canonical_json(EVERY), type=tuple[PictureEdit, ...])
    assert change_picture(shown(), PNG, copy, variant="v") == change_picture(
        shown(), PNG, EVERY, variant="v"
    )


def test_order_matters_and_each_edit_sees_the_last() -> None:
    """A crop after a resize cuts the resized picture; the other way round it is another."""
    one = change_picture(shown(), PNG, (Resize(2.0, 2.0), Crop(0, 0, 90, 60)), variant="v")[0]
    other = change_picture(shown(), PNG, (Crop(0, 0, 45, 30), Resize(2.0, 2.0)), variant="v")[0]
    found = [screen.elements[0].box for screen in (one, other)]
    assert found[0] == found[1] == Box(60, 40, 120, 80)
    assert one.id != other.id
    assert one.elements[0].visible_fraction == pytest.approx(0.25)


def test_a_crop_is_the_view_that_it_always_was() -> None:
    """Pixels, size and elements of a crop among edits are those of the view."""
    edit = Crop(20, 10, 70, 50)
    screen, png = change_picture(shown(), PNG, (edit,), variant="crop")
    view, expected = crop(shown(), PNG, edit)
    assert (png, screen.elements, screen.width) == (expected, view.elements, view.width)


def test_earlier_edits_of_the_page_are_kept() -> None:
    """What was done to the page stays listed before what is done to its picture."""
    zoomed = msgspec.structs.replace(shown(), edits=(Zoom(2.0),))
    edits: tuple[PictureEdit, ...] = (Filter("grey", 1.0),)
    assert change_picture(zoomed, PNG, edits, variant="v")[0].edits == (Zoom(2.0), *edits)


def test_page_and_picture_are_parted() -> None:
    """Each edit goes to one side, in its order."""
    mixed: tuple[Edit, ...] = (EVERY[0], AddStyle("a"), EVERY[1], Hide(("x",)), Zoom(2.0))
    assert split_edits(mixed) == ((AddStyle("a"), Hide(("x",)), Zoom(2.0)), EVERY[:2])


def test_another_picture_is_refused() -> None:
    """Bytes of another size than the screen's are not its picture."""
    with pytest.raises(InvalidInputError):
        change_picture(shown(), spell_png(PIXELS[1:]), (Filter("grey", 1.0),), variant="v")
