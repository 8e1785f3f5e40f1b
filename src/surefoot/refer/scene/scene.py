"""
A screen made ready for questions: its elements as arrays, its tree, its words.

Everything is computed at most once a screen, on first use.

Words that an icon font draws as pictures are in a name, but nobody can read them. A ligature
font shows one glyph for a whole word ("home", "receipt_long"): the word's box is then far
narrower than its letters would be, which is how it is told from text.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final

import numpy as np

from surefoot.core.drawn.marks import drawn_marks
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.pictures import Pixels
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.refer.scene.arrangement import Arrangement
from surefoot.refer.scene.details import DrawnDetails, details_in
from surefoot.refer.scene.figures import InkFigure, Palette, figure_in, palette_of
from surefoot.refer.scene.geometry import Boxes, Mask
from surefoot.refer.scene.legible import Legibility, legible
from surefoot.refer.scene.names import spoken
from surefoot.refer.scene.roles import TAG_ROLES
from surefoot.refer.scene.shapes import icon_drawn

SHORTEST: Final = 3
NARROW: Final = frozenset("fijlrtI1.,:;'|!()-")
# Widths of letters in heights of a line's box, for the narrowest fonts in common use.
NARROW_WIDTH: Final = 0.13
WIDTH: Final = 0.26
LEAST_WIDTH: Final = 0.7  # an icon is about square; a comma after a word is not one
MOST_WIDTH: Final = 1.6
STRICTLY_VISIBLE = 0.5
LENIENTLY_VISIBLE = 0.05
EDGE_PX = 2.0
WINDOWS = frozenset({"alertdialog", "dialog", "window"})
LEAST_DRAWN = 1.15  # contrast of the faintest border that is still seen as one
BESIDE_PX = 3.0  # how far the middle of a mark may lie outside of what it belongs to
# What is seen of these is their words, however wide the box around them is.
WORDS_ALONE = frozenset({
    "cell", "columnheader", "gridcell", "heading", "listitem", "row", "rowheader", "status",
    "text",
})  # fmt: skip


def without_icons(name: str, lines: Sequence[Box]) -> str:
    """
    Drop the first and the last word of a name where their line has no room to spell them.

    ``lines`` are the boxes that spell the name, in reading order, in any one unit.

    >>> without_icons("home Home", [Box(0, 0, 24, 24), Box(30, 4, 70, 20)])
    'Home'
    """
    words = name.split(" ")
    boxes = list(lines)
    if len(boxes) > len(words):  # a word is broken between lines
        return name
    if boxes and _is_icon(words[0], boxes[0]):
        words, boxes = words[1:], boxes[1:]
    if boxes and words and _is_icon(words[-1], boxes[-1]):
        words.pop()
    return " ".join(words)


def _is_icon(word: str, box: Box) -> bool:
    if len(word) < SHORTEST or not word.isascii():
        return False
    needed = sum(NARROW_WIDTH if item in NARROW else WIDTH for item in word)
    square = LEAST_WIDTH * box.height <= box.width <= MOST_WIDTH * box.height
    return square and box.width < needed * box.height


class Scene:
    """
    Answer questions about one screen, with the pixels of its image where they are at hand.

    Without pixels, words count as readable where capture found them spelled, whole and
    uncovered. Arrays are in the order of ``screen.elements``; boxes are image pixels.
    ``pixels`` may be a function, which is called when the pixels are first looked at.
    """

    def __init__(
        self, screen: Screen, pixels: Pixels | Callable[[], Pixels] | None = None
    ) -> None:
        self.screen = screen
        self._pixels = pixels
        self.elements = screen.elements
        self.place = {element.id: index for index, element in enumerate(screen.elements)}
        self.masks: dict[tuple[object, ...], Mask] = {}
        self.landmarks: tuple[int, ...] | None = None
        self.points: tuple[tuple[Expression, int], ...] | None = None
        self.arrangements: dict[tuple[object, ...], Arrangement] = {}
        self.proofs: dict[tuple[object, ...], bool] = {}
        self.described: dict[Hashable, tuple[tuple[str, ...], dict[str, float]]] = {}
        self._figures: dict[int, InkFigure] = {}
        self._details: dict[int, DrawnDetails] = {}
        self._shapes: dict[int, str] = {}
        self._drawn: dict[int, bool] = {}
        self._measured: dict[tuple[int, bool], Legibility] = {}

    @functools.cached_property
    def pixels(self) -> Pixels | None:
        """Return the pixels of the image, height x width x 3, None where they are not known."""
        return self._pixels() if callable(self._pixels) else self._pixels

    @functools.cached_property
    def boxes(self) -> Boxes:
        """Return the boxes, n x 4."""
        return _rows([element.box for element in self.elements])

    @functools.cached_property
    def text_boxes(self) -> Boxes:
        """Return what the visible lines of each element span, or its box without any."""
        return _rows([_span(element) for element in self.elements])

    @functools.cached_property
    def frame(self) -> Boxes:
        """Return the box of the whole image, 1 x 4."""
        return _rows([self.screen.bounds])

    @functools.cached_property
    def windows(self) -> Boxes:
        """Return what the image shows of each element's window, n x 4; all without one."""
        return _rows([self._window(index) for index in range(len(self.elements))])

    def _window(self, index: int) -> Box:
        around = (self.elements[place] for place in self.above(index))
        found = next((element.box for element in around if element.role in WINDOWS), None)
        return (found or self.screen.bounds).intersection(self.screen.bounds) or self.screen.bounds

    @functools.cached_property
    def centres(self) -> Boxes:
        """Return the centres of the boxes, n x 2."""
        middles: Boxes = (self.boxes[:, :2] + self.boxes[:, 2:]) / 2
        return middles

    @functools.cached_property
    def sections(self) -> list[int | None]:
        """Return for each element the place of the heading that names its section."""
        return [self.place.get(element.attributes.get("section", "")) for element in self.elements]

    @functools.cached_property
    def has_sections(self) -> bool:
        """Tell whether capture recorded the sections of this screen."""
        return any("section" in element.attributes for element in self.elements)

    def headings(self, index: int) -> Iterator[int]:
        """Yield the headings of the sections that an element is in, the smallest first."""
        seen = {index}
        heading = self.sections[index]
        while heading is not None and heading not in seen:
            yield heading
            seen.add(heading)
            heading = self.sections[heading]

    @functools.cached_property
    def plain(self) -> Mask:
        """Tell which elements a person surely sees: half of the box, and a click hits."""
        return np.array(
            [
                element.visible_fraction >= STRICTLY_VISIBLE and any(element.hits)
                for element in self.elements
            ],
            dtype=bool,
        )

    @functools.cached_property
    def glimpsed(self) -> Mask:
        """Tell which elements a person might see, if only a corner of them."""
        seen = [element.visible_fraction >= LENIENTLY_VISIBLE for element in self.elements]
        return np.array(seen, dtype=bool)

    @functools.cached_property
    def thing(self) -> Mask:
        """Tell which elements are seen as things with a box, not only as words."""
        return np.array(
            [element.role in INTERACTIVE_ROLES for element in self.elements], dtype=bool
        )

    @functools.cached_property
    def typical(self) -> Mask:
        """
        Tell which elements look like what their role's word says.

        A button of words alone looks like a link, and a link with a background of its own
        like a button.
        """
        looks = [
            element.role not in ("button", "link")
            or not element.text
            or ("background" in element.attributes) == (element.role == "button")
            for element in self.elements
        ]
        return np.array(looks, dtype=bool)

    @functools.cached_property
    def roles(self) -> list[tuple[str, str]]:
        """Return each element's role, and the one that it might be drawn like."""
        return [
            (element.role, TAG_ROLES.get(element.attributes.get("tag", ""), element.role))
            for element in self.elements
        ]

    @functools.cached_property
    def names(self) -> list[str]:
        """Return the accessible names, without what is drawn as icons."""
        return [
            without_icons(spoken(element.name), element.name_boxes) for element in self.elements
        ]

    @functools.cached_property
    def texts(self) -> list[str]:
        """Return the visible texts, without what is drawn as icons."""
        return [
            without_icons(spoken(element.text), element.text_boxes) for element in self.elements
        ]

    @functools.cached_property
    def labels(self) -> list[frozenset[str]]:
        """Return all words that a person may know each element by."""
        placeholders = [
            spoken(element.attributes.get("placeholder", "")) for element in self.elements
        ]
        whole = [spoken(element.name) for element in self.elements]
        known = zip(whole, self.names, self.texts, placeholders, strict=True)
        return [frozenset(item) - {""} for item in known]

    @functools.cached_property
    def children(self) -> dict[int, list[int]]:
        """Return the places of each element's children."""
        found: dict[int, list[int]] = {}
        for index, element in enumerate(self.elements):
            parent = self.place.get(element.parent)
            if parent is not None and parent != index:
                found.setdefault(parent, []).append(index)
        return found

    def above(self, index: int) -> Iterator[int]:
        """Yield the places of an element's ancestors, nearest first."""
        seen = {index}
        parent = self.place.get(self.elements[index].parent)
        while parent is not None and parent not in seen:
            yield parent
            seen.add(parent)
            parent = self.place.get(self.elements[parent].parent)

    def below(self, index: int) -> Iterator[int]:
        """Yield the places of an element's descendants."""
        waiting, seen = list(self.children.get(index, ())), {index}
        while waiting:
            item = waiting.pop()
            if item not in seen:
                seen.add(item)
                yield item
                waiting += self.children.get(item, ())

    def kin(self, index: int) -> Mask:
        """Tell which elements are the element itself, its ancestors or its descendants."""
        key = ("kin", index)
        if key not in self.masks:
            mask = np.zeros(len(self.elements), dtype=bool)
            mask[[index, *self.above(index), *self.below(index)]] = True
            self.masks[key] = mask
        return self.masks[key]

    @functools.cached_property
    def _palette(self) -> Palette | None:
        return None if self.pixels is None else palette_of(self.pixels)

    def figure(self, index: int) -> InkFigure | None:
        """Return what stands out in an element's box, or None without pixels."""
        if self._palette is None:
            return None
        if index not in self._figures:
            self._figures[index] = figure_in(self._palette, self.elements[index].box)
        return self._figures[index]

    def details(self, index: int) -> DrawnDetails | None:
        """Return what is drawn in an element's box in detail, or None without pixels."""
        if self._palette is None:
            return None
        if index not in self._details:
            parts = [self.elements[place] for place in (index, *self.below(index))]
            lines = dict.fromkeys(line for part in parts for line in part.text_boxes)
            self._details[index] = details_in(self._palette, parts[0].box, lines)
        return self._details[index]

    def icon_shape(self, index: int) -> str:
        """Return what the picture in a control shows by its shape, "" where that is not sure."""
        if self.pixels is None:
            return ""
        if index not in self._shapes:
            parts = [self.elements[place] for place in (index, *self.below(index))]
            lines = [line for part in parts for line in part.text_boxes]
            self._shapes[index] = icon_drawn(self.pixels, parts[0].box, lines)
        return self._shapes[index]

    def drawn(self, index: int) -> bool:
        """
        Tell whether the picture shows anything at an element's box or its edge.

        An icon in its background's colour can be hit, but nobody finds it. Without pixels
        everything counts as drawn.
        """
        if self.pixels is None:
            return True
        if index not in self._drawn:
            left, top, right, bottom = self.elements[index].box.as_tuple()
            around = Box(left - EDGE_PX, top - EDGE_PX, right + EDGE_PX, bottom + EDGE_PX)
            self._drawn[index] = legible(self.pixels, [around]).contrast >= LEAST_DRAWN
        return self._drawn[index]

    @functools.cached_property
    def marks(self) -> Boxes:
        """Return the boxes of all that is drawn, recorded or not, n x 4; none without pixels."""
        return np.zeros((0, 4)) if self.pixels is None else drawn_marks(self.pixels)

    def marks_in(self, marks: Boxes, index: int) -> Mask:
        """Tell which marks (n x 4) lie in an element's box."""
        return _inside(marks, self.boxes[index])

    def marks_of(self, index: int) -> Mask:
        """Tell which marks lie in an element's box or spell its name."""
        found = _inside(self.marks, self.boxes[index])
        for line in self.elements[index].name_boxes:
            found |= _inside(self.marks, np.array(line.as_tuple()))
        return found

    @functools.cached_property
    def unrecorded(self) -> Mask:
        """
        Tell which marks are part of no element that was recorded, and frame no control.

        What only holds others (a region, a table) accounts for nothing that is drawn in it.
        """
        found = np.ones(len(self.marks), dtype=bool)
        for index, element in enumerate(self.elements):
            if not element.hits or not self.glimpsed[index]:
                continue
            lines = element.text_boxes if element.role in WORDS_ALONE else ()
            for box in lines or (element.box,):
                found &= ~_inside(self.marks, np.array(box.as_tuple()))
            if self.thing[index]:
                x, y = self.centres[index]
                left, top, right, bottom = self.marks.T
                found &= ~((left <= x) & (x <= right) & (top <= y) & (y <= bottom))
        return found

    @functools.cached_property
    def recall(self) -> float:
        """
        Return the share of the marks among the elements that were recorded; 1 without any.

        What lies outside of all elements (a title bar, another window) is not looked at.
        """
        seen = [index for index, element in enumerate(self.elements) if element.hits]
        seen = [index for index in seen if self.glimpsed[index]]
        if not seen:
            return 1.0
        hull = np.concatenate([self.boxes[seen, :2].min(axis=0), self.boxes[seen, 2:].max(axis=0)])
        among = _inside(self.marks, hull)
        return 1.0 - float(self.unrecorded[among].mean()) if among.any() else 1.0

    def extent(self, index: int) -> Boxes:
        """Return the box of what is drawn of an element: its marks and words, within its box."""
        box: Boxes = self.boxes[index]
        element = self.elements[index]
        parts = [self.marks[_inside(self.marks, box)], _rows(list(element.text_boxes))]
        drawn = np.concatenate(parts)
        if not len(drawn):
            return box
        low = np.maximum(drawn[:, :2].min(axis=0), box[:2])
        high = np.minimum(drawn[:, 2:].max(axis=0), box[2:])
        return np.concatenate([low, high]) if (high > low).all() else box

    def legibility(self, index: int, *, shown: bool = False) -> Legibility:
        """Return how well the words that spell the element's name, or its text, can be read."""
        if (index, shown) not in self._measured:
            item = self.elements[index]
            lines = item.text_boxes if shown else item.name_boxes
            if self.pixels is None:
                spelled = _within(lines, self.screen.bounds)
                measured = Legibility(21.0, item.font_px, whole=spelled)
            else:
                measured = legible(self.pixels, lines)
            self._measured[index, shown] = measured
        return self._measured[index, shown]


def scene_of(screen: Screen | Scene, pixels: Pixels | None = None) -> Scene:
    """Return a scene as it is, or make one of a screen."""
    return screen if isinstance(screen, Scene) else Scene(screen, pixels)


def _rows(boxes: list[Box]) -> Boxes:
    rows = [box.as_tuple() for box in boxes]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def _inside(marks: Boxes, box: Boxes) -> Mask:
    """Tell which marks have their middle in a box, or three pixels beside it."""
    x, y = ((marks[:, :2] + marks[:, 2:]) / 2).T
    left, top, right, bottom = box
    across = (x >= left - BESIDE_PX) & (x <= right + BESIDE_PX)
    found: Mask = across & (y >= top - BESIDE_PX) & (y <= bottom + BESIDE_PX)
    return found


def _span(element: Element) -> Box:
    return Box.around(element.text_boxes) if element.text_boxes else element.box


def _within(boxes: tuple[Box, ...], bounds: Box) -> bool:
    whole = (bounds.intersection(box) == box for box in boxes)
    return bool(boxes) and all(whole)
