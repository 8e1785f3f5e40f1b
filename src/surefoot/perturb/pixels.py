"""
Pictures as arrays, height x width x 3 of 8 bits, and back to bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from PIL import Image

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels, opened, png_of


class PixelRegion(msgspec.Struct, frozen=True):
    """Hold a part of a picture in whole pixels; right and bottom are outside it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Return what cuts the region out of an array."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    @property
    def size(self) -> tuple[int, int]:
        """Return height and width in pixels."""
        return self.bottom - self.top, self.right - self.left

    def grown(self, margin: int, shape: tuple[int, ...]) -> PixelRegion:
        """Return the region with a margin on each side, held inside an array's shape."""
        return PixelRegion(
            max(0, self.left - margin),
            max(0, self.top - margin),
            min(shape[1], self.right + margin),
            min(shape[0], self.bottom + margin),
        )


def read_pixels(png: bytes, size: tuple[int, int]) -> Pixels:
    """
    Decode an image of a width and height, as it is seen.

    Raises InvalidInputError for bytes that are no image, or one of another size.
    """
    try:
        image = opened(png)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InvalidInputError("an image", found=error) from error
    if image.size != size:
        raise InvalidInputError(
            f"a picture of {size[0]} x {size[1]} pixels", found=f"{image.width} x {image.height}"
        )
    return np.asarray(image)


def spell_png(pixels: Pixels) -> bytes:
    r"""
    Encode a picture as PNG; the same pixels are the same bytes.

    >>> spell_png(np.zeros((2, 3, 3), np.uint8))[:4]
    b'\x89PNG'
    """
    return png_of(Image.fromarray(pixels))


def regions(boxes: Sequence[Box], shape: tuple[int, ...]) -> list[PixelRegion]:
    """
    Return the pixels that boxes touch, one region a box, in their order.

    Sides are rounded outwards, regions are clipped to the picture of a shape (height,
    width, ...), and boxes without a pixel on it or inside another one are left out.

    >>> regions([Box(1.5, -3, 4.2, 2), Box(2, 0, 3, 1), Box(90, 0, 95, 5)], (10, 20))
    [PixelRegion(left=1, top=0, right=5, bottom=2)]
    """
    found: list[PixelRegion] = []
    for box in boxes:
        left, top = (max(0, int(np.floor(side))) for side in (box.left, box.top))
        right, bottom = int(np.ceil(box.right)), int(np.ceil(box.bottom))
        region = PixelRegion(left, top, min(shape[1], right), min(shape[0], bottom))
        if region.left < region.right and region.top < region.bottom and region not in found:
            found.append(region)
    return [
        item for item in found if not any(_holds(other, item) for other in found if other != item)
    ]


def _holds(outer: PixelRegion, inner: PixelRegion) -> bool:
    return (
        outer.left <= inner.left
        and outer.top <= inner.top
        and outer.right >= inner.right
        and outer.bottom >= inner.bottom
    )
