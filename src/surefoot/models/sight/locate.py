"""
From an ask and a scan to a point: names, cues of the kind of control, and directions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from surefoot.capture.ocr.match import NameMatch, find_name
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Direction
from surefoot.models.sight.asks import Ask, Kind

if TYPE_CHECKING:
    from surefoot.capture.ocr.scan import Scan

CHECK_SIDE = (9.0, 30.0)
FIELD_HEIGHT = (16.0, 90.0)
FIELD_WIDTH = 50.0
BUTTON_HEIGHT = (16.0, 90.0)
BUTTON_WIDTH = (16.0, 420.0)
AMONG = 0.08  # matches this much below the best are still candidates
BESIDE = 320.0  # pixels from a label to its field, at most
UNDER = 40.0
FEW_MATCHES = 12
SLACK = -3.0  # pixels that neighbours may overlap


def locate(ask: Ask, scan: Scan) -> Point | str:
    """
    Return where to click, in pixels of the image, or in words why nothing was found.

    The same ask and scan give the same point.
    """
    landmarks: tuple[NameMatch, ...] = ()
    if ask.landmark:
        landmarks = _likeliest(find_name(ask.landmark, scan))
        if not landmarks:
            return f"'{ask.landmark}' is not to be seen"
    if ask.name:
        matches = _likeliest(find_name(ask.name, scan))
        if not matches:
            return f"'{ask.name}' is not to be seen"
        targets = [_acted_on(match.box, ask.kind, scan) for match in matches]
        if landmarks and ask.direction:
            targets = _ordered(targets, landmarks[:1], ask.direction) or targets
        return _best_of(targets, ask.kind, scan)
    if not landmarks or ask.direction is None:
        return "the instruction names nothing"
    found = _ordered(_candidates(ask.kind, scan), landmarks, ask.direction)
    return found[0].center if found else f"nothing lies {ask.direction} '{ask.landmark}'"


def _likeliest(matches: tuple[NameMatch, ...]) -> tuple[NameMatch, ...]:
    return tuple(item for item in matches[:FEW_MATCHES] if item.score >= matches[0].score - AMONG)


def _acted_on(text: Box, kind: Kind, scan: Scan) -> Box:
    """Return the control that a visible name belongs to: often not the name itself."""
    if kind in ("field", "choice", "slider"):
        return _field_of(text, scan) or text
    if kind == "check":
        return _check_of(text, scan)
    return text


def _field_of(label: Box, scan: Scan) -> Box | None:
    """
    Return the field of a label or of the text inside it.

    A field that holds the text wins where the text does not fill it; then the nearest
    field right of or below the label.
    """
    fields = [rectangle for rectangle in scan.rectangles if _is_field(rectangle)]
    around = [field for field in fields if _holds(field, label)]
    if around:
        return min(around, key=lambda item: item.area)
    right = [
        (field.left - label.right, field)
        for field in fields
        if SLACK <= field.left - label.right <= BESIDE
        and field.top <= label.center.y <= field.bottom
    ]
    below = [
        (field.top - label.bottom, field)
        for field in fields
        if SLACK <= field.top - label.bottom <= UNDER
        and field.left - UNDER <= label.left <= field.right
    ]
    near = sorted((*right, *below), key=lambda pair: (pair[0], pair[1].as_tuple()))
    return near[0][1] if near else None


def _check_of(label: Box, scan: Scan) -> Box:
    """Return the box left of a label, else right of it, else where it has to be."""
    height = label.bottom - label.top
    checks = [
        rectangle
        for rectangle in scan.rectangles
        if _is_check(rectangle) and rectangle.top <= label.center.y <= rectangle.bottom
    ]
    left = [check for check in checks if SLACK <= label.left - check.right <= 3 * height]
    if left:
        return max(left, key=lambda item: item.right)
    right = [check for check in checks if SLACK <= check.left - label.right <= 3 * height]
    if right:
        return min(right, key=lambda item: item.left)
    return Box(label.left - 1.6 * height, label.top, label.left - 0.6 * height, label.bottom)


def _best_of(targets: list[Box], kind: Kind, scan: Scan) -> Point:
    """Take the first target; for a button, the first that stands in a button's frame."""
    if kind == "button":
        framed = [target for target in targets if _frame(target, scan)]
        return (framed or targets)[0].center
    return targets[0].center


def _frame(text: Box, scan: Scan) -> Box | None:
    height = text.bottom - text.top
    frames = [
        rectangle
        for rectangle in scan.rectangles
        if _is_button(rectangle)
        and _holds(rectangle, text)
        and rectangle.bottom - rectangle.top <= 5 * height
    ]
    return min(frames, key=lambda frame: frame.area, default=None)


def _candidates(kind: Kind, scan: Scan) -> list[Box]:
    """Return what on the screen may be a control of a kind."""
    lines = [line.box for line in scan.lines]
    if kind in ("field", "choice", "slider"):
        return [rectangle for rectangle in scan.rectangles if _is_field(rectangle)]
    if kind == "check":
        return [rectangle for rectangle in scan.rectangles if _is_check(rectangle)]
    if kind == "button":
        framed = [
            rectangle
            for rectangle in scan.rectangles
            if _is_button(rectangle) and not _is_check(rectangle)
        ]
        return framed + [box for box in lines if not any(_holds(item, box) for item in framed)]
    return lines


def _ordered(
    boxes: Iterable[Box], landmarks: tuple[NameMatch, ...], direction: Direction
) -> list[Box]:
    """Return the boxes in a direction of the likeliest landmark that has any, nearest first."""
    candidates = list(boxes)
    for landmark in landmarks:
        for strict in (True, False):
            ranked = [
                (distance, candidate.as_tuple(), candidate)
                for candidate in candidates
                if (distance := _distance(candidate, landmark.box, direction, strict=strict))
                is not None
            ]
            if ranked:
                return [box for _, _, box in sorted(ranked)]
    return []


def _distance(box: Box, mark: Box, direction: Direction, *, strict: bool) -> float | None:
    """
    Return how far a box lies in a direction of a landmark, None where it does not.

    Strictly it lies wholly beyond the landmark's side and overlaps it on the other axis;
    leniently its centre lies within 45 degrees of the direction.
    """
    turned = box if direction in ("left of", "right of") else _turned(box)
    base = mark if direction in ("left of", "right of") else _turned(mark)
    if direction in ("left of", "above"):
        turned, base = _mirrored(turned), _mirrored(base)
    gap = turned.left - base.right
    offset = abs(turned.center.y - base.center.y)
    overlap = min(turned.bottom, base.bottom) - max(turned.top, base.top)
    if strict:
        return gap + 0.2 * offset if gap >= SLACK and overlap > 0 else None
    ahead = turned.center.x - base.center.x
    return ahead + 2 * offset if gap >= SLACK and ahead > offset else None


def _turned(box: Box) -> Box:
    return Box(box.top, box.left, box.bottom, box.right)


def _mirrored(box: Box) -> Box:
    return Box(-box.right, box.top, -box.left, box.bottom)


def _holds(outer: Box, inner: Box) -> bool:
    return outer.contains(inner.center) and outer.right - outer.left >= inner.right - inner.left


def _is_check(box: Box) -> bool:
    wide, tall = box.right - box.left, box.bottom - box.top
    least, most = CHECK_SIDE
    return least <= wide <= 2.2 * most and least <= tall <= most and wide <= 2.4 * tall


def _is_field(box: Box) -> bool:
    wide, tall = box.right - box.left, box.bottom - box.top
    return wide >= FIELD_WIDTH and FIELD_HEIGHT[0] <= tall <= FIELD_HEIGHT[1] and wide > 1.5 * tall


def _is_button(box: Box) -> bool:
    wide, tall = box.right - box.left, box.bottom - box.top
    return (
        BUTTON_WIDTH[0] <= wide <= BUTTON_WIDTH[1] and BUTTON_HEIGHT[0] <= tall <= BUTTON_HEIGHT[1]
    )
