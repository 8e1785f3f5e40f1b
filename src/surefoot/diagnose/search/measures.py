"""
What can be counted or measured about a question, as numbers by name.

All are facts about the words, the target and the picture; none looks at an answer. Lengths
are pixels of the picture that is shown, since those are what a model gets.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Final

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Question
from surefoot.diagnose.search.quotes import quotes_of
from surefoot.diagnose.search.surroundings import around_target, elsewhere, on_picture
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.sizes import size_of
from surefoot.refer.say.realise import realise
from surefoot.refer.scene.geometry import distances
from surefoot.refer.scene.names import key_of
from surefoot.refer.scene.scene import Scene

NAMING: Final = 3  # letters of a name that is looked for in an instruction


def measures_of(question: Question, scene: Scene) -> dict[str, float]:
    """Return what can be measured of a question, by the names of ``phrases.MEASURES``."""
    instruction = question.instruction
    words = instruction.text.split()
    found = {
        "words": float(len(words)),
        "letters": float(len(instruction.text)),
        "longest-word": float(max(map(len, words), default=0)),
        "parts": float(size_of(instruction.expression)),
        "reworded": _reworded(question),
        **on_picture(scene),
    }
    if quotes := list(quotes_of(instruction.expression)):
        found["quote"] = float(len(quotes[0]))
    place = scene.place.get(instruction.target)
    if place is None:
        return found
    found |= _said(question, scene, place)
    landmark = instruction.expression.landmark
    there = None if landmark is None else landmark_place(scene, landmark)
    if there is not None:
        apart = distances(scene.boxes, scene.text_boxes[there])
        others = scene.thing & scene.plain & ~scene.kin(place) & ~scene.kin(there)
        found["landmark-px"] = float(apart[place])
        found["nearer"] = float((apart[others] < apart[place]).sum())
        found["landmark-contrast"] = scene.legibility(there).contrast
        found["landmark-font"] = scene.elements[there].font_px
        found["landmark-name"] = float(len(scene.names[there]))
        own, other = scene.elements[place].box.area, scene.elements[there].box.area
        found["landmark-size"] = other / max(own, 1.0)
        found["landmark-elsewhere"] = float(elsewhere(scene, there))
    return found | around_target(scene, place)


def _said(question: Question, scene: Scene, place: int) -> dict[str, float]:
    """Measure how much of an instruction stands on the target, and how much on others."""
    said = key_of(question.instruction.text).words
    shown = frozenset(key_of(scene.texts[place]).words)
    line = f" {' '.join(said)} "
    others = np.flatnonzero(scene.thing & scene.plain & ~scene.kin(place)).tolist()
    names = {scene.names[other] for other in others} - {scene.names[place]}
    keys = (" ".join(key_of(name).words) for name in names)
    return {
        "said-of-target": 100 * sum(word in shown for word in said) / max(len(said), 1),
        "others-said": float(sum(len(key) >= NAMING and f" {key} " in line for key in keys)),
    }


def _reworded(question: Question) -> float:
    """Return the share of letters by which words differ from those that say it plainly."""
    instruction = question.instruction
    if not instruction.wording:
        return 0.0
    try:
        plain = realise(
            instruction.expression,
            instruction.action,
            instruction.value,
            language=instruction.language,
        )
    except InvalidInputError:
        return 0.0
    return 1 - SequenceMatcher(None, plain, instruction.text, autojunk=False).ratio()
