"""
Faults planted by an author who was blind to the diagnosis.

The author knew the interface of a planted fault, the types of questions and screens, and the
questions and screens of one benchmark, which were read to see that each class is large
enough. The author had seen neither the diagnosis, its features, words and documents, nor any
other planted fault, nor any result. The classes come from how vision-language models are
known to fail on screens: grids of coordinates, tiles, look-alikes, labels, landmarks, lists.

Nulls miss without a cause. Three of them are drawn in clumps (elements, pages, sites): they
always "miss", and their reply is the right place wherever the draw says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.core.seeds import random_source
from surefoot.models.local import place_reply
from surefoot_studies.planted import Fault, PlantedQuestion

SEED: Final = 606
MECHANICAL: Final[frozenset[str]] = frozenset()
LUMA: Final = np.array([0.299, 0.587, 0.114])
STRIDE: Final = 8  # of the pixels of a whole picture, every so-manieth is looked at

GRID: Final = 1000.0  # the span of coordinates that many models were trained on
TILE_PX: Final = 448.0
HALF: Final = 0.5
FAINT: Final = 90.0  # of 255, between the darkest and the lightest pixels of a target
TAILS: Final = (2.0, 98.0)
VIVID: Final = 60.0  # of 255, between the strongest and the weakest channel
FINE_PX: Final = 10.5
NARROW_GAP_PX: Final = 14.0
APART_PX: Final = 45.0
LEVEL_PX: Final = 4.0
STACK: Final = 4
DARK: Final = 100.0
BLANK: Final = 0.88
STEP: Final = 16  # colours that differ by less count as one
FAR_PX: Final = 110.0
SCROLLED_PX: Final = 64.0
BESIDE_PX: Final = 14.0
SHORT: Final = 5
WORDY: Final = 3
STATES: Final = frozenset({"checked", "selected", "pressed", "expanded", "collapsed"})

DRAWN_ELEMENTS: Final = 0.15
DRAWN_PAGES: Final = 0.25
CLUMP_MISSES: Final = 0.75
STRAY_MISSES: Final = 0.03
MOST_SITE_MISSES: Final = 0.35


def _others(told: PlantedQuestion) -> list[int]:
    """Return the places of the other controls that are plainly seen."""
    scene = told.scene
    found = scene.thing & scene.plain & ~scene.kin(told.target)
    return [int(place) for place in np.flatnonzero(found)]


def _gaps(told: PlantedQuestion, place: int) -> tuple[float, float]:
    """Return how many pixels lie between the target and an element, across and down."""
    truth = told.question.truth
    left, top, right, bottom = (float(side) for side in told.scene.boxes[place])
    across = max(left - truth.right, truth.left - right, 0.0)
    return across, max(top - truth.bottom, truth.top - bottom, 0.0)


def _middle(told: PlantedQuestion, place: int) -> str:
    """Reply with the middle of an element."""
    x, y = told.scene.centres[place]
    return place_reply(float(x), float(y))


def _right_place(told: PlantedQuestion) -> str:
    """Reply with the middle of the target."""
    middle = told.question.truth.center
    return place_reply(middle.x, middle.y)


def _closest(told: PlantedQuestion) -> str:
    """Reply with the middle of the closest other control, or beside the target without one."""
    truth = told.question.truth
    places = [
        place
        for place in _others(told)
        if not _holds_point(told, *(float(part) for part in told.scene.centres[place]))
    ]
    if not places:
        return place_reply(truth.right + BESIDE_PX, truth.bottom + BESIDE_PX)
    return _middle(told, min(places, key=lambda place: sum(_gaps(told, place))))


def _holds_point(told: PlantedQuestion, x: float, y: float) -> bool:
    """Tell whether a point lies in the target."""
    truth = told.question.truth
    return truth.left <= x <= truth.right and truth.top <= y <= truth.bottom


def _patch(told: PlantedQuestion) -> NDArray[np.float64]:
    """Return the pixels of the target, one a row."""
    truth = told.question.truth
    top, left = max(int(truth.top), 0), max(int(truth.left), 0)
    rows = told.pixels[
        top : max(int(truth.bottom), top + 1), left : max(int(truth.right), left + 1)
    ]
    return rows.reshape(-1, 3).astype(np.float64)


def _sampled(told: PlantedQuestion) -> NDArray[np.float64]:
    """Return a sample of the pixels of the picture, one a row."""
    return told.pixels[::STRIDE, ::STRIDE].reshape(-1, 3).astype(np.float64)


def _ground(told: PlantedQuestion) -> NDArray[np.float64]:
    """Return the colour that most of the target's pixels are near to."""
    return np.median(_patch(told), axis=0)


def _name(told: PlantedQuestion) -> str:
    """Return the name of the target as it is spelled on the screen."""
    return told.scene.names[told.target].strip()


def _landmark(told: PlantedQuestion) -> int | None:
    """Return the place of the landmark, None where the words have none."""
    return told.scene.place.get(told.question.instruction.landmark)


def _past_thousand(told: PlantedQuestion) -> bool:
    """Tell whether the target's middle lies right of pixel 1000."""
    return told.question.truth.center.x > GRID


def _on_the_grid(told: PlantedQuestion) -> str:
    """Reply with the right place in thousandths of the picture, as though they were pixels."""
    question, middle = told.question, told.question.truth.center
    return place_reply(middle.x * GRID / question.width, middle.y * GRID / question.height)


def _cut_by_tiles(told: PlantedQuestion) -> bool:
    """Tell whether a border between tiles of the picture runs through the target."""
    truth = told.question.truth
    return (
        truth.left // TILE_PX != truth.right // TILE_PX
        or truth.top // TILE_PX != truth.bottom // TILE_PX
    )


def _lower_left(told: PlantedQuestion) -> bool:
    """Tell whether the target lies in the lower half and in the left half of the picture."""
    down = told.question.truth.center.y / told.question.height
    return down > HALF and told.across < HALF


def _flipped(told: PlantedQuestion) -> str:
    """Reply with the place that mirrors the target in the picture's upright middle line."""
    middle = told.question.truth.center
    x = told.question.width - middle.x
    return _closest(told) if _holds_point(told, x, middle.y) else place_reply(x, middle.y)


def _faint(told: PlantedQuestion) -> bool:
    """Tell whether the target's lightest and darkest pixels differ little."""
    low, high = np.percentile(_patch(told) @ LUMA, TAILS)
    return bool(high - low < FAINT)


def _vivid(told: PlantedQuestion) -> bool:
    """Tell whether the target stands on a strongly coloured ground."""
    ground = _ground(told)
    return bool(ground.max() - ground.min() > VIVID)


def _fine_print_right(told: PlantedQuestion) -> bool:
    """Tell whether the target is set in small type in the right half of the picture."""
    return told.scene.elements[told.target].font_px < FINE_PX and told.across > HALF


def _hemmed_in(told: PlantedQuestion) -> bool:
    """Tell whether other controls stand close by on both sides of the target."""
    truth, boxes = told.question.truth, told.scene.boxes
    sides = set()
    for place in _others(told):
        across, down = _gaps(told, place)
        if down == 0.0 and across <= NARROW_GAP_PX:
            sides.add(bool((boxes[place, 0] + boxes[place, 2]) / 2 > truth.center.x))
    return len(sides) > 1


def _alone(told: PlantedQuestion) -> bool:
    """Tell whether no other control lies near the target."""
    return all(max(_gaps(told, place)) > APART_PX for place in _others(told))


def _stacked(told: PlantedQuestion) -> bool:
    """Tell whether several controls of the target's role begin at the target's left edge."""
    scene, truth = told.scene, told.question.truth
    alike = [
        place
        for place in _others(told)
        if scene.elements[place].role == told.question.role
        and abs(float(scene.boxes[place, 0]) - truth.left) <= LEVEL_PX
    ]
    return len(alike) >= STACK


def _line_below(told: PlantedQuestion) -> str:
    """Reply with the place one line below the target."""
    truth = told.question.truth
    return place_reply(truth.center.x, truth.center.y + truth.height)


def _dark_page(told: PlantedQuestion) -> bool:
    """Tell whether the picture is dark in most places."""
    return bool(np.median(_sampled(told) @ LUMA) < DARK)


def _blank_page(told: PlantedQuestion) -> bool:
    """Tell whether nearly all of the picture is of one colour."""
    steps = (_sampled(told) // STEP).astype(np.int64)
    _, counts = np.unique(steps @ np.array([1, STEP, STEP * STEP]), return_counts=True)
    return bool(counts.max() / counts.sum() > BLANK)


def _spelled_like_code(told: PlantedQuestion) -> bool:
    """Tell whether the target's name has a digit, or a sign that is no space."""
    return any(not letter.isalpha() and not letter.isspace() for letter in _name(told))


def _asked_left(told: PlantedQuestion) -> bool:
    """Tell whether the words ask for what is left of something."""
    return told.expression.direction == "left of"


def _other_side(told: PlantedQuestion) -> str:
    """Reply with the place as far from the landmark as the target, on its other side."""
    place, middle = _landmark(told), told.question.truth.center
    if place is None:
        return _closest(told)
    x, y = (float(part) for part in told.scene.centres[place])
    return place_reply(2 * x - middle.x, 2 * y - middle.y)


def _far_landmark(told: PlantedQuestion) -> bool:
    """Tell whether the landmark's middle lies far from the target's."""
    place = _landmark(told)
    if place is None:
        return False
    x, y = told.scene.centres[place]
    middle = told.question.truth.center
    return bool(np.hypot(x - middle.x, y - middle.y) > FAR_PX)


def _at_landmark(told: PlantedQuestion) -> str:
    """Reply with the middle of the landmark, or of a near control where that is the target."""
    place = _landmark(told)
    if place is None or _holds_point(told, *(float(part) for part in told.scene.centres[place])):
        return _closest(told)
    return _middle(told, place)


def _up_or_down_from_words(told: PlantedQuestion) -> bool:
    """Tell whether the target lies above or below a landmark that is no control."""
    place = _landmark(told)
    upright = told.expression.direction in ("above", "below")
    return upright and place is not None and not bool(told.scene.thing[place])


def _namesakes(told: PlantedQuestion) -> list[int]:
    """Return the places of other controls whose names share a word with the target's."""
    words = _long_words(_name(told))
    names = told.scene.names
    return [place for place in _others(told) if words & _long_words(names[place])]


def _long_words(name: str) -> set[str]:
    """Return the words of a name that are long enough to mean something."""
    return {word for word in name.casefold().split() if len(word) >= WORDY}


def _has_namesake(told: PlantedQuestion) -> bool:
    """Tell whether the words name the target, and another control shares a word of its name."""
    return told.question.instruction.kind == "direct" and bool(_namesakes(told))


def _at_namesake(told: PlantedQuestion) -> str:
    """Reply with the middle of the first control that shares a word with the target."""
    places = _namesakes(told)
    return _middle(told, places[0]) if places else _closest(told)


def _form_control(told: PlantedQuestion) -> bool:
    """Tell whether the target is a control of a form: a field, a box to tick, a list."""
    return told.question.role in {"textbox", "checkbox", "radio", "combobox"}


def _before_it(told: PlantedQuestion) -> str:
    """Reply with the label's words where they lie outside of the target, or left above it."""
    truth = told.question.truth
    for box in told.scene.elements[told.target].name_boxes:
        if not _holds_point(told, box.center.x, box.center.y):
            return place_reply(box.center.x, box.center.y)
    return place_reply(truth.left + BESIDE_PX, max(truth.top - BESIDE_PX, 0.0))


def _in_a_state(told: PlantedQuestion) -> bool:
    """Tell whether the target is checked, selected, pressed, expanded or collapsed."""
    return bool(STATES & set(told.scene.elements[told.target].states))


def _stays_put(told: PlantedQuestion) -> bool:
    """Tell whether the target lies on a part that stays put when the page scrolls."""
    return "floating" in told.scene.elements[told.target].attributes


def _as_if_scrolled(told: PlantedQuestion) -> str:
    """Reply with a place below the target, as though the bar had scrolled along."""
    truth = told.question.truth
    return place_reply(truth.center.x, truth.bottom + SCROLLED_PX)


def _short_name(told: PlantedQuestion) -> bool:
    """Tell whether the words name the target, and its name has few letters."""
    return told.question.instruction.kind == "direct" and 0 < len(_name(told)) <= SHORT


def _never(_: PlantedQuestion) -> bool:
    """Tell that no question is of a class."""
    return False


def _anywhere(told: PlantedQuestion) -> str:
    """Reply with any place of the picture."""
    drawn = random_source(SEED, "anywhere", told.question.id)
    return place_reply(drawn.random() * told.question.width, drawn.random() * told.question.height)


def _clumped(told: PlantedQuestion, chance: float) -> str:
    """Reply with the closest control by a chance, else with the right place."""
    misses = random_source(SEED, "clumped", told.question.id).random() < chance
    return _closest(told) if misses else _right_place(told)


def _drawn(share: float, use: str, name: str) -> float:
    """Return how often to miss for what is drawn, or not, by its name."""
    return CLUMP_MISSES if random_source(SEED, use, name).random() < share else STRAY_MISSES


def _by_element(told: PlantedQuestion) -> str:
    """Reply wrongly to most questions of the elements that were drawn."""
    return _clumped(told, _drawn(DRAWN_ELEMENTS, "elements", told.question.pair))


def _by_page(told: PlantedQuestion) -> str:
    """Reply wrongly to most questions of the pages that were drawn."""
    return _clumped(told, _drawn(DRAWN_PAGES, "pages", told.question.page_name))


def _by_site(told: PlantedQuestion) -> str:
    """Reply wrongly as often as the site's own draw says."""
    site = random_source(SEED, "sites", told.question.cluster).random()
    return _clumped(told, MOST_SITE_MISSES * site)


def _fault(
    words: str,
    holds: Callable[[PlantedQuestion], bool],
    reply: Callable[[PlantedQuestion], str] | None = None,
) -> Fault:
    """Return a fault that misses by the usual chances."""
    return Fault(words=words, named=MECHANICAL, holds=holds, reply=reply)


def _null(
    words: str, chance: float, reply: Callable[[PlantedQuestion], str] | None = None
) -> Fault:
    """Return a control, which replies wrongly as often everywhere."""
    return Fault(
        words=words, named=MECHANICAL, holds=_never, reply=reply, within=chance, without=chance
    )


FAULTS: Final[dict[str, Fault]] = {
    "past-thousand": _fault("targets right of pixel 1000", _past_thousand, _on_the_grid),
    "cut-by-tiles": _fault("targets cut by a border between tiles of 448 px", _cut_by_tiles),
    "lower-left": _fault(
        "targets in the lower left quarter of the picture", _lower_left, _flipped
    ),
    "faint": _fault("targets whose pixels differ little in lightness", _faint),
    "vivid": _fault("targets on a strongly coloured ground", _vivid),
    "fine-print-right": _fault(
        "targets in type below 10.5 px in the right half", _fine_print_right
    ),
    "hemmed-in": _fault("targets with a control close by on both sides", _hemmed_in),
    "alone": _fault("targets with no other control within 45 px", _alone),
    "stacked": _fault("targets in a stack of controls of one kind", _stacked, _line_below),
    "dark-page": _fault("targets on dark pages", _dark_page),
    "blank-page": _fault("targets on pages that are nearly all of one colour", _blank_page),
    "code-name": _fault("targets whose name has a digit or a sign", _spelled_like_code),
    "short-name": _fault("targets that the words name by 5 letters or fewer", _short_name),
    "asked-left": _fault("targets asked for as left of something", _asked_left, _other_side),
    "far-landmark": _fault("targets over 110 px from the landmark", _far_landmark, _at_landmark),
    "by-words": _fault("targets above or below plain words", _up_or_down_from_words),
    "namesake": _fault(
        "named targets that share a word with a control", _has_namesake, _at_namesake
    ),
    "form-control": _fault("targets that are controls of a form", _form_control, _before_it),
    "in-a-state": _fault("targets that are checked, selected, pressed, open or shut", _in_a_state),
    "stays-put": _fault(
        "targets that stay put when the page scrolls", _stays_put, _as_if_scrolled
    ),
    "null-rare": _null("no class: few misses", 0.05),
    "null-often": _null("no class: many misses", 0.25),
    "null-anywhere": _null("no class: clicks anywhere", 0.12, _anywhere),
    "null-elements": _null("no class: elements drawn by a hash", 1.0, _by_element),
    "null-pages": _null("no class: pages drawn by a hash", 1.0, _by_page),
    "null-sites": _null("no class: a rate drawn for each site", 1.0, _by_site),
}
