"""
Twelve classes of questions that a planted model gets wrong, written blind.

They were thought of from what click models are known to stumble over: faint writing, look-alikes
side by side, names that are no plain words, pages full of controls, words that are told by place
alone, and so on. Some are of the target or its looks, some of what surrounds it, of its place,
of the picture, of the page, of the instruction's words, or of how these words and the screen go
together. Whoever wrote them had read what a question, an instruction with its expression, a
screen, its geometry and a planted fault are, and nothing of the diagnosis. Thresholds were
chosen by the shares of the questions alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Direction
from surefoot.models.local import place_reply
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.scene.geometry import Boxes, distances, past, shares
from surefoot_studies.planted import Fault, PlantedQuestion

Indices = NDArray[np.intp]
Luminances = NDArray[np.float64]

LUMINANCE: Final = np.array([0.2126, 0.7152, 0.0722])
# The curve of sRGB, and the contrast of two luminances, as WCAG has them.
GAMMA: Final = 2.4
LINEAR_BELOW: Final = 0.04045
FLARE: Final = 0.05
LEAST_CONTRAST: Final = 4.5

DARK: Final = 100.0  # of 255, on average
STRIDE: Final = 4  # every so-manieth pixel is enough for an average
MANY_CONTROLS: Final = 40
LOWEST_PART: Final = 0.8
NARROW_PX: Final = 48.0
NEIGHBOUR_PX: Final = 12.0
ALIGNED_PX: Final = 2.0
LOOK_ALIKES: Final = 2  # on each side
MANY_WORDS: Final = 11
SHORTEST_ECHO: Final = 2
OFF_EDGE: Final = 0.15  # of the picture
# A digit, a sign that no plain word has, or a capital in the midst of a word.
UNPLAIN: Final = re.compile(r"[0-9_./\\@#:()<>=+*]|[a-z][A-Z]")
BACKWARDS: Final[dict[Direction, Direction]] = {"above": "below", "left of": "right of"}


def _others(told: PlantedQuestion) -> Indices:
    """Return the places of the other controls that are in plain sight."""
    scene = told.scene
    found: Indices = np.flatnonzero(scene.thing & scene.plain & ~scene.kin(told.target))
    return found


def _target_row(told: PlantedQuestion) -> Boxes:
    row: Boxes = told.scene.boxes[told.target]
    return row


def _at(point: Point) -> str:
    return place_reply(point.x, point.y)


def _middle(told: PlantedQuestion, place: int) -> str:
    """Reply with the middle of the element at a place."""
    return _at(told.scene.elements[place].box.center)


def _next_control(told: PlantedQuestion) -> str:
    """Reply with the nearest other control: a miss where a class has no mistake of its own."""
    others = _others(told)
    if not len(others):
        truth = told.question.truth
        return place_reply(truth.center.x, truth.bottom + truth.height)
    apart = distances(told.scene.boxes[others], _target_row(told))
    return _middle(told, int(others[int(np.argmin(apart))]))


def _luminances(told: PlantedQuestion, box: Box) -> Luminances:
    """Return the relative luminances of the pixels in a box, 0 to 1."""
    left, top = max(0, math.floor(box.left)), max(0, math.floor(box.top))
    part = told.pixels[top : math.ceil(box.bottom), left : math.ceil(box.right)]
    share = part.reshape(-1, 3) / 255.0
    curved = ((share + 0.055) / 1.055) ** GAMMA
    found: Luminances = np.where(share <= LINEAR_BELOW, share / 12.92, curved) @ LUMINANCE
    return found


def _is_faint(told: PlantedQuestion) -> bool:
    """Tell whether nothing in the target's box stands out well from its background."""
    found = _luminances(told, told.question.truth)
    if not len(found):
        return False
    ground = float(np.median(found))
    lighter = (float(found.max()) + FLARE) / (ground + FLARE)
    darker = (ground + FLARE) / (float(found.min()) + FLARE)
    return max(lighter, darker) < LEAST_CONTRAST


def _is_on_dark_picture(told: PlantedQuestion) -> bool:
    """Tell whether the whole picture is dark on average."""
    return float((told.pixels[::STRIDE, ::STRIDE] @ LUMINANCE).mean()) < DARK


def _is_on_busy_page(told: PlantedQuestion) -> bool:
    """Tell whether very many controls are in plain sight."""
    return int((told.scene.thing & told.scene.plain).sum()) > MANY_CONTROLS


def _is_low(told: PlantedQuestion) -> bool:
    """Tell whether the target's middle lies in the lowest part of the picture."""
    return told.question.truth.center.y > LOWEST_PART * told.question.height


def _is_narrow_and_packed(told: PlantedQuestion) -> bool:
    """Tell whether the target is narrow and another control is next to it."""
    if told.question.truth.width >= NARROW_PX:
        return False
    apart = distances(told.scene.boxes[_others(told)], _target_row(told))
    return bool((apart <= NEIGHBOUR_PX).any())


def _is_within_column(told: PlantedQuestion) -> bool:
    """Tell whether left-aligned controls of the same height stand above and below."""
    boxes, (left, top, _, bottom) = told.scene.boxes[_others(told)], _target_row(told)
    heights = boxes[:, 3] - boxes[:, 1]
    alike = np.abs(boxes[:, 0] - left) <= ALIGNED_PX
    alike &= np.abs(heights - (bottom - top)) <= ALIGNED_PX
    above, below = alike & (boxes[:, 3] <= top + 1), alike & (boxes[:, 1] >= bottom - 1)
    return min(int(above.sum()), int(below.sum())) >= LOOK_ALIKES


def _is_called_no_plain_words(told: PlantedQuestion) -> bool:
    """Tell whether the target's name has digits, signs or capitals within a word."""
    return bool(UNPLAIN.search(told.scene.names[told.target]))


def _is_drawn_unlike_role(told: PlantedQuestion) -> bool:
    """Tell whether the target is a link drawn as a button, or a button without a background."""
    return not bool(told.scene.typical[told.target])


def _is_long_told(told: PlantedQuestion) -> bool:
    """Tell whether the instruction has many words."""
    return len(told.question.instruction.text.split()) > MANY_WORDS


def _echoes(told: PlantedQuestion) -> Iterator[int]:
    """Yield the places of other words on the screen, in no control, that have the name."""
    scene, name = told.scene, told.scene.names[told.target].lower()
    if len(name) < SHORTEST_ECHO:
        return
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    kin = scene.kin(told.target)
    for place, element in enumerate(scene.elements):
        if kin[place] or not element.text_boxes or not scene.glimpsed[place]:
            continue
        if any(scene.thing[holder] for holder in (place, *scene.above(place))):
            continue
        if whole.search(scene.texts[place].lower()):
            yield place


def _is_echoed(told: PlantedQuestion) -> bool:
    """Tell whether the target's name stands elsewhere too, in words that cannot be clicked."""
    return next(_echoes(told), None) is not None


def _echo_reply(told: PlantedQuestion) -> str:
    """Reply with the middle of the other words that say the target's name."""
    place = next(_echoes(told), None)
    if place is None:
        return _next_control(told)
    return _at(Box.around(told.scene.elements[place].text_boxes).center)


def _is_unnamed_before_landmark(told: PlantedQuestion) -> bool:
    """Tell whether the target is not named, only told to be above or left of something."""
    asked = told.expression
    return asked.direction in BACKWARDS and not (asked.name or asked.text or asked.label)


def _other_side_reply(told: PlantedQuestion) -> str:
    """Reply with the nearest control on the landmark's wrong side, or with the landmark."""
    direction, landmark = told.expression.direction, told.expression.landmark
    if direction not in BACKWARDS or landmark is None:
        return _next_control(told)
    place, wrong = landmark_place(told.scene, landmark), BACKWARDS[direction]
    if place is None:
        return _next_control(told)
    others, anchor = _others(told), told.scene.boxes[place]
    boxes = told.scene.boxes[others]
    there = np.flatnonzero(past(wrong, boxes, anchor) & shares(wrong, boxes, anchor))
    if not len(there):
        return _middle(told, place)
    nearest = there[int(np.argmin(distances(boxes[there], anchor)))]
    return _middle(told, int(others[nearest]))


def _off_edges(point: Point, told: PlantedQuestion, place: str) -> dict[str, float]:
    """Return how far a point is from each edge that a place names, as shares of the picture."""
    across, down = point.x / told.question.width, point.y / told.question.height
    shares_off = {"left": across, "right": 1 - across, "top": down, "bottom": 1 - down}
    return {edge: shares_off[edge] for edge in place.split() if edge in shares_off}


def _is_off_named_edge(told: PlantedQuestion) -> bool:
    """Tell whether the words name a side or corner of the screen that the target is not at."""
    region = told.expression.region
    if region is None or region.of != "screen":
        return False
    off = _off_edges(told.question.truth.center, told, region.place)
    return any(share > OFF_EDGE for share in off.values())


def _edge_reply(told: PlantedQuestion) -> str:
    """Reply with the middle of the control that is farthest to the named side."""
    region, others = told.expression.region, [int(place) for place in _others(told)]
    if region is None or not others or not _is_off_named_edge(told):
        return _next_control(told)
    middles = {place: told.scene.elements[place].box.center for place in others}
    return _middle(
        told,
        min(others, key=lambda at: sum(_off_edges(middles[at], told, region.place).values())),
    )


FAULTS: Final[dict[str, Fault]] = {
    "faint-target": Fault(
        "the target stands out from its background by a contrast of less than 4.5 to 1",
        frozenset(),
        _is_faint,
    ),
    "dark-picture": Fault("the whole picture is dark", frozenset(), _is_on_dark_picture),
    "busy-page": Fault(
        "more than 40 controls are in sight on the page", frozenset(), _is_on_busy_page
    ),
    "bottom-fifth": Fault(
        "the target lies in the bottom fifth of the picture", frozenset(), _is_low
    ),
    "narrow-and-packed": Fault(
        "the target is narrower than 48 px and another control is within 12 px of it",
        frozenset(),
        _is_narrow_and_packed,
    ),
    "amid-column": Fault(
        "the target is in the midst of a column of look-alikes, two or more above and below",
        frozenset(),
        _is_within_column,
    ),
    "no-plain-words": Fault(
        "the target's name has digits, signs or inner capitals, as code and numbers have",
        frozenset(),
        _is_called_no_plain_words,
    ),
    "unlike-its-role": Fault(
        "the target is a link that is drawn as a button, or a button without a background",
        frozenset(),
        _is_drawn_unlike_role,
    ),
    "long-instruction": Fault(
        "the instruction has twelve words or more", frozenset(), _is_long_told
    ),
    "echoed-name": Fault(
        "the target's name is also written elsewhere, in words that cannot be clicked",
        frozenset(),
        _is_echoed,
        reply=_echo_reply,
    ),
    "unnamed-before-landmark": Fault(
        "the target is not named and lies above or left of its landmark",
        frozenset(),
        _is_unnamed_before_landmark,
        reply=_other_side_reply,
    ),
    "off-named-edge": Fault(
        "the words name a side of the screen, and the target is over 15 % of it away from there",
        frozenset(),
        _is_off_named_edge,
        reply=_edge_reply,
    ),
}
