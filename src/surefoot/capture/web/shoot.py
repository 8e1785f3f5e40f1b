"""
Screenshots of the viewport, in Chromium's own PNG bytes.
"""

from __future__ import annotations

import base64
import struct

import msgspec

from surefoot.capture.settings import Settings
from surefoot.capture.web.world import World
from surefoot.core.errors import CaptureError


class ShownPart(msgspec.Struct, frozen=True):
    """
    Say what a phone shows of a page: width and height in CSS pixels, and how large.

    ``scale`` is the device's own pixels (as it counts CSS pixels) per CSS pixel of the page:
    a page that was made for desktops is laid out wide and shown small.
    """

    width: float
    height: float
    scale: float


class ViewScale(msgspec.Struct, frozen=True):
    """
    Say how the viewport maps to the image.

    ``width`` and ``height`` are CSS pixels, not always whole under a zoom; ``scale`` is
    image pixels per CSS pixel; ``pixels`` is the image's size.
    """

    width: float
    height: float
    scale: float
    pixels: tuple[int, int]
    zoomed: bool = False
    mobile: bool = False

    @classmethod
    def of(cls, settings: Settings, shown: ShownPart | None = None) -> ViewScale:
        """
        Return the view of a page before any zoom; ``shown`` is what a phone shows of it.

        >>> ViewScale.of(Settings(width=100, height=50, scale=2.0)).pixels
        (200, 100)
        """
        pixels = (round(settings.width * settings.scale), round(settings.height * settings.scale))
        if shown is None:
            return cls(settings.width, settings.height, settings.scale, pixels)
        scale = settings.scale * shown.scale
        return cls(shown.width, shown.height, scale, pixels, mobile=True)

    def zoom(self, factor: float) -> ViewScale:
        """
        Return the view after a browser zoom: fewer CSS pixels, each as much larger.

        >>> ViewScale.of(Settings(width=100, height=50)).zoom(0.5).width
        200.0
        """
        return ViewScale(
            self.width / factor,
            self.height / factor,
            self.scale * factor,
            self.pixels,
            zoomed=True,
            mobile=self.mobile,
        )


def shoot(world: World, view: ViewScale, *, top: float = 0.0) -> bytes:
    """
    Return the viewport as PNG bytes; ``top`` is how far it is scrolled, in CSS pixels.

    A clip is stated in coordinates of the document; without one, which the window needs not,
    Chromium has no metrics to set and to take back.
    Where no metrics were set in the same session, Chromium scales the clip itself and
    counts the device's scale for nothing. Raises CaptureError "wrong-size" where the image
    is not the viewport times the scale.
    """
    how: dict[str, object] = {"format": "png"}
    if top or view.zoomed or view.mobile or view.scale != 1:
        how["clip"] = {
            "x": 0,
            "y": top,
            "width": view.width,
            "height": view.height,
            "scale": 1 if view.zoomed else view.scale,
        }
    answer = world.session.send("Page.captureScreenshot", how)
    png = base64.b64decode(answer["data"])
    if png_size(png) != view.pixels:
        raise CaptureError(
            "wrong-size", expected=f"an image of {view.pixels} pixels", found=str(png_size(png))
        )
    return png


def png_size(png: bytes) -> tuple[int, int]:
    """
    Read width and height from a PNG's header; raises CaptureError for anything else.

    >>> import io; from PIL import Image
    >>> file = io.BytesIO(); Image.new("RGB", (3, 2)).save(file, "PNG")
    >>> png_size(file.getvalue())
    (3, 2)
    """
    if len(png) < 24 or png[:8] != b"\x89PNG\r\n\x1a\n":  # noqa: PLR2004
        raise CaptureError("wrong-size", expected="a PNG file", found=f"{len(png)} other bytes")
    width, height = struct.unpack(">II", png[16:24])
    return width, height
