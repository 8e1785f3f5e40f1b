"""
Confusions: mistakes that tell by where the click lands.

A confusion says, of one question, where a click would land if the model made that mistake.
A click may land there for other reasons: most misses land near the target, and so do
landmarks. So what is counted is how much more often misses land there than the model's own
misses do where that mistake would have led elsewhere (``ConfusionEvidence.chance``).

Directions: the click lies on the other side of the landmark (leniently, as a point, however
far), on whatever is there. Compared are all misses that are not on the landmark.
Landmarks: the click lies on one that the instruction names. Compared are all misses.
Ordinals and sizes: the click lies on the control that is counted first, or on any of the
target's role that is at least 1.25 times as large. Compared are the misses on any control of
the target's role.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.geometry import Point
from surefoot.core.instruction import Direction, Expression
from surefoot.diagnose.features.target import LOOK_ALIKE, rivals
from surefoot.diagnose.search.arms import ArmResult
from surefoot.failures.alternatives import OPPOSITE, counted_first, on_the_side
from surefoot.failures.landing import control_at, seen_box
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.things import same_thing
from surefoot.refer.scene.geometry import Mask, distances, lies
from surefoot.refer.scene.scene import Scene
from surefoot.refer.scene.scenes import Scenes
from surefoot.score.stats.arrays import Floats, Ints
from surefoot.score.truths import place_of

RANKS: Final = (1, 2, 4, 8)  # nearest, second, third and fourth, fifth to eighth, the others
BLIND: Final = 2.0  # misses that a blind choice counts for beside the model's own


class ConfusionEvidence(msgspec.Struct, frozen=True):
    """
    Hold what one answer says about one confusion.

    ``shown`` tells whether the click lands where the mistake leads; ``on_rival`` whether it
    is a miss that can be compared. ``chance`` is how often the model's misses land there
    without that mistake: the share of its misses of the same element on the same screen
    whose instruction would lead elsewhere; without any, what its misses of all elements
    whose instruction could not show the mistake let expect, by how near to the target they
    land; without any of these, a blind choice among the controls.
    """

    question: str
    cluster: str
    shown: bool
    on_rival: bool
    chance: float


class Mistake(msgspec.Struct, frozen=True, eq=False):
    """
    Say where a mistake leads on one screen.

    ``leads`` and ``among`` are masks over the elements: those it leads to, and all that a
    blind choice has, those included. ``shows`` tells of a click whether it lies there,
    ``counts`` of a miss whether it is compared. ``way`` names the direction that is mistaken,
    "" for other mistakes: two of one way lead to much the same place.
    """

    leads: Mask
    among: Mask
    shows: Callable[[Point], bool]
    counts: Callable[[Point], bool]
    way: str = ""

    def is_apart(self, other: Mistake) -> bool:
        """Tell whether another mistake of the kind leads somewhere else."""
        alike = bool(self.way) and self.way == other.way
        return not alike and not (self.leads & other.leads).any()


class Confusion(msgspec.Struct, frozen=True):
    """
    Describe one mistake: its name, its words, and where it leads.

    ``mistake`` receives the scene, an expression, and the target's place; it returns None
    where the question cannot tell of the mistake.
    """

    name: str
    words: str
    mistake: Callable[[Scene, Expression, int], Mistake | None]


class _Told(msgspec.Struct, frozen=True, eq=False):
    """Hold an answer with its scene, its target's place, its miss, and where a mistake leads."""

    answer: ArmResult
    scene: Scene
    place: int
    missed: Point | None
    mistake: Mistake | None


def showings(
    confusions: Sequence[Confusion], answers: Iterable[ArmResult], scenes: Scenes
) -> dict[Confusion, list[ConfusionEvidence]]:
    """Return what each answer that could show a confusion says about it, by confusion."""
    by_confusion: dict[Confusion, list[_Told]] = {confusion: [] for confusion in confusions}
    # Screen by screen, since a screen's pixels are not kept for long.
    for answer in sorted(answers, key=lambda one: one.arm.question.screen):
        question = answer.arm.question
        scene = scenes.scene(question.screen)
        place = scene.place.get(question.instruction.target)
        if answer.answer is not None and place is not None:
            missed = place_of(answer.answer.parsed) if answer.failed else None
            for confusion, several in by_confusion.items():
                mistake = confusion.mistake(scene, question.instruction.expression, place)
                several.append(_Told(answer, scene, place, missed, mistake))
    return {confusion: list(_evidence(several)) for confusion, several in by_confusion.items()}


def _evidence(showings: Sequence[_Told]) -> Iterator[ConfusionEvidence]:
    habit = _habit(showings)
    elsewhere: dict[tuple[str, str], list[_Told]] = {}
    for showing in showings:
        if showing.missed is not None:
            elsewhere.setdefault(_asked_about(showing), []).append(showing)
    for showing in showings:
        mistake, missed = showing.mistake, showing.missed
        if mistake is None:
            continue
        own = [
            mistake.shows(other.missed)
            for other in elsewhere.get(_asked_about(showing), ())
            if other.missed is not None
            and mistake.counts(other.missed)
            and (other.mistake is None or mistake.is_apart(other.mistake))
        ]
        counted = missed is not None and mistake.counts(missed)
        yield ConfusionEvidence(
            question=showing.answer.arm.question.id,
            cluster=showing.answer.arm.question.cluster,
            shown=counted and missed is not None and mistake.shows(missed),
            on_rival=counted,
            chance=float(np.mean(own))
            if own
            else _expected(showing.scene, showing.place, mistake, habit),
        )


def _asked_about(showing: _Told) -> tuple[str, str]:
    question = showing.answer.arm.question
    return question.pair, question.screen


def _habit(showings: Sequence[_Told]) -> Floats:
    """Count how near to the target misses land that cannot show the mistake, by ``RANKS``."""
    found = np.zeros(len(RANKS) + 1)
    for showing in showings:
        if showing.mistake is None and showing.missed is not None:
            control = control_at(showing.scene, showing.missed)
            if control is not None and not showing.scene.kin(showing.place)[control]:
                found[
                    _nearness(
                        showing.scene, showing.place, _controls(showing.scene, showing.place)
                    )[control]
                ] += 1
    return found


def _expected(scene: Scene, place: int, mistake: Mistake, habit: Floats) -> float:
    """
    Return how often a habit of missing near the target would lead where a mistake leads.

    Without any habit it is the share of the mistake's elements in all there are. One more is
    counted where it leads and two more in all (Laplace's rule).
    """
    near = _nearness(scene, place, mistake.among)
    size = np.bincount(near[mistake.among], minlength=len(habit))
    count = int(mistake.among.sum())
    share = (habit + BLIND * size / count) / np.maximum(size, 1)
    weight = share[near] * mistake.among
    led = float(weight[mistake.leads].sum() / weight.sum())
    return (led * count + 1) / (count + 2)


def _nearness(scene: Scene, place: int, among: Mask) -> Ints:
    """Return each element's class of ``RANKS``: how many of those are nearer to the target."""
    apart = np.where(among, distances(scene.boxes, scene.boxes[place]), np.inf)
    rank = np.empty(len(apart), dtype=np.int64)
    rank[np.argsort(apart, kind="stable")] = np.arange(len(apart))
    return np.searchsorted(np.array(RANKS), rank, side="right")


def _controls(scene: Scene, place: int) -> Mask:
    found: Mask = scene.thing & scene.plain & ~scene.kin(place)
    return found


def _any(_: Point) -> bool:
    return True


def _other_side(
    *directions: Direction,
) -> Callable[[Scene, Expression, int], Mistake | None]:
    def mistake(scene: Scene, expression: Expression, place: int) -> Mistake | None:
        direction = expression.direction
        if expression.landmark is None or direction is None or direction not in directions:
            return None
        there = landmark_place(scene, expression.landmark)
        if there is None:
            return None
        other, anchor = OPPOSITE[direction], seen_box(scene, there)
        middles = np.hstack([scene.centres - 1, scene.centres + 1])
        side = lies(other, middles, np.array(anchor.as_tuple()), np.inf, "lenient")
        controls = _controls(scene, place)
        return Mistake(
            leads=controls & side,
            among=controls,
            shows=lambda point: on_the_side(other, point, anchor),
            counts=lambda point: not anchor.contains(point),
            way=other,
        )

    return mistake


def _landmark(scene: Scene, expression: Expression, place: int) -> Mistake | None:
    marks = (expression.landmark, expression.second)
    found = [landmark_place(scene, mark) for mark in marks if mark is not None]
    named = [index for index in found if index is not None]
    if not named:
        return None
    seen = [seen_box(scene, index) for index in named]
    leads = np.zeros(len(scene.elements), dtype=bool)
    leads[named] = True
    return Mistake(
        leads=leads,
        among=_controls(scene, place) | leads,
        shows=lambda point: any(box.contains(point) for box in seen),
        counts=_any,
    )


def _on(scene: Scene, place: int, mask: Mask) -> Mistake | None:
    """Return the mistake of taking one of some elements."""
    leads = np.zeros(len(scene.elements), dtype=bool)
    leads[
        [index for index in np.flatnonzero(mask) if not same_thing(scene, place, int(index))]
    ] = 1
    if not leads.any():
        return None
    among = rivals(scene, place) | leads

    def on(mask: Mask) -> Callable[[Point], bool]:
        def lands(point: Point) -> bool:
            control = control_at(scene, point)
            return control is not None and bool(mask[control])

        return lands

    return Mistake(leads=leads, among=among, shows=on(leads), counts=on(among))


def _first(scene: Scene, expression: Expression, place: int) -> Mistake | None:
    if expression.ordinal is None:
        return None
    return _on(scene, place, fits(scene, counted_first(expression), "strict"))


def _larger(scene: Scene, _: Expression, place: int) -> Mistake | None:
    areas = np.array([element.box.area for element in scene.elements])
    return _on(scene, place, rivals(scene, place) & (areas >= LOOK_ALIKE * areas[place]))


CONFUSIONS: Final = (
    Confusion("left-right", "confuses left and right", _other_side("left of", "right of")),
    Confusion("above-below", "confuses above and below", _other_side("above", "below")),
    Confusion("landmark", "takes the landmark for the target", _landmark),
    Confusion("ordinals", "ignores ordinals: takes the first of those that are counted", _first),
    Confusion("larger", "takes the larger look-alike", _larger),
)
