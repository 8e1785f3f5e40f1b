"""
Print the accessibility tree of all running programs as one JSON object.

Runs under the Python that has PyGObject, so it uses the standard library and ``gi`` alone.
A fresh process for each reading: libatspi caches what it has read, and hears of changes
only in a main loop. Boxes are [x, y, width, height] in pixels of the screen.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any, Final

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402 - the version must be chosen first

CALL_MS: Final = 3000
START_MS: Final = 5000
MOST_CHILDREN: Final = 400  # more are looked up where they lie, or left out
MOST_TEXT: Final = 2000
MOST_LINES: Final = 60
MOST_LABELS: Final = 5
CLOSED: Final = frozenset({"menu", "popup menu", "combo box"})
# Each question to a node is a message there and back: only what may have an answer is asked.
FIELDS: Final = frozenset(
    {"combo box", "editbar", "entry", "password text", "spin button", "text"}
)
UNLABELLED: Final = frozenset({
    "check menu item", "filler", "label", "menu", "menu bar", "menu item", "panel",
    "radio menu item", "scroll pane", "separator", "split pane", "table cell", "tool bar",
})  # fmt: skip


class _WentAwayError(Exception):
    """Say that a node went away while it was read: libatspi then answers with nothing."""


class Reading:
    """Collect nodes, depth first, until everything is read or a bound is reached."""

    def __init__(self, most_nodes: int, seconds: float) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.whole = True
        self.silent = 0  # programs that did not answer
        self._most = most_nodes
        self._until = time.monotonic() + seconds

    def program(self, application: Any) -> None:  # noqa: ANN401 - gi has no types
        """Read the windows of one program."""
        toolkit = f"{application.get_toolkit_name()} {application.get_toolkit_version()}"
        for index in range(min(application.get_child_count(), MOST_CHILDREN)):
            window = application.get_child_at_index(index)
            if window is not None:
                self._visit(window, -1, index, toolkit)

    def _visit(self, node: Any, parent: int, index: int, toolkit: str = "") -> None:  # noqa: ANN401
        if len(self.nodes) >= self._most or time.monotonic() > self._until:
            self.whole = False
            return
        try:
            found = _describe(node)
            count = node.get_child_count()
        except (GLib.Error, _WentAwayError):
            return
        found |= {"parent": parent, "index": index, "children": count}
        if toolkit:
            found["toolkit"] = toolkit
        place = len(self.nodes)
        self.nodes.append(found)
        if found["role"] in CLOSED and "showing" not in found["states"]:
            return
        for at, child in _children(node, count, found):
            self._visit(child, place, at)


def main(most_nodes: int, seconds: float) -> None:
    """Read every program but the bus's own and print what was found."""
    Atspi.init()
    Atspi.set_timeout(CALL_MS, START_MS)
    reading = Reading(most_nodes, seconds)
    desktop = Atspi.get_desktop(0)
    programs = []
    for index in range(desktop.get_child_count()):
        try:
            application = desktop.get_child_at_index(index)
            if application is not None:
                programs.append(application.get_name() or "")
                reading.program(application)
        except GLib.Error:
            reading.silent += 1
    found = {"programs": programs, "nodes": reading.nodes}
    json.dump({**found, "whole": reading.whole, "silent": reading.silent}, sys.stdout)


def _children(node: Any, count: int, found: dict[str, Any]) -> Any:  # noqa: ANN401
    if count <= MOST_CHILDREN:
        for index in range(count):
            child = _quietly(node.get_child_at_index, index)
            if child is not None:
                yield index, child
    elif "Table" in found["interfaces"]:
        yield from _cells(node)


def _cells(node: Any) -> Any:  # noqa: ANN401
    """Yield the cells in view of a table that may have billions of them."""
    table = node.get_table_iface()
    if table is None:  # it went away
        return
    left = 0
    for row in range(MOST_CHILDREN):
        seen = False
        for column in range(left, left + MOST_CHILDREN):
            cell = _quietly(table.get_accessible_at, row, column)
            if cell is None or not cell.get_state_set().contains(Atspi.StateType.SHOWING):
                break
            seen = True
            yield cell.get_index_in_parent(), cell
        if not seen:
            return


def _describe(node: Any) -> dict[str, Any]:  # noqa: ANN401
    interfaces = list(_present(node.get_interfaces()))
    states = [state.value_nick for state in _present(node.get_state_set()).get_states()]
    found: dict[str, Any] = {
        "role": node.get_role_name() or "",
        "name": node.get_name() or "",
        "states": states,
        "interfaces": interfaces,
    }
    if "showing" not in states:
        return found
    if found["role"] != "table cell":
        found["description"] = node.get_description() or ""
    if "Component" in interfaces:
        box = _present(_present(node.get_component_iface()).get_extents(Atspi.CoordType.SCREEN))
        found["box"] = [box.x, box.y, box.width, box.height]
    if found["role"] in FIELDS:
        attributes = _quietly(node.get_attributes) or {}
        found["attributes"] = {str(key): str(value) for key, value in attributes.items()}
    if "Text" in interfaces:
        found |= _text(node)
    labels = [] if found["role"] in UNLABELLED else _labels(node)
    if labels:
        found["labels"] = labels
    return found


def _labels(node: Any) -> list[str]:  # noqa: ANN401
    """Return the names of what labels a node."""
    found: list[str] = []
    for relation in _quietly(node.get_relation_set) or ():
        if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY:
            targets = range(min(relation.get_n_targets(), MOST_LABELS))
            labels = (relation.get_target(target) for target in targets)
            found += [label.get_name() or "" for label in labels if label is not None]
    return [item for item in found if item]


def _text(node: Any) -> dict[str, Any]:  # noqa: ANN401
    text = _present(node.get_text_iface())
    count = min(text.get_character_count(), MOST_TEXT)
    if count <= 0:
        return {"text": ""}
    content = text.get_text(0, count)
    return {"text": content, "lines": _lines(text, content)}


def _lines(text: Any, content: str) -> list[list[int]]:  # noqa: ANN401
    """Return the box of each line, as far as line breaks tell lines apart."""
    found = []
    start = 0
    for line in content.split("\n")[:MOST_LINES]:
        if line.strip():
            box = _quietly(
                text.get_range_extents, start, start + len(line), Atspi.CoordType.SCREEN
            )
            if box is not None and box.width > 0 and box.height > 0:
                found.append([box.x, box.y, box.width, box.height])
        start += len(line) + 1
    return found


def _present(answer: Any) -> Any:  # noqa: ANN401
    """Return an answer; raises _WentAwayError where there is none."""
    if answer is None:
        raise _WentAwayError
    return answer


def _quietly(call: Any, *arguments: Any) -> Any:  # noqa: ANN401
    try:
        return call(*arguments)
    except GLib.Error:
        return None


if __name__ == "__main__":
    sys.setrecursionlimit(20_000)
    main(int(sys.argv[1]), float(sys.argv[2]))
