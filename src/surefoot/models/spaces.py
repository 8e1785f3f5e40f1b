"""
Coordinate spaces as named data, and their exact conversion to pixels of the image.

A model speaks of places in the space that it was trained in. Four occur: pixels of the
image, pixels of the image after a resize, 0 to 1, and 0 to 1000. Which of them a model
uses is declared by its format and never guessed from the size of a number. A resize is to
multiples of a patch with an area between two limits, or into a number of patches.
"""

from __future__ import annotations

import math
import re
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point, rescaled

ASPECT_LIMIT = 200
PATCH = 28  # pixels


def smart_resize(
    height: int, width: int, factor: int, min_pixels: int, max_pixels: int
) -> tuple[int, int]:
    """
    Return the (height, width) that the Qwen-VL image processors shrink or grow an image to.

    Each side becomes the nearest multiple of ``factor``, a tie going to the even multiple
    (as Python's ``round`` does; rounding ties up drifts by a whole factor). An area over
    ``max_pixels`` is then brought under it by rounding down, one under ``min_pixels``
    over it by rounding up, both with the aspect kept. A side is never under ``factor``.
    Raises InvalidInputError for a side below 1 or an aspect ratio over 200.

    >>> smart_resize(1080, 1920, 28, 3136, 12845056)
    (1092, 1932)
    >>> smart_resize(1022, 1522, 28, 3136, 12845056)
    (1008, 1512)
    """
    if min(height, width) < 1:
        raise InvalidInputError("an image of at least 1 x 1", found=f"{width} x {height}")
    if max(height, width) / min(height, width) > ASPECT_LIMIT:
        raise InvalidInputError(
            f"an aspect ratio of at most {ASPECT_LIMIT}", found=f"{width} x {height}"
        )
    tall = max(factor, round(height / factor) * factor)
    wide = max(factor, round(width / factor) * factor)
    if tall * wide > max_pixels:
        shrink = math.sqrt(height * width / max_pixels)
        tall = max(factor, math.floor(height / shrink / factor) * factor)
        wide = max(factor, math.floor(width / shrink / factor) * factor)
    elif tall * wide < min_pixels:
        grow = math.sqrt(min_pixels / (height * width))
        tall = math.ceil(height * grow / factor) * factor
        wide = math.ceil(width * grow / factor) * factor
    return tall, wide


class ResizeRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    State a family's resize rule: multiples of ``factor``, area between two limits.

    Before that, a picture whose long side exceeds ``max_edge``, where that is not 0, is shrunk
    to it, as some servers do.

    >>> ResizeRule(28, 3136, 12845056).size(1920, 1080)
    (1932, 1092)
    >>> ResizeRule(28, 3136, 12845056, max_edge=1024).size(1920, 1080)
    (1036, 588)
    """

    factor: int
    min_pixels: int
    max_pixels: int
    max_edge: int = 0

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Return the (width, height) after the resize; raises as smart_resize does."""
        longest = max(width, height)
        if 0 < self.max_edge < longest:
            width = max(1, round(width * self.max_edge / longest))
            height = max(1, round(height * self.max_edge / longest))
        tall, wide = smart_resize(height, width, self.factor, self.min_pixels, self.max_pixels)
        return wide, tall


class PatchRule(NamedTuple):
    """
    State Claude's resize rule: the largest size of the same aspect whose patches fit.

    A side may not exceed ``max_edge`` pixels, nor the image ``max_patches`` patches of 28 x 28,
    a patch that is begun counting whole. The short side is rounded to even on a tie. What fits
    is left as it is. Source: Claude's documentation, "Coordinates and bounding boxes". In records
    it is a list of the two numbers, which tells it from the other rule.

    >>> PatchRule(1568, 1568).size(1075, 1520)
    (924, 1307)
    """

    max_edge: int
    max_patches: int

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Return the (width, height) after the resize; raises for a side below 1."""
        if min(width, height) < 1:
            raise InvalidInputError("an image of at least 1 x 1", found=f"{width} x {height}")
        if self._fits(width, height):
            return width, height
        if height > width:
            tall, wide = self.size(height, width)
            return wide, tall
        # The long side that fits, and the one that does not, drawn together.
        fitting, too_long = 1, width
        while too_long - fitting > 1:
            middle = (fitting + too_long) // 2
            if self._fits(middle, _short_side(middle, width, height)):
                fitting = middle
            else:
                too_long = middle
        return fitting, _short_side(fitting, width, height)

    def _fits(self, width: int, height: int) -> bool:
        across, down = math.ceil(width / PATCH), math.ceil(height / PATCH)
        return max(across, down) * PATCH <= self.max_edge and across * down <= self.max_patches


def _short_side(long_side: int, width: int, height: int) -> int:
    return max(round(long_side / (width / height)), 1)


Resize: TypeAlias = ResizeRule | PatchRule


class Space(msgspec.Struct, frozen=True):
    """
    Name a coordinate space; ``resize`` is given for "resized pixels" and only there.

    >>> PER_MILLE.to_image(500, 250, width=1280, height=800)
    Point(x=640.0, y=200.0)
    """

    kind: Literal["image pixels", "resized pixels", "0-1", "0-1000"]
    resize: Resize | None = None

    def __post_init__(self) -> None:
        if (self.kind == "resized pixels") != (self.resize is not None):
            raise InvalidInputError(
                "a resize rule for resized pixels, and for them alone", found=str(self)
            )

    def shown(self, width: int, height: int) -> tuple[int, int]:
        """Return the (width, height) of the image as the model sees it, in pixels."""
        return self.resize.size(width, height) if self.resize else (width, height)

    def extent(self, width: int, height: int) -> tuple[int, int]:
        """Return the coordinates of the image's bottom right corner in this space."""
        if self.kind == "0-1":
            return 1, 1
        if self.kind == "0-1000":
            return 1000, 1000
        return self.shown(width, height)

    def to_image(self, x: float, y: float, *, width: int, height: int) -> Point:
        """Convert a position of this space to pixels of a width x height image."""
        across, down = self.extent(width, height)
        return Point(rescaled(x, width, across), rescaled(y, height, down))

    def from_image(self, point: Point, *, width: int, height: int) -> tuple[float, float]:
        """Convert pixels of a width x height image to this space; undoes to_image."""
        across, down = self.extent(width, height)
        return rescaled(point.x, across, width), rescaled(point.y, down, height)


def resized_pixels(factor: int, min_pixels: int, max_pixels: int, max_edge: int = 0) -> Space:
    """Name the pixel space of images resized by smart_resize with these limits."""
    return Space("resized pixels", ResizeRule(factor, min_pixels, max_pixels, max_edge))


def limited(space: Space, limits: str) -> Space:
    """
    Return a space of resized pixels with a server's own limits, "LEAST:MOST" or "LEAST:MOST:SIDE".

    Raises InvalidInputError for other limits, and for a space that no limits matter to.

    >>> limited(resized_pixels(28, 3136, 12845056), "3136:3211264").resize.size(3840, 2160)
    (2380, 1344)
    """
    parts = limits.replace(",", "").replace("_", "").split(":")
    numbers = [int(part) for part in parts if re.fullmatch(r"[0-9]{1,12}", part)]
    few, many = 2, 3
    if (
        len(numbers) != len(parts)
        or not few <= len(parts) <= many
        or not 0 < numbers[0] <= numbers[1]
    ):
        raise InvalidInputError(
            "limits of pictures as LEAST:MOST, or LEAST:MOST:SIDE, in pixels",
            found=f"'{limits}'",
            remedy="write for example 3136:3211264",
        )
    if not isinstance(space.resize, ResizeRule):
        raise InvalidInputError(
            "a format in pixels of the resized picture, which limits matter to",
            found=f"one in {space.kind}",
            remedy="leave --image-pixels out, or give such a --format",
        )
    return resized_pixels(space.resize.factor, *numbers)


def patched_pixels(max_edge: int, max_patches: int) -> Space:
    """Name the pixel space of images resized by Claude's rule with these limits."""
    return Space("resized pixels", PatchRule(max_edge, max_patches))


IMAGE_PIXELS = Space("image pixels")
UNIT = Space("0-1")
PER_MILLE = Space("0-1000")
