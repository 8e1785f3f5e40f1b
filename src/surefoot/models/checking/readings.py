"""
Readings of a model's numbers, and which of them explains where its answers lie.

A server may resize pictures within limits of its own before the model sees them; the model's
numbers are then pixels of what it saw. Every reading is a space, with or without its axes
swapped, and is judged by its likelihood: an answer lies around the middle of its target (normally,
with a spread that is fitted), or anywhere (with a share that is fitted).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from surefoot.core.geometry import Box, Point
from surefoot.models.spaces import (
    IMAGE_PIXELS,
    PER_MILLE,
    UNIT,
    PatchRule,
    ResizeRule,
    Space,
    patched_pixels,
    resized_pixels,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# Spreads as shares of a target's sides, and shares of answers that lie anywhere.
SPREADS: Final = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
LOST: Final = (0.02, 0.1, 0.25, 0.5, 0.75, 0.9)
# By chance one in so many models that answer anywhere is taken for one that reads otherwise.
ODDS: Final = 1000.0
# Readings whose sizes differ by less are not told apart: no target is missed for it.
LEAST_DIFFERENCE: Final = 0.005
SMALLEST, LARGEST = 40_000, 20_000_000  # pixels a picture, of limits that are tried
STEP: Final = 1.03
FINE_STEP: Final = 1.002
FINE: Final = 16  # steps on either side
EDGES: Final = (
    *(400, 448, 500, 512, 560, 600, 640, 672, 700, 720, 768, 800, 896, 900, 1000, 1008, 1024),
    *(1092, 1120, 1200, 1280, 1344, 1400, 1440, 1500, 1536, 1568, 1600, 1792, 1800, 1920, 2000),
    *(2048, 2240, 2400, 2560, 2576, 2800, 3000, 3072, 3200, 3600, 3840, 4096),
)
# Numbers of patches that servers and documents name as limits.
TOKENS: Final = (
    *(4, 16, 64, 100, 128, 196, 256, 324, 400, 512, 576, 640, 729, 768, 900, 1024, 1280, 1344),
    *(1536, 1568, 2048, 2560, 3072, 3136, 4096, 4784, 5120, 8192, 11285, 12288, 16384),
)


class Sighting(msgspec.Struct, frozen=True):
    """Pair one screen's size and true box with the point that was answered, in its pixels."""

    width: int
    height: int
    truth: Box
    point: Point


class NumberReading(msgspec.Struct, frozen=True):
    """Describe one way to read a model's numbers: a space, the axes swapped or not."""

    space: Space
    swapped: bool = False

    @property
    def description(self) -> str:
        """Return the reading in words."""
        words: str = self.space.kind
        rule = self.space.resize
        if isinstance(rule, ResizeRule):
            least = f"at least {rule.min_pixels:,} and " if rule.min_pixels > SMALLEST else ""
            edge = f", a side of at most {rule.max_edge:,}" if rule.max_edge else ""
            words += f" ({least}at most about {rule.max_pixels:,}{edge})"
        elif rule:
            words += f" (at most {rule.max_patches:,} patches)"
        return words + (" with x and y swapped" if self.swapped else "")


class Explained(NamedTuple):
    """
    Name the reading that explains answers best, beside the claimed one.

    ``lead`` is the difference of their logarithmic likelihoods, ``needed`` the one that chance
    leaves no room for; ``matters`` tells whether their sizes differ so much that targets are
    missed.
    """

    best: NumberReading
    lead: float
    needed: float
    matters: bool

    @property
    def decided(self) -> bool:
        """Tell whether the best reading explains more than the claimed one."""
        return self.matters and self.lead > self.needed


def explain(sightings: Sequence[Sighting], claimed: Space) -> Explained:
    """
    Return the reading that explains where answers lie, and by how much more than the claimed one.

    Limits of a server are searched in steps of 3%, then of 0.2% around the best, the least and
    the most that it allows in turn; of equally good ones the plainest is named. One and the same
    place everywhere, in numbers or as a share of each picture, is a weak model and no other space,
    so the best reading must explain more than such a place does, too.
    """
    own = NumberReading(claimed)
    tried = readings(claimed)
    evidence = _Evidence(sightings, claimed)
    best, value = evidence.best((own, *tried))
    for _ in range(2):
        best, value = evidence.best((best, *_refined(best)))
    best, value = evidence.best((best, *_known(best)), slack=0.5)
    lead = value - max(float(evidence.of([own])[0]), evidence.of_one_place(claimed, best.space))
    needed = math.log(len(tried)) + math.log(ODDS)
    return Explained(best, lead, needed, evidence.differ(own, best))


@functools.lru_cache(maxsize=64)
def readings(claimed: Space) -> tuple[NumberReading, ...]:
    """Return every reading that is tried beside the claimed one, the plainest first."""
    spaces = (claimed, IMAGE_PIXELS, PER_MILLE, UNIT, *_resized(claimed))
    tried = itertools.product((False, True), dict.fromkeys(spaces))
    return tuple(
        NumberReading(space, swapped) for swapped, space in tried if swapped or space != claimed
    )


def reread(seen: Sighting, claimed: Space, reading: NumberReading) -> Point:
    """Take back the numbers that the model wrote, and read them another way."""
    x, y = claimed.from_image(seen.point, width=seen.width, height=seen.height)
    if reading.swapped:
        x, y = y, x
    return reading.space.to_image(x, y, width=seen.width, height=seen.height)


def _resized(claimed: Space) -> Iterator[Space]:
    """Yield the spaces of pictures that a server resized within limits of its own."""
    rule = claimed.resize
    own = rule if isinstance(rule, ResizeRule) else ResizeRule(28, 3136, 12_845_056)
    for limit in _steps():
        yield resized_pixels(own.factor, min(own.min_pixels, limit), limit)
    for limit in _steps():
        yield resized_pixels(own.factor, limit, max(own.max_pixels, limit))
    for edge in EDGES:
        yield resized_pixels(own.factor, own.min_pixels, own.max_pixels, edge)
    if isinstance(rule, PatchRule):
        for patches in {round(limit / 28 / 28) for limit in _steps()}:
            yield patched_pixels(rule.max_edge, patches)
            yield patched_pixels(28 * patches, patches)


def _steps() -> Iterator[int]:
    limit = float(SMALLEST)
    while limit < LARGEST:
        yield round(limit)
        limit *= STEP


def _refined(reading: NumberReading) -> Iterator[NumberReading]:
    """Yield readings near one whose space has limits: each limit anew, and finer."""
    rule = reading.space.resize
    if not isinstance(rule, ResizeRule):
        return
    fine = [FINE_STEP**step for step in range(-FINE, FINE + 1)]
    most = [*_steps(), *(round(rule.max_pixels * share) for share in fine)]
    least = [*_steps(), *(round(rule.min_pixels * share) for share in fine)]
    edges = (round(rule.max_edge * share) for share in fine if rule.max_edge)
    for limits in (
        *((min(rule.min_pixels, limit), limit, rule.max_edge) for limit in most),
        *((limit, max(rule.max_pixels, limit), rule.max_edge) for limit in least),
        *((rule.min_pixels, rule.max_pixels, edge) for edge in edges),
    ):
        yield msgspec.structs.replace(reading, space=resized_pixels(rule.factor, *limits))


def _known(reading: NumberReading) -> Iterator[NumberReading]:
    """Yield readings whose limits are numbers that servers name, near the one given."""
    rule = reading.space.resize
    if not isinstance(rule, ResizeRule):
        return
    named = [tokens * rule.factor**2 for tokens in TOKENS]
    near = (rule.min_pixels, *named), (rule.max_pixels, *named)
    for least, most in itertools.product(*near):
        if least <= most and _near(least, rule.min_pixels) and _near(most, rule.max_pixels):
            space = resized_pixels(rule.factor, least, most, rule.max_edge)
            yield msgspec.structs.replace(reading, space=space)


def _near(one: int, other: int) -> bool:
    return abs(math.log(one / other)) <= 2 * math.log(STEP)


@functools.lru_cache(maxsize=100_000)
def _extent(space: Space, width: int, height: int) -> tuple[int, int]:
    return space.extent(width, height)


class _Evidence:
    """Hold what was answered, as numbers, and tell how likely it is under readings."""

    def __init__(self, sightings: Sequence[Sighting], claimed: Space) -> None:
        import numpy as np

        self._sizes = [(seen.width, seen.height) for seen in sightings]
        numbers = [
            claimed.from_image(seen.point, width=seen.width, height=seen.height)
            for seen in sightings
        ]
        shape = (len(sightings), 2)
        sizes = np.asarray(self._sizes, float).reshape(shape)
        middles = [(seen.truth.center.x, seen.truth.center.y) for seen in sightings]
        sides = [
            (seen.truth.right - seen.truth.left, seen.truth.bottom - seen.truth.top)
            for seen in sightings
        ]
        self._numbers = np.asarray(numbers, float).reshape(shape)
        self._middles = np.asarray(middles, float).reshape(shape) / sizes
        self._sides = np.asarray(sides, float).reshape(shape) / sizes
        self._unique = frozenset(self._sizes)

    def best(
        self, tried: Iterable[NumberReading], slack: float = 1e-9
    ) -> tuple[NumberReading, float]:
        """Return the first reading that is best, or within a slack of the best and later."""
        some = list(dict.fromkeys(tried))
        values = self.of(some)
        most = float(values.max(initial=0.0))
        fitting = [at for at, value in enumerate(values) if value >= most - slack]
        at = fitting[0] if slack < 1e-6 else fitting[-1]  # noqa: PLR2004 - none at all
        return some[at], float(values[at])

    def of(self, tried: Sequence[NumberReading]) -> NDArray[np.float64]:
        """Return the logarithmic likelihood ratio of each reading to answers anywhere."""
        import numpy as np

        if not self._sizes:
            return np.zeros(len(tried))
        extents = np.array([self._extents_of(reading.space) for reading in tried], float)
        swapped = np.array([reading.swapped for reading in tried])
        numbers = np.where(
            swapped[:, None, None], self._numbers[None, :, ::-1], self._numbers[None]
        )
        return self._likelihood(numbers / extents - self._middles)

    def of_one_place(self, claimed: Space, space: Space) -> float:
        """
        Return what ``of`` does, for the place in which most answers lie, of a space's pictures.

        The place is a share of the claimed pictures, or the same numbers everywhere.
        """
        import numpy as np

        if not self._sizes:
            return 0.0
        extents = np.array(self._extents_of(claimed), float)
        places = (
            np.median(self._numbers / extents, axis=0) * extents,
            np.median(self._numbers, axis=0),
        )
        off = np.array([self._numbers - place for place in places])
        return float(self._likelihood(off / np.array(self._extents_of(space), float)).max())

    def _likelihood(self, off: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return it for distances (readings, screens, 2) from what was meant, as shares."""
        import numpy as np

        squared = ((off / self._sides) ** 2).sum(axis=2)
        spreads = np.array(SPREADS)[:, None, None]
        area = 2 * math.pi * self._sides.prod(axis=1) * spreads**2
        near = np.exp(-squared[None] / (2 * spreads**2)) / area
        lost = np.array(LOST)[:, None, None, None]
        found: NDArray[np.float64] = np.log((1 - lost) * near[None] + lost).sum(axis=3)
        best: NDArray[np.float64] = np.maximum(found.max(axis=(0, 1)), 0.0)
        return best

    def differ(self, one: NumberReading, other: NumberReading) -> bool:
        """Tell whether two readings differ in any screen's size by more than matters."""
        pairs = zip(self._extents_of(one.space), self._extents_of(other.space), strict=True)
        return one.swapped != other.swapped or any(
            abs(a / b - 1) >= LEAST_DIFFERENCE
            for first, second in pairs
            for a, b in zip(first, second, strict=True)
        )

    def _extents_of(self, space: Space) -> list[tuple[int, int]]:
        by_size = {size: _extent(space, *size) for size in self._unique}
        return [by_size[size] for size in self._sizes]
