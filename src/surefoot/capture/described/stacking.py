"""
What can be seen and hit of boxes that lie over one another, where no toolkit tells.

Elements are listed in the order in which they are painted. An element is seen inside the
bounds and inside every ancestor that clips, where no later opaque element covers it; its
ancestors and its descendants never cover it. A click goes to the last thing that is opaque
or a control, and from there up to the nearest control.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import HIT_POINTS

# Where a box is tried, in shares of its width and height: centre, then the four quarters.
_TRIED: Final = ((0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))
_NO_HITS: Final = (False,) * HIT_POINTS
DEEPEST: Final = 400  # no interface is nested deeper, and every ancestor is remembered
_Rows = NDArray[np.float64]
_Places = NDArray[np.intp]


def stacked(
    boxes: Sequence[Box],
    parents: Sequence[int],
    bounds: Box,
    *,
    clips: Sequence[bool],
    opaque: Sequence[bool],
    controls: Sequence[bool] = (),
) -> tuple[list[float], list[tuple[bool, ...]]]:
    """
    Return each element's visible fraction, and whether each of its five points is hit.

    ``boxes`` are in painting order, pixels of the image; ``parents`` are places in it, -1
    for none; ``bounds`` is the image or the window. ``clips`` tells who cuts off its
    descendants at its own box, ``opaque`` who hides what lies below it. The points are the
    centre and the middles of the four quarters; a box holds its left and top side, not its
    right and bottom one. Where ``controls`` are told, they also catch clicks without hiding
    anything, and one control inside another is no part of it. A box without area is neither
    seen nor hit. Raises InvalidInputError for sequences of different lengths, a parent that
    does not exist, and a cycle of parents.

    >>> page, dialog = Box(0, 0, 8, 8), Box(0, 0, 4, 8)
    >>> stacked([page, dialog], [-1, -1], page, clips=[False] * 2, opaque=[True] * 2)[0]
    [0.5, 1.0]
    """
    pressed = controls or [False] * len(boxes)
    if {len(parents), len(clips), len(opaque), len(pressed)} != {len(boxes)}:
        raise InvalidInputError("one parent and one flag for each box", found="other lengths")
    pile = _Pile(boxes, parents, bounds, clips, opaque, pressed)
    fractions = [pile.fraction(place) for place in range(len(boxes))]
    return fractions, [
        pile.hits(place) if seen else _NO_HITS for place, seen in enumerate(fractions)
    ]


def ancestors_of(parents: Sequence[int]) -> list[tuple[int, ...]]:
    """
    Return the places of each element's ancestors, nearest first.

    Raises InvalidInputError for a parent that does not exist, a cycle of parents, and a
    tree of more than 400 levels.

    >>> ancestors_of([-1, 0, 1])
    [(), (0,), (1, 0)]
    """
    found: dict[int, tuple[int, ...]] = {-1: ()}
    for place in range(len(parents)):
        chain: list[int] = []
        step = place
        while step not in found:
            if not -1 <= parents[step] < len(parents):
                raise InvalidInputError("a parent that exists", found=str(parents[step]))
            chain.append(step)
            step = parents[step]
            if step in chain:
                raise InvalidInputError("a tree of parents", found=f"a cycle through {step}")
            if len(chain) + len(found.get(step, ())) > DEEPEST:
                raise InvalidInputError(f"a tree of at most {DEEPEST} levels", found="more")
        for item in reversed(chain):
            above = parents[item]
            found[item] = (above, *found[above]) if above >= 0 else ()
    return [found[place] for place in range(len(parents))]


class _Pile:
    """Hold elements in painting order, cut to where they can be seen."""

    def __init__(
        self,
        boxes: Sequence[Box],
        parents: Sequence[int],
        bounds: Box,
        clips: Sequence[bool],
        opaque: Sequence[bool],
        controls: Sequence[bool],
    ) -> None:
        self.rows = np.array([box.as_tuple() for box in boxes], np.float64).reshape(-1, 4)
        self.above = ancestors_of(parents)
        self.below: list[list[int]] = [[] for _ in boxes]
        for place, above in enumerate(self.above):
            for item in above:
                self.below[item].append(place)
        self.opaque = np.array(opaque, dtype=bool)
        self.controls = np.array(controls, dtype=bool)
        self.catching = self.opaque | self.controls
        self.seen = np.array(
            [
                _cut(row, [bounds.as_tuple(), *(self.rows[item] for item in above if clips[item])])
                for row, above in zip(self.rows, self.above, strict=True)
            ],
            dtype=np.float64,
        ).reshape(-1, 4)

    def fraction(self, place: int) -> float:
        """Return the share of a box that is seen."""
        whole, kept = self.rows[place], self.seen[place]
        area = float(np.prod(whole[2:] - whole[:2]))
        if area <= 0 or not (kept[:2] < kept[2:]).all():
            return 0.0
        hidden = _union(_cut_all(self.seen[self._over(place, self.opaque)], kept))
        shown = float(np.prod(kept[2:] - kept[:2])) - hidden
        return min(1.0, max(0.0, shown / area))

    def hits(self, place: int) -> tuple[bool, ...]:
        """Tell which of the five points a click reaches an element at that is seen."""
        left, top, right, bottom = self.rows[place]
        width, height = right - left, bottom - top
        over = _cut_all(self.seen[self._over(place, self.catching)], self.seen[place])
        return tuple(
            not _at(over, left + x * width, top + y * height).any()
            and self._reached(place, left + x * width, top + y * height)
            for x, y in _TRIED
        )

    def _over(self, place: int, kinds: NDArray[np.bool_]) -> _Places:
        others = np.zeros(len(self.rows), dtype=bool)
        others[place + 1 :] = kinds[place + 1 :]
        others[[*self.above[place], *self.below[place]]] = False
        return np.flatnonzero(others)

    def _reached(self, place: int, x: float, y: float) -> bool:
        """Tell whether a point where nothing else covers an element is the element's own."""
        if not _at(self.seen[[place]], x, y).any():
            return False
        inside = self.below[place]
        if not self.controls[place] or not inside:
            return True
        at = _at(self.seen[inside], x, y) & self.catching[inside]
        if not at.any():
            return True
        top = inside[int(np.flatnonzero(at)[-1])]
        way = (top, *self.above[top])
        return not self.controls[list(way[: way.index(place)])].any()


def _at(rows: _Rows, x: float, y: float) -> NDArray[np.bool_]:
    left, top, right, bottom = rows.T
    inside: NDArray[np.bool_] = (left <= x) & (x < right) & (top <= y) & (y < bottom)
    return inside


def _cut(row: _Rows, frames: Sequence[Sequence[float] | _Rows]) -> tuple[float, ...]:
    """Return what is left of a box inside all the frames, maybe of no or negative size."""
    sides = np.array([row, *frames], dtype=np.float64)
    return (*sides[:, :2].max(axis=0), *sides[:, 2:].min(axis=0))


def _cut_all(rows: _Rows, frame: _Rows) -> _Rows:
    """Return those parts of boxes that lie in a frame and have an area."""
    low = np.maximum(rows[:, :2], frame[:2])
    high = np.minimum(rows[:, 2:], frame[2:])
    return np.hstack([low, high])[(low < high).all(axis=1)]


def _union(rows: _Rows) -> float:
    """Return the area that boxes cover together, by strips between their vertical sides."""
    sides = np.unique(rows[:, [0, 2]])
    area = 0.0
    for left, right in itertools.pairwise(sides):
        strip = rows[(rows[:, 0] <= left) & (right <= rows[:, 2])]
        end = -np.inf
        for top, bottom in strip[np.argsort(strip[:, 1])][:, [1, 3]]:
            area += float(right - left) * max(0.0, float(bottom) - max(float(top), end))
            end = max(end, float(bottom))
    return area
