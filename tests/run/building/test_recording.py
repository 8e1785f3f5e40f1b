"""
What two captures of a page differ in is found, drawn and named, but for parts that are left out.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.run.building.recording import compare_screens, page_name, record_pages

SIDES = (40, 30)
ROPE = Element("a-1", "link", Box(0, 0, 10, 10), name="Rope", text="Rope")
KEY = Element("p-1", "paragraph", Box(20, 20, 30, 30), text="Your key is ***")


def shot(*elements: Element, red: tuple[int, int, int, int] = (0, 0, 0, 0)) -> Capture:
    """Return a white picture with a red box, and elements."""
    picture = Image.new("RGB", SIDES, "white")
    picture.paste((255, 0, 0), red)
    written = io.BytesIO()
    picture.save(written, "PNG")
    screen = Screen("s", "p", "x", "", *SIDES, 1.0, "web", "en", elements)
    return Capture(screen, written.getvalue())


def red_pixels(png: bytes) -> int:
    """Count, by another way, the pixels of a picture that are marked."""
    with Image.open(io.BytesIO(png)) as picture:
        raw = picture.convert("RGB").tobytes()
    return sum(raw[at : at + 3] == b"\xdc\0\0" for at in range(0, len(raw), 3))


def test_every_pixel_that_differs_is_counted_and_marked() -> None:
    """Twelve red pixels on white are twelve, and the picture has them in red."""
    found = compare_screens(shot(ROPE), shot(ROPE, red=(3, 4, 7, 7)))

    assert (found.pixels, found.size) == (12, 1200)
    assert str(found) == "1.0000 % of the pixels (12)"
    assert red_pixels(found.picture) >= 12


def test_an_element_that_came_went_or_moved_is_named() -> None:
    """Elements count by their ids; one of another place has changed."""
    moved = Element("a-1", "link", Box(0, 5, 10, 15), name="Rope", text="Rope")
    gone, fresh = Element("a-2", "link", ROPE.box), Element("a-3", "button", ROPE.box, name="New")

    found = compare_screens(shot(ROPE, gone), shot(moved, fresh))

    assert [item.id for item in (*found.came, *found.went, *found.changed)] == [
        "a-3",
        "a-2",
        "a-1",
    ]
    assert "1 elements came (button 'New')" in str(found)


def test_what_is_left_out_does_not_count() -> None:
    """An ignored part, its elements, and a place where a secret was taken out of the words."""
    other = shot(
        Element("a-1", "link", ROPE.box, name="Anchor"),
        Element("p-1", "paragraph", Box(20, 20, 26, 30), text="Your key is ***"),
        red=(20, 20, 30, 30),
    )
    boxes, ids = [Box(0, 0, 10, 10)], {"a-1"}

    assert not compare_screens(shot(ROPE, KEY), other, boxes=boxes, ignored=ids)
    assert compare_screens(shot(ROPE, KEY), other).changed


def test_a_page_is_called_by_its_way_and_by_what_was_done_on_it() -> None:
    """The host and its port are in no name; an action is, by the digest of its spelling."""
    (plain,) = list_addresses("http://127.0.0.1:8000/orders?page=2#rope")
    (acted,) = list_addresses("http://127.0.0.1:9000/orders >> click a-1")

    assert page_name(plain) == "/orders?page=2#rope"
    assert page_name(acted).startswith("/orders~")
    assert page_name(Address("http://a.example", "a.example", "a")) == "/"


def test_only_pages_of_one_live_server_are_recorded_into_a_folder_of_their_own(
    tmp_path: Path,
) -> None:
    """Two origins, another source and a folder of something else are refused before any visit."""
    out = tmp_path
    (out / "note.txt").write_text("mine")
    for specs in (["http://127.0.0.1:1/", "http://127.0.0.1:2/"], ["django-admin:/admin/"]):
        with pytest.raises(InvalidInputError, match="one live server"):
            record_pages(specs, out / "new", Settings())

    with pytest.raises(InvalidInputError, match="other files"):
        record_pages(["http://127.0.0.1:1/"], out, Settings())
