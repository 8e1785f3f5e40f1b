"""
Words that are painted where no element was recorded: nobody can tell what they belong to.

Our side of the page knows those of style sheets, of reused drawings and of canvases. Into a
frame of another origin, or in a sandbox, it cannot look; the browser's protocol can.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from surefoot.capture.web.shoot import ViewScale
from surefoot.capture.web.world import World
from surefoot.core.geometry import Box
from surefoot.core.screen import PaintedWords

Sides = tuple[float, float, float, float]
_STYLES: Final = ("visibility", "padding-left", "padding-top")


class UnrecordedPaint(msgspec.Struct, frozen=True):
    """
    Hold words that no element holds, with their sides, and frames that nobody may look into.

    All are in CSS pixels, and so is the ``width`` of the document.
    """

    words: list[tuple[str, Sides]]
    frames: list[Sides]
    width: float


def unrecorded_words(
    world: World, view: ViewScale, found: UnrecordedPaint | None = None
) -> tuple[PaintedWords, ...]:
    """
    Return the words that no element of the last measurement holds, in pixels of the image.

    ``found`` is what our side of the page knows of a page without canvases, on which scripts
    may have written; else it is asked.
    """
    if found is None:
        found = world.call(UnrecordedPaint, "unrecorded", world.written())
    words = [(text, Box(*sides)) for text, sides in found.words]
    if found.frames:
        frames = [Box(*sides) for sides in found.frames]
        words += _words_inside(world, frames, found.width)
    return tuple(PaintedWords(text, box.scaled(view.scale)) for text, box in words)


def _words_inside(world: World, frames: list[Box], width: float) -> Iterator[tuple[str, Box]]:
    """Yield the words of documents in these frames, in CSS pixels of the window."""
    wanted = {"computedStyles": _STYLES, "includeDOMRects": True}
    snapshot = world.session.send("DOMSnapshot.captureSnapshot", wanted)
    documents, strings = snapshot["documents"], snapshot["strings"]
    own = max((box[2] for box in documents[0]["layout"]["bounds"][:2]), default=width)
    unit = width / own if own > 0 else 1.0
    pending = [(0, 0.0, 0.0)]
    while pending:
        number, left, top = pending.pop()
        layout, nodes = documents[number]["layout"], documents[number]["nodes"]
        scrolled = documents[number]["scrollOffsetX"], documents[number]["scrollOffsetY"]
        place = {node: at for at, node in enumerate(layout["nodeIndex"])}
        for at, text in enumerate(layout["text"] if number else ()):
            box = _moved(layout["bounds"][at], left - scrolled[0], top - scrolled[1], unit)
            styles = layout["styles"][at]
            hidden = bool(styles) and strings[styles[0]] != "visible"
            words = " ".join(strings[text].split()) if text >= 0 else ""
            if words and not hidden and any(frame.contains(box.center) for frame in frames):
                yield words, box
        inner = nodes.get("contentDocumentIndex", {"index": [], "value": []})
        for node, document in zip(inner["index"], inner["value"], strict=True):
            if node in place:
                x, y = _inside(layout, place[node], strings)
                pending.append((document, left - scrolled[0] + x, top - scrolled[1] + y))


def _inside(layout: dict[str, Any], at: int, strings: list[str]) -> tuple[float, float]:
    """Return where the content of a frame begins: inside its border and its padding."""
    x, y = layout["bounds"][at][:2]
    border = (layout["clientRects"][at] or (0.0, 0.0))[:2]
    padding = [float(strings[item].removesuffix("px")) for item in layout["styles"][at][1:]]
    return x + border[0] + padding[0], y + border[1] + padding[1]


def _moved(bounds: list[float], left: float, top: float, unit: float) -> Box:
    x, y, width, height = bounds
    sides = (left + x, top + y, left + x + width, top + y + height)
    return Box(*(unit * side for side in sides))
