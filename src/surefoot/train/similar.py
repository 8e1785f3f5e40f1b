"""
Pictures that are nearly the same: recompressed, rescaled, cut by a hundredth or two at an edge.

Pictures are compared as thumbnails of 56 x 56 cells. A cell differs where it is brighter or
darker, by more than 48 of 255 in some colour, than everything within one cell of its place in the
other: a cut of two hundredths moves nothing farther. Two pictures are nearly the same where at
most 2.8 % of the cells that show something differ. A picture that shows next to nothing is
measured by half of its own contrast, and one that shows nothing, like a blank page, is like no
other: it could not be told from any, and nothing can be asked of it.

Measured on 63 screens of 39 applications and web sites: recompressed (JPEG 60), rescaled (50, 75,
150 %), antialiased otherwise, and cut by 1 % at every edge all are found, cut by 2 % 97 of 100,
by 3 % at one edge half. Of 66 pairs of different pages of one site none is found, nor of 1,887
pairs of two sites: the nearest differ in 3.0 % and in 6.6 % of their cells. Of 120 small drawn
screens (128 x 96) 119 are found recompressed, all rescaled; the nearest of 2,340 pairs differ in
33 %. Two pages that show a line of small grey words in one place and nothing else are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image

from surefoot.core.pictures import opened

SIDE: Final = 56  # cells of a thumbnail
COARSE: Final = 8  # cells of what is compared first
MOST_COARSE: Final = 48  # shades in a coarse cell; a cut of 2 % changed at most 38
SHADES: Final = 48  # of 255, by which a cell differs
FAINTEST: Final = 8  # shades, below which a picture shows nothing
MOST_CELLS: Final = 0.028  # of those that show something
Cells = npt.NDArray[np.int16]


class Likeness(NamedTuple):
    """Hold what is compared of a picture: a coarse thumbnail in one row, and a finer one."""

    coarse: Cells
    thumbnail: npt.NDArray[np.uint8]


def likeness_of(picture: bytes) -> Likeness:
    """Return what is compared of a picture's bytes."""
    image = opened(picture).convert("RGB")
    coarse, fine = (
        np.asarray(image.resize((side, side), Image.Resampling.BOX)) for side in (COARSE, SIDE)
    )
    return Likeness(coarse.astype(np.int16).ravel(), fine)


def share_apart(first: Likeness, second: Likeness) -> float:
    """
    Return the share of the cells that show something in which two pictures differ.

    It is 1 where neither shows anything.
    """
    around = [_around(likeness.thumbnail.astype(np.int16)) for likeness in (first, second)]
    contrast = np.maximum(*((highest - lowest).max(axis=2) for _, lowest, highest in around))
    strongest = int(contrast.max())
    if strongest < FAINTEST:
        return 1.0
    apart = np.zeros((SIDE, SIDE), dtype=np.int16)
    for (cells, _, _), (_, lowest, highest) in (around, around[::-1]):
        beyond = np.maximum(cells - highest, lowest - cells).max(axis=2)
        apart = np.maximum(apart, beyond)
    limit = min(SHADES, strongest // 2)
    shows = (contrast > limit) | (apart > limit)
    return float((apart > limit).sum() / shows.sum())


def _around(cells: Cells) -> tuple[Cells, Cells, Cells]:
    """Return cells, and the lowest and the highest shades within one cell of each."""
    padded = np.pad(cells, ((1, 1), (1, 1), (0, 0)), mode="edge")
    near = [
        padded[down : down + SIDE, right : right + SIDE] for down in range(3) for right in range(3)
    ]
    return cells, np.minimum.reduce(near), np.maximum.reduce(near)


def same_pictures(
    first: Mapping[str, Likeness],
    second: Mapping[str, Likeness],
    *,
    known: Callable[[str, str], bool] = lambda _name, _other: False,
) -> Iterator[tuple[str, str]]:
    """
    Yield each pair of names, one of each side, whose pictures are nearly the same.

    A name that stands on both sides is its own pair. Pairs that are ``known`` are passed over.
    """
    if not first or not second:
        return
    names = list(second)
    coarse = np.stack([second[name].coarse for name in names])
    for name, likeness in first.items():
        near = np.flatnonzero(np.abs(coarse - likeness.coarse).max(axis=1) <= MOST_COARSE)
        _, lowest, highest = _around(likeness.thumbnail.astype(np.int16))
        lowest = np.maximum(lowest - SHADES, 0).astype(np.uint8)
        highest = np.minimum(highest + SHADES, 255).astype(np.uint8)
        for other in (names[int(at)] for at in near):
            if name == other:
                yield name, other
            elif not known(name, other):
                cells = second[other].thumbnail
                # If this many of all cells differ, more do of those that show something.
                differ = ((cells < lowest) | (cells > highest)).any(axis=2).sum()
                if (
                    differ <= MOST_CELLS * SIDE**2
                    and share_apart(likeness, second[other]) <= MOST_CELLS
                ):
                    yield name, other


def grouped(names: Mapping[str, str], likenesses: Mapping[str, Likeness]) -> Callable[[str], str]:
    """
    Return what groups sites: those with pictures that are nearly the same are in one group.

    ``names`` gives each picture's site.
    """
    parent = {site: site for site in names.values()}

    def root(site: str) -> str:
        while parent[site] != site:
            parent[site] = parent[parent[site]]
            site = parent[site]
        return site

    def joined(name: str, other: str) -> bool:
        return root(names[name]) == root(names[other])

    for name, other in same_pictures(likenesses, likenesses, known=joined):
        low, high = sorted((root(names[name]), root(names[other])))
        parent[high] = low
    return root
