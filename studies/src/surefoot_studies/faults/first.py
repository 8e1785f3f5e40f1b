"""
Held-out faults: classes of questions that were written without sight of what has to find them.

Whoever wrote them knew what a question, a screen and an expression are, and what click models get
wrong on real interfaces, but had read nothing of the diagnosis and none of its results; of
``planted.py`` the first four faults, none of which is here. The thresholds were set by the
share of the questions that each class holds, 4 % to 50 % of those of a benchmark of 26 sites,
and by nothing else. So no fault names what a diagnosis has to say
(``named`` is empty): whether a finding tells the class is judged by its questions and its words.

As in ``planted.py``, a model misses 17 of 20 askings within its class and one of 20 without it.
Lengths are pixels of the picture that is asked about, also where a view zoomed out.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.core.geometry import Box
from surefoot.core.screen import Element
from surefoot.models.local import place_reply
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.scene.geometry import distances
from surefoot_studies.planted import Fault, Holds, PlantedQuestion, Replies

STRIP: Final = 5.0  # times as wide as high
SMALL_PRINT_PX: Final = 10.0
EDGE_PX: Final = 40.0
PULLED_PX: Final = 40.0
BESIDE_PX: Final = 24.0
LONE_PX: Final = 32.0
ABOUT: Final = 1.1  # the ratio up to which two lengths are about the same
ALIKE: Final = 2
SHORT_WORD: Final = 3
SHARED_BY: Final = 2
CROWDED: Final = 40
DARK: Final = 80.0  # of 255
SHORT_QUOTE: Final = 5
WORD: Final = re.compile(r"[^\W_]+")


def _zoom(told: PlantedQuestion) -> float:
    """Return pixels of the picture per pixel of the scene, whose view may be another."""
    captured = _captured(told)
    shown = captured.box.intersection(told.scene.screen.bounds) or captured.box
    return told.question.truth.height / shown.height if shown.height else 1.0


def _captured(told: PlantedQuestion) -> Element:
    return told.scene.elements[told.target]


def _others(told: PlantedQuestion) -> list[int]:
    """Return the places of the other controls that are seen."""
    scene = told.scene
    return np.flatnonzero(scene.thing & scene.plain & ~scene.kin(told.target)).tolist()


def _gaps(told: PlantedQuestion, others: list[int]) -> NDArray[np.float64]:
    """Return how far the target is from each of the others, in pixels of the picture."""
    boxes = told.scene.boxes
    return distances(boxes[others], boxes[told.target]) * _zoom(told)


def _quote(told: PlantedQuestion) -> str:
    """Return the words that the instruction quotes: the target's, else the landmark's."""
    expression = told.expression
    while not (expression.name or expression.text or expression.label) and expression.landmark:
        expression = expression.landmark
    return expression.name or expression.text or expression.label


def _landmark(told: PlantedQuestion) -> int | None:
    mark = told.expression.landmark
    return None if mark is None else landmark_place(told.scene, mark)


def _words(name: str) -> set[str]:
    return {word for word in WORD.findall(name.casefold()) if len(word) >= SHORT_WORD}


def _wide_strip(told: PlantedQuestion) -> bool:
    truth = told.question.truth
    return truth.width > STRIP * truth.height


def _small_print(told: PlantedQuestion) -> bool:
    size = _captured(told).font_px * _zoom(told)
    return 0 < size < SMALL_PRINT_PX


def _at_an_edge(told: PlantedQuestion) -> bool:
    middle, question = told.question.truth.center, told.question
    beyond = (question.width - middle.x, question.height - middle.y)
    return min(middle.x, middle.y, *beyond) < EDGE_PX


def _in_running_text(told: PlantedQuestion) -> bool:
    return told.question.role == "link" and "paragraph" in told.holders


def _among_look_alikes(told: PlantedQuestion) -> bool:
    target, elements, others = _captured(told), told.scene.elements, _others(told)
    near = itertools.compress(others, _gaps(told, others) < BESIDE_PX)
    alike = [place for place in near if _looks_like(elements[place], target)]
    return len(alike) >= ALIKE


def _looks_like(one: Element, other: Element) -> bool:
    wide, high = (one.box.width, other.box.width), (one.box.height, other.box.height)
    return one.role == other.role and all(max(pair) <= ABOUT * min(pair) for pair in (wide, high))


def _alone(told: PlantedQuestion) -> bool:
    others = _others(told)
    return not others or float(_gaps(told, others).min()) > LONE_PX


def _shares_a_word(told: PlantedQuestion) -> bool:
    own, names = _words(_captured(told).name), told.scene.names
    return sum(bool(own & _words(names[place])) for place in _others(told)) >= SHARED_BY


def _dark_link(told: PlantedQuestion) -> bool:
    return told.question.role == "link" and float(told.pixels[..., :3].mean()) < DARK


def _relation_in_a_crowd(told: PlantedQuestion) -> bool:
    return told.expression.landmark is not None and len(_others(told)) > CROWDED


def _short_quote(told: PlantedQuestion) -> bool:
    return 0 < len(_quote(told)) < SHORT_QUOTE


def _more_than_letters(told: PlantedQuestion) -> bool:
    return not all(sign.isalpha() or sign.isspace() for sign in _quote(told))


def _stacked_on_its_like(told: PlantedQuestion) -> bool:
    """Tell whether the landmark, above or below, is a control of the kind or written on one."""
    there = _landmark(told)
    if there is None or told.expression.direction not in ("above", "below"):
        return False
    places = (there, *told.scene.above(there))
    return any(told.scene.elements[place].role == told.question.role for place in places)


def _clicks_the_landmark(told: PlantedQuestion) -> str:
    there = _landmark(told)
    box: Box = told.question.truth if there is None else told.scene.elements[there].box
    return place_reply(box.center.x, box.center.y)


def _pulled_inward(told: PlantedQuestion) -> str:
    """Reply with a point off the target, nearer to the middle of the picture."""
    truth, question = told.question.truth, told.question
    x, y = question.width / 2 - truth.center.x, question.height / 2 - truth.center.y
    across, down = truth.width / 2 + PULLED_PX, truth.height / 2 + PULLED_PX
    return place_reply(
        truth.center.x + min(max(x, -across), across), truth.center.y + min(max(y, -down), down)
    )


def _fault(words: str, holds: Holds, reply: Replies | None = None) -> Fault:
    return Fault(words, frozenset(), holds, reply)


FAULTS: Final[Mapping[str, Fault]] = {
    "wide-strip": _fault("targets over five times as wide as they are high", _wide_strip),
    "small-print": _fault("targets whose writing is under 10 px", _small_print),
    "at-an-edge": _fault(
        "targets whose middle is under 40 px from an edge of the picture",
        _at_an_edge,
        _pulled_inward,
    ),
    "running-text": _fault("links in paragraphs of text", _in_running_text),
    "look-alikes": _fault(
        "targets with two or more controls of the same kind and size next to them (24 px)",
        _among_look_alikes,
    ),
    "alone": _fault("targets with no other control within 32 px", _alone),
    "shared-word": _fault(
        "targets whose name shares a word with the names of two or more other controls",
        _shares_a_word,
    ),
    "dark-link": _fault("links in dark pictures", _dark_link),
    "relation-in-a-crowd": _fault(
        "relations to something else on screens with over 40 other controls", _relation_in_a_crowd
    ),
    "short-quote": _fault("instructions that quote a name of at most four letters", _short_quote),
    "more-than-letters": _fault(
        "instructions that quote digits or punctuation", _more_than_letters
    ),
    "stacked-on-its-like": _fault(
        "controls said to be above or below another of their kind (the link below a link)",
        _stacked_on_its_like,
        _clicks_the_landmark,
    ),
}
