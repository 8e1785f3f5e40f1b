"""
A scan for masks.
"""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box
from surefoot.core.pictures import png_of
from surefoot.models.sight.masks import MaskScanner


def test_a_picture_with_one_mask_is_not_read() -> None:
    """The mask is the scan's only rectangle, and no word was looked for."""
    pixels = np.full((60, 80, 3), 230, np.uint8)
    pixels[10:30, 20:60] = (255, 0, 255)

    scan = MaskScanner().scan(png_of(Image.fromarray(pixels)), "en")

    assert (scan.lines, scan.rectangles) == ((), (Box(20.0, 10.0, 60.0, 30.0),))


def test_what_is_no_picture_is_an_error() -> None:
    """Other bytes are rejected by name."""
    with pytest.raises(ModelError) as error:
        MaskScanner().scan(b"no picture", "en")
    assert error.value.reason == "bad-image"
