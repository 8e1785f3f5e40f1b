"""
View hierarchies of the RICO dataset: JSON with a tree under ``activity.root``.

Their boxes are pixels of a screen of 1440 x 2560, held upright or lying; the pictures
beside them are smaller.
"""

from __future__ import annotations

import math
from typing import Final

import msgspec

from surefoot.capture.android.views import AndroidView, Dump
from surefoot.capture.described.pairs import bad
from surefoot.core.geometry import Box

SCREEN: Final = (1440.0, 2560.0)  # the shorter side, the longer side


class _Node(msgspec.Struct, frozen=True, rename="kebab"):
    """Hold those fields of a view that are used; everything else is passed over."""

    bounds: list[float]
    class_: str = msgspec.field(name="class", default="")
    ancestors: list[str] = []
    package: str | None = None
    resource_id: str | None = None
    text: str | None = None
    text_hint: str | None = None
    content_desc: list[str | None] | str | None = None
    clickable: bool = False
    long_clickable: bool = False
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    focused: bool = False
    enabled: bool = True
    scrollable_horizontal: bool = False
    scrollable_vertical: bool = False
    visible_to_user: bool = True
    visibility: str = "visible"
    children: list[_Node | None] | None = None


class _Activity(msgspec.Struct, frozen=True):
    root: _Node | None = None


class _Screen(msgspec.Struct, frozen=True):
    activity: _Activity | None
    activity_name: str | None = None


def read_rico(content: bytes, place: str, most: int, *, upright: bool) -> Dump:
    """
    Return the views of a hierarchy, boxes in the dataset's own space.

    ``place`` is what messages call the file, ``most`` the largest number of views, and
    ``upright`` tells that the picture is not wider than high. Raises CaptureError for JSON
    that is broken, has no tree, is too deep or too long, and for a box that is none.
    """
    try:
        found = msgspec.json.decode(content, type=_Screen)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise bad("bad-record", "a RICO view hierarchy", place, str(error)) from None
    root = found.activity.root if found.activity else None
    if root is None:
        raise bad("bad-tree", "a tree under activity.root", place, "none")
    width, height = SCREEN if upright else SCREEN[::-1]
    return Dump(tuple(_views(root, place, most)), width, height)


def _views(root: _Node, place: str, most: int) -> list[AndroidView]:
    """Return the visible views in painting order, without recursion."""
    found: list[AndroidView] = []
    waiting: list[tuple[_Node, tuple[int, ...], int]] = [(root, (0,), -1)]
    while waiting:
        node, path, parent = waiting.pop()
        if not node.visible_to_user or node.visibility not in ("visible", ""):
            continue
        if len(found) >= most:
            raise bad("too-large", f"at most {most} views", place, "more")
        where = f"{place}, activity.root{''.join(f'.children[{at}]' for at in path[1:])}"
        found.append(_view(node, path, parent, where))
        children = [
            (child, (*path, at), len(found) - 1)
            for at, child in enumerate(node.children or ())
            if child is not None
        ]
        waiting += reversed(children)
    return found


def _view(node: _Node, path: tuple[int, ...], parent: int, where: str) -> AndroidView:
    described = node.content_desc or ""
    if not isinstance(described, str):
        described = " ".join(item for item in described if item)
    return AndroidView(
        path=path,
        parent=parent,
        box=_box(node, where),
        class_name=node.class_,
        ancestors=tuple(node.ancestors),
        package=node.package or "",
        resource_id=node.resource_id or "",
        text=node.text or "",
        description=described,
        hint=node.text_hint or "",
        clickable=node.clickable,
        long_clickable=node.long_clickable,
        checkable=node.checkable,
        checked=node.checked,
        selected=node.selected,
        focused=node.focused,
        enabled=node.enabled,
        scrollable=node.scrollable_horizontal or node.scrollable_vertical,
    )


def _box(node: _Node, where: str) -> Box | None:
    sides = node.bounds
    if len(sides) != 4 or not all(math.isfinite(side) for side in sides):  # noqa: PLR2004
        raise bad("bad-box", "bounds of four finite numbers", where, str(sides)[:80])
    left, top, right, bottom = sides
    if right <= left or bottom <= top:  # what has scrolled away is written this way
        return None
    return Box(left, top, right, bottom)
