"""
Colours as people tell them apart: sRGB to CIELAB, in which distances are about even.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Labs: TypeAlias = NDArray[np.float64]

# IEC 61966-2-1: linear sRGB to XYZ, relative to the white D65; and CIE 15: XYZ to CIELAB.
_TO_XYZ: Final = np.array([
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
])  # fmt: skip
_WHITE: Final = _TO_XYZ.sum(axis=1)
_CUBE: Final = (6 / 29) ** 3
_SLOPE: Final = (29 / 6) ** 2 / 3
SRGB_KNEE: Final = 0.04045


def lab(colours: NDArray[np.uint8]) -> Labs:
    """
    Convert sRGB colours (n x 3, 0 to 255) to CIELAB (n x 3; CIE 1976, white D65).

    >>> lab(np.array([[255, 255, 255], [255, 0, 0]], np.uint8)).round(1).tolist()
    [[100.0, 0.0, 0.0], [53.2, 80.1, 67.2]]
    """
    share = colours.reshape(-1, 3) / 255.0
    linear = np.where(share <= SRGB_KNEE, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    ratio = linear @ _TO_XYZ.T / _WHITE
    root = np.where(ratio > _CUBE, np.cbrt(ratio), ratio * _SLOPE + 4 / 29)
    x, y, z = root.T
    found: Labs = np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)
    return found
