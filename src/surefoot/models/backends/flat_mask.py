"""
A detector of masks that understands next to nothing: it shows what the mask gives away.

It looks for flat rectangles in a colour of their own (``sight.flat``) and answers one of
them, as a box. Where there are several it takes the one nearest to what the words quote, as
optical character recognition finds it, in the direction that they say; or, where nothing
that they quote is found, the largest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from surefoot.capture.ocr.match import find_name
from surefoot.core.geometry import Box
from surefoot.core.instruction import Direction
from surefoot.models.backend import Backend
from surefoot.models.backends.ocr import OcrResponder
from surefoot.models.formats.hforms import HFORMS
from surefoot.models.sight.asks import Ask, quoted_names, read_ask

if TYPE_CHECKING:
    from surefoot.capture.ocr.scan import Scan

VERSION: Final = 1
WRONG_WAY: Final = 10_000.0  # pixels that a mask in another direction is taken to be farther


def choose_mask(text: str, language: str, scan: Scan) -> str:
    """Return the box of the mask that an instruction points at, or why there is none."""
    if not scan.rectangles:
        return "no flat rectangle in a colour of its own"
    ask = read_ask(text, language)
    anchors = _anchors(text, ask, scan)
    if anchors:
        found = min(
            scan.rectangles,
            key=lambda rectangle: (_far(rectangle, anchors, ask), rectangle.as_tuple()),
        )
    else:
        found = max(scan.rectangles, key=lambda rectangle: (rectangle.area, rectangle.as_tuple()))
    return HFORMS.write(found, 1, 1)  # in pixels, whatever the size


class FlatMaskResponder(OcrResponder):
    """Reply with the box of a mask; scans are shared as the built-in model's are."""

    name = "flat-mask"
    speaks = "hforms"
    answer = staticmethod(choose_mask)

    def __init__(self, threads: int) -> None:
        from surefoot.models.sight.masks import MaskScanner

        super().__init__(threads, MaskScanner())

    def identity(self) -> dict[str, object]:
        """Return the versions of the rules, of Tesseract and of its language data."""
        return {**super().identity(), "backend": self.name, "rules": VERSION}


def _anchors(text: str, ask: Ask, scan: Scan) -> list[Box]:
    """Return where the words that are quoted stand, each at its likeliest place."""
    names = quoted_names(text)
    if ask.value in names:
        names.remove(ask.value)
    found = [find_name(name, scan) for name in names]
    return [matches[0].box for matches in found if matches]


def _far(mask: Box, anchors: list[Box], ask: Ask) -> float:
    away = sum(gap(mask, anchor) for anchor in anchors) / len(anchors)
    if ask.direction is None or any(_lies(mask, box, ask.direction) for box in anchors):
        return away
    return away + WRONG_WAY


def gap(one: Box, other: Box) -> float:
    """Return how far apart two boxes are, in pixels."""
    import numpy as np

    across = max(0.0, one.left - other.right, other.left - one.right)
    down = max(0.0, one.top - other.bottom, other.top - one.bottom)
    return float(np.hypot(across, down))


def _lies(mask: Box, anchor: Box, direction: Direction) -> bool:
    """Tell whether a mask lies in a direction of a place, its centre in line with it."""
    x, y = mask.center.x - anchor.center.x, mask.center.y - anchor.center.y
    along, aside = (x, y) if direction in ("left of", "right of") else (y, x)
    wide = (mask.height + anchor.height if aside is y else mask.width + anchor.width) / 2
    ahead = -along if direction in ("left of", "above") else along
    return ahead > 0 and abs(aside) <= wide


FLAT_MASK = Backend(
    name="flat-mask",
    version=VERSION,
    summary="answers the flat rectangle nearest to what is quoted: what a mask gives away",
    usage="flat-mask",
    open=FlatMaskResponder.opened,
    speaks="hforms",
)
