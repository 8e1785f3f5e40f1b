"""
What boxes show and catch in a pile, against painting it pixel by pixel.
"""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.described.stacking import ancestors_of, stacked
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box

SIDE: Final = 12
BOUNDS: Final = Box(0, 0, SIDE, SIDE)
Pile = tuple[list[Box], list[int], list[bool], list[bool], list[bool]]


@st.composite
def piles(draw: st.DrawFn) -> Pile:
    """Draw up to six boxes with sides on every fourth pixel, parents anywhere but in cycles."""
    count = draw(st.integers(1, 6))
    order = draw(st.permutations(range(count)))
    parents = [-1] * count
    for rank, place in enumerate(order):
        above = draw(st.integers(-1, rank - 1))
        parents[place] = order[above] if above >= 0 else -1
    sides = st.integers(-1, 4).map(lambda side: 4.0 * side)
    boxes = []
    for _ in range(count):
        across, down = (sorted((draw(sides), draw(sides))) for _ in range(2))
        boxes.append(Box(across[0], down[0], across[1], down[1]))
    flags = st.lists(st.booleans(), min_size=count, max_size=count)
    return boxes, parents, draw(flags), draw(flags), draw(flags)


class Painted:
    """Answer for a pile by looking at one pixel after another."""

    def __init__(self, pile: Pile) -> None:
        self.boxes, self.parents, self.clips, self.opaque, self.controls = pile

    def line(self, place: int) -> list[int]:
        """Return an element and its ancestors, nearest first."""
        found = [place]
        while self.parents[found[-1]] >= 0:
            found.append(self.parents[found[-1]])
        return found

    def kin(self, one: int, other: int) -> bool:
        """Tell whether one is the other, or its ancestor or descendant."""
        return one in self.line(other) or other in self.line(one)

    def there(self, place: int, x: float, y: float) -> bool:
        """Tell whether an element reaches a point, by its own box and what clips it."""
        frames = [self.boxes[item] for item in self.line(place)[1:] if self.clips[item]]
        return all(
            box.left <= x < box.right and box.top <= y < box.bottom
            for box in (BOUNDS, self.boxes[place], *frames)
        )

    def layers(self, place: int, x: float, y: float, *, clicked: bool) -> list[int]:
        """Return what lies at a point, from below, of what hides (or catches clicks)."""
        return [
            item
            for item in range(len(self.boxes))
            if self.there(item, x, y)
            and (self.opaque[item] or (clicked and self.controls[item]) or item == place)
        ]

    def free(self, place: int, x: float, y: float, *, clicked: bool) -> bool:
        """Tell whether an element is at a point and no stranger over it."""
        found = self.layers(place, x, y, clicked=clicked)
        if place not in found:
            return False
        return all(self.kin(place, item) for item in found[found.index(place) :])

    def fraction(self, place: int) -> float:
        """Count the pixels of an element that are seen."""
        box = self.boxes[place]
        shown = sum(
            self.free(place, x + 0.5, y + 0.5, clicked=False)
            for x in range(SIDE)
            for y in range(SIDE)
        )
        return shown / box.area if box.area else 0.0

    def hit(self, place: int, x: float, y: float) -> bool:
        """Tell whether a click at a point is for the element."""
        if not self.free(place, x, y, clicked=True):
            return False
        inner = [
            layer
            for layer in self.layers(place, x, y, clicked=True)
            if place in self.line(layer)[1:]
        ]
        if not self.controls[place] or not inner:
            return True
        owner = next(item for item in self.line(inner[-1]) if self.controls[item])
        return owner == place

    def hits(self, place: int) -> tuple[bool, ...]:
        """Try the five points of an element."""
        box = self.boxes[place]
        if not self.fraction(place):
            return (False,) * 5
        middle = box.center
        left, right = (box.left + middle.x) / 2, (middle.x + box.right) / 2
        top, bottom = (box.top + middle.y) / 2, (middle.y + box.bottom) / 2
        points = [(middle.x, middle.y), *((x, y) for y in (top, bottom) for x in (left, right))]
        return tuple(self.hit(place, x, y) for x, y in points)


@given(piles())
def test_agrees_with_painting(pile: Pile) -> None:
    """Fractions and hits are those of the pile painted pixel by pixel."""
    boxes, parents, clips, opaque, controls = pile
    fractions, hits = stacked(
        boxes, parents, BOUNDS, clips=clips, opaque=opaque, controls=controls
    )
    painted = Painted(pile)

    assert fractions == pytest.approx([painted.fraction(place) for place in range(len(boxes))])
    assert hits == [painted.hits(place) for place in range(len(boxes))]


@given(piles())
def test_parents_are_walked_to_the_root(pile: Pile) -> None:
    """The ancestors of an element are its parent, and the ancestors of that."""
    painted = Painted(pile)

    assert ancestors_of(pile[1]) == [
        tuple(painted.line(place)[1:]) for place in range(len(pile[1]))
    ]


def test_a_dialog_covers_the_page_but_not_its_own_button() -> None:
    """A button below a dialog is gone, the dialog's own is whole."""
    boxes = [BOUNDS, Box(2, 2, 6, 4), Box(0, 0, 12, 8), Box(2, 2, 6, 4)]

    fractions, hits = stacked(boxes, [-1, 0, -1, 2], BOUNDS, clips=[False] * 4, opaque=[True] * 4)

    assert fractions == pytest.approx([4 / 12, 0.0, 1.0, 1.0])
    assert [all(item) for item in hits] == [False, False, True, True]


def test_a_list_clips_its_rows() -> None:
    """A row that reaches half out of its list is half seen, and hit in that half alone."""
    fractions, hits = stacked(
        [Box(0, 0, 12, 6), Box(0, 4, 12, 8)],
        [-1, 0],
        BOUNDS,
        clips=[True, False],
        opaque=[False, True],
    )

    assert fractions == [1.0, 0.5]
    assert hits[1] == (False, True, True, False, False)


@pytest.mark.parametrize(("inner", "center"), [([False, True], False), ([False, False], True)])
def test_a_switch_takes_the_click_of_its_row(inner: list[bool], center: bool) -> None:
    """A control inside a control takes its clicks; a part that is none does not."""
    _, hits = stacked(
        [Box(0, 0, 12, 4), Box(4, 1, 8, 3)],
        [-1, 0],
        BOUNDS,
        clips=[False, False],
        opaque=[True, True],
        controls=[True, inner[1]],
    )

    assert hits[0] == (center, True, True, True, True)
    assert all(hits[1])


def test_nothing_gives_nothing() -> None:
    """No boxes have no fractions."""
    assert stacked([], [], BOUNDS, clips=[], opaque=[]) == ([], [])


@pytest.mark.parametrize(
    ("parents", "found"),
    [([1, 0], "a cycle"), ([0, -1], "a cycle"), ([5, -1], "5"), ([-2, -1], "-2"), ([-1], "other")],
)
def test_trees_that_are_none_are_refused(parents: list[int], found: str) -> None:
    """Cycles, parents that do not exist and missing parents are named."""
    with pytest.raises(InvalidInputError, match=found):
        stacked([BOUNDS] * 2, parents, BOUNDS, clips=[False] * 2, opaque=[True] * 2)


@pytest.mark.parametrize("step", [-1, 1])
def test_deep_trees_are_refused_at_once(step: int) -> None:
    """A chain of half a million parents is refused before it is remembered."""
    count = 500_000
    chain = [place + step if 0 <= place + step < count else -1 for place in range(count)]
    with pytest.raises(InvalidInputError, match="400 levels"):
        ancestors_of(chain)
    assert len(ancestors_of(list(range(-1, 399)))[-1]) == 399
