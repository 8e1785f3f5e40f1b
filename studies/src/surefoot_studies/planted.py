"""
Planted faults: models that are right but for one class of questions, and controls.

A fault is a class of questions (which of them it misses), or a mistake (where it clicks). The
classes are told from the question, the elements and the pixels by rules of this module, not by
what a diagnosis measures. Within its class a model misses 17 of 20 askings, without it one of
20, drawn anew for each asking; a miss is the middle of the nearest other control.

Those of ``GIVEN`` are what an earlier version of the diagnosis could not name, by a list that
its builders were handed; those of ``OWN`` were added by who built this one. ``read_faults``
reads more of them, from a file that whoever builds the diagnosis need not have seen.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.instruction import Expression
from surefoot.core.pictures import Pixels
from surefoot.core.question import Question
from surefoot.core.seeds import random_source
from surefoot.models.local import place_reply, refusal_reply
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.scene.geometry import distances
from surefoot.refer.scene.scene import Scene

HALF: Final = 0.5
WITHIN: Final = 0.85
WITHOUT: Final = 0.05
NOISE: Final = 0.12  # of the noisy control
NEAREST: Final = 0.4  # of the control that misses onto what is nearest
REFUSED: Final = 0.4
LUMA: Final = np.array([0.2126, 0.7152, 0.0722])


class PlantedQuestion(msgspec.Struct, frozen=True, eq=False):
    """
    Hold what a planted model is told: a question, its pixels, and the screen as captured.

    ``target`` is the element's place on that screen; boxes are those of the question.
    """

    question: Question
    pixels: Pixels
    scene: Scene
    target: int

    @property
    def expression(self) -> Expression:
        """Return the question's logical form."""
        return self.question.instruction.expression

    @property
    def side(self) -> float:
        """Return the shorter side of the target, in pixels of the picture."""
        return min(self.question.truth.width, self.question.truth.height)

    @property
    def across(self) -> float:
        """Return how far right the target lies, as a share of the picture."""
        return self.question.truth.center.x / self.question.width

    @property
    def holders(self) -> set[str]:
        """Return the roles of what holds the target."""
        return {self.scene.elements[above].role for above in self.scene.above(self.target)}


Holds: TypeAlias = Callable[[PlantedQuestion], bool]
Replies: TypeAlias = Callable[[PlantedQuestion], str]


class Fault(msgspec.Struct, frozen=True, eq=False):
    """
    Describe a planted fault: its words, and what a diagnosis has to name.

    ``holds`` tells the questions of its class, ``reply`` what a miss replies where it is no
    click on the nearest control. ``named`` are features, measures, confusions and causes of
    replies, any of which says what was planted; none where the questions of the class alone
    decide. A control misses as often within its class as without it.
    """

    words: str
    named: frozenset[str]
    holds: Holds
    reply: Replies | None = None
    within: float = WITHIN
    without: float = WITHOUT

    @property
    def control(self) -> bool:
        """Tell whether nothing is planted."""
        return self.within == self.without

    def replies(self, told: PlantedQuestion) -> str:
        """Return the reply to one asking, drawn by the question's id."""
        question = told.question
        chance = self.within if self.holds(told) else self.without
        if random_source(0, "planted", question.id).random() >= chance:
            return _at(question.truth.center)
        return (self.reply or _nearest)(told)


def _at(point: Point) -> str:
    return place_reply(point.x, point.y)


def _nearest(told: PlantedQuestion) -> str:
    """Reply with the middle of the control that is nearest to the target."""
    scene, question = told.scene, told.question
    others = np.flatnonzero(scene.thing & scene.plain & ~scene.kin(told.target))
    if scene.screen.id != question.screen or not len(others):
        truth = question.truth
        beyond = truth.right + truth.width if told.across < HALF else truth.left - truth.width
        return place_reply(beyond, truth.center.y)
    apart = distances(scene.boxes, scene.boxes[told.target])[others]
    return _at(scene.elements[int(others[int(np.argmin(apart))])].box.center)


def _landmark(told: PlantedQuestion) -> str:
    mark = told.expression.landmark
    there = None if mark is None else landmark_place(told.scene, mark)
    return _nearest(told) if there is None else _at(told.scene.elements[there].box.center)


def _mirrored(told: PlantedQuestion) -> str:
    mark = told.expression.landmark
    there = None if mark is None else landmark_place(told.scene, mark)
    if there is None:
        return _nearest(told)
    anchor, middle = told.scene.elements[there].box.center, told.question.truth.center
    upright = told.expression.direction in ("above", "below")
    across = middle.x if upright else 2 * anchor.x - middle.x
    down = 2 * anchor.y - middle.y if upright else middle.y
    width, height = told.question.width, told.question.height
    return place_reply(min(max(across, 0), width - 1), min(max(down, 0), height - 1))


def _offset(told: PlantedQuestion) -> str:
    middle = told.question.truth.center
    return place_reply(middle.x + 60, middle.y + 24)


def _scaled(told: PlantedQuestion) -> str:
    middle = told.question.truth.center
    return place_reply(0.75 * middle.x, 0.75 * middle.y)


def _anywhere(told: PlantedQuestion) -> str:
    draw = random_source(1, "planted", told.question.id)
    question = told.question
    return place_reply(draw.random() * question.width, draw.random() * question.height)


def _contrast(told: PlantedQuestion) -> float:
    box = told.question.truth
    part = told.pixels[int(box.top) : int(box.bottom) + 1, int(box.left) : int(box.right) + 1]
    light = np.sort(((part[..., :3] / 255.0) ** 2.2 @ LUMA).ravel())
    if not len(light):
        return 21.0
    return float((light[int(0.98 * (len(light) - 1))] + 0.05) / (light[len(light) // 50] + 0.05))


def _all(_: PlantedQuestion) -> bool:
    return True


def _fault(words: str, holds: Holds, *named: str, reply: Replies | None = None) -> Fault:
    return Fault(words, frozenset(named), holds, reply)


def _name(told: PlantedQuestion) -> str:
    return told.scene.elements[told.target].name


GIVEN: Final[Mapping[str, Fault]] = {
    "over-12-words": _fault(
        "instructions of over 12 words",
        lambda told: len(told.question.instruction.text.split()) > 12,  # noqa: PLR2004
        "words", "letters",
    ),
    "low-contrast": _fault(
        "targets of a contrast under 3", lambda told: _contrast(told) < 3, "contrast"  # noqa: PLR2004
    ),
    "under-26-px": _fault(
        "targets with a side under 26 px", lambda told: told.side < 26, "side", "height"  # noqa: PLR2004
    ),
    "right-third": _fault(
        "targets in the right third", lambda told: told.across > 2 / 3, "x", "x-share"
    ),
    "below-600": _fault(
        "targets below y = 600 px",
        lambda told: told.question.truth.center.y > 600,  # noqa: PLR2004
        "y", "y-share",
    ),
    "colour-words": _fault(
        "instructions that name a colour", lambda told: bool(told.expression.colour), "part:colour"
    ),
    "icons": _fault(
        "targets without words",
        lambda told: not told.scene.elements[told.target].text.strip(),
        "shows:words", "shows:a picture alone", "name",
    ),
    "long-names": _fault(
        "names of 20 letters or more", lambda told: len(_name(told)) >= 20, "name"  # noqa: PLR2004
    ),
    "small-and-right": _fault(
        "targets under 26 px in the right half",
        lambda told: told.side < 26 and told.across > HALF,  # noqa: PLR2004
        "side", "height", "x", "x-share",
    ),
    "text-boxes": _fault(
        "text boxes",
        lambda told: told.question.role in ("textbox", "searchbox"),
        "field", "role:textbox",
    ),
    "table-rows": _fault(
        "targets in a table", lambda told: bool(told.holders & {"row", "table"}), "within:a table"
    ),
    "dark-theme": _fault(
        "dark pictures",
        lambda told: float(np.median(told.pixels)) < 96,  # noqa: PLR2004
        "theme:dark", "theme:light", "brightness",
    ),
    "between": _fault(
        "instructions that say 'between'",
        lambda told: told.expression.relation == "between",
        "relation:between", "kind:between",
    ),
    "off-by-one": _fault(
        "instructions that count",
        lambda told: told.expression.ordinal is not None,
        "kind:ordinal", "order:column", "order:row", "order:list", "ordinals",
    ),
    "offset": _fault("60 px too far right and 24 down", _all, "step", reply=_offset),
    "scaled": _fault("three quarters of the way", _all, "scale", reply=_scaled),
    "refusals": Fault(
        "declines four in ten", frozenset({"refused"}), _all,
        lambda _: refusal_reply("no such element"), REFUSED,
    ),
    "takes-landmark": _fault(
        "the landmark for the target",
        lambda told: told.expression.landmark is not None and not told.expression.relation,
        "landmark", reply=_landmark,
    ),
}  # fmt: skip

OWN: Final[Mapping[str, Fault]] = {
    "mirrors-sides": _fault(
        "left for right",
        lambda told: told.expression.direction in ("left of", "right of"),
        "left-right", reply=_mirrored,
    ),
    "mirrors-heights": _fault(
        "above for below",
        lambda told: told.expression.direction in ("above", "below"),
        "above-below", reply=_mirrored,
    ),
    "zoomed": _fault(
        "the zoomed view", lambda told: told.question.cell.variant == "precision", "view:precision"
    ),
    "buttons": _fault("buttons", lambda told: told.question.role == "button", "role:button"),
    "functions": _fault(
        "instructions that say what it is for",
        lambda told: bool(told.expression.function),
        "part:function", "kind:functional",
    ),
    "containers": _fault(
        "instructions that say what it is in",
        lambda told: told.expression.container is not None,
        "part:container", "kind:container",
    ),
    "lists": _fault("targets in a list", lambda told: "list" in told.holders, "within:a list"),
    "wide": _fault(
        "targets over six times as wide as high",
        lambda told: told.question.truth.width > 6 * told.question.truth.height,
        "aspect", "width",
    ),
    "digits": _fault(
        "instructions with a digit",
        lambda told: any(letter.isdigit() for letter in told.question.instruction.text),
        "digits",
    ),
    "top-left": _fault(
        "targets in the left top quarter",
        lambda told: told.across < HALF
        and told.question.truth.center.y < HALF * told.question.height,
        "x", "x-share", "y", "y-share",
    ),
}  # fmt: skip

CONTROLS: Final[Mapping[str, Fault]] = {
    "perfect": Fault("nothing", frozenset(), _all, None, 0.0, 0.0),
    "noisy": Fault("12 % at random", frozenset(), _all, None, NOISE, NOISE),
    "anywhere": Fault("clicks anywhere", frozenset(), _all, _anywhere, 1.0, 1.0),
    "nearest-control": Fault(
        "four in ten onto the nearest control", frozenset(), _all, _nearest, NEAREST, NEAREST
    ),
}

FAULTS: Final[Mapping[str, Fault]] = {**GIVEN, **OWN, **CONTROLS}


def read_faults(path: Path) -> dict[str, Fault]:
    """
    Read ``FAULTS`` of a Python file, which is run; raises InvalidInputError.

    Names that are taken, and what is no ``Fault``, are refused.
    """
    expected = f"a Python file {path} with FAULTS, a mapping of names to faults"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise InvalidInputError(expected, found="no such file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = getattr(module, "FAULTS", None)
    if not isinstance(found, Mapping):
        raise InvalidInputError(expected, found=f"a {type(found).__name__}")
    for name, fault in found.items():
        if not isinstance(fault, Fault):
            raise InvalidInputError(expected, found=f"'{name}', a {type(fault).__name__}")
        if name in FAULTS or not str(name).replace("-", "").isalnum():
            raise InvalidInputError(
                "names of letters, digits and hyphens that no other fault has",
                found=f"'{name}'",
                remedy="rename it",
            )
    return dict(found)
