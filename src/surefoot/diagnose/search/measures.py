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
from surefoot.core.pictures import Pixels
from surefoot.core.question import Question
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.sizes import size_of
from surefoot.refer.say.realise import realise
from surefoot.refer.scene.geometry import distances
from surefoot.refer.scene.scene import Scene
from surefoot.score.stats.arrays import Floats

__all__ = ["MEASURES", "Measure", "measures_of"]

NEAR_PX: Final = 40.0
ALIKE: Final = 1.25  # times each side
INK: Final = (2.0, 98.0)  # percentiles of luminance: ground and ink, whichever is lighter
MARGIN_PX: Final = 2
_WEIGHTS: Final = np.array([0.2126, 0.7152, 0.0722])


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
    "edge": Measure(
        "targets {} px or more from the picture's edge",
        "targets under {} px from the picture's edge",
    ),
    "depth": Measure(
        "targets within {} elements or more", "targets within fewer than {} elements"
    ),
    "namesakes": Measure(
        "targets with {} others of their name or more",
        "targets with fewer than {} others of their name",
    ),
    "text-px": Measure("text {} px high or more", "text under {} px high"),
    "visible": Measure("targets {} % visible or more", "targets under {} % visible"),
    "nearest": Measure(
        "targets {} px or more from the next control", "targets under {} px from the next control"
    ),
    "near": Measure(
        "targets with {} controls or more within 40 px",
        "targets with fewer than {} controls within 40 px",
    ),
    "rivals-count": Measure(
        "{} other controls of the role or more", "fewer than {} other controls of the role"
    ),
    "alikes": Measure(
        "{} controls of the same role and size or more",
        "fewer than {} controls of the same role and size",
    ),
    "landmark-px": Measure("a landmark {} px away or more", "a landmark under {} px away"),
    "controls": Measure("pictures with {} controls or more", "pictures of under {} controls"),
    "picture-width": Measure("pictures {} px wide or more", "pictures under {} px wide"),
    "picture-height": Measure("pictures {} px high or more", "pictures under {} px high"),
    "brightness": Measure(
        "pictures of brightness {} % or more", "pictures of brightness under {} %"
    ),
}


def measures_of(question: Question, scene: Scene) -> dict[str, float]:
    """Return what can be measured of a question, by the names of ``MEASURES``."""
    instruction = question.instruction
    found = {
        "words": float(len(instruction.text.split())),
        "letters": float(len(instruction.text)),
        "parts": float(size_of(instruction.expression)),
        "reworded": _reworded(question),
        "picture-width": float(scene.screen.width),
        "picture-height": float(scene.screen.height),
    }
    place = scene.place.get(instruction.target)
    if place is None:
        return found
    landmark = instruction.expression.landmark
    there = None if landmark is None else landmark_place(scene, landmark)
    if there is not None:
        apart = distances(scene.boxes[place : place + 1], scene.text_boxes[there])
        found["landmark-px"] = float(apart[0])
    return found | _around(scene, place)


def _around(scene: Scene, place: int) -> dict[str, float]:
    """Measure a target; kept with the scene, since many questions are about it."""
    key = ("measures", place)
    if key not in scene.numbers:
        scene.numbers[key] = _measured(scene, place)
    return scene.numbers[key]


def _measured(scene: Scene, place: int) -> dict[str, float]:
    screen, element = scene.screen, scene.elements[place]
    box = element.box
    width, height = max(box.width, 1.0), max(box.height, 1.0)
    others = scene.thing & scene.plain & ~scene.kin(place)
    apart = distances(scene.boxes, scene.boxes[place])[others]
    roles = np.array([one.role == element.role for one in scene.elements], dtype=bool) & others
    sides = scene.boxes[roles][:, 2:] - scene.boxes[roles][:, :2]
    ratio = np.maximum(sides, 1.0) / np.array([width, height])
    found = {
        "name": float(len(element.name)),
        "side": min(width, height),
        "width": width,
        "height": height,
        "aspect": width / height,
        "share": 100 * width * height / (screen.width * screen.height),
        "x": box.center.x,
        "y": box.center.y,
        "x-share": 100 * box.center.x / screen.width,
        "y-share": 100 * box.center.y / screen.height,
        "edge": max(
            0.0, min(box.left, box.top, screen.width - box.right, screen.height - box.bottom)
        ),
        "depth": float(sum(1 for _ in scene.above(place))),
        "visible": 100 * element.visible_fraction,
        "nearest": float(apart.min(initial=max(screen.width, screen.height))),
        "near": float((apart <= NEAR_PX).sum()),
        "rivals-count": float(roles.sum()),
        "alikes": float((np.maximum(ratio, 1 / ratio) <= ALIKE).all(axis=1).sum()),
        "controls": float((scene.thing & scene.plain).sum()),
    }
    if element.name:
        named = np.array([one.name == element.name for one in scene.elements], dtype=bool)
        found["namesakes"] = float((named & others).sum())
    if element.text_boxes:
        found["text-px"] = min(line.height for line in element.text_boxes)
    if scene.pixels is not None:
        found["brightness"] = 100 * float(np.sqrt(_brightness(scene)))
        around = scene.pixels[
            max(round(box.top) - MARGIN_PX, 0) : round(box.bottom) + MARGIN_PX,
            max(round(box.left) - MARGIN_PX, 0) : round(box.right) + MARGIN_PX,
        ]
        if around.size:
            dark, middle, light = np.percentile(_luminance(around), (INK[0], 50.0, INK[1]))
            found["ground"] = 100 * float(np.sqrt(middle))
            found["contrast"] = float((light + 0.05) / (dark + 0.05))
    return found


def _brightness(scene: Scene) -> float:
    """Return the median luminance of every eighth pixel of a picture."""
    if ("brightness", 0) not in scene.numbers and scene.pixels is not None:
        bright = float(np.median(_luminance(scene.pixels[::8, ::8])))
        scene.numbers["brightness", 0] = {"brightness": bright}
    return scene.numbers["brightness", 0]["brightness"]


def _luminance(pixels: Pixels) -> Floats:
    """Return relative luminance, 0 to 1; sRGB's curve taken as a power of 2.2."""
    found: Floats = (pixels[..., :3] / 255.0) ** 2.2 @ _WEIGHTS
    return found


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
