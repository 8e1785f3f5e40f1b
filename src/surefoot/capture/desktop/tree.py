"""
The accessibility tree as the reader prints it.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Rectangle: TypeAlias = tuple[int, int, int, int]


class AtspiNode(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hold what AT-SPI says of one node.

    ``parent`` is the node's place in the list, -1 for a window; ``index`` its place among
    its siblings. ``box`` and ``lines`` are left, top, width and height in pixels of the
    screen, as the program says; ``toolkit`` stands at windows.
    """

    role: str
    parent: int
    index: int
    children: int
    name: str = ""
    description: str = ""
    states: tuple[str, ...] = ()
    interfaces: tuple[str, ...] = ()
    box: Rectangle | None = None
    attributes: dict[str, str] = {}
    text: str = ""
    lines: tuple[Rectangle, ...] = ()
    labels: tuple[str, ...] = ()
    toolkit: str = ""

    @property
    def shown(self) -> bool:
        """Tell whether the program says that it can be seen now."""
        return "showing" in self.states and "visible" in self.states


class TreeReading(msgspec.Struct, frozen=True):
    """
    Hold all nodes, parents before their children, and whether that is everything.

    ``silent`` counts the programs that are on the bus and did not answer.
    """

    programs: tuple[str, ...]
    nodes: tuple[AtspiNode, ...]
    whole: bool
    silent: int = 0

    @property
    def windows(self) -> tuple[AtspiNode, ...]:
        """Return the windows that are shown."""
        return tuple(node for node in self.nodes if node.parent < 0 and node.shown)
