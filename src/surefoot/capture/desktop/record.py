"""
A recipe becomes a screen: what the program says of itself, where the picture agrees.

Hit tests ask no program: what lies topmost at a point follows from the stack and the tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.capture.captured import Capture
from surefoot.capture.desktop.elements import Draft
from surefoot.capture.desktop.evidence import BoxVerdict, is_framed, judge_boxes
from surefoot.capture.desktop.observe import ProgramObservation, observe
from surefoot.capture.desktop.roles import CONTAINERS
from surefoot.capture.desktop.spelling import Gray, lettering_of
from surefoot.capture.desktop.steps import Recipe
from surefoot.capture.desktop.windows import Window, answering
from surefoot.capture.fonts import letters_without_font
from surefoot.capture.settings import Settings
from surefoot.core.canonical import digest, sha256
from surefoot.core.errors import CaptureError
from surefoot.core.geometry import Box, Point
from surefoot.core.pictures import opened
from surefoot.core.screen import HIT_POINTS, INTERACTIVE_ROLES, Element, Screen

VALUED = frozenset({"textbox", "searchbox", "spinbutton", "log", "document", "paragraph"})
INNER: Final = ((0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))
NEVER: Final = (False,) * HIT_POINTS
LEAST_ELEMENTS: Final = 2
LEAST_BUTTON: Final = 20.0  # the mark of a tick box is smaller
OFF_CENTRE_PX: Final = 6.0


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
    parents = {item.element.id: item.element.parent for item in drafts}
    there = {item.element.id for item in kept}
    labels = _labels(kept)
    return tuple(
        msgspec.structs.replace(
            _labelled(hit, labels), parent=_nearest(hit.parent, parents, there)
        )
        for hit in with_hits(kept, windows, bounds)
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
    for draft in kept:
        if draft.element.role == "text" and draft.element.name_boxes:
            found.setdefault(draft.element.name, []).append(draft.element.name_boxes)
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


def hit_points(box: Box) -> tuple[Point, ...]:
    """
    Return the five points of a box that are tried: its centre, and those of its quarters.

    >>> hit_points(Box(0, 0, 4, 4))[1]
    Point(x=1.0, y=1.0)
    """
    return tuple(Point(box.left + x * box.width, box.top + y * box.height) for x, y in INNER)


def with_hits(
    drafts: Sequence[Draft], windows: Sequence[Window], bounds: Box
) -> tuple[Element, ...]:
    """
    Return the elements with what a click at their points reaches; containers have none.

    The topmost window at a point takes the click, unless another one grabs it; in it, of the
    controls whose visible part holds the point, the one that comes last in the tree, as
    toolkits draw it last. While a menu of a menu bar is open, the bar's other titles answer too.
    """
    covering = [draft for draft in drafts if draft.element.role in INTERACTIVE_ROLES]
    above = {draft.element.id: draft.element.parent for draft in drafts}
    levels = answering(windows)
    open_bars = {
        bar.element.id
        for bar in drafts
        if bar.element.role == "menubar"
        and any(
            0 <= item.level < len(windows)
            and windows[item.level].grab == "popup"
            and _within(item, bar.element.id, above)
            for item in drafts
        )
    }

    def answers(draft: Draft) -> bool:
        return draft.level in levels or draft.element.parent in open_bars

    return tuple(
        msgspec.structs.replace(
            draft.element,
            hits=_hits(draft, covering, above, windows, bounds)
            if answers(draft) or draft.element.role in CONTAINERS
            else NEVER,
        )
        for draft in drafts
    )


def _hits(
    draft: Draft,
    covering: Sequence[Draft],
    above: dict[str, str],
    windows: Sequence[Window],
    bounds: Box,
) -> tuple[bool, ...]:
    element = draft.element
    if element.role in CONTAINERS:
        return ()
    if element.visible_fraction == 0 or draft.clip is None:
        return NEVER
    near = [item for item in covering if item.level == draft.level and _meet(item, draft)]
    return tuple(
        bounds.contains(point)
        and draft.clip.contains(point)
        and _level_at(point, windows) == draft.level
        and _reaches(point, draft, near, above)
        for point in hit_points(element.box)
    )


def _meet(one: Draft, other: Draft) -> bool:
    return one.element.box.intersection(other.element.box) is not None


def _level_at(point: Point, windows: Sequence[Window]) -> int:
    found = [place for place, window in enumerate(windows) if window.box.contains(point)]
    return found[-1] if found else -1


def _reaches(point: Point, draft: Draft, near: Sequence[Draft], above: dict[str, str]) -> bool:
    """Tell whether nothing drawn later lies on the point, apart from what holds the element."""
    wanted = draft.element
    for item in reversed(near):
        if item.order <= draft.order or item.clip is None:
            continue
        inside = item.element.box.contains(point) and item.clip.contains(point)
        if inside and (wanted.role in INTERACTIVE_ROLES or not _within(item, wanted.id, above)):
            return False
    return True


def _within(draft: Draft, holder: str, above: dict[str, str]) -> bool:
    step = draft.element.parent
    while step:
        if step == holder:
            return True
        step = above.get(step, "")
    return False


class JudgedRecord(msgspec.Struct, frozen=True):
    """Hold an observation with a verdict on each of its drafts, and the elements kept."""

    seen: ProgramObservation
    verdicts: tuple[BoxVerdict, ...]
    elements: tuple[Element, ...]


def record(recipe: Recipe, source: str, settings: Settings) -> Capture:
    """
    Capture the state that a recipe leads to; ``source`` says how to come here again.

    Raises CaptureError where the program fails, or where the picture agrees with nothing
    of what the program says of itself.
    """
    judged = judge(observe(recipe, settings), settings)
    seen = judged.seen
    if len(judged.elements) < LEAST_ELEMENTS:
        raise CaptureError(
            "no-elements",
            expected="elements whose boxes match the picture",
            found=f"{len(judged.elements)} of {len(seen.drafts)} ({seen.toolkit})",
        )
    screen = Screen(
        id=digest([source, settings, recipe])[:16],
        page=recipe.page,
        source=source,
        image=sha256(seen.png),
        width=settings.width,
        height=settings.height,
        scale=1.0,
        platform="desktop",
        locale=settings.locale,
        elements=judged.elements,
        title=next((window.name for window in seen.reading.windows if window.name), ""),
        site=recipe.program,
        toolkit=seen.toolkit,
        missing=letters_without_font(" ".join(item.text or item.name for item in judged.elements)),
    )
    return Capture(screen, seen.png)


def judge(seen: ProgramObservation, settings: Settings) -> JudgedRecord:
    """Judge every box of an observation and keep the elements whose boxes stand."""
    gray = luminance(seen.png)
    lettering = lettering_of(seen.toolkit, settings.locale)
    verdicts = tuple(judge_boxes(seen.drafts, seen.windows, gray, lettering))
    bounds = Box(0.0, 0.0, float(settings.width), float(settings.height))
    elements = assemble(seen.drafts, verdicts, seen.windows, bounds)
    return JudgedRecord(seen, verdicts, tuple(as_drawn(item, gray) for item in elements))


def as_drawn(element: Element, gray: Gray) -> Element:
    """
    Call a button what Qt calls a tick box, or a radio button, since it can be pressed in.

    A frame runs around it, at least as tall as a line with margins, and its words stand in
    the middle; those of a tick box stand behind its mark.
    """
    box = element.box
    if element.role not in {"checkbox", "radio"} or min(box.width, box.height) < LEAST_BUTTON:
        return element
    first = min((line.left for line in element.text_boxes), default=box.left)
    last = max((line.right for line in element.text_boxes), default=box.right)
    centred = abs((first - box.left) - (box.right - last)) <= OFF_CENTRE_PX
    if not centred or not is_framed(gray, box):
        return element
    states = {"pressed" if state == "checked" else state for state in element.states}
    return msgspec.structs.replace(element, role="button", states=tuple(sorted(states)))


def luminance(png: bytes) -> Gray:
    """Return a picture's luminance, 0 to 1, height x width."""
    return np.asarray(opened(png).convert("L"), dtype=np.float64) / 255
