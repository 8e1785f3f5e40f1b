"""
What can be counted or measured about a question, as numbers by name.

All are facts about the words, the target and the picture; none looks at an answer. Lengths
are pixels of the picture that is shown, since those are what a model gets.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Final

import msgspec
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

__all__ = ["MEASURES", "Measure", "measures_of"]

NAMING: Final = 3  # letters of a name that is looked for in an instruction


class Measure(msgspec.Struct, frozen=True):
    """
    Say a number in words: of those at or above a bound, and of those below it.

    ``step`` is what bounds are rounded to, 1 for what is counted.
    """

    least: str
    below: str
    step: float = 1.0


MEASURES: Final[dict[str, Measure]] = {
    "words": Measure("instructions of {} words or more", "instructions of fewer than {} words"),
    "letters": Measure("instructions of {} letters or more", "instructions under {} letters"),
    "longest-word": Measure(
        "instructions with a word of {} letters or more",
        "instructions without a word of {} letters",
    ),
    "quote": Measure(
        "quoted words of {} letters or more", "quoted words of fewer than {} letters"
    ),
    "said-of-target": Measure(
        "instructions of whose words {} % or more stand on the target",
        "instructions of whose words under {} % stand on the target",
    ),
    "others-said": Measure(
        "instructions in which {} other controls or more are named",
        "instructions in which fewer than {} other controls are named",
    ),
    "parts": Measure(
        "instructions of {} parts or more", "instructions of fewer than {} parts", 0.5
    ),
    "reworded": Measure(
        "words changed by {} or more of their letters", "words changed by less than {}", 0.05
    ),
    "name": Measure("names of {} letters or more", "names of fewer than {} letters"),
    "side": Measure("targets with no side under {} px", "targets with a side under {} px"),
    "width": Measure("targets {} px wide or more", "targets under {} px wide"),
    "height": Measure("targets {} px high or more", "targets under {} px high"),
    "aspect": Measure(
        "targets {} times as wide as high or more", "targets under {} times as wide as high", 0.1
    ),
    "share": Measure(
        "targets of {} % of the picture or more", "targets under {} % of the picture", 0.05
    ),
    "x": Measure("targets {} px or more from the left", "targets under {} px from the left"),
    "y": Measure("targets {} px or more from the top", "targets under {} px from the top"),
    "x-share": Measure(
        "targets at {} % of the width or further right", "targets left of {} % of the width"
    ),
    "y-share": Measure(
        "targets at {} % of the height or further down", "targets above {} % of the height"
    ),
    "contrast": Measure(
        "targets with a contrast of {} or more", "targets with a contrast under {}", 0.1
    ),
    "ground": Measure("targets of brightness {} % or more", "targets of brightness under {} %"),
    "stands-out": Measure(
        "targets {} % lighter or darker than what is around them or more",
        "targets less than {} % lighter or darker than what is around them",
    ),
    "framed": Measure(
        "targets whose edge stands out to {} % or more",
        "targets whose edge stands out to less than {} %",
    ),
    "lighter": Measure(
        "targets {} % lighter than the picture or more",
        "targets less than {} % lighter than the picture",
    ),
    "darker": Measure(
        "targets {} % darker than the picture or more",
        "targets less than {} % darker than the picture",
    ),
    "ink-colourful": Measure(
        "writing and drawing in colours of {} % or more",
        "writing and drawing in colours under {} %",
    ),
    "vivid": Measure(
        "targets among strong colours on {} % or more",
        "targets among strong colours on less than {} %",
    ),
    "colourful": Measure(
        "targets with colours of {} % or more", "targets with colours under {} %"
    ),
    "detail": Measure(
        "targets in places with {} % of edges or more",
        "targets in places with under {} % of edges",
    ),
    "edge": Measure(
        "targets {} px or more from the picture's edge",
        "targets under {} px from the picture's edge",
    ),
    "edge-across": Measure(
        "targets {} px or more from the left and the right edge",
        "targets under {} px from the left or the right edge",
    ),
    "edge-down": Measure(
        "targets {} px or more from the top and the bottom edge",
        "targets under {} px from the top or the bottom edge",
    ),
    "middle-edge": Measure(
        "targets with their middle {} px or more from the picture's edge",
        "targets with their middle under {} px from the picture's edge",
    ),
    "off-middle": Measure(
        "targets {} % of the way or more from the picture's middle to its edge",
        "targets under {} % of the way from the picture's middle to its edge",
    ),
    "aside": Measure(
        "targets {} % of the way or more from the middle to the left or right edge",
        "targets under {} % of the way from the middle to the left or right edge",
    ),
    "depth": Measure(
        "targets within {} elements or more", "targets within fewer than {} elements"
    ),
    "namesakes": Measure(
        "targets with {} others of their name or more",
        "targets with fewer than {} others of their name",
    ),
    "name-words": Measure("names of {} words or more", "names of fewer than {} words"),
    "alike-names": Measure(
        "targets with {} others or more whose name is or begins alike",
        "targets with fewer than {} others whose name is or begins alike",
    ),
    "same-start": Measure(
        "targets whose name begins with the same word as {} others or more",
        "targets whose name begins with the same word as fewer than {} others",
    ),
    "nearest-shared": Measure(
        "targets {} px or more from the next that shares a word of their name",
        "targets under {} px from the next that shares a word of their name",
    ),
    "shared-words": Measure(
        "targets that share a word of their name with {} others or more",
        "targets that share a word of their name with fewer than {} others",
    ),
    "elsewhere": Measure(
        "targets whose name stands in {} other places of the picture or more",
        "targets whose name stands in fewer than {} other places of the picture",
    ),
    "font": Measure("writing of {} px or more", "writing under {} px", 0.5),
    "lines": Measure("targets of {} lines or more", "targets of fewer than {} lines"),
    "filled": Measure(
        "targets filled by their words to {} % or more",
        "targets filled by their words to less than {} %",
    ),
    "words-across": Measure(
        "targets across {} % of which or more their words reach",
        "targets across less than {} % of which their words reach",
    ),
    "words-aside": Measure(
        "targets whose words stand {} % of the way or more from their middle to a side",
        "targets whose words stand under {} % of the way from their middle to a side",
    ),
    "words-contrast": Measure(
        "writing with a contrast of {} or more", "writing with a contrast under {}", 0.1
    ),
    "pictures-beside": Measure(
        "targets with {} small pictures or more beside their words",
        "targets with fewer than {} small pictures beside their words",
    ),
    "text-px": Measure("text {} px high or more", "text under {} px high"),
    "visible": Measure("targets {} % visible or more", "targets under {} % visible"),
    "reached": Measure(
        "targets that clicks reach on {} % or more", "targets that clicks reach on less than {} %"
    ),
    "nearest": Measure(
        "targets {} px or more from the next control", "targets under {} px from the next control"
    ),
    "fourth-nearest": Measure(
        "targets {} px or more from the fourth next control",
        "targets under {} px from the fourth next control",
    ),
    "eighth-nearest": Measure(
        "targets {} px or more from the eighth next control",
        "targets under {} px from the eighth next control",
    ),
    "nearest-words": Measure(
        "targets {} px or more from other words", "targets under {} px from other words"
    ),
    "words-around": Measure(
        "targets with {} words or more within 100 px",
        "targets with fewer than {} words within 100 px",
    ),
    "near": Measure(
        "targets with {} controls or more within 40 px",
        "targets with fewer than {} controls within 40 px",
    ),
    "rivals-count": Measure(
        "{} other controls of the role or more", "fewer than {} other controls of the role"
    ),
    "twins": Measure(
        "targets with {} others of their role and size or more",
        "targets with fewer than {} others of their role and size",
    ),
    "near-twins": Measure(
        "targets with {} others of their role and size or more within 40 px",
        "targets with fewer than {} others of their role and size within 40 px",
    ),
    "near-same": Measure(
        "targets with {} others of their role or more within 40 px",
        "targets with fewer than {} others of their role within 40 px",
    ),
    "nearest-same": Measure(
        "targets {} px or more from the next of their role",
        "targets under {} px from the next of their role",
    ),
    "nearest-twin": Measure(
        "targets {} px or more from the next of their role and size",
        "targets under {} px from the next of their role and size",
    ),
    "around": Measure(
        "targets with {} controls or more within 100 px",
        "targets with fewer than {} controls within 100 px",
    ),
    "row": Measure(
        "targets with {} others of their role or more beside them in a row",
        "targets with fewer than {} others of their role beside them in a row",
    ),
    "column": Measure(
        "targets with {} others of their role or more above and below them in a column",
        "targets with fewer than {} others of their role above and below them in a column",
    ),
    "before": Measure(
        "targets with {} others of their role or more before them in a row or column",
        "targets with fewer than {} others of their role before them in a row or column",
    ),
    "after": Measure(
        "targets with {} others of their role or more after them in a row or column",
        "targets with fewer than {} others of their role after them in a row or column",
    ),
    "flanked": Measure(
        "targets with others of their role and size on {} sides or more",
        "targets with others of their role and size on fewer than {} sides",
    ),
    "inside": Measure(
        "targets with {} elements or more in them", "targets with fewer than {} elements in them"
    ),
    "landmark-px": Measure("a landmark {} px away or more", "a landmark under {} px away"),
    "landmark-contrast": Measure(
        "a landmark with a contrast of {} or more", "a landmark with a contrast under {}", 0.1
    ),
    "landmark-font": Measure(
        "a landmark written {} px high or more", "a landmark written under {} px high", 0.5
    ),
    "landmark-name": Measure(
        "a landmark of {} letters or more", "a landmark of fewer than {} letters"
    ),
    "landmark-size": Measure(
        "a landmark of {} times the target's area or more",
        "a landmark of less than {} times the target's area",
        0.1,
    ),
    "landmark-elsewhere": Measure(
        "landmarks whose words stand in {} other places or more",
        "landmarks whose words stand in fewer than {} other places",
    ),
    "nearer": Measure(
        "landmarks with {} other controls or more nearer to them than the target",
        "landmarks with fewer than {} other controls nearer to them than the target",
    ),
    "controls": Measure("pictures with {} controls or more", "pictures of under {} controls"),
    "picture-width": Measure("pictures {} px wide or more", "pictures under {} px wide"),
    "picture-height": Measure("pictures {} px high or more", "pictures under {} px high"),
    "picture-words": Measure("pictures with {} words or more", "pictures of under {} words"),
    "picture-font": Measure(
        "pictures with writing of {} px or more in the median",
        "pictures with writing under {} px in the median",
        0.5,
    ),
    "picture-colourful": Measure(
        "pictures with colours of {} % or more", "pictures with colours under {} %"
    ),
    "picture-detail": Measure(
        "pictures with {} % of edges or more", "pictures with under {} % of edges"
    ),
    "brightness": Measure(
        "pictures of brightness {} % or more", "pictures of brightness under {} %"
    ),
}


def measures_of(question: Question, scene: Scene) -> dict[str, float]:
    """Return what can be measured of a question, by the names of ``MEASURES``."""
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
