"""
Pictures of questions: the part that holds the target and the clicks, small and from memory.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from PIL import Image

from surefoot.core.geometry import Box, Point
from surefoot.core.pictures import opened
from surefoot.core.store import ObjectStore

_MARGIN: Final = 40.0
_LEAST: Final = (384.0, 240.0)
_DECODED: Final = 6
_CROPS: Final = 600


def part_around(boxes: Iterable[Box], points: Iterable[Point], whole: Box) -> Box:
    """
    Return whole pixels around boxes and the points in the picture, 16 to 10 where it has room.

    >>> part_around([Box(100, 100, 120, 110)], [], Box(0, 0, 1280, 800))
    Box(left=0.0, top=0.0, right=384.0, bottom=240.0)
    """
    seen = [Box(point.x, point.y, point.x, point.y) for point in points if whole.contains(point)]
    shown = [box for box in (part.intersection(whole) for part in boxes) if box is not None]
    around = Box.around([*shown, *seen] or [whole])
    wide, tall = around.width + 2 * _MARGIN, around.height + 2 * _MARGIN
    wide = max(_LEAST[0], wide, tall * _LEAST[0] / _LEAST[1])
    tall = max(_LEAST[1], tall, wide * _LEAST[1] / _LEAST[0])
    left, right = _span(around.center.x, wide, whole.right)
    top, bottom = _span(around.center.y, tall, whole.bottom)
    return Box(left, top, right, bottom)


def _span(middle: float, length: float, end: float) -> tuple[float, float]:
    length = min(float(round(length)), end)
    start = min(max(0.0, float(round(middle - length / 2))), end - length)
    return start, start + length


class CroppedPictures:
    """Cut parts out of the pictures of folders; the latest ones are kept."""

    def __init__(self) -> None:
        self._picture = functools.lru_cache(_DECODED)(self._decoded)
        self.crop = functools.lru_cache(_CROPS)(self._crop)

    def _decoded(self, folder: Path, sha: str) -> Image.Image:
        return opened(ObjectStore(folder).get(sha))

    def small(self, folder: Path, sha: str, width: int) -> bytes:
        """Return a whole picture as WebP of at most so many pixels' width."""
        picture = self._picture(folder, sha)
        return self.crop(folder, sha, Box(0, 0, picture.width, picture.height), width)

    def _crop(self, folder: Path, sha: str, part: Box, width: int) -> bytes:
        """
        Return a part of a picture as WebP of at most so many pixels' width.

        Raises what ``ObjectStore.get`` does.
        """
        left, top, right, bottom = map(int, part.as_tuple())
        cut = self._picture(folder, sha).crop((left, top, right, bottom))
        if cut.width > width:
            cut = cut.resize(
                (width, max(1, round(cut.height * width / cut.width))), Image.Resampling.BILINEAR
            )
        out = io.BytesIO()
        cut.save(out, "WEBP", quality=80, method=2)
        return out.getvalue()
