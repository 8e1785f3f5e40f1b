"""
The nearest label: a scale for contents, which compares letters and understands nothing.

Of all flat rectangles (``sight.flat``) it answers the one nearest to a label, as a box. Labels
are what a statement names beside the content ("the 'Age' of 'Otto Clay'") and can be read; where
there are none, the lines whose letters are most like the content's, digits all alike.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from surefoot.capture.ocr.match import find_name, plain
from surefoot.core.geometry import Box
from surefoot.models.backend import Backend
from surefoot.models.backends.flat_mask import FlatMaskResponder, gap
from surefoot.models.formats.hforms import HFORMS
from surefoot.models.sight.asks import quoted_names

if TYPE_CHECKING:
    from surefoot.capture.ocr.scan import Scan

VERSION = 1


def choose_beside(text: str, language: str, scan: Scan) -> str:  # noqa: ARG001 - any language
    """Return the box of the mask nearest to a content's label, or why there is none."""
    if not scan.rectangles:
        return "no flat rectangle in a colour of its own"
    content, *named = quoted_names(text) or [text]
    found = [find_name(name, scan) for name in named]
    labels = [matches[0].box for matches in found if matches] or _alike(content, scan)

    def away(mask: Box) -> tuple[float, tuple[float, ...]]:
        return min((gap(mask, label) for label in labels), default=0.0), mask.as_tuple()

    return HFORMS.write(min(scan.rectangles, key=away), 1, 1)  # in pixels, whatever the size


def _alike(content: str, scan: Scan) -> list[Box]:
    """Return the boxes of the lines whose letters are most like a content's."""
    wanted = _letters(content)
    lines = [
        (line.box, _letters(" ".join(word.text for word in line.words))) for line in scan.lines
    ]
    likeness = [difflib.SequenceMatcher(None, other, wanted).ratio() for _, other in lines]
    most = max(likeness, default=0.0)
    return [box for (box, _), like in zip(lines, likeness, strict=True) if like == most]


def _letters(text: str) -> str:
    return plain(re.sub(r"\d", "0", text))


class NearestLabelResponder(FlatMaskResponder):
    """Reply with the box of the mask beside a label; scans are those of ``flat-mask``."""

    name = "nearest-label"
    answer = staticmethod(choose_beside)

    def identity(self) -> dict[str, object]:
        """Return what ``flat-mask`` rests on, and the version of these rules."""
        return {**super().identity(), "labels": VERSION}


NEAREST_LABEL = Backend(
    name="nearest-label",
    version=VERSION,
    summary="answers the flat rectangle nearest to the label, or to the words most like a content",
    usage="nearest-label",
    open=NearestLabelResponder.opened,
    speaks="hforms",
)
