"""
Exact sums by name: a few numbers for each key that comes up, merged by keys.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from surefoot.score.stats.arrays import Floats, Ints
from surefoot.score.stats.exact import ExactSums


class KeyedSums:
    """
    Hold some sums for each key, to which numbers and other sums are added without rounding.

    >>> sums = KeyedSums(1)
    >>> sums.add(["a", "b"], np.array([0, 1, 0]), [(np.array([0.1, 1.0, 0.2]), 0)])
    >>> {key: float(values[0]) for key, values in sums.rounded().items()}
    {'a': 0.30000000000000004, 'b': 1.0}
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.sums: dict[Hashable, ExactSums] = {}

    def add(
        self,
        keys: Sequence[Hashable],
        at: Ints,
        columns: Sequence[tuple[Floats, Ints | int]],
    ) -> None:
        """
        Add columns of (rows,) numbers with the place of each among its key's sums, or of all.

        ``at`` is (rows,): the place of each row's key in ``keys``.
        """
        sums = ExactSums(len(keys) * self.width)
        for values, place in columns:
            known = ~np.isnan(values)
            sums.add(values[known], (at * self.width + place)[known])
        for number, key in enumerate(keys):
            part = slice(number * self.width, (number + 1) * self.width)
            self._put(key, sums.part(part))

    def merge(self, other: KeyedSums) -> None:
        """Add the sums of other rows."""
        for key, sums in other.sums.items():
            self._put(key, sums)

    def rounded(self) -> Mapping[Hashable, Floats]:
        """Return the sums of each key, correctly rounded."""
        return {key: sums.rounded() for key, sums in self.sums.items()}

    def _put(self, key: Hashable, sums: ExactSums) -> None:
        self.sums.setdefault(key, ExactSums(self.width)).merge(sums)
