"""
Parts of a command's units, so that several machines do them: which unit is whose.

Every machine has the whole plan, and so knows all units. They are put in an order that keeps
sites together and is otherwise arbitrary, and cut into parts of equal number: a site is on one
machine, but for those at a cut. Each part is a folder with a ledger of its own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger, note_hint
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.pool import Unit
from surefoot.run.engine.progress import Tally

T = TypeVar("T")
SHARD: Final = "shard"  # the key of a plan: [I, N]
THROUGH: Final = "through"  # the hint in a ledger whose part is
_SPELT: Final = re.compile(r"([1-9]\d{0,5})/([1-9]\d{0,5})")
_HALF: Final = 8  # bytes of a place for the site, and as many for the unit


class Shard(msgspec.Struct, frozen=True):
    """Name one of several parts of a command's units, counted from 1."""

    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    def part(self, units: Iterable[T], place: Callable[[T], tuple[str, str]]) -> ShardUnits[T]:
        """
        Return the units of this part, in their order; ``place`` tells a unit's site and key.

        ``units`` are gone through once now, and once each time that the part is.
        """
        places = np.fromiter((_spot(*place(unit)) for unit in units), dtype=f"S{2 * _HALF + 1}")
        places.sort()
        ends = [(self.index + shift) * len(places) // self.count for shift in (-1, 0)]
        low, high = (places[end].item() if end < len(places) else _LAST for end in ends)
        return ShardUnits(units, place, low, high)


def _spot(site: str, key: str) -> bytes:
    halves = (hashlib.blake2b(text.encode(), digest_size=_HALF) for text in (site, key))
    # NumPy drops zero bytes at an end, so that something else stands there.
    return b"".join(half.digest() for half in halves) + b"."


_LAST: Final = b"\xff" * (2 * _HALF + 1)


class ShardUnits(Generic[T]):
    """Iterate over the units of one part, as often as the units themselves can be."""

    def __init__(
        self,
        units: Iterable[T],
        place: Callable[[T], tuple[str, str]],
        low: bytes,
        high: bytes,
    ) -> None:
        self._units, self._place, self._low, self._high = units, place, low, high

    def __iter__(self) -> Iterator[T]:
        """Yield the units of this part."""
        for unit in self._units:
            if self._low <= _spot(*self._place(unit)) < self._high:
                yield unit


def read_shard(text: str) -> Shard | None:
    """
    Return the part that "I/N" names, None for no text; raises InvalidInputError.

    >>> read_shard("2/8")
    Shard(index=2, count=8)
    """
    if not text:
        return None
    found = _SPELT.fullmatch(text)
    if found is None or int(found[1]) > int(found[2]):
        raise InvalidInputError(
            "a part as I/N, I from 1 to N", found=f"'{text}'", remedy="write --shard 2/8"
        )
    return Shard(int(found[1]), int(found[2]))


def part_of(units: Iterable[Unit], shard: Shard | None) -> Iterable[Unit]:
    """Return the units of a part, all of them where there is none."""
    return shard.part(units, lambda unit: (unit.site, unit.key)) if shard else units


def plan_of_part(plan: Mapping[str, object], shard: Shard | None) -> dict[str, object]:
    """Return the plan of a part: that of the whole, and which part it is."""
    return {**plan, SHARD: [shard.index, shard.count]} if shard else dict(plan)


def planned_shard(plan: Mapping[str, object]) -> Shard | None:
    """Return the part that a plan is of, None for that of a whole; raises InvalidInputError."""
    given = plan.get(SHARD)
    if given is None:
        return None
    return read_shard("/".join(map(str, given)) if isinstance(given, list) else str(given))


def end_part(folder: Path, ledger: Ledger, tally: Tally, shard: Shard) -> Outcome:
    """Note in a folder that its part is through, whether or not units failed, and return it."""
    note_hint(folder, THROUGH, str(shard))
    line = f"part {shard.index} of {shard.count}: {tally.total} units"
    return Outcome(folder, tally, tuple(ledger.failures()), (line,), shard=str(shard))
