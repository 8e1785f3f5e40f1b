"""
What an icon may show by its shape, read once more: by overlap, where the first reading correlates.

Written from the page of expressions alone, as everything of the judge.
"""

from __future__ import annotations

import functools
from importlib.resources import files
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels

SIDE: Final = 20
COLUMNS: Final = 64
AROUND: Final = 3
DRAWN: Final = 0.25
LEAST_OVERLAP: Final = 0.5
GROUNDS: Final = 3  # of the commonest colours
Grey = NDArray[np.float64]


def is_shaped(pixels: Pixels, box: Box, lines: list[Box], icon: str, *, about: float) -> bool:
    """Tell whether an icon overlaps a control's picture ``about`` as much as any other does."""
    top, left = max(0, round(box.top) - AROUND), max(0, round(box.left) - AROUND)
    bottom, right = round(box.bottom) + AROUND, round(box.right) + AROUND
    part = pixels[top:bottom, left:right, :3].astype(np.float64)
    hidden = np.zeros(part.shape[:2], dtype=bool)
    for line in lines:
        rows = slice(max(0, int(line.top) - 1 - top), max(0, int(line.bottom) + 2 - top))
        across = slice(max(0, int(line.left) - 1 - left), max(0, int(line.right) + 2 - left))
        hidden[rows, across] = True
    if hidden.all():
        return False
    colours, counts = np.unique(part[~hidden], axis=0, return_counts=True)
    for ground in colours[np.argsort(-counts, kind="stable")[:GROUNDS]]:
        apart = np.where(hidden, 0.0, np.abs(part - ground).max(axis=2))
        for picture in _pictures(apart / max(apart.max(), 1.0), box):
            own, other = _overlaps(_fitted(picture), icon)
            if own >= max(LEAST_OVERLAP, about * other):
                return True
    return False


def _pictures(ink: Grey, box: Box) -> list[Grey]:
    """Return what is drawn and does not leave the box, all of it and without its largest part."""
    parts, count = ndimage.label(ink > DRAWN, np.ones((3, 3)))
    edge = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
    inside = [part for part in range(1, count + 1) if part not in edge]
    found = []
    for kept in (inside, [part for part in inside if not _frames(parts == part, box)]):
        near = ndimage.maximum_filter(np.isin(parts, kept), 3)
        found.append(np.where(near & ((parts == 0) | np.isin(parts, kept)), ink, 0.0))
    return [picture for picture in found if (picture > DRAWN).any()]


def _frames(part: NDArray[np.bool_], box: Box) -> bool:
    wide, tall = part.any(axis=0).sum(), part.any(axis=1).sum()
    return bool(wide >= 9 / 10 * box.width and tall >= 9 / 10 * box.height)


def _fitted(picture: Grey) -> Grey:
    """Return what is drawn, in the middle of a square of ``SIDE``, each cell a mean of pixels."""
    down, across = np.nonzero(picture > DRAWN)
    part = picture[down.min() : down.max() + 1, across.min() : across.max() + 1]
    side = max(part.shape)
    (above, below), (before, after) = (
        ((side - extent) // 2, side - extent - (side - extent) // 2) for extent in part.shape
    )
    square = np.pad(part, ((above, below), (before, after)))
    fine = square.repeat(SIDE, axis=0).repeat(SIDE, axis=1)
    return np.asarray(fine.reshape(SIDE, side, SIDE, side).mean(axis=(1, 3)))


def _overlaps(picture: Grey, icon: str) -> tuple[float, float]:
    """Return how far an icon's nearest shape overlaps, and the nearest that speaks against it."""
    shapes, names, _ = _known()
    overlap = np.minimum(shapes, picture).sum(axis=(1, 2))
    overlap /= np.maximum(shapes, picture).sum(axis=(1, 2))
    own = np.array(names) == icon
    return float(overlap[own].max(initial=0)), float(overlap[_against(icon)].max(initial=0))


@functools.cache
def _against(icon: str) -> NDArray[np.bool_]:
    _, names, near = _known()
    pairs = zip(names, near, strict=True)
    return np.array([name != icon and icon not in known for name, known in pairs])


@functools.cache
def _known() -> tuple[Grey, list[str], list[list[str]]]:
    folder = files("surefoot.refer.scene")
    text = folder.joinpath("icon_shapes.tsv").read_text(encoding="utf-8")
    names, near = zip(*(line.split("\t") for line in text.splitlines()), strict=True)
    with Image.open(BytesIO(folder.joinpath("icon_shapes.png").read_bytes())) as sheet:
        grey = np.asarray(sheet.convert("L"), dtype=np.float64) / 255
    at = ((row * SIDE, column * SIDE) for row in range(len(names) // COLUMNS + 1)
          for column in range(COLUMNS))  # fmt: skip
    cut = [grey[y : y + SIDE, x : x + SIDE] for _, (y, x) in zip(names, at, strict=False)]
    return np.stack(cut), list(names), [known.split("|") for known in near]
