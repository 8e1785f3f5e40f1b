"""
The nodes of an accessibility tree as elements: roles, names, texts and what can be seen.

Everything here is what the program says; whether the picture agrees is ``evidence``'s task.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from surefoot.capture.desktop.roles import CLOSED, CONTAINERS, NAMED_ONLY, role_of, states_of
from surefoot.capture.desktop.tree import AtspiNode, Rectangle, TreeReading
from surefoot.capture.desktop.windows import Window, seen_share, surface_of
from surefoot.core.geometry import Box
from surefoot.core.screen import INTERACTIVE_ROLES, Element

CLIPPING: Final = frozenset({
    "document frame", "document spreadsheet", "document text", "document web", "layered pane",
    "list", "list box", "scroll pane", "table", "terminal", "text", "tree", "tree table",
    "viewport",
})  # fmt: skip
MARKUP: Final = re.compile(r"<[^<>]*>")
BARS: Final = frozenset({"menu bar", "tool bar"})
LISTS: Final = frozenset({"list", "list box"})  # Qt's closed combo boxes hold one of no size
# Their names are what they show, where the program gives none.
SHOWN: Final = frozenset({"option", "gridcell", "treeitem", "listitem", "columnheader"})
MENUS: Final = frozenset({"menu", "popup menu"})
# What these hold is shown beside them: a menu's items, a tab's page.
OPENING: Final = MENUS | {"page tab"}
FIELDS: Final = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"})
VALUED: Final = frozenset({"textbox", "searchbox", "spinbutton", "log", "document"})
TITLED: Final = INTERACTIVE_ROLES | {"img"}
LINE_PER_FONT: Final = 1.17
OUT_PX: Final = 4.0  # how far a child may reach out of its parent's box
OPTION_GAP: Final = "\x1f"
NOWHERE: Final = Box(0.0, 0.0, 0.0, 0.0)


class Draft(msgspec.Struct, frozen=True):
    """
    Pair an element with what a judge of its box must know.

    ``clip`` is what its ancestors and its window leave of the screen; ``level`` is the
    window's place in the stack; ``order`` its node's place in the tree. ``strays`` is the
    path of the node, itself or an ancestor, that does not lie where its parent lies though
    it is no larger than that, "" where all lie right: only what the picture proves is there.
    """

    element: Element
    clip: Box | None
    level: int
    order: int
    strays: str = ""


class _Place(msgspec.Struct, frozen=True):
    """Say of a node where it lies and what holds it."""

    shown: bool
    level: int
    clip: Box | None
    strays: str
    path: str
    recorded: str
    closed: bool
    outside: str = ""


def tidy(text: str) -> str:
    r"""
    Collapse white space and drop markup and what stands for embedded objects.

    >>> tidy(" Save\n as\ufffc ")
    'Save as'
    """
    plain = MARKUP.sub(" ", text) if "</" in text else text
    return " ".join(plain.replace("\ufffc", " ").split())


def toolkit_of(reading: TreeReading) -> str:
    """
    Return the toolkit that most of a program's windows were drawn with, as in "GTK3".

    >>> window = AtspiNode("frame", -1, 0, 0, states=("showing", "visible"), toolkit="gtk 3.24.38")
    >>> toolkit_of(TreeReading(("a",), (window,), whole=True))
    'GTK3'
    """
    if any(name == "soffice" for name in reading.programs):
        return "VCL"
    reported = next((window.toolkit for window in reading.windows if window.toolkit), "")
    name, _, version = reported.partition(" ")
    known = {"gtk": "GTK", "gail": "GTK", "qt": "Qt", "vcl": "VCL"}.get(name.lower(), name)
    major = re.match(r"\d+", version)
    return known + (major[0] if major and known in {"GTK", "Qt"} else "")


def drafts_of(reading: TreeReading, windows: Sequence[Window], bounds: Box) -> tuple[Draft, ...]:
    """
    Turn what is shown of a tree into elements, parents before their children.

    ``windows`` are those of the X server, lowest first; ``bounds`` is the screen's box.
    """
    places: list[_Place] = []
    found: list[Draft] = []
    choosing = _choosing(reading.nodes)
    for order, node in enumerate(reading.nodes):
        above = places[node.parent] if node.parent >= 0 else None
        parent = reading.nodes[node.parent] if node.parent >= 0 else None
        place = _place(node, parent, above, windows, bounds)
        role = ""
        box = _box(node.box)
        if place.shown and box is not None:
            role = role_of(node, parent, selectable_children=order in choosing)
            if role == "text" and (place.closed or not tidy(node.text or node.name)):
                role = ""
        if role and box is not None:
            element = _element(reading.nodes, order, role, place, windows)
            found.append(Draft(element, place.clip, place.level, order, place.strays))
            closed = place.closed or role in CLOSED
            place = msgspec.structs.replace(
                place, recorded=element.id, closed=closed, outside=place.recorded
            )
        places.append(place)
    return tuple(found)


def _choosing(nodes: Sequence[AtspiNode]) -> frozenset[int]:
    """Return the places of those whose children can be selected."""
    return frozenset(
        node.parent for node in nodes if node.role == "list item" and "selectable" in node.states
    )


def _box(rectangle: Rectangle | None) -> Box | None:
    if rectangle is None or min(rectangle[2:]) <= 0:
        return None
    return Box.from_xywh(*map(float, rectangle))


def _place(
    node: AtspiNode,
    parent: AtspiNode | None,
    above: _Place | None,
    windows: Sequence[Window],
    bounds: Box,
) -> _Place:
    path = f"{above.path}.{node.index}" if above else str(node.index)
    box = _box(node.box)
    shown = node.shown and (above is None or above.shown)
    opens = parent is not None and parent.role in OPENING
    level = above.level if above else -1
    if box is not None and (above is None or opens or node.role in MENUS or node.parent < 0):
        level = _level(box, level, windows, whole=above is None)
    clip = above.clip if above and above.level == level else None
    if clip is None and level >= 0:
        clip = windows[level].box.intersection(bounds)
    strays = above.strays if above else ""
    if box is not None and parent is not None and above is not None and above.level == level:
        held = _box(parent.box)
        if _strays(box, held, parent.role):
            strays = strays or path
        if held is None and parent.role in BARS | LISTS:
            clip = NOWHERE
        elif held is not None and _sticks_out(box, held) and parent.role not in OPENING:
            clip = _clipped(clip, held)
    if node.role in CLIPPING and box is not None:
        clip = _clipped(clip, box)
    return _Place(
        shown,
        level,
        clip,
        strays,
        path,
        _recorded(parent, above),
        above.closed if above and not opens else False,
    )


def _recorded(parent: AtspiNode | None, above: _Place | None) -> str:
    """Return the element that a node lies in; a tab's page does not lie in the tab."""
    if above is None:
        return ""
    return above.outside if parent is not None and parent.role == "page tab" else above.recorded


def _clipped(clip: Box | None, box: Box) -> Box | None:
    """Return what a box leaves of a clip: a place without area where that is nothing."""
    return clip and (clip.intersection(box) or NOWHERE)


def _strays(box: Box, held: Box | None, role: str) -> bool:
    """
    Tell whether a box does not lie in ``held``, its parent's, though that shows a part of it.

    What is longer than its parent, and lies over it, is scrolled, whatever the parent's role.
    """
    if role in CLIPPING | OPENING:
        return False
    if held is None:
        return role in BARS
    return _sticks_out(box, held) and not _scrolls(box, held)


def _scrolls(box: Box, held: Box) -> bool:
    """Tell whether a box is a longer one seen through another, as a viewport shows it."""
    longer = max(box.width - held.width, box.height - held.height) > OUT_PX
    return longer and box.intersection(held) is not None


def _level(box: Box, level: int, windows: Sequence[Window], *, whole: bool) -> int:
    """Return the place in the stack of the window that a box lies in, -1 for none."""
    own = surface_of(box, windows)
    if own is not None and whole:
        return own
    for place in range(len(windows) - 1, -1, -1):
        if not _sticks_out(box, windows[place].box):
            return place
    return level


def _sticks_out(box: Box, held: Box) -> bool:
    gaps = (box.left - held.left, box.top - held.top, held.right - box.right)
    return min(*gaps, held.bottom - box.bottom) < -OUT_PX


def _element(
    nodes: Sequence[AtspiNode], order: int, role: str, place: _Place, windows: Sequence[Window]
) -> Element:
    node = nodes[order]
    box = _box(node.box) or Box(0.0, 0.0, 0.0, 0.0)
    name, name_from, named_by = _name(nodes, order, role)
    text = tidy(node.text) if role in {"text", "paragraph", "heading"} | VALUED else ""
    if role == "text":
        text = text or tidy(node.name)
        name, name_from = text, "content"
    lines = tuple(line for item in node.lines if (line := _box(item)) is not None)
    lines = tuple(_cut(lines, place.clip))
    covers = [window.box for window in windows[place.level + 1 :]] if place.level >= 0 else []
    written = bool(lines) and tidy(node.text) == name
    name_boxes = named_by or (lines if written else ())
    if written and not text:
        text = name
    return Element(
        id=f"n{place.path}",
        role=role,
        box=box,
        name=name,
        name_from=name_from if name else "",
        name_boxes=named_by or tuple(_cut(name_boxes, place.clip)),
        text=text,
        text_boxes=lines if text else (),
        font_px=round(max((item.height for item in lines), default=0.0) / LINE_PER_FONT, 2),
        parent=place.recorded,
        states=states_of(node, role),
        visible_fraction=round(seen_share(box, place.clip, covers), 3),
        attributes=_attributes(nodes, order, role, labelled=bool(named_by)),
    )


def _cut(lines: Sequence[Box], clip: Box | None) -> list[Box]:
    if clip is None:
        return []
    return [kept for line in lines if (kept := line.intersection(clip)) is not None]


def _name(nodes: Sequence[AtspiNode], order: int, role: str) -> tuple[str, str, tuple[Box, ...]]:
    """Return the name, where it came from, and the boxes of the label that spells it."""
    node = nodes[order]
    labels = tidy(" ".join(node.labels))
    caption = bool(labels) and _is_caption(nodes, order, labels)
    if labels and not caption:
        return labels, "label", _spelled_by(nodes, order)
    name = tidy(node.name) or (tidy(node.text) if role in SHOWN else "")
    if name and not (caption and name == labels):
        return name, "aria-label" if role in FIELDS else "content", ()
    hint = tidy(node.attributes.get("placeholder-text", ""))
    if hint and role in FIELDS:
        return hint, "placeholder", ()
    if role not in TITLED:
        return "", "", ()
    title = tidy(node.description)
    parent = nodes[node.parent] if node.parent >= 0 else None
    if not title and parent is not None and parent.box == node.box:
        title = tidy(parent.description) or tidy(parent.name)
    return title, "title", ()


def _is_caption(nodes: Sequence[AtspiNode], order: int, labels: str) -> bool:
    """
    Tell whether a label is the caption of a group around a node.

    Qt says of whatever lies in a group box that the box labels it, and gives its title as
    the name of what has none.
    """
    above = nodes[order].parent
    while above >= 0:
        if nodes[above].role in NAMED_ONLY and tidy(nodes[above].name) == labels:
            return True
        above = nodes[above].parent
    return False


def _spelled_by(nodes: Sequence[AtspiNode], order: int) -> tuple[Box, ...]:
    """Return the lines of the shown labels that bear the names of a node's labels."""
    wanted = {tidy(label) for label in nodes[order].labels}
    found = [
        box
        for node in nodes
        if node.shown and node.role == "label" and tidy(node.name) in wanted
        for box in map(_box, node.lines or (node.box,))
        if box is not None
    ]
    return tuple(found) if len(wanted) == 1 and found else ()


def _attributes(
    nodes: Sequence[AtspiNode], order: int, role: str, *, labelled: bool
) -> dict[str, str]:
    node = nodes[order]
    found = {"tag": node.role}
    if "editable" in node.states and role in INTERACTIVE_ROLES and "sensitive" in node.states:
        found["editable"] = "true"
    if node.role == "password text":
        found["type"] = "password"
    hint = tidy(node.attributes.get("placeholder-text", ""))
    if hint:
        found["placeholder"] = hint
    if labelled:
        found["labelled"] = "true"
    if role == "combobox":
        options = [tidy(item.name) for item in _below(nodes, order) if item.role in OPTION_ROLES]
        if any(options):
            found["options"] = OPTION_GAP.join(filter(None, options))
    if role not in CONTAINERS and node.description and node.description != node.name:
        found["title"] = tidy(node.description)
    return found


OPTION_ROLES: Final = frozenset({"menu item", "list item", "table cell"})


def _below(nodes: Sequence[AtspiNode], order: int) -> list[AtspiNode]:
    """Return what lies below a node: nodes stand depth first."""
    inside = {order}
    found = []
    for place in range(order + 1, len(nodes)):
        if nodes[place].parent not in inside:
            break
        inside.add(place)
        found.append(nodes[place])
    return found
