"""
Pictures that are nearly the same: recompressed, rescaled, or of the same screen.

Each picture has a hash of 256 bits (whether a cell is brighter than the next one, on a grid of
16 by 17 cells) and a thumbnail. Two are nearly the same if their hashes differ in few bits and
their thumbnails in few shades.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image

from surefoot.core.pictures import opened

GRID: Final = 16
SIDE: Final = 32  # of a thumbnail
MOST_BITS: Final = 26  # of 256
MOST_SHADES: Final = 3.0  # mean absolute difference, of 255
MOST_OF_A_CELL: Final = 40  # the largest difference of one thumbnail pixel
Words = npt.NDArray[np.uint64]


class Likeness(NamedTuple):
    """Hold what is compared of a picture: its hash as four words, its thumbnail."""

    words: Words
    thumbnail: npt.NDArray[np.int16]


def likeness_of(picture: bytes) -> Likeness:
    """Return what is compared of a picture's bytes."""
    image = opened(picture)
    grey = np.asarray(image.convert("L").resize((GRID + 1, GRID), Image.Resampling.BOX))
    bits = np.packbits(grey[:, 1:] > grey[:, :-1])
    small = image.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BOX)
    return Likeness(bits.view(np.uint64), np.asarray(small, dtype=np.int16))


def same_pictures(
    first: Mapping[str, Likeness], second: Mapping[str, Likeness]
) -> Iterator[tuple[str, str]]:
    """
    Yield each pair of names, one of each side, whose pictures are nearly the same.

    A name that stands on both sides is its own pair.
    """
    if not first or not second:
        return
    names = list(second)
    words = np.stack([second[name].words for name in names])
    for name, likeness in first.items():
        bits = np.bitwise_count(words ^ likeness.words).sum(axis=1)
        for at in np.flatnonzero(bits <= MOST_BITS):
            other = names[int(at)]
            apart = np.abs(second[other].thumbnail - likeness.thumbnail)
            if apart.mean() <= MOST_SHADES and apart.max() <= MOST_OF_A_CELL:
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

    for one, other in same_pictures(likenesses, likenesses):
        low, high = sorted((root(names[one]), root(names[other])))
        parent[high] = low
    return root
