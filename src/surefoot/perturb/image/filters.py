"""
What a picture goes through on its way to a model, or to an eye; nothing moves.
"""

from __future__ import annotations

import functools
import io
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from surefoot.core.edit import Filter, FilterKind, Tone
from surefoot.core.errors import InvalidInputError
from surefoot.core.pictures import Pixels

Floats: TypeAlias = NDArray[np.float64]

# Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color
# Vision Deficiency, IEEE TVCG 15(6), 2009: the matrices published with it, for severities
# 0.1 to 1 in steps of 0.1; they apply to linear sRGB.
MACHADO: Final = Path(__file__).with_name("machado.tsv")
LUMINANCE: Final = np.array([0.2126, 0.7152, 0.0722])
KNEE: Final = 0.04045
LOWEST_QUALITY, HIGHEST_QUALITY = 1, 95


def filtered(pixels: Pixels, edit: Filter) -> Pixels:
    """
    Return a filtered copy of a picture (height x width x 3), of the same size.

    Blur and noise work on sRGB values as they are stored, grey and colour vision on linear
    light. Raises InvalidInputError for an amount that the kind does not take.

    >>> filtered(np.full((1, 1, 3), 200, np.uint8), Filter("dark", 0.25)).tolist()
    [[[150, 150, 150]]]
    """
    least, most = RANGES[edit.kind]
    if not least <= edit.amount <= most:
        raise InvalidInputError(
            f"for '{edit.kind}' an amount from {least:g} to {most:g}", found=str(edit.amount)
        )
    return FILTERS[edit.kind](pixels, edit)


def toned(pixels: Pixels, edit: Tone) -> Pixels:
    """
    Return a copy of a picture (height x width x 3) with the light of one box changed.

    The box is rounded to whole pixels. Lightness is that of HSL, the mean of the greatest and
    the least channel. Raises InvalidInputError for a box without a pixel of the picture, and
    for a contrast under 0.

    >>> from surefoot.core.geometry import Box
    >>> grey = np.array([[[255] * 3, [255] * 3, [230] * 3]], np.uint8)
    >>> toned(grey, Tone(Box(0, 0, 3, 1), contrast=8)).tolist()
    [[[255, 255, 255], [255, 255, 255], [55, 55, 55]]]
    """
    left, top, right, bottom = (max(round(side), 0) for side in edit.box.as_tuple())
    part = pixels[top:bottom, left:right].astype(np.float64)
    if not part.size or not 0 <= edit.contrast < math.inf:
        raise InvalidInputError(
            "a box on the picture and a contrast of 0 or more",
            found=f"{edit.box}, {edit.contrast}",
        )
    ground = np.median(part, axis=(0, 1))
    part = np.clip(ground + edit.contrast * (part - ground), 0.0, 255.0)
    if edit.inverted:
        part += 255.0 - part.max(axis=2, keepdims=True) - part.min(axis=2, keepdims=True)
    found = pixels.copy()
    found[top:bottom, left:right] = _whole(part)
    return found


def _blur(pixels: Pixels, edit: Filter) -> Pixels:
    from scipy.ndimage import gaussian_filter

    spread = (edit.amount, edit.amount, 0)
    return _whole(
        np.asarray(gaussian_filter(pixels.astype(np.float64), spread, mode="nearest"), np.float64)
    )


def _noise(pixels: Pixels, edit: Filter) -> Pixels:
    drawn = np.random.default_rng(edit.seed).standard_normal(pixels.shape)
    return _whole(pixels + edit.amount * drawn)


def _gamma(pixels: Pixels, edit: Filter) -> Pixels:
    curve = _whole(255.0 * (np.arange(256) / 255.0) ** edit.amount)
    found: Pixels = curve[pixels]
    return found


def _dark(pixels: Pixels, edit: Filter) -> Pixels:
    found: Pixels = _whole(np.arange(256) * (1.0 - edit.amount))[pixels]
    return found


def _grey(pixels: Pixels, edit: Filter) -> Pixels:
    greys = _stored(_linear()[pixels] @ LUMINANCE)[..., None]
    return _whole(pixels + edit.amount * (greys.astype(np.float64) - pixels))


def _jpeg(pixels: Pixels, edit: Filter) -> Pixels:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=round(edit.amount))
    with Image.open(file) as image:
        return np.asarray(image.convert("RGB"))


def _vision(pixels: Pixels, edit: Filter) -> Pixels:
    matrix = _matrix(edit.kind, edit.amount)
    return _stored(np.clip(_linear()[pixels] @ matrix.T, 0.0, 1.0))


def _matrix(kind: FilterKind, severity: float) -> Floats:
    """Return a deficiency's matrix; between the published severities it is interpolated."""
    table = _machado()[kind]
    below = math.floor(10 * round(severity, 9))
    way = 10 * round(severity, 9) - below
    upper = table[min(below + 1, len(table) - 1)]
    found: Floats = table[below] + way * (upper - table[below])
    return found


@functools.cache
def _machado() -> dict[str, list[Floats]]:
    """Return each deficiency's matrices for the severities 0, 0.1, ... 1."""
    found: dict[str, list[Floats]] = {}
    for line in MACHADO.read_text("utf-8").splitlines():
        kind, _, *numbers = line.split("\t")
        found.setdefault(kind, [np.eye(3)]).append(np.array(numbers, dtype=float).reshape(3, 3))
    return found


@functools.cache
def _linear() -> Floats:
    """Return the linear light in [0, 1] of every 8-bit sRGB value (IEC 61966-2-1)."""
    share = np.arange(256) / 255.0
    found: Floats = np.where(share <= KNEE, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return found


def _stored(light: Floats) -> Pixels:
    low = light <= KNEE / 12.92
    return _whole(255.0 * np.where(low, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055))


def _whole(values: NDArray[np.floating[Any]]) -> Pixels:
    found: Pixels = np.clip(np.floor(np.round(values, 6) + 0.5), 0, 255).astype(np.uint8)
    return found


FILTERS: Final[dict[FilterKind, Callable[[Pixels, Filter], Pixels]]] = {
    "blur": _blur,
    "dark": _dark,
    "deuteranopia": _vision,
    "gamma": _gamma,
    "grey": _grey,
    "jpeg": _jpeg,
    "noise": _noise,
    "protanopia": _vision,
    "tritanopia": _vision,
}
RANGES: Final[dict[FilterKind, tuple[float, float]]] = dict.fromkeys(FILTERS, (0.0, 1.0)) | {
    "blur": (0.0, 100.0),
    "gamma": (0.01, 100.0),
    "jpeg": (LOWEST_QUALITY, HIGHEST_QUALITY),
    "noise": (0.0, 255.0),
}
