"""
What the program says and what the picture proves, put together as elements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from surefoot.capture.desktop.elements import Draft
from surefoot.capture.desktop.evidence import BoxVerdict
from surefoot.capture.desktop.roles import CONTAINERS
from surefoot.capture.desktop.stacking import with_hits
from surefoot.capture.desktop.windows import Window
from surefoot.core.geometry import Box
from surefoot.core.screen import Element

__all__ = ["assemble"]

VALUED = frozenset({"textbox", "searchbox", "spinbutton", "log", "document", "paragraph"})


def assemble(
    drafts: Sequence[Draft], verdicts: Sequence[BoxVerdict], windows: Sequence[Window], bounds: Box
) -> tuple[Element, ...]:
    """
    Return the elements whose boxes stand, with words, hits and parents among themselves.

    A container stays where its box stands or where something in it does not stray.
    """
    kept = [
        msgspec.structs.replace(draft, element=_worded(draft.element, verdict))
        for draft, verdict in zip(drafts, verdicts, strict=True)
        if verdict.kept
    ]
    parents = {each.element.id: each.element.parent for each in drafts}
    there = {each.element.id for each in kept}
    labels = _labels(kept)
    return tuple(
        msgspec.structs.replace(
            _labelled(each, labels), parent=_nearest(each.parent, parents, there)
        )
        for each in with_hits(kept, windows, bounds)
    )


def _worded(element: Element, verdict: BoxVerdict) -> Element:
    """Write into an element where the picture spells its name."""
    spelled = verdict.spelled
    if spelled is None:
        if element.role in CONTAINERS or element.role in VALUED | {"text"}:
            return element
        return msgspec.structs.replace(
            element, name_boxes=_foreign(element), text_boxes=(), text="", font_px=0.0
        )
    return msgspec.structs.replace(
        element,
        name_boxes=spelled.lines,
        name_from="content",
        text=element.name,
        text_boxes=spelled.lines,
        font_px=spelled.size,
    )


def _foreign(element: Element) -> tuple[Box, ...]:
    """Return the boxes that a label beside the element gives its name."""
    return element.name_boxes if element.name_from == "label" else ()


def _labels(kept: Sequence[Draft]) -> dict[str, tuple[Box, ...]]:
    """Return where each word of a label is spelled that stands once on the screen."""
    found: dict[str, list[tuple[Box, ...]]] = {}
    for each in kept:
        if each.element.role == "text" and each.element.name_boxes:
            found.setdefault(each.element.name, []).append(each.element.name_boxes)
    return {name: boxes[0] for name, boxes in found.items() if len(boxes) == 1}


def _labelled(element: Element, labels: Mapping[str, tuple[Box, ...]]) -> Element:
    """Give a field the words of its label, where they are proven and cannot be mistaken."""
    if element.name_from != "label" or element.role == "text":
        return element
    boxes = labels.get(element.name, ())
    others = {name: value for name, value in element.attributes.items() if name != "labelled"}
    attributes = {**others, "labelled": "true"} if boxes else others
    return msgspec.structs.replace(element, name_boxes=boxes, attributes=attributes)


def _nearest(parent: str, parents: Mapping[str, str], there: set[str]) -> str:
    while parent and parent not in there:
        parent = parents.get(parent, "")
    return parent
