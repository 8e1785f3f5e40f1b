"""
Confusions: mistakes that tell by where the click lands.

A confusion says, of one question, which elements a click would land on if the model made
that mistake. Chance does that too: a model that picks blindly among the controls of the
target's role hits them as often as they are many. So the misses that land on any such
control are compared with that share: the effect is what is beyond it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec
import numpy as np

from surefoot.core.instruction import Expression
from surefoot.core.question import Question
from surefoot.diagnose.alternatives import OPPOSITE, counted_first, turned
from surefoot.diagnose.arms import Tried, place_of
from surefoot.diagnose.features import LOOK_ALIKE, rivals
from surefoot.diagnose.landing import control_at
from surefoot.diagnose.scenes import Scenes
from surefoot.refer.geometry import Mask
from surefoot.refer.resolve import fits
from surefoot.refer.scene import Scene
from surefoot.refer.things import same_thing

__all__ = ["CONFUSIONS", "Confusion", "Showing", "showings"]


class Confusion(msgspec.Struct, frozen=True):
    """
    Describe one mistake: its name, its words, and which elements would show it.

    ``shows`` returns None where a question cannot tell of it.
    """

    name: str
    words: str
    shows: Callable[[Scene, Expression, int], Mask | None]


class Showing(msgspec.Struct, frozen=True):
    """
    Hold what one answer says about one confusion.

    ``shown`` tells whether the click lands where the mistake leads; ``on_rival`` whether it
    is a miss on any control of the target's role or where the mistake leads; ``chance`` is
    the share of those controls that the mistake leads to.
    """

    cluster: str
    shown: bool
    on_rival: bool
    chance: float


def showings(confusion: Confusion, answers: Iterable[Tried], scenes: Scenes) -> Iterator[Showing]:
    """Yield what each answer that could show a confusion says about it."""
    for each in answers:
        question = each.arm.question
        scene = scenes.scene(question.screen)
        place = scene.place.get(question.instruction.target)
        if each.answer is None or place is None:
            continue
        mask = confusion.shows(scene, question.instruction.expression, place)
        if mask is None:
            continue
        mask = mask & ~_one_with(scene, place, mask)
        if mask.any():
            yield _showing(scene, each, place, mask)


def _showing(scene: Scene, tried: Tried, place: int, mask: Mask) -> Showing:
    question: Question = tried.arm.question
    among = rivals(scene, place) | mask
    point = place_of(tried.answer.parsed) if tried.answer is not None else None
    control = None if point is None or not tried.failed else control_at(scene, point)
    return Showing(
        cluster=question.cluster,
        shown=control is not None and bool(mask[control]),
        on_rival=control is not None and bool(among[control]),
        chance=float(mask.sum() / among.sum()),
    )


def _one_with(scene: Scene, place: int, mask: Mask) -> Mask:
    same = np.zeros(len(mask), dtype=bool)
    for each in np.flatnonzero(mask):
        same[each] = same_thing(scene, place, int(each))
    return same


def _other_way(*directions: str) -> Callable[[Scene, Expression, int], Mask | None]:
    def shows(scene: Scene, expression: Expression, place: int) -> Mask | None:  # noqa: ARG001
        direction = expression.direction
        if direction is None or direction not in directions:
            return None
        return fits(scene, turned(expression, OPPOSITE[direction]), "strict")

    return shows


def _first(scene: Scene, expression: Expression, place: int) -> Mask | None:  # noqa: ARG001
    if expression.ordinal is None:
        return None
    return fits(scene, counted_first(expression), "strict")


def _larger(scene: Scene, expression: Expression, place: int) -> Mask | None:  # noqa: ARG001
    areas = np.array([each.box.area for each in scene.elements])
    larger: Mask = rivals(scene, place) & (areas >= LOOK_ALIKE * areas[place])
    return larger


CONFUSIONS: Final = (
    Confusion("left-right", "confuses left and right", _other_way("left of", "right of")),
    Confusion("above-below", "confuses above and below", _other_way("above", "below")),
    Confusion("ordinals", "ignores ordinals: takes the first of those that are counted", _first),
    Confusion("larger", "takes the larger look-alike", _larger),
)
