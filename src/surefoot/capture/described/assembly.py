"""
Nodes of a description become elements: seen and hit by stacking, words found in the picture.

Where a source tells only the box that holds a text, its lines are found as they are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from surefoot.capture.described.stacking import ancestors_of, stacked
from surefoot.core.geometry import Box
from surefoot.core.screen import INTERACTIVE_ROLES, Element

INK: Final = 40  # of 255: a pixel that differs this much from the ground in one channel
MOST_INK: Final = 0.6  # of a box; more is a picture, not words
LEAST_HEIGHT: Final = 3  # rows; less is a rule or a border
GAP: Final = 0.15  # of the tallest run: the dot of an i is no line of its own
SHORT: Final = 0.3  # of the tallest run: less is an underline
MARGIN: Final = 0.2  # of the ink's height: room that the font keeps above and below
_COARSE: Final = 4  # bits a channel in which the ground is looked for
# The ARIA roles of what only holds others; nobody clicks them, so their hits stay empty.
CONTAINERS: Final = frozenset({
    "alertdialog", "application", "article", "banner", "complementary", "contentinfo",
    "dialog", "directory", "document", "feed", "figure", "form", "grid", "group", "list",
    "log", "main", "menu", "menubar", "navigation", "radiogroup", "region", "row", "rowgroup",
    "search", "section", "separator", "table", "tablist", "tabpanel", "toolbar", "tree",
    "treegrid", "window",
})  # fmt: skip
# What is named by the words in it.
_CLOSED: Final = (INTERACTIVE_ROLES - {"listbox", "searchbox", "textbox"}) | {
    "cell", "columnheader", "gridcell", "heading", "rowheader", "tooltip",
}  # fmt: skip
WHOLE: Final = 0.97  # of a text's box that must be seen for its words to count as spelled


def ink_lines(pixels: NDArray[np.uint8], box: Box) -> tuple[Box, ...]:
    """
    Return the boxes of the lines that are drawn in a box, from the top, in image pixels.

    ``pixels`` is height x width x 3. The ground is the commonest colour in the box, and
    lines are runs of rows that differ from it, without
    what touches the box's border. The whole box comes back where most of it
    differs; nothing where nothing does.

    >>> paper = np.full((40, 60, 3), 255, np.uint8)
    >>> paper[10:20, 5:50] = 0
    >>> ink_lines(paper, Box(0, 0, 60, 40))
    (Box(left=5.0, top=8.0, right=50.0, bottom=22.0),)
    """
    height, width = pixels.shape[:2]
    left, top = max(0, round(box.left)), max(0, round(box.top))
    right, bottom = min(width, round(box.right)), min(height, round(box.bottom))
    if right <= left or bottom <= top:
        return ()
    ink = _ink(pixels[top:bottom, left:right])
    if ink.mean() > MOST_INK:
        return (Box(float(left), float(top), float(right), float(bottom)),)
    ink = _inner(ink)
    found: list[Box] = []
    for start, end in _runs(ink.sum(axis=1) > 0):
        columns = np.flatnonzero(ink[start:end].any(axis=0))
        room = round(MARGIN * (end - start))
        found.append(
            Box(
                float(left + columns[0]),
                float(max(top, top + start - room)),
                float(left + columns[-1] + 1),
                float(min(bottom, top + end + room)),
            )
        )
    return tuple(found)


def _ink(crop: NDArray[np.uint8]) -> NDArray[np.bool_]:
    coarse = (crop >> (8 - _COARSE)).astype(np.intp)
    codes = (coarse[..., 0] << 2 * _COARSE) + (coarse[..., 1] << _COARSE) + coarse[..., 2]
    commonest = np.bincount(codes.ravel()).argmax()
    ground = crop[codes == commonest].mean(axis=0)
    ink: NDArray[np.bool_] = np.abs(crop - ground).max(axis=2) > INK
    return ink


def _inner(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Leave out what touches the box's border: frames, round corners, underlines."""
    parts, _ = ndimage.label(ink, structure=np.ones((3, 3)))
    border = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
    inner: NDArray[np.bool_] = ink & ~np.isin(parts, np.unique(border))
    return inner if inner.any() else ink


def _runs(rows: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return where runs of inked rows begin and end, dots joined to their letters."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], rows, [False]]).astype(np.int8)))
    raw = [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]
    tallest = max((end - start for start, end in raw), default=0)
    joined: list[tuple[int, int]] = []
    for start, end in raw:
        if joined and start - joined[-1][1] <= GAP * tallest:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    least = max(LEAST_HEIGHT, SHORT * max((end - start for start, end in joined), default=0))
    return [(start, end) for start, end in joined if end - start >= least]


class DescribedNode(msgspec.Struct, frozen=True):
    """
    Hold one node of a description, in painting order.

    ``parent`` is a place in the list, -1 for none. A node without a role shapes what can be
    seen but is no element. ``words`` are what it shows itself, without its descendants.
    ``visible_fraction``, ``hits``, ``text_boxes`` and ``name_boxes`` are None where the
    description does not tell; they are then worked out.
    """

    id: str
    role: str
    box: Box
    parent: int = -1
    name: str = ""
    name_from: str = ""
    words: str = ""
    states: tuple[str, ...] = ()
    attributes: dict[str, str] = {}
    opaque: bool = True
    clips: bool = False
    font_px: float = 0.0
    visible_fraction: float | None = None
    hits: tuple[bool, ...] | None = None
    text_boxes: tuple[Box, ...] | None = None
    name_boxes: tuple[Box, ...] | None = None


def assemble(
    nodes: Sequence[DescribedNode], pixels: NDArray[np.uint8], order: Sequence[int] | None = None
) -> tuple[Element, ...]:
    """
    Return the elements of a screen, in the order of the nodes that have a role.

    ``pixels`` is the picture, height x width x 3; ``order`` lists the places of the nodes
    from the lowest to the topmost, as they are listed unless given. Raises
    InvalidInputError for a parent that does not exist, and a cycle of parents.
    """
    return _Assembly(nodes, pixels, order or range(len(nodes))).elements()


class _Assembly:
    """Work out what a description leaves open."""

    def __init__(
        self, nodes: Sequence[DescribedNode], pixels: NDArray[np.uint8], order: Sequence[int]
    ) -> None:
        self.nodes = nodes
        self.pixels = pixels
        self.bounds = Box(0.0, 0.0, float(pixels.shape[1]), float(pixels.shape[0]))
        self.above = ancestors_of([node.parent for node in nodes])
        self.below: list[list[int]] = [[] for _ in nodes]
        for place, above in enumerate(self.above):
            for item in above:
                self.below[item].append(place)
        self.fractions, self.reached = self._stacked(order)
        self.lines = [self._lines(place) for place in range(len(nodes))]

    def elements(self) -> tuple[Element, ...]:
        """Return an element for each node that has a role."""
        return tuple(self._element(place) for place, node in enumerate(self.nodes) if node.role)

    def _stacked(self, order: Sequence[int]) -> tuple[list[float], list[tuple[bool, ...]]]:
        rank = {place: at for at, place in enumerate(order)}
        nodes = [self.nodes[place] for place in order]
        fractions, hits = stacked(
            [node.box for node in nodes],
            [rank.get(node.parent, -1) for node in nodes],
            self.bounds,
            clips=[node.clips for node in nodes],
            opaque=[node.opaque for node in nodes],
            controls=[node.role in INTERACTIVE_ROLES for node in nodes],
        )
        places = range(len(self.nodes))
        return [fractions[rank[item]] for item in places], [hits[rank[item]] for item in places]

    def _lines(self, place: int) -> tuple[Box, ...]:
        node = self.nodes[place]
        if node.text_boxes is not None:
            return node.text_boxes
        if not node.words or self.fractions[place] <= 0:
            return ()
        return ink_lines(self.pixels, node.box)

    def _spoken_by(self, place: int) -> list[int]:
        """Return the nodes whose words are this node's text: itself, or those inside."""
        node = self.nodes[place]
        closed = node.role in _CLOSED and not node.words
        inside = [item for item in self.below[place] if closed and not self._owned(item, place)]
        return [item for item in (place, *sorted(inside)) if self.nodes[item].words]

    def _owned(self, place: int, outer: int) -> bool:
        """Tell whether a control inside the outer node holds this one."""
        way = (place, *self.above[place])
        steps = way[: way.index(outer)]
        return any(self.nodes[step].role in INTERACTIVE_ROLES for step in steps)

    def _element(self, place: int) -> Element:
        node = self.nodes[place]
        shown = [item for item in self._spoken_by(place) if self.lines[item]]
        text = " ".join(self.nodes[item].words for item in shown)
        lines = tuple(line for item in shown for line in self.lines[item])
        whole = all(self.fractions[item] >= WHOLE for item in shown)
        spelled = lines if whole and _letters(text) == _letters(node.name) else ()
        seen = self.fractions[place]
        hits = () if node.role in CONTAINERS else self.reached[place]
        return Element(
            id=node.id,
            role=node.role,
            box=node.box,
            name=node.name,
            name_from=node.name_from if node.name else "",
            name_boxes=spelled if node.name_boxes is None else node.name_boxes,
            text=text,
            text_boxes=lines,
            font_px=node.font_px,
            parent=self._parent(place),
            states=tuple(sorted(node.states)),
            visible_fraction=round(
                seen if node.visible_fraction is None else node.visible_fraction, 3
            ),
            hits=hits if node.hits is None else node.hits,
            attributes=node.attributes,
        )

    def _parent(self, place: int) -> str:
        return next(
            (self.nodes[item].id for item in self.above[place] if self.nodes[item].role), ""
        )


def _letters(text: str) -> str:
    return "".join(item for item in text.casefold() if item.isalnum()) or text.strip()
