"""
What an icon without a name shows, by the shapes of icons that have one.

``icon_shapes.png`` holds shapes of published sets (``scripts/icon_shapes.py``), and
``icon_shapes.tsv`` a line for each: what it is called, or, of a shape that only looks like others,
which icons it speaks neither for nor against.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels

SIDE: Final = 20  # pixels of a tile
TILES_A_ROW: Final = 64
BLUR: Final = 0.8
# A picture is named where its nearest shape is as near as the first of a pair, and the nearest of
# any other name farther by the second: of two sets that were left out, 98 of 100 were right.
SURE: Final = ((0.93, 0.05), (0.88, 0.12))
INKED: Final = 0.25
LEAST_CONTRAST: Final = 30
ICON_PX: Final = (10, 96)
AROUND_PX: Final = 3
FRAME: Final = 0.9

Ink = NDArray[np.float64]
Tile = NDArray[np.uint8]


class _Shapes(NamedTuple):
    features: Ink
    names: NDArray[np.str_]
    near: tuple[frozenset[str], ...]


def tile_of(ink: Ink) -> Tile:
    """Return ink (0 to 1) as a tile: what is drawn, in the middle of a square of ``SIDE``."""
    rows, columns = (np.flatnonzero((ink > INKED).any(axis=axis)) for axis in (1, 0))
    part = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    side = max(part.shape)
    square = np.zeros((side, side))
    top, left = ((side - extent) // 2 for extent in part.shape)
    square[top : top + part.shape[0], left : left + part.shape[1]] = part
    way = Image.Resampling.BOX if side >= SIDE else Image.Resampling.BILINEAR
    picture = Image.fromarray(np.rint(square * 255).astype(np.uint8))
    return np.asarray(picture.resize((SIDE, SIDE), way))


def features_of(tiles: NDArray[np.uint8]) -> Ink:
    """Return a row for each tile (n x side x side); their products are correlations."""
    soft = ndimage.gaussian_filter(tiles.astype(np.float64), (0, BLUR, BLUR))
    rows = soft.reshape(len(tiles), -1)
    rows -= rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9))


def icon_drawn(pixels: Pixels, box: Box, lines: Iterable[Box]) -> str:
    """
    Return what the picture in a control surely shows, as ``icons.tsv`` has it, else "".

    ``lines`` are where its words are, which are no part of the picture.
    """
    found = {name for ink in _inks(pixels, box, tuple(lines)) if (name := _nearest(tile_of(ink)))}
    return found.pop() if len(found) == 1 else ""


def _nearest(tile: Tile) -> str:
    shapes = _shapes()
    found = shapes.features @ features_of(tile[None])[0]
    name = str(shapes.names[int(np.where(shapes.names == "", -1.0, found).argmax())])
    best = float(found[shapes.names == name].max())
    ahead = best - float(found[_against(name)].max())
    sure = any(best >= alike and ahead >= apart for alike, apart in SURE)
    return name if sure else ""


@functools.cache
def _against(name: str) -> NDArray[np.bool_]:
    """Tell which shapes speak against a name."""
    pairs = zip(_shapes().names.tolist(), _shapes().near, strict=True)
    return np.array([own != name and name not in near for own, near in pairs])


def _inks(pixels: Pixels, box: Box, lines: tuple[Box, ...]) -> Iterator[Ink]:
    """Yield what may be the picture in a box: all that stands out, and that within a frame."""
    left, top, right, bottom = _rounded(box, pixels, AROUND_PX)
    part = pixels[top:bottom, left:right].astype(np.int16)
    words = np.zeros(part.shape[:2], dtype=bool)
    for line in lines:
        x0, y0, x1, y1 = _rounded(line, pixels, 1)
        words[max(0, y0 - top) : max(0, y1 - top), max(0, x0 - left) : max(0, x1 - left)] = True
    edge = np.ones_like(words)
    edge[AROUND_PX:-AROUND_PX, AROUND_PX:-AROUND_PX] = False
    grounds = {_commonest(part[edge]), _commonest(part[~edge & ~words])}
    for ground in sorted(filter(None, grounds)):
        apart = np.where(words, 0, np.abs(part - np.array(ground)).max(axis=2))
        if apart.max() < LEAST_CONTRAST:
            continue
        ink = apart / apart.max()
        labels, count = ndimage.label(ink > INKED, np.ones((3, 3)))
        outer = set(np.unique(np.concatenate([*labels[[0, -1]], *labels[:, [0, -1]].T])))
        inner = [at + 1 for at in range(count) if at + 1 not in outer]
        places = ndimage.find_objects(labels)
        framing = [at for at in inner if _spans(places[at - 1], box)]
        for chosen in (inner, [at for at in inner if at not in framing]):
            mask = ndimage.binary_dilation(np.isin(labels, chosen), np.ones((3, 3), bool))
            own = np.where(mask & np.isin(labels, [0, *chosen]), ink, 0.0)
            sides = [np.ptp(found) + 1 for found in np.nonzero(own > INKED) if found.size]
            if sides and ICON_PX[0] <= max(sides) <= ICON_PX[1]:
                yield own


def _rounded(box: Box, pixels: Pixels, more: int) -> tuple[int, int, int, int]:
    """Return a box, and ``more`` pixels around it, in whole pixels within a picture."""
    left, top, right, bottom = (math.floor(side + 0.5) for side in box.as_tuple())
    height, width = pixels.shape[:2]
    sides = (
        (left - more, width),
        (top - more, height),
        (right + more, width),
        (bottom + more, height),
    )
    x0, y0, x1, y1 = (min(max(side, 0), most) for side, most in sides)
    return x0, y0, x1, y1


def _spans(place: tuple[slice, ...], box: Box) -> bool:
    down, across = (part.stop - part.start for part in place)
    return bool(down >= FRAME * box.height and across >= FRAME * box.width)


def _commonest(colours: NDArray[np.int16]) -> tuple[int, ...] | None:
    known, counts = np.unique(colours.reshape(-1, 3), axis=0, return_counts=True)
    return tuple(known[int(counts.argmax())].tolist()) if len(known) else None


@functools.cache
def _shapes() -> _Shapes:
    file = Path(__file__).with_name("icon_shapes.png")
    rows = [line.split("\t") for line in file.with_suffix(".tsv").read_text("utf-8").splitlines()]
    with Image.open(file) as picture:
        sheet = np.asarray(picture.convert("L"))
    tiles = sheet.reshape(-1, SIDE, TILES_A_ROW, SIDE).swapaxes(1, 2).reshape(-1, SIDE, SIDE)
    return _Shapes(
        features_of(tiles[: len(rows)]),
        np.array([name for name, _ in rows]),
        tuple(frozenset(near.split("|")) for _, near in rows),
    )
