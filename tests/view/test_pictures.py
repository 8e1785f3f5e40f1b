"""
The part of a picture that is shown holds what it should, and is cut out of the right pixels.
"""

from __future__ import annotations

import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from surefoot.core.geometry import Box, Point
from surefoot.core.store import ObjectStore
from surefoot.run.folders.folder import read_screens
from surefoot.view.pictures import CroppedPictures, part_around

WHOLE = Box(0, 0, 1280, 800)
SIDES = st.floats(0, 1200)


@given(SIDES, SIDES, st.floats(1, 300), st.floats(1, 300), st.floats(-50, 1400), SIDES)
def test_the_part_holds_target_and_click(
    left: float, top: float, width: float, height: float, x: float, y: float
) -> None:
    """Whole pixels of the picture hold the seen box, and the click where it is in the picture."""
    box, click = Box.from_xywh(left, top, width, height), Point(x, y)
    part = part_around([box], [click], WHOLE)

    assert all(side == int(side) for side in part.as_tuple())
    assert WHOLE.contains(Point(part.left, part.top))
    assert WHOLE.contains(Point(part.right, part.bottom))
    seen = box.intersection(WHOLE)
    assert seen is None or part.intersection(seen) == seen
    assert part.contains(click) or not WHOLE.contains(click)


def test_a_crop_is_the_picture_there(opened: Path) -> None:
    """The pixels in the middle of a crop are those of the picture, and its width is bounded."""
    folder = opened / "bench"
    screen = read_screens(folder)[0]
    whole = Image.open(io.BytesIO(ObjectStore(folder).get(screen.image))).convert("RGB")
    box = next(item.box for item in screen.elements if item.name == "save")
    pictures = CroppedPictures()
    cut = Image.open(io.BytesIO(pictures.crop(folder, screen.image, box, 640))).convert("RGB")
    middle = cut.getpixel((cut.width // 2, cut.height // 2))
    expected = whole.getpixel((int(box.center.x), int(box.center.y)))

    assert isinstance(middle, tuple)
    assert isinstance(expected, tuple)
    assert max(abs(a - b) for a, b in zip(middle, expected, strict=True)) < 12
    assert Image.open(io.BytesIO(pictures.small(folder, screen.image, 160))).size == (160, 100)
