"""
Twelve classes of questions that a click model may fail, to be planted as faults.

They were written blind: from what a question, an instruction with its expression, a screen with
its elements, geometry and a planted fault are, and from what is known of where vision-language
models click on real interfaces. Nothing of the diagnosis that has to name them was read, and
thresholds were set by nothing but the share of the questions that a class holds.

The classes are about the target's looks (dark ground, an icon beside the words, words that fill
little of the control, links without a colour), its place (the lowest quarter), the page (many
controls), the words of the instruction (code-like names), what words and screen have to do with
each other (a bystander nearer to the landmark, a faint landmark, a shared first word), and about
two things at once (no name in the middle of a run, a long instruction for a small target). The
links without a colour and the shared first word are conjunctions too, with the role and with
what the instruction says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from surefoot.core.geometry import Box
from surefoot.core.screen import Element
from surefoot.models.local import place_reply
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.scene.geometry import Boxes, Mask, distances
from surefoot_studies.planted import LUMA, Fault, PlantedQuestion

DARK: Final = 128.0  # luma of 255, of the colour that fills most of the target
FILLED: Final = 1 / 3  # of the control's width, by its words
ICON_PX: Final = 5.0  # the shorter side of the smallest mark that counts as an icon
ICON_WIDTH: Final = 0.6  # of the control's width: a wider mark is its frame
SLACK_PX: Final = 2.0  # between what is measured as one place
COLOURLESS: Final = 38  # of 255, between the strongest and the weakest part of a colour
LOW: Final = 0.75  # of the picture's height
SQUEEZED: Final = 0.85  # of how far down a target lies, by a model that scales wrongly
MANY_CONTROLS: Final = 40
FAINT: Final = 4.5  # contrast that accessibility guidelines ask of words
NEARER_PX: Final = 1.0
WITHIN_RUN: Final = 2  # lookalikes on either side
LONG_WORDS: Final = 10
SMALL_PX: Final = 20.0
QUOTED: Final = re.compile(r"'(.+?)'(?!\w)")
CODE_LIKE: Final = re.compile(r"\d|[^\w\s]|[a-z][A-Z]")
NUMBER: Final = re.compile(r"\d+")


def _element(told: PlantedQuestion) -> Element:
    return told.scene.elements[told.target]


def _others(told: PlantedQuestion) -> Mask:
    """Tell which elements are visible controls that are no part of the target."""
    scene = told.scene
    others: Mask = scene.thing & scene.plain & ~scene.kin(told.target)
    return others


def _landmark(told: PlantedQuestion) -> int | None:
    return told.scene.place.get(told.question.instruction.landmark)


def _landmarks(told: PlantedQuestion) -> Iterator[int]:
    """Yield the places of the landmark and of the second one."""
    first, second = _landmark(told), told.expression.second
    other = None if second is None else landmark_place(told.scene, second)
    yield from (place for place in (first, other) if place is not None)


def _middle_of(told: PlantedQuestion, place: int) -> str:
    middle = told.scene.elements[place].box.center
    return place_reply(middle.x, middle.y)


def _on_dark_ground(told: PlantedQuestion) -> bool:
    """Tell whether the colour that fills most of the target is dark."""
    inside = told.question.truth.intersection(told.scene.screen.bounds)
    if inside is None:
        return False
    left, top, right, bottom = (round(side) for side in inside.as_tuple())
    shown = told.pixels[top : max(bottom, top + 1), left : max(right, left + 1)].reshape(-1, 3)
    if not len(shown):
        return False
    colours, counts = np.unique(shown, axis=0, return_counts=True)
    return bool(colours[np.argmax(counts)] @ LUMA < DARK)


def _much_wider_than_words(told: PlantedQuestion) -> bool:
    element = _element(told)
    if not element.text_boxes:
        return False
    return Box.around(element.text_boxes).width < FILLED * element.box.width


def _icon_beside_words(told: PlantedQuestion) -> bool:
    """Tell whether a small drawing lies in the target, beside its words."""
    scene, element = told.scene, _element(told)
    marks = scene.marks[scene.marks_in(scene.marks, told.target)]
    return bool(element.text_boxes) and any(_is_icon(mark, element) for mark in marks)


def _is_icon(mark: Boxes, element: Element) -> bool:
    box = Box(*(float(side) for side in mark))
    small = box.width <= ICON_WIDTH * element.box.width
    spelled = any(line.contains(box.center, tolerance=2 * SLACK_PX) for line in element.text_boxes)
    return small and min(box.width, box.height) >= ICON_PX and not spelled


def _colourless_link(told: PlantedQuestion) -> bool:
    """Tell whether the target is a link whose words are black, white or grey."""
    element = _element(told)
    parts = [int(part) for part in NUMBER.findall(element.attributes.get("color", ""))[:3]]
    return element.role == "link" and bool(parts) and max(parts) - min(parts) < COLOURLESS


def _in_lowest_quarter(told: PlantedQuestion) -> bool:
    return told.question.truth.center.y > LOW * told.question.height


def _clicks_too_high(told: PlantedQuestion) -> str:
    """Reply with a place straight above the target, as if the picture were less high."""
    middle = told.question.truth.center
    return place_reply(middle.x, SQUEEZED * middle.y)


def _many_controls(told: PlantedQuestion) -> bool:
    return int((told.scene.thing & told.scene.plain).sum()) > MANY_CONTROLS


def _quotes_code(told: PlantedQuestion) -> bool:
    """Tell whether quoted words have a digit, a sign or a capital letter inside."""
    quoted = QUOTED.findall(told.question.instruction.text)
    return any(CODE_LIKE.search(words) for words in quoted)


def _bystander(told: PlantedQuestion) -> int | None:
    """Return the control nearest to the landmark where the target, in a direction, is not."""
    landmark, scene = _landmark(told), told.scene
    if landmark is None or told.expression.direction is None:
        return None
    others = np.flatnonzero(_others(told) & ~scene.kin(landmark))
    if not len(others):
        return None
    apart = distances(scene.boxes, scene.boxes[landmark])
    nearest = int(others[int(np.argmin(apart[others]))])
    return nearest if apart[nearest] < apart[told.target] - NEARER_PX else None


def _clicks_bystander(told: PlantedQuestion) -> str:
    """Reply with the middle of the control that is nearest to the landmark."""
    bystander = _bystander(told)
    return _middle_of(told, told.target if bystander is None else bystander)


def _faint_landmark(told: PlantedQuestion) -> bool:
    return any(told.scene.legibility(place).contrast < FAINT for place in _landmarks(told))


def _first_word(name: str) -> str:
    return name.casefold().partition(" ")[0]


def _double(told: PlantedQuestion) -> int | None:
    """Return a control whose name begins like the target's that the instruction says."""
    names = told.scene.names
    name = names[told.target]
    if not (name and told.expression.name):
        return None
    alike = (
        int(place)
        for place in np.flatnonzero(_others(told))
        if _first_word(names[place]) == _first_word(name)
        and names[place].casefold() != name.casefold()
    )
    return next(alike, None)


def _clicks_double(told: PlantedQuestion) -> str:
    """Reply with the middle of the control that begins with the same word."""
    double = _double(told)
    return _middle_of(told, told.target if double is None else double)


def _unnamed_within_run(told: PlantedQuestion) -> bool:
    """Tell whether the words leave out the name, and lookalikes are lined up on both sides."""
    return not told.expression.name and _within_run(told)


def _within_run(told: PlantedQuestion) -> bool:
    """Tell whether controls of the same role and height stand before and after the target."""
    scene = told.scene
    boxes, own = scene.boxes, scene.boxes[told.target]
    heights = boxes[:, 3] - boxes[:, 1]
    roles = np.array([element.role == _element(told).role for element in scene.elements])
    alike = _others(told) & roles & (np.abs(heights - (own[3] - own[1])) < SLACK_PX)
    for along, across in ((1, 0), (0, 1)):
        lined_up = boxes[alike & (np.abs(boxes[:, across] - own[across]) < SLACK_PX), along]
        sides = (lined_up < own[along]).sum(), (lined_up > own[along]).sum()
        if min(sides) >= WITHIN_RUN:
            return True
    return False


def _long_words_small_target(told: PlantedQuestion) -> bool:
    return len(told.question.instruction.text.split()) >= LONG_WORDS and told.side < SMALL_PX


FAULTS: Final[dict[str, Fault]] = {
    "dark-ground": Fault(
        "targets on a dark ground",
        frozenset(),
        _on_dark_ground,
    ),
    "wide-for-its-words": Fault(
        "controls more than three times as wide as the words in them",
        frozenset(),
        _much_wider_than_words,
    ),
    "icon-beside-words": Fault(
        "controls with an icon beside their words",
        frozenset(),
        _icon_beside_words,
    ),
    "colourless-link": Fault(
        "links whose words are black, white or grey",
        frozenset(),
        _colourless_link,
    ),
    "lowest-quarter": Fault(
        "targets in the lowest quarter of the picture",
        frozenset(),
        _in_lowest_quarter,
        _clicks_too_high,
    ),
    "many-controls": Fault(
        "pages that show more than 40 controls",
        frozenset(),
        _many_controls,
    ),
    "code-like-words": Fault(
        "instructions that quote words with a digit, a sign or a capital letter inside",
        frozenset(),
        _quotes_code,
    ),
    "nearer-bystander": Fault(
        "targets in a direction from a landmark that another control is nearer to",
        frozenset(),
        lambda told: _bystander(told) is not None,
        _clicks_bystander,
    ),
    "faint-landmark": Fault(
        "landmarks whose words are faint (contrast below 4.5)",
        frozenset(),
        _faint_landmark,
    ),
    "same-first-word": Fault(
        "targets called by a name that begins with the same word as another control's name",
        frozenset(),
        lambda told: _double(told) is not None,
        _clicks_double,
    ),
    "unnamed-within-a-run": Fault(
        "targets that the instruction does not name, with lookalikes lined up on both sides",
        frozenset(),
        _unnamed_within_run,
    ),
    "long-words-small-target": Fault(
        "instructions of ten words or more for a target that is less than 20 pixels wide or high",
        frozenset(),
        _long_words_small_target,
    ),
}
