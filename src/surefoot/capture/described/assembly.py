"""
Nodes of a description become elements: seen and hit by stacking, words found in the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.capture.described.ink import ink_lines
from surefoot.capture.described.stacking import ancestors_of, stacked
from surefoot.core.geometry import Box
from surefoot.core.screen import INTERACTIVE_ROLES, Element

__all__ = ["CONTAINERS", "DescribedNode", "assemble"]

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
        self.above = ancestors_of([each.parent for each in nodes])
        self.below: list[list[int]] = [[] for _ in nodes]
        for place, above in enumerate(self.above):
            for each in above:
                self.below[each].append(place)
        self.fractions, self.reached = self._stacked(order)
        self.lines = [self._lines(place) for place in range(len(nodes))]

    def elements(self) -> tuple[Element, ...]:
        """Return an element for each node that has a role."""
        return tuple(self._element(place) for place, node in enumerate(self.nodes) if node.role)

    def _stacked(self, order: Sequence[int]) -> tuple[list[float], list[tuple[bool, ...]]]:
        rank = {place: at for at, place in enumerate(order)}
        nodes = [self.nodes[place] for place in order]
        fractions, hits = stacked(
            [each.box for each in nodes],
            [rank.get(each.parent, -1) for each in nodes],
            self.bounds,
            clips=[each.clips for each in nodes],
            opaque=[each.opaque for each in nodes],
            controls=[each.role in INTERACTIVE_ROLES for each in nodes],
        )
        places = range(len(self.nodes))
        return [fractions[rank[each]] for each in places], [hits[rank[each]] for each in places]

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
        inside = [each for each in self.below[place] if closed and not self._owned(each, place)]
        return [each for each in (place, *sorted(inside)) if self.nodes[each].words]

    def _owned(self, place: int, outer: int) -> bool:
        """Tell whether a control inside the outer node holds this one."""
        way = (place, *self.above[place])
        steps = way[: way.index(outer)]
        return any(self.nodes[each].role in INTERACTIVE_ROLES for each in steps)

    def _element(self, place: int) -> Element:
        node = self.nodes[place]
        shown = [each for each in self._spoken_by(place) if self.lines[each]]
        text = " ".join(self.nodes[each].words for each in shown)
        lines = tuple(line for each in shown for line in self.lines[each])
        whole = all(self.fractions[each] >= WHOLE for each in shown)
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
            (self.nodes[each].id for each in self.above[place] if self.nodes[each].role), ""
        )


def _letters(text: str) -> str:
    return "".join(each for each in text.casefold() if each.isalnum()) or text.strip()
