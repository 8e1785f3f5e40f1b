"""
The array types of the scores: one name for each kind of column.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = ["Bools", "Floats", "Ints", "Labels"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Labels(msgspec.Struct, frozen=True, eq=False):
    """
    Hold a column of strings as codes into its distinct names.

    >>> Labels(("b", "a"), np.array([0, 1, 0])).take(np.array([2, 1])).codes.tolist()
    [0, 1]
    """

    names: tuple[str, ...]
    codes: Ints

    def take(self, rows: Bools | Ints) -> Labels:
        """Return the column for a selection of rows, with the same names."""
        return Labels(self.names, self.codes[rows])
