"""
The ground that the judge stands on: a screen's tree, what is seen of it, and one thing.

Elements go by their index in ``screen.elements``.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.refer.judge.words import same_spelling, without_icon_words

Reading: TypeAlias = Literal["strict", "lenient"]

SAME_BOX_IOU: Final = 0.7
SEEN: Final[dict[Reading, float]] = {"strict": 1 / 2, "lenient": 1 / 20}


def line_height(element: Element) -> float:
    """Return the height of the shortest visible text line, or of the box, in pixels."""
    return min([box.height for box in element.text_boxes], default=element.box.height)


def words_box(element: Element) -> Box:
    """Return the box around an element's visible text, or its own where it shows none."""
    return Box.around(element.text_boxes) if element.text_boxes else element.box


def text_said(element: Element) -> str:
    """Return the visible text as it is said, without the words that are icons."""
    return without_icon_words(element.text, element.text_boxes)


def name_said(element: Element) -> str:
    """Return the accessible name as it is said, without the words that are icons."""
    return without_icon_words(element.name, element.name_boxes)


class Ground:
    """
    Hold a screen, its pixels (height x width x 3, or None) and how its elements nest.
    """

    def __init__(self, screen: Screen, pixels: Pixels | None = None) -> None:
        self.screen = screen
        self.pixels = pixels
        self.elements = screen.elements
        self.index = {element.id: at for at, element in enumerate(screen.elements)}
        self._above = [self._climb(at) for at in range(len(self.elements))]
        self._below: list[set[int]] = [set() for _ in self.elements]
        for at, above in enumerate(self._above):
            for place in above:
                self._below[place].add(at)

    def _climb(self, at: int) -> list[int]:
        climbed: list[int] = []
        parent = self.index.get(self.elements[at].parent)
        while parent is not None and parent != at and parent not in climbed:
            climbed.append(parent)
            parent = self.index.get(self.elements[parent].parent)
        return climbed

    def ancestors(self, at: int) -> list[int]:
        """Return an element's ancestors, the nearest first."""
        return self._above[at]

    def descendants(self, at: int) -> set[int]:
        """Return everything that an element holds."""
        return self._below[at]

    def kin(self, one: int, other: int) -> bool:
        """Tell whether two are the same element, or one holds the other."""
        return one == other or other in self._below[one] or one in self._below[other]

    def control(self, at: int) -> bool:
        """Tell whether an element can be acted on."""
        return self.elements[at].role in INTERACTIVE_ROLES

    def visible(self, at: int, reading: Reading) -> bool:
        """Tell whether enough of an element is seen; strictly, a click must reach it."""
        element = self.elements[at]
        if element.visible_fraction < SEEN[reading]:
            return False
        return reading == "lenient" or any(element.hits)

    def words_below(self, at: int) -> bool:
        """Tell whether anything that an element holds shows a text."""
        return any(text_said(self.elements[place]) for place in self._below[at])

    def one_thing(self, one: int, other: int) -> bool:
        """Tell whether two elements are the same one, or a wrapper and what it wraps."""
        if one == other:
            return True
        if one in self._below[other]:
            one, other = other, one
        if other not in self._below[one]:
            return False
        outer, inner = self.elements[one], self.elements[other]
        if outer.box.iou(inner.box) >= SAME_BOX_IOU:
            return True
        return inner.box.contains(outer.box.center) and not self._more_inside(one, other)

    def _more_inside(self, outer: int, inner: int) -> bool:
        """Tell whether the outer holds a control or words that are not the inner's."""
        within = self._below[inner] | {inner}
        for place in (self._below[outer] | {outer}) - within:
            if self.control(place) and place != outer:
                return True
            text = text_said(self.elements[place])
            if text and not self._says(inner, text):
                return True
        return False

    def _says(self, at: int, text: str) -> bool:
        """Tell whether these are an element's words: its own, or all that it holds."""
        own = text_said(self.elements[at])
        held = " ".join(text_said(self.elements[place]) for place in sorted(self._below[at]))
        return same_spelling(own, text) or same_spelling(held, text)


def seen_boxes(ground: Ground, at: int) -> list[Box]:
    """Return where an element may be said to be: its words and, of a control, its box."""
    element = ground.elements[at]
    return [words_box(element), *([element.box] if ground.control(at) else [])]
