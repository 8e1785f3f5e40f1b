"""
A scan for masks: the flat rectangles of a picture in the place of its drawn ones.
"""

from __future__ import annotations

from PIL import UnidentifiedImageError

from surefoot.capture.ocr.scan import Scan, Scanner
from surefoot.core.errors import ModelError
from surefoot.core.pictures import pixels_of
from surefoot.models.sight.flat import likely_masks


class MaskScanner(Scanner):
    """Find the masks of an image, and its words where there is more than one mask."""

    def scan(self, image: bytes, language: str) -> Scan:
        """Return masks as rectangles; raises ModelError where the bytes are no image."""
        try:
            masks = likely_masks(pixels_of(image))
        except (UnidentifiedImageError, OSError, ValueError) as error:
            raise ModelError("bad-image", expected="a picture", found=error) from error
        lines = super().scan(image, language).lines if len(masks) > 1 else ()
        return Scan(lines, tuple(masks))
