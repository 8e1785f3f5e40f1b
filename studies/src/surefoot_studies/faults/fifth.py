"""
Ten faults that others have reported of real models, and two controls.

Each is what a published text says that models get wrong; who wrote them down had seen the
diagnosis, and chose neither what is wrong nor where the click lands. Thresholds are those of
the texts, or were chosen by the shares of the questions alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.core.geometry import Point
from surefoot.core.seeds import random_source
from surefoot.models.local import place_reply
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.scene.geometry import distances
from surefoot_studies.planted import Fault, PlantedQuestion

Indices = NDArray[np.intp]

LOW: Final = 0.8  # of the picture's height
TINY: Final = 0.0007  # of the picture, ScreenSpot-Pro's mean
CLUTTER_PX: Final = 100.0
CLUTTER: Final = 8  # controls
LONG_WORD: Final = 4
TOGGLES: Final = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
UNLUCKY: Final = 0.2  # of the elements, or of the sites
WITHIN: Final = 0.7
OF_SITE: Final = 0.4
WITHOUT: Final = 0.05


def _others(told: PlantedQuestion) -> Indices:
    """Return the places of the other controls in plain sight, the nearest first."""
    scene = told.scene
    found: Indices = np.flatnonzero(scene.thing & scene.plain & ~scene.kin(told.target))
    apart = distances(scene.boxes[found], scene.boxes[told.target])
    nearest: Indices = found[np.argsort(apart, kind="stable")]
    return nearest


def _at(point: Point) -> str:
    return place_reply(point.x, point.y)


def _on(told: PlantedQuestion, places: Indices) -> str:
    """Reply with the middle of the first of some controls; beside the target without any."""
    truth = told.question.truth
    if not len(places):
        return place_reply(truth.center.x, max(truth.top - truth.height, 0.0))
    return _at(told.scene.elements[int(places[0])].box.center)


def _above(told: PlantedQuestion) -> str:
    truth = told.question.truth
    return place_reply(truth.center.x, max(truth.top - 0.4 * truth.height, 0.0))


def _words(told: PlantedQuestion, place: int) -> set[str]:
    words = told.scene.elements[place].name.lower().split()
    return {word for word in words if len(word) >= LONG_WORD}


def _alike(told: PlantedQuestion) -> Indices:
    own = _words(told, told.target)
    return np.array([at for at in _others(told) if own & _words(told, int(at))], dtype=np.intp)


def _in_other_section(told: PlantedQuestion) -> str:
    own = told.scene.elements[told.target]
    same = [
        at
        for at in _others(told)
        if told.scene.elements[int(at)].role == own.role
        and told.scene.elements[int(at)].parent != own.parent
    ]
    return _on(told, np.array(same, dtype=np.intp))


def _landmark(told: PlantedQuestion) -> str:
    mark = told.expression.landmark
    there = None if mark is None else landmark_place(told.scene, mark)
    return _on(told, _others(told) if there is None else np.array([there], dtype=np.intp))


def _is_cluttered(told: PlantedQuestion) -> bool:
    scene = told.scene
    near = distances(scene.boxes[_others(told)], scene.boxes[told.target]) <= CLUTTER_PX
    return int(near.sum()) >= CLUTTER


def _is_tiny(told: PlantedQuestion) -> bool:
    question = told.question
    return question.truth.area < TINY * question.width * question.height


def _planted(
    words: str,
    holds: Callable[[PlantedQuestion], bool],
    reply: Callable[[PlantedQuestion], str] | None = None,
    *named: str,
) -> Fault:
    return Fault(words, frozenset(named), holds, reply)


def _unlucky(of: Callable[[PlantedQuestion], str], within: float) -> Fault:
    """Return a control that misses more on some elements or sites, drawn without any reason."""

    def reply(told: PlantedQuestion) -> str:
        chosen = random_source(3, "unlucky", of(told)).random() < UNLUCKY
        chance = within if chosen else WITHOUT
        if random_source(4, "unlucky", told.question.id).random() >= chance:
            return _at(told.question.truth.center)
        return _on(told, _others(told))

    words = "some elements or sites, drawn without any reason"
    return Fault(words, frozenset(), lambda _: True, reply, 1.0, 1.0)


FAULTS: Final[dict[str, Fault]] = {
    # UI-TARS-desktop, issue 563
    "bottom-too-high": _planted(
        "what is near the bottom of the window, where it clicks slightly above",
        lambda told: told.question.truth.center.y > LOW * told.question.height,
        _above,
    ),
    # BrowserOS, issue 213
    "alike-text": _planted(
        "targets with a word of another control's name, which is clicked instead",
        lambda told: len(_alike(told)) > 0,
        lambda told: _on(told, _alike(told)),
    ),
    # BrowserOS, issue 213
    "other-section": _planted(
        "instructions that say in which part of the page, where another part's is clicked",
        lambda told: told.expression.container is not None,
        _in_other_section,
    ),
    # Stagehand, issue 1097
    "right-of-it": _planted(
        "instructions that say 'right of' something, which is clicked itself",
        lambda told: told.expression.direction == "right of",
        _landmark,
        "landmark",
    ),
    # Stagehand, issue 553 and pull request 448
    "toggles": _planted(
        "check boxes, radio buttons and switches", lambda told: told.question.role in TOGGLES
    ),
    # ScreenSpot-Pro, arXiv 2504.07981
    "tiny": _planted("targets of under 0.07 % of the picture", _is_tiny),
    # ScreenSpot-Pro
    "icons-only": _planted(
        "icons", lambda told: not told.scene.elements[told.target].text.strip()
    ),
    # ScreenSpot-Pro
    "cluttered": _planted("targets with eight other controls within 100 px", _is_cluttered),
    # GUI-Perturbed, arXiv 2604.14262
    "relational-words": _planted(
        "instructions that point by another element",
        lambda told: told.expression.landmark is not None,
    ),
    # GUI-Perturbed
    "seventy-percent": _planted(
        "the page at 70 %", lambda told: told.question.cell.variant == "precision"
    ),
    "unlucky-elements": _unlucky(lambda told: told.question.pair, WITHIN),
    "unlucky-sites": _unlucky(lambda told: told.question.cluster, OF_SITE),
}
