"""
Sums of floats without rounding: the same to the last bit in any order, from any parts.

A number is split into whole multiples of powers of two, ``BITS`` bits of it at a time, and the
multiples of each power are added up by themselves. They stay under 2^53, where a float holds
every whole number, for up to 2^31 numbers. Rounding comes once, at the end, and is correct
(``math.fsum``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from surefoot.score.stats.arrays import Bools, Floats, Ints

BITS: Final = 22
_SAFE: Final = 1000  # a power of two that a float can hold, and its inverse as well
_CHUNK: Final = 1_000_000


class ExactSums:
    """
    Hold ``size`` sums, to which numbers and other sums are added without rounding.

    >>> sums = ExactSums(2)
    >>> sums.add(np.array([0.1, 1e16, -1e16, 3.0]), np.array([0, 0, 0, 1]))
    >>> sums.rounded().tolist(), sums.whole()
    ([0.1, 3.0], 3.1)
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.planes: dict[int, Floats] = {}
        self.wild: Floats | None = None  # sums of infinities and what is no number

    def add(self, values: Floats, at: Ints) -> None:
        """Add numbers to the sums whose places are ``at``; both are (rows,)."""
        rest, wild = _split_finite(np.asarray(values, dtype=np.float64))
        if wild is not None:
            self._add_wild(np.bincount(at[wild], values[wild], self.size))
            at = at[~wild]
        for plane, counts in _planes(rest):
            self._put(plane, np.bincount(at, counts, self.size))

    def add_all(self, values: Floats, place: int) -> None:
        """
        Add (rows,) numbers to the one sum at a place.

        >>> sums = ExactSums(2)
        >>> sums.add_all(np.array([0.5, 1.0]), 1)
        >>> sums.rounded().tolist()
        [0.0, 1.5]
        """
        rest, wild = _split_finite(np.asarray(values, dtype=np.float64))
        total = np.zeros(self.size)
        if wild is not None:
            total[place] = values[wild].sum()
            self._add_wild(total.copy())
        for plane, counts in _planes(rest):
            total[place] = counts.sum()
            self._put(plane, total)

    def merge(self, other: ExactSums) -> None:
        """Add other sums of the same size."""
        for plane, counts in other.planes.items():
            self._put(plane, counts)
        if other.wild is not None:
            self.wild = other.wild if self.wild is None else self.wild + other.wild

    def rounded(self) -> Floats:
        """Return (size,): every sum, correctly rounded."""
        if not self.planes.keys() - {0}:
            total = self.planes[0].copy() if self.planes else np.zeros(self.size)
        else:
            total = np.empty(self.size)
            for start in range(0, self.size, _CHUNK):
                part = slice(start, start + _CHUNK)
                powers = [_scaled(self.planes[plane][part], BITS * plane) for plane in self.planes]
                total[part] = list(
                    map(math.fsum, zip(*map(np.ndarray.tolist, powers), strict=True))
                )
        return total if self.wild is None else total + self.wild

    def part(self, places: slice) -> ExactSums:
        """Return some of the sums by themselves."""
        part = ExactSums(len(range(self.size)[places]))
        part.planes = {plane: counts[places] for plane, counts in self.planes.items()}
        part.wild = None if self.wild is None else self.wild[places]
        return part

    def whole(self) -> float:
        """Return the sum of all sums, correctly rounded."""
        counts = {plane: float(item.sum()) for plane, item in self.planes.items()}
        total = math.fsum(math.ldexp(count, BITS * plane) for plane, count in counts.items())
        return total if self.wild is None else total + float(self.wild.sum())

    def _add_wild(self, more: Floats | Ints) -> None:
        more = more.astype(np.float64)
        self.wild = more if self.wild is None else self.wild + more

    def _put(self, plane: int, counts: Floats | Ints) -> None:
        if plane in self.planes:
            self.planes[plane] += counts
        else:
            self.planes[plane] = counts.astype(np.float64)  # a copy


def exact_sums(values: Floats, at: Ints, size: int) -> Floats:
    """
    Return (size,): sums of (rows,) numbers by their places, each correctly rounded.

    >>> exact_sums(np.array([0.1] * 10), np.zeros(10, dtype=int), 1).tolist()
    [1.0]
    """
    sums = ExactSums(size)
    sums.add(values, at)
    return sums.rounded()


def exact_mean(values: Floats) -> float:
    """
    Return the mean of (rows,) numbers, from their exact sum; NaN of none.

    >>> exact_mean(np.array([1.0, 0.0]))
    0.5
    """
    return math.fsum(values.tolist()) / len(values) if len(values) else math.nan


def _split_finite(values: Floats) -> tuple[Floats, Bools | None]:
    """Return the finite numbers, and which are not, None where all are finite."""
    if np.isfinite(np.abs(values).max(initial=0.0)):
        return values, None
    tame = np.isfinite(values)
    return values[tame], np.asarray(~tame)


def _planes(rest: Floats) -> Iterator[tuple[int, Floats]]:
    """Yield finite numbers as whole multiples of powers of two, power by power."""
    largest = float(np.abs(rest).max(initial=0.0))
    if largest < 1 << BITS and (np.trunc(rest) == rest).all():  # whole numbers, as counts are
        yield 0, rest
        return
    while largest > 0:
        plane = (math.frexp(largest)[1] - 1) // BITS
        counts = np.trunc(_scaled(rest, -BITS * plane))
        yield plane, counts
        rest = rest - _scaled(counts, BITS * plane)
        largest = float(np.abs(rest).max(initial=0.0))


def _scaled(values: Floats, power: int) -> Floats:
    """Return values times two to a power, which is exact here."""
    if abs(power) < _SAFE:
        return values * math.ldexp(1.0, power)
    return np.asarray(np.ldexp(values, power))
