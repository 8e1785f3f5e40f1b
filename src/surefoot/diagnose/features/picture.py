"""
What is read of a picture, and of the pixels of a part of it.

Lengths are pixels of the picture that is shown, since those are what a model gets.
"""

from __future__ import annotations

import functools
from typing import Final

import numpy as np

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.refer.scene.scene import Scene
from surefoot.score.stats.arrays import Floats

DARK: Final = 96  # of 255, the median of all channels
EDGE: Final = 0.1  # between neighbouring pixels, in lightness of 0 to 1
SHADE: Final = 12  # of 255, by which a channel differs visibly
RING_PX: Final = 8
MARGIN_PX: Final = 2
WEIGHTS: Final = np.array([0.2126, 0.7152, 0.0722])


class Raster:
    """Read a whole picture; ``thumb`` is every eighth pixel of it, None where it has none."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.screen = scene.screen
        self.pixels = scene.pixels
        self.thumb = None if scene.pixels is None else scene.pixels[::8, ::8]

    @functools.cached_property
    def leaves(self) -> list[int]:
        """Return the places of what is seen and holds nothing else."""
        plain = np.flatnonzero(self.scene.plain).tolist()
        return [at for at in plain if at not in self.scene.children]

    def font(self) -> float | None:
        """Return the median size of writing."""
        fonts = [self.scene.elements[at].font_px for at in self.leaves if self.scene.texts[at]]
        return float(np.median(fonts)) if fonts else None

    def theme(self) -> str:
        """Tell whether the picture is dark or light."""
        if self.thumb is None:
            return ""
        return "dark" if float(np.median(self.thumb)) < DARK else "light"

    def brightness(self) -> float | None:
        """Return the median lightness in percent."""
        if self.thumb is None:
            return None
        return 100 * float(np.sqrt(np.median(luminance(self.thumb))))


def cut(pixels: Pixels, box: Box, margin: int) -> Pixels:
    """Return the pixels of a box, and of a margin around it."""
    left, top, right, bottom = box.as_tuple()
    return pixels[
        max(round(top) - margin, 0) : max(round(bottom) + margin, 0),
        max(round(left) - margin, 0) : max(round(right) + margin, 0),
    ]


def rim(pixels: Pixels, width: int) -> Floats:
    """Return a picture's outermost pixels (n x channels), ``width`` on each side."""
    between = pixels[width:-width]
    sides = (pixels[:width], pixels[-width:], between[:, :width], between[:, -width:])
    return np.concatenate([side.reshape(-1, pixels.shape[2]) for side in sides]).astype(np.float64)


def framed(pixels: Pixels, box: Box) -> float:
    """Return how many in a hundred pixels on a box's edge differ from what is around it."""
    wide, outside = cut(pixels, box, MARGIN_PX), cut(pixels, box, RING_PX)
    if not wide.size or not outside.size:
        return 0.0
    ground = np.median(rim(outside, 2), axis=0)
    differ = np.abs(rim(wide, 2 * MARGIN_PX) - ground).max(axis=1) > SHADE
    return 100 * float(differ.mean())


def luminance(pixels: Pixels | Floats) -> Floats:
    """Return relative luminance, 0 to 1; sRGB's curve taken as a power of 2.2."""
    found: Floats = (pixels[..., :3] / 255.0) ** 2.2 @ WEIGHTS
    return found


def saturation(pixels: Pixels | Floats) -> Floats:
    """Return how far apart the channels of each pixel are, in percent."""
    channels = pixels[..., :3].astype(np.float64)
    found: Floats = 100 * (channels.max(axis=-1) - channels.min(axis=-1)) / 255
    return found


def detail(pixels: Pixels) -> float:
    """Return how many in a hundred pixels differ from the next one to the right."""
    grey = pixels[..., :3].astype(np.float64) @ WEIGHTS / 255
    return float(100 * np.mean(np.abs(np.diff(grey, axis=1)) > EDGE)) if grey.shape[1] > 1 else 0.0
