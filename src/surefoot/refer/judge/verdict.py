"""
The judge: whether an expression means one element of a screen and nothing else.
"""

from __future__ import annotations

import msgspec

from surefoot.core.instruction import Expression
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element, Screen
from surefoot.refer.judge.ground import Ground, Reading
from surefoot.refer.judge.holding import held_by, holders, same_holder
from surefoot.refer.judge.looking import Looks
from surefoot.refer.judge.ranking import (
    counted_leniently,
    counted_strictly,
    directly,
    directly_leniently,
    extreme,
    is_between,
    is_in_region,
    nearest,
    of_about_that_size,
)
from surefoot.refer.judge.saying import does, is_in_state, is_label, is_name, is_role, is_text
from surefoot.refer.judge.words import alike


class Verdict(msgspec.Struct, frozen=True):
    """
    Say whether an expression is valid for a target, why not, and what else it could mean.

    ``rivals`` are the ids of the elements (not one thing with the target) that it fits.
    """

    valid: bool
    why: str = ""
    rivals: tuple[str, ...] = ()


def malformed(expression: Expression) -> str:
    """
    Tell what is wrong with the form of an expression, or "".

    >>> malformed(Expression(role="button", direction="above"))
    'a direction or relation without its landmark'
    """
    item = expression
    ranks = (item.direction, item.relation == "nearest", item.size, item.ordinal)
    seen_from = bool(item.direction or item.relation)
    counted = item.ordinal
    faults = {
        "nothing is said": item == Expression(),
        "two parts that rank": sum(map(bool, ranks)) > 1,
        "a direction and a relation": bool(item.direction and item.relation),
        "a direction or relation without its landmark": seen_from == (item.landmark is None),
        "between without two landmarks": (item.relation == "between") == (item.second is None),
        "position 0": counted is not None and counted.position == 0,
        "a row without a grid": counted is not None
        and (counted.row != 0) != (counted.order == "grid"),
        "a container without a role and one of name and text": item.container is not None
        and not (item.container.role and bool(item.container.name) != bool(item.container.text)),
    }
    own = next((fault for fault, found in faults.items() if found), "")
    nested = (part for part in (item.landmark, item.second) if part is not None)
    return own or next(filter(None, map(malformed, nested)), "")


class Judge:
    """
    Judge expressions on one screen; what costs much is remembered.

    ``pixels`` is the screen's image, height x width x 3, 0 to 255; without it nothing that
    is said of looks is true.
    """

    def __init__(self, screen: Screen, pixels: Pixels | None = None) -> None:
        self._ground = Ground(screen, pixels)
        self._looks = Looks(self._ground)
        self._known: dict[tuple[Expression, Reading], frozenset[int]] = {}

    def judge(self, expression: Expression, target_id: str) -> Verdict:
        """Judge whether an expression means the element of this id and nothing else."""
        target = self._ground.index.get(target_id)
        if target is None:
            return Verdict(valid=False, why="absent")
        fault = malformed(expression)
        if fault:
            return Verdict(valid=False, why=f"malformed: {fault}")
        why = self._unproven(expression)
        if why:
            return Verdict(valid=False, why=why)
        if target not in self.fits(expression, "strict"):
            return Verdict(valid=False, why="false")
        for reading in ("strict", "lenient"):
            rivals = self._rivals(expression, target, reading)
            if rivals:
                return Verdict(valid=False, why=f"ambiguous ({reading})", rivals=rivals)
        return Verdict(valid=True)

    def others(self, expression: Expression, target_id: str) -> tuple[str, ...]:
        """
        Return the ids of what an expression could mean besides a target, if need be unseen.

        Where a target is hidden, whatever it fits strictly or leniently could be meant.
        """
        target = self._ground.index.get(target_id)
        if target is not None:
            return self._rivals(expression, target, "lenient")
        found = sorted(self.fits(expression, "lenient"))
        return tuple(self._ground.elements[place].id for place in found)

    def _rivals(self, expression: Expression, target: int, reading: Reading) -> tuple[str, ...]:
        ground = self._ground
        others = sorted(self.fits(expression, reading))
        return tuple(
            ground.elements[other].id for other in others if not ground.one_thing(target, other)
        )

    def fits(self, expression: Expression, reading: Reading) -> frozenset[int]:
        """Return the elements, by index, that an expression fits under a reading."""
        key = (expression, reading)
        if key not in self._known:
            strict = self._ranked(expression, "strict")
            if reading == "lenient":
                strict |= self._ranked(expression, "lenient")
            self._known[key] = frozenset(strict)
        return self._known[key]

    def _unproven(self, expression: Expression) -> str:
        """Tell which landmark or container is not one thing, or ""."""
        for part, landmark in (("landmark", expression.landmark), ("second", expression.second)):
            if landmark is None:
                continue
            why = self._unproven(landmark)
            if why or not self._is_one_landmark(landmark):
                return why or f"the {part} is not one thing"
        if expression.container is not None and not self._is_one_container(expression.container):
            return "the container is not one thing"
        held = (expression, expression.container) if expression.container else (expression,)
        quoted = {quote for item in held for quote in (item.name, item.text, item.label) if quote}
        painted = {item.text for item in self._ground.screen.unrecorded}
        if any(alike(text, quote) for text in painted for quote in quoted):
            return "words of no recorded element read alike"
        return ""

    def _is_one_landmark(self, expression: Expression) -> bool:
        ground, meant = self._ground, self.fits(expression, "lenient")
        innermost = [place for place in meant if meant.isdisjoint(ground.descendants(place))]
        return bool(self.fits(expression, "strict")) and all(
            ground.one_thing(item, other)
            or _spelled_at_one_place(ground.elements[item], ground.elements[other])
            for item in innermost
            for other in innermost
        )

    def _is_one_container(self, expression: Expression) -> bool:
        strict = holders(self._ground, expression, "strict")
        meant = strict + holders(self._ground, expression, "lenient")
        return bool(strict) and all(
            same_holder(self._ground, group, other) for group in meant for other in meant
        )

    def _others(self, expression: Expression, reading: Reading) -> set[int]:
        """Return what all the parts fit that do not rank."""
        ground, item = self._ground, expression
        parts = (
            (item.role, is_role),
            (item.name, is_name),
            (item.text, is_text),
            (item.label, is_label),
            (item.state, is_in_state),
            (item.function, does),
            (item.region, is_in_region),
        )
        found = {at for at in range(len(ground.elements)) if ground.visible(at, reading)}
        for part, holds in parts:
            if part:
                strictly = {at for at in found if holds(ground, at, expression, "strict")}
                found = strictly | {at for at in found if holds(ground, at, expression, reading)}
        if item.container is not None:
            found &= held_by(ground, holders(ground, item.container, reading), reading)
        if item.relation == "between":
            found = {at for at in found if self._between(at, expression, reading)}
        return {at for at in found if self._looks.fits(at, expression, reading)}

    def _between(self, at: int, expression: Expression, reading: Reading) -> bool:
        return any(
            is_between(self._ground, at, landmark, other, reading)
            for landmark in self._landmarks(expression.landmark, reading)
            for other in self._landmarks(expression.second, reading)
        )

    def _landmarks(self, expression: Expression | None, reading: Reading) -> frozenset[int]:
        return self.fits(expression, reading) if expression else frozenset()

    def _ranked(self, expression: Expression, reading: Reading) -> set[int]:
        """Return what all parts fit, the one that ranks at last."""
        ground, item = self._ground, expression
        strict = self._others(expression, "strict")
        lenient = strict | self._others(expression, "lenient")
        strictly = reading == "strict"
        if item.ordinal is not None:
            if strictly:
                return counted_strictly(ground, strict, item.ordinal)
            return counted_leniently(ground, strict, lenient, item.ordinal)
        if item.size:
            if strictly:
                return extreme(ground, item.size, strict)
            return of_about_that_size(ground, item.size, strict, lenient)
        if item.direction or item.relation == "nearest":
            return self._seen_from_landmarks(expression, reading, strict, lenient)
        return strict if strictly else lenient

    def _seen_from_landmarks(
        self, expression: Expression, reading: Reading, strict: set[int], lenient: set[int]
    ) -> set[int]:
        ground, direction = self._ground, expression.direction
        found: set[int] = set()
        for landmark in self._landmarks(expression.landmark, reading):
            if direction is None:
                found |= nearest(
                    ground, landmark, strict, lenient if reading == "lenient" else set()
                )
            elif reading == "strict":
                found |= directly(ground, landmark, direction, strict)
            else:
                found |= directly_leniently(ground, landmark, direction, strict, lenient)
        return found


def _spelled_at_one_place(one: Element, other: Element) -> bool:
    """Tell whether the same lines of text spell both names, as a label does for its field."""
    return bool(one.name_boxes) and one.name_boxes == other.name_boxes


def judge(
    expression: Expression, target_id: str, screen: Screen, pixels: Pixels | None = None
) -> Verdict:
    """
    Judge whether an expression means an element of a screen and nothing else.

    ``pixels`` is the screen's image (height x width x 3, 0 to 255). For many expressions on
    one screen ``Judge`` remembers what it saw. What each part means is defined in
    ``docs/expressions.md``; whether quoted words can be read is not judged here.
    """
    return Judge(screen, pixels).judge(expression, target_id)
