"""
Confusions: mistakes that tell by where the click lands.

A confusion says, of one question, where a click would land if the model made that mistake.
Chance does that too, so the misses are compared with a blind choice, and the effect is what
is beyond it.

Directions: the click lies on the other side of the landmark (leniently, as a point), on
whatever is there. Compared are all misses that are not on the landmark; blind choice is
the share of the surely seen controls that lie on that side, one more counted there and two
more in all (Laplace's rule).
Landmarks: the click lies on one that the instruction names. Compared are all misses; blind
choice is the share of the landmarks in the controls and them, by the same rule.
Ordinals and sizes: the click lies on the control that is counted first, or on any of the
target's role that is at least 1.25 times as large. Compared are the misses on any control of
the target's role; blind choice is the share of those controls that the mistake leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec
import numpy as np

from surefoot.core.geometry import Point
from surefoot.core.instruction import Direction, Expression
from surefoot.diagnose.search.arms import ArmResult
from surefoot.diagnose.search.features import LOOK_ALIKE, rivals
from surefoot.failures.alternatives import OPPOSITE, counted_first, on_the_side
from surefoot.failures.landing import control_at, seen_box
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.relations import beside
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.things import same_thing
from surefoot.refer.scene.geometry import Mask
from surefoot.refer.scene.scene import Scene
from surefoot.refer.scene.scenes import Scenes
from surefoot.score.truths import place_of

__all__ = ["CONFUSIONS", "Confusion", "ConfusionEvidence", "showings"]


class ConfusionEvidence(msgspec.Struct, frozen=True):
    """
    Hold what one answer says about one confusion.

    ``shown`` tells whether the click lands where the mistake leads; ``on_rival`` whether it
    is a miss that can be compared with chance; ``chance`` is how often a blind choice
    would lead there too.
    """

    question: str
    cluster: str
    shown: bool
    on_rival: bool
    chance: float


class Confusion(msgspec.Struct, frozen=True):
    """
    Describe one mistake: its name, its words, and what an answer says about it.

    ``shows`` receives the scene, a question with its answer, and the target's place; it
    returns None where the question cannot tell of the mistake.
    """

    name: str
    words: str
    shows: Callable[[Scene, ArmResult, int], ConfusionEvidence | None]


def showings(
    confusion: Confusion, answers: Iterable[ArmResult], scenes: Scenes
) -> Iterator[ConfusionEvidence]:
    """Yield what each answer that could show a confusion says about it."""
    for answer in answers:
        question = answer.arm.question
        scene = scenes.scene(question.screen)
        place = scene.place.get(question.instruction.target)
        if answer.answered and place is not None:
            found = confusion.shows(scene, answer, place)
            if found is not None:
                yield found


def _expression(tried: ArmResult) -> Expression:
    return tried.arm.question.instruction.expression


def _missed_at(tried: ArmResult) -> Point | None:
    """Return where a miss lies, None for a hit and for no place."""
    if tried.answer is None or not tried.failed:
        return None
    return place_of(tried.answer.parsed)


def _other_side(
    *directions: Direction,
) -> Callable[[Scene, ArmResult, int], ConfusionEvidence | None]:
    def shows(scene: Scene, tried: ArmResult, place: int) -> ConfusionEvidence | None:
        expression = _expression(tried)
        if expression.landmark is None or expression.direction not in directions:
            return None
        there = landmark_place(scene, expression.landmark)
        if there is None:
            return None
        other = OPPOSITE[expression.direction]
        point, anchor = _missed_at(tried), seen_box(scene, there)
        counted = point is not None and not anchor.contains(point)
        controls = scene.thing & scene.plain & ~scene.kin(place)
        on_side = controls & beside(scene, other, there, "lenient")
        return ConfusionEvidence(
            question=tried.arm.question.id,
            cluster=tried.arm.question.cluster,
            shown=counted and point is not None and on_the_side(other, point, anchor),
            on_rival=counted,
            chance=float((on_side.sum() + 1) / (controls.sum() + 2)),
        )

    return shows


def _landmark(scene: Scene, tried: ArmResult, place: int) -> ConfusionEvidence | None:
    marks = (_expression(tried).landmark, _expression(tried).second)
    found = [landmark_place(scene, mark) for mark in marks if mark is not None]
    seen = [seen_box(scene, index) for index in found if index is not None]
    if not seen:
        return None
    point = _missed_at(tried)
    controls = scene.thing & scene.plain & ~scene.kin(place)
    return ConfusionEvidence(
        question=tried.arm.question.id,
        cluster=tried.arm.question.cluster,
        shown=point is not None and any(box.contains(point) for box in seen),
        on_rival=point is not None,
        chance=float((len(seen) + 1) / (controls.sum() + len(seen) + 2)),
    )


def _on(scene: Scene, tried: ArmResult, place: int, mask: Mask) -> ConfusionEvidence | None:
    """Return whether a click lies on one of the elements that a mistake leads to."""
    leads = [int(index) for index in np.flatnonzero(mask)]
    leads = [lead for lead in leads if not same_thing(scene, place, lead)]
    if not leads:
        return None
    among = rivals(scene, place)
    among[leads] = True
    point = _missed_at(tried)
    control = None if point is None else control_at(scene, point)
    return ConfusionEvidence(
        question=tried.arm.question.id,
        cluster=tried.arm.question.cluster,
        shown=control in leads,
        on_rival=control is not None and bool(among[control]),
        chance=float(len(leads) / among.sum()),
    )


def _first(scene: Scene, tried: ArmResult, place: int) -> ConfusionEvidence | None:
    expression = _expression(tried)
    if expression.ordinal is None:
        return None
    return _on(scene, tried, place, fits(scene, counted_first(expression), "strict"))


def _larger(scene: Scene, tried: ArmResult, place: int) -> ConfusionEvidence | None:
    areas = np.array([element.box.area for element in scene.elements])
    larger = rivals(scene, place) & (areas >= LOOK_ALIKE * areas[place])
    return _on(scene, tried, place, larger)


CONFUSIONS: Final = (
    Confusion("left-right", "confuses left and right", _other_side("left of", "right of")),
    Confusion("above-below", "confuses above and below", _other_side("above", "below")),
    Confusion("landmark", "takes the landmark for the target", _landmark),
    Confusion("ordinals", "ignores ordinals: takes the first of those that are counted", _first),
    Confusion("larger", "takes the larger look-alike", _larger),
)
