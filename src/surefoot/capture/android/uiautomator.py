"""
The hierarchy that ``uiautomator dump`` writes: XML with one ``node`` a view.

The file comes from a device that nobody vouches for: a document type, and with it every
entity, is refused, and so is what is deeper or longer than a screen can be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from xml.parsers import expat

from surefoot.capture.android.views import AndroidView, Dump
from surefoot.capture.described.pairs import bad
from surefoot.core.geometry import Box

DEEPEST: Final = 400
_BOUNDS: Final = re.compile(r"\[(-?[0-9]{1,6}),(-?[0-9]{1,6})\]\[(-?[0-9]{1,6}),(-?[0-9]{1,6})\]")
_RANK: Final = re.compile(r"-?[0-9]{1,6}")
_TRUTH: Final = {"true": True, "false": False}


def read_uiautomator(content: bytes, place: str, most: int) -> Dump:
    """
    Return the views of a hierarchy, boxes in pixels of the picture.

    ``place`` is what messages call the file, ``most`` the largest number of views. Raises
    CaptureError for XML that is broken, has a document type, is no hierarchy, or is too
    deep or too long, and for an attribute that cannot be, with the line.

    >>> xml = b'<hierarchy><node class="a.B" bounds="[0,0][4,2]"/></hierarchy>'
    >>> read_uiautomator(xml, "a.xml", 9).views[0].box
    Box(left=0.0, top=0.0, right=4.0, bottom=2.0)
    """
    reader = _Reader(place, most)
    try:
        reader.parser.Parse(content, True)  # noqa: FBT003 - expat's own signature
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise bad("bad-xml", "well-formed XML", place, str(error)) from None
    if not reader.views:
        raise bad("bad-tree", "<hierarchy> with a <node>", place, "none")
    return Dump(tuple(reader.views))


class _Reader:
    """Collect the views while expat reads."""

    def __init__(self, place: str, most: int) -> None:
        self.place = place
        self.most = most
        self.views: list[AndroidView] = []
        self.open: list[int] = []
        self.children: list[int] = [0]
        self.started = False
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end

    def where(self) -> str:
        """Return what messages call the present line."""
        return f"{self.place}, line {self.parser.CurrentLineNumber}"

    def doctype(self, name: str, *_others: object) -> None:
        """Refuse a document type: entities come with it."""
        raise bad("bad-xml", "no document type", self.where(), f"<!DOCTYPE {name[:40]}>")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take a node in."""
        if not self.started and tag != "hierarchy":
            raise bad("bad-tree", "<hierarchy>", self.where(), f"<{tag[:40]}>")
        if not self.started:
            self.started = True
            return
        if tag != "node":
            raise bad("bad-tree", "<node>", self.where(), f"<{tag[:40]}>")
        if len(self.views) >= self.most or len(self.open) >= DEEPEST:
            limits = f"at most {self.most} nodes, {DEEPEST} deep"
            raise bad("too-large", limits, self.where(), "more")
        path = (*(self.views[self.open[-1]].path if self.open else ()), self.children[-1])
        self.children[-1] += 1
        parent = self.open[-1] if self.open else -1
        self.open.append(len(self.views))
        self.children.append(0)
        self.views.append(self.view(attributes, path, parent))

    def end(self, tag: str) -> None:
        """Close a node."""
        if tag == "node":
            self.open.pop()
            self.children.pop()

    def view(self, told: Mapping[str, str], path: tuple[int, ...], parent: int) -> AndroidView:
        """Return a node's attributes as a view."""
        return AndroidView(
            path=path,
            parent=parent,
            box=self.box(told),
            class_name=told.get("class", ""),
            package=told.get("package", ""),
            resource_id=told.get("resource-id", ""),
            text=told.get("text", ""),
            description=told.get("content-desc", ""),
            hint=told.get("hint", ""),
            clickable=self.flag(told, "clickable"),
            long_clickable=self.flag(told, "long-clickable"),
            checkable=self.flag(told, "checkable"),
            checked=self.flag(told, "checked"),
            selected=self.flag(told, "selected"),
            focused=self.flag(told, "focused"),
            enabled=self.flag(told, "enabled", unless=True),
            scrollable=self.flag(told, "scrollable"),
            password=self.flag(told, "password"),
            drawing=self.rank(told),
        )

    def box(self, attributes: Mapping[str, str]) -> Box | None:
        """Return a node's box, None where the view has no area on the screen."""
        if attributes.get("visible-to-user") == "false":
            return None
        match = _BOUNDS.fullmatch(attributes.get("bounds", ""))
        if match is None:
            found = repr(attributes.get("bounds", "none"))[:80]
            raise bad("bad-box", 'bounds="[left,top][right,bottom]"', self.where(), found)
        left, top, right, bottom = (float(group) for group in match.groups())
        if right <= left or bottom <= top:  # what has scrolled away is written this way
            return None
        return Box(left, top, right, bottom)

    def flag(self, attributes: Mapping[str, str], name: str, *, unless: bool = False) -> bool:
        """Return an attribute that is true or false."""
        value = attributes.get(name)
        if value is None:
            return unless
        if value not in _TRUTH:
            found = repr(value)[:80]
            raise bad("bad-value", f'{name}="true" or "false"', self.where(), found)
        return _TRUTH[value]

    def rank(self, attributes: Mapping[str, str]) -> int | None:
        """Return when a node is drawn among its siblings, None where it does not tell."""
        value = attributes.get("drawing-order")
        if value is None:
            return None
        if not _RANK.fullmatch(value):
            raise bad("bad-value", "a number as drawing-order", self.where(), repr(value)[:80])
        return int(value)
