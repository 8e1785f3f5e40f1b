"""
Twelve planted faults that lean towards what is around the target and about the picture.

Each class is one on which models that click are likely to go wrong, in one or two conditions:
what stands beside the target (crowds, equals, namesakes, colours), what it is drawn on and
where in the picture, how it is drawn itself and where its words stand, and what the words of the
instruction quote and point at. They were written blind: their writer had read what a question, an
instruction with its expression, a screen, its geometry and a planted fault are, and nothing of
the diagnosis that has to name them. Lengths are pixels of the picture that is asked about.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from surefoot.core.geometry import Box, Point
from surefoot.core.pictures import Pixels
from surefoot.models.local import place_reply
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.scene.geometry import Boxes, Mask, distances
from surefoot_studies.planted import Fault, Holds, PlantedQuestion, Replies

LUMA: Final = np.array([0.2126, 0.7152, 0.0722])

CROWD_PX: Final = 60.0  # how far from the target other controls crowd it
CROWD: Final = 8  # of so many
EQUAL_PX: Final = 2.0  # by how much equals may differ in size and stand out of line
NEXT_PX: Final = 24.0  # the widest gap to the next equal
ALIKE_PX: Final = 60.0  # how far a control of a like name may be
SHORTEST: Final = 3  # letters of a word that tells names apart
COLOUR_PX: Final = 24  # how far around the target strong colours are looked for
VIVID: Final = 80  # levels between the strongest and the weakest channel
COLOURFUL: Final = 0.1  # share of the pixels around the target
GROUND_PX: Final = 6  # how far out of the target its ground is looked at
DARK: Final = 100.0  # middle luma of the ground at most, of 255
LIGHT: Final = 200.0  # and of the whole picture at least
EDGE_PX: Final = 24.0  # between the target and the top or the bottom of the picture
FRAME_PX: Final = 2  # how far on each side of its box a frame is looked for
SAME_SHADE: Final = 12  # levels of a channel that nobody tells apart
FRAMED: Final = 0.4  # share of the pixels at the edge that differ from the ground
LINKS: Final = frozenset({"link", "tab"})
SMALL_PX: Final = 13.0  # height of letters
FAINT: Final = 5.0  # contrast of words and ground
ONE_END: Final = 0.4  # share of the control's width that its words take at most
PLAIN: Final = frozenset(" '-,:.!?&")  # marks that plain words come with
QUOTED: Final = re.compile(r"(?<!\w)'(.+?)'(?!\w)")


def _neighbours(told: PlantedQuestion) -> Mask:
    """Tell which elements are visible controls other than the target and its kin."""
    scene = told.scene
    neighbours: Mask = scene.thing & scene.plain & ~scene.kin(told.target)
    return neighbours


def _apart(told: PlantedQuestion) -> Boxes:
    """Return how far each element is from the target."""
    return distances(told.scene.boxes, told.scene.boxes[told.target])


def _crop(pixels: Pixels, box: Box, margin: int) -> Pixels:
    """Return what the picture shows of a box and so many pixels around it."""
    height, width = pixels.shape[:2]
    top, bottom = max(0, int(box.top) - margin), min(height, int(box.bottom) + margin)
    left, right = max(0, int(box.left) - margin), min(width, int(box.right) + margin)
    return pixels[top:bottom, left:right]


def _beside(box: Box, shape: tuple[int, int], margin: int, inner: int = 0) -> Mask:
    """Tell which pixels lie around a box, so far out of it and so far into it."""
    rows, columns = np.ogrid[: shape[0], : shape[1]]

    def within(grown: int) -> Mask:
        inside: Mask = (
            (rows >= box.top - grown) & (rows < box.bottom + grown)
            & (columns >= box.left - grown) & (columns < box.right + grown)
        )  # fmt: skip
        return inside

    return within(margin) & ~within(-inner)


def _luma(pixels: Pixels) -> float:
    """Return the middle luma of pixels, of 255."""
    return float(np.median(pixels.reshape(-1, 3) @ LUMA))


# Surroundings of the target.


def _near(told: PlantedQuestion) -> int:
    """Count the controls close by."""
    return int((_neighbours(told) & (_apart(told) <= CROWD_PX)).sum())


def _equals(told: PlantedQuestion) -> list[int]:
    """Return the places of the two equals that the target stands between, or none."""
    scene, target = told.scene, told.target
    boxes = scene.boxes
    sizes, middles = boxes[:, 2:] - boxes[:, :2], scene.centres
    equal = (np.abs(sizes - sizes[target]) <= EQUAL_PX).all(axis=1) & _neighbours(told)
    equal &= np.array([item.role == scene.elements[target].role for item in scene.elements])
    equal &= _apart(told) <= NEXT_PX
    for along, across in ((0, 1), (1, 0)):
        in_line = equal & (np.abs(middles[:, across] - middles[target, across]) <= EQUAL_PX)
        steps = middles[:, along] - middles[target, along]
        before = np.flatnonzero(in_line & (steps < 0))
        after = np.flatnonzero(in_line & (steps > 0))
        if len(before) and len(after):
            return [int(before[np.argmax(steps[before])]), int(after[np.argmin(steps[after])])]
    return []


def _next_equal(told: PlantedQuestion) -> str:
    """Reply one too far in the row."""
    return _at(told.scene.elements[_equals(told)[1]].box.center)


def _lines(told: PlantedQuestion) -> tuple[Box, ...]:
    return told.scene.elements[told.target].name_boxes


def _words(name: str) -> set[str]:
    """Return the words that tell a name from others."""
    return {word for word in re.findall(r"\w+", name.casefold()) if len(word) >= SHORTEST}


def _unspelled(told: PlantedQuestion) -> bool:
    """Tell whether neither a line of the target's name nor a word of it stands in its box."""
    scene = told.scene
    box = scene.elements[told.target].box
    spelled = any(box.contains(line.center) for line in _lines(told))
    written = _words(scene.names[told.target]) & _words(scene.texts[told.target])
    return not spelled and not written


def _namesakes(told: PlantedQuestion) -> list[int]:
    """Return the places of the controls near by that share a word with the target's name."""
    near = np.flatnonzero(_neighbours(told) & (_apart(told) <= ALIKE_PX)).tolist()
    words = _words(told.scene.names[told.target])
    return [place for place in near if words & _words(told.scene.names[place])]


def _on_the_namesake(told: PlantedQuestion) -> str:
    """Reply with the first control near by that shares a word with the target's name."""
    return _at(told.scene.elements[_namesakes(told)[0]].box.center)


def _vivid(told: PlantedQuestion) -> float:
    """Return the share of strong colours around the target."""
    pixels = told.pixels
    around = pixels[_beside(told.question.truth, pixels.shape[:2], COLOUR_PX)].astype(np.int64)
    strengths = around.max(axis=1) - around.min(axis=1)
    return float((strengths >= VIVID).mean()) if len(around) else 0.0


# The picture, and where and on what the target is drawn in it.


def _dark_on_a_light_page(told: PlantedQuestion) -> bool:
    ground = _luma(_crop(told.pixels, told.question.truth, GROUND_PX))
    return ground <= DARK and _luma(told.pixels[::4, ::4]) >= LIGHT


def _to_edge(told: PlantedQuestion) -> float:
    """Return the height of the strip that is left above or below the target."""
    return min(told.question.truth.top, told.question.height - told.question.truth.bottom)


# The target itself.


def _framed(told: PlantedQuestion) -> float:
    """Return the share of the pixels at the target's edge that differ from its ground."""
    truth, pixels = told.question.truth, told.pixels
    shape = pixels.shape[:2]
    outside = pixels[_beside(truth, shape, GROUND_PX)]
    edge = pixels[_beside(truth, shape, FRAME_PX, FRAME_PX)]
    if not len(outside) or not len(edge):
        return 0.0
    ground = np.median(outside, axis=0)
    return float((np.abs(edge - ground).max(axis=1) > SAME_SHADE).mean())


def _boxed_link(told: PlantedQuestion) -> bool:
    """Tell whether the target is a link or tab whose edge stands out of its ground."""
    return told.scene.elements[told.target].role in LINKS and _framed(told) >= FRAMED


def _small_and_faint(told: PlantedQuestion) -> bool:
    """Tell whether the target's name is spelled in letters both small and faint."""
    if not _lines(told) or told.scene.elements[told.target].font_px > SMALL_PX:
        return False
    return told.scene.legibility(told.target).contrast <= FAINT


def _words_share(told: PlantedQuestion) -> float:
    """Return the share of the target's width that its words take, 1 where they are centred."""
    box, lines = told.scene.elements[told.target].box, told.scene.elements[told.target].text_boxes
    if not lines or not box.width:
        return 1.0
    words = Box.around(lines)
    aside = not words.left <= box.center.x <= words.right
    return words.width / box.width if aside else 1.0


# The words of the instruction.


def _odd_words(told: PlantedQuestion) -> bool:
    """Tell whether what the instruction quotes is more than letters and common marks."""
    quoted = "".join(QUOTED.findall(told.question.instruction.text))
    return any(not sign.isalpha() and sign not in PLAIN for sign in quoted)


def _before_the_landmark(told: PlantedQuestion) -> bool:
    return told.expression.direction in ("above", "left of")


def _on_the_other_side(told: PlantedQuestion) -> str:
    """Reply with the place that lies opposite the target, seen from the landmark."""
    truth, landmark = told.question.truth.center, told.expression.landmark
    place = None if landmark is None else landmark_place(told.scene, landmark)
    if place is None:
        across = told.expression.direction == "left of"
        step = 2 * (told.question.truth.width if across else told.question.truth.height)
        return _at(Point(truth.x + step, truth.y) if across else Point(truth.x, truth.y + step))
    middle, question = told.scene.elements[place].box.center, told.question
    x, y = 2 * middle.x - truth.x, 2 * middle.y - truth.y
    return _at(Point(min(x, question.width - 1.0), min(y, question.height - 1.0)))


def _at(point: Point) -> str:
    return place_reply(point.x, point.y)


def _fault(words: str, holds: Holds, reply: Replies | None = None) -> Fault:
    return Fault(words, frozenset(), holds, reply)


FAULTS: Final[dict[str, Fault]] = {
    "crowded": _fault(
        "controls crowded by many others close by", lambda told: _near(told) >= CROWD
    ),
    "between-equals": _fault(
        "controls between two of their own kind and size in a row or column",
        lambda told: bool(_equals(told)), _next_equal,
    ),
    "unspelled": _fault("controls whose name is not written in them", _unspelled),
    "namesake-near": _fault(
        "controls beside another whose name shares a word with theirs",
        lambda told: bool(_namesakes(told)), _on_the_namesake,
    ),
    "colourful-surroundings": _fault(
        "controls with strong colours close around them", lambda told: _vivid(told) >= COLOURFUL
    ),
    "dark-on-light-page": _fault(
        "controls on ground far darker than their page, which is light", _dark_on_a_light_page
    ),
    "at-top-or-bottom-edge": _fault(
        "controls close to the top or the bottom edge of the picture",
        lambda told: _to_edge(told) <= EDGE_PX,
    ),
    "boxed-link": _fault(
        "links and tabs with a frame or ground of their own, like buttons", _boxed_link
    ),
    "small-and-faint": _fault("controls with small and faint letters", _small_and_faint),
    "words-at-one-end": _fault(
        "controls much wider than their words, which stand at one end",
        lambda told: _words_share(told) <= ONE_END,
    ),
    "odd-words": _fault(
        "instructions that quote words with digits or unusual signs in them", _odd_words
    ),
    "before-landmark": _fault(
        "instructions for what is above or left of something", _before_the_landmark,
        _on_the_other_side,
    ),
}  # fmt: skip
