"""
The array types of the scores: one name for each kind of column.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.integer]


class Labels(msgspec.Struct, frozen=True, eq=False):
    """
    Hold a column of strings as codes into its distinct names.

    >>> Labels(("b", "a"), np.array([0, 1, 0])).take(np.array([2, 1])).codes.tolist()
    [0, 1]
    """

    names: tuple[str, ...]
    codes: Ints

    def take(self, rows: Bools | Ints | slice) -> Labels:
        """Return the column for a selection of rows, with the same names."""
        return Labels(self.names, self.codes[rows])


def sorted_labels(labels: Labels) -> Labels:
    """
    Return the column with its names in order, whichever came first.

    >>> sorted_labels(Labels(("b", "a"), np.array([0, 1, 0]))).codes.tolist()
    [1, 0, 1]
    """
    order = sorted(range(len(labels.names)), key=labels.names.__getitem__)
    rank = np.empty(len(order), dtype=labels.codes.dtype)
    rank[order] = np.arange(len(order))
    return Labels(tuple(labels.names[at] for at in order), rank[labels.codes])


def combine(first: Ints, second: Ints, size: int) -> Ints:
    """
    Return one code for every two, in 64 bits; the second are in [0, size).

    >>> combine(np.array([0, 2], dtype=np.uint8), np.array([1, 4], dtype=np.uint8), 200).tolist()
    [1, 404]
    """
    codes = first.astype(np.int64)
    codes *= size
    codes += second
    return codes


def renumber(codes: Ints, size: int) -> tuple[Ints, Ints]:
    """
    Return the codes that occur, in order, and each code's place among them in 32 bits.

    It is ``np.unique`` with its inverse for codes in [0, size), without sorting.

    >>> present, places = renumber(np.array([5, 2, 5]), 8)
    >>> present.tolist(), places.tolist()
    ([2, 5], [1, 0, 1])
    """
    occurs = np.zeros(size, dtype=np.bool_)
    occurs[codes] = True
    places = np.cumsum(occurs, dtype=np.int32) - 1
    return np.flatnonzero(occurs), places[codes]
