"""
How findable a mask is: the step in colour along its border, against the page's own steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.core.cielab import Labs, lab
from surefoot.perturb.pixels import Pixels, Region

__all__ = ["JUST_NOTICEABLE", "findability"]

JUST_NOTICEABLE: Final = 2.3  # CIELAB distance that half of all people notice (Mahy et al. 1994)
NEARBY: Final = 24


def findability(
    pixels: Pixels, region: Region, masked: NDArray[np.bool_], *, nearby: int = NEARBY
) -> float:
    """
    Return b / (b + n + 2.3): 0 where the border shows no step, near 1 where only it does.

    b is the mean CIELAB distance (CIE 1976) between the pixels on both sides of the
    region's border, n the mean distance between all pairs of neighbouring pixels within
    ``nearby`` pixels of the region, and 2.3 a just noticeable difference. So 0.5 says that
    the border's edge energy is that of the page around it. Pairs with a pixel that
    ``masked`` (height x width) marks outside the region count for nothing, nor do borders
    at the edge of the picture; a region without a border has 0.

    >>> picture = np.full((60, 60, 3), 255, np.uint8)
    >>> where, masked = Region(20, 20, 40, 40), np.zeros((60, 60), bool)
    >>> findability(picture, where, masked)
    0.0
    >>> picture[where.slices] = 0
    >>> round(findability(picture, where, masked), 2)
    0.98
    """
    around = region.grown(nearby, pixels.shape)
    shown = pixels[around.slices]
    labs = lab(shown).reshape(*shown.shape[:2], 3)
    inside = np.zeros(shown.shape[:2], dtype=bool)
    top, left = region.top - around.top, region.left - around.left
    inside[top : top + region.size[0], left : left + region.size[1]] = True
    hidden = masked[around.slices] & ~inside
    border: list[Labs] = []
    others: list[Labs] = []
    for step, both, crossing in _steps(labs, inside, hidden):
        border.append(step[crossing])
        others.append(step[~both & ~crossing])
    found = _mean(border)
    return found / (found + _mean(others) + JUST_NOTICEABLE)


def _steps(
    labs: Labs, inside: NDArray[np.bool_], hidden: NDArray[np.bool_]
) -> Iterator[tuple[Labs, NDArray[np.bool_], NDArray[np.bool_]]]:
    """
    Yield, along each axis, the distances of neighbours and what they are.

    The masks say which pairs are no part of what surrounds the region (both inside, or one
    of them hidden), and which cross the border.
    """
    for axis in (0, 1):
        count = inside.shape[axis]
        one, other = (
            tuple(part if each == axis else slice(None) for each in (0, 1))
            for part in (slice(0, count - 1), slice(1, count))
        )
        distances: Labs = np.linalg.norm(labs[other] - labs[one], axis=-1)
        lost = hidden[one] | hidden[other]
        crossing = (inside[one] != inside[other]) & ~lost
        yield distances, (inside[one] & inside[other]) | lost, crossing


def _mean(parts: list[Labs]) -> float:
    values = np.concatenate([part.ravel() for part in parts])
    return float(values.mean()) if len(values) else 0.0
