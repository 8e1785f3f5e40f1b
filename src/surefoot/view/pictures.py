"""
Pictures of questions: the part that holds the target and the clicks, small and from memory.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from PIL import Image

from surefoot.core.geometry import Box, Point, window_around
from surefoot.core.pictures import cropped, opened, webp_of
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
    return window_around(around, whole, least=_LEAST, margin=_MARGIN, proportioned=True)


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
        cut = cropped(self._picture(folder, sha), part)
        return webp_of(cut, width, quality=80, method=2, resampling=Image.Resampling.BILINEAR)
