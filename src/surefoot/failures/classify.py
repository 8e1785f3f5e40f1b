"""
Why a click missed, by rule: the modes of GUI-Perturbed's table 8, where evidence decides.

The rules are asked in this order, and the first that holds names the mode. "Under the
click" is the smallest element there; the numbers are in pixels of a screen at scale 1. The
thought is what the reply says before its answer (``thought``); without one, the rules that
ask for it hold of nothing.

refused, unparsed
    The reply names no place.
location hallucination
    The click lies outside the picture.
text-matching bias
    It lies on a landmark that the instruction names, which is not the target; or on the
    words beside the target that name it, such as a field's label, where they are quoted.
click-region error
    It lies on no control but the target, its parts and what holds it, and: on other words
    that name it; on a part of it, or a holder that is one thing with it (``same_thing``); or
    within a quarter of its shorter side, or 8 pixels where that is more, of its box.
spatial-reasoning error
    The control under it fits the expression with another direction (opposite, then the
    others), another position in the counted group, or is what the other words fit, near
    the landmark or outside the region or the container that is named. Or the click lies on
    the opposite side of the landmark, where nothing would fit.
text-matching bias
    What is under it bears words alike to any that the instruction quotes; of what is no
    control, the click must be on the words.
scale brittleness
    It lies where the target stands on the original, in the same pixels.
goal hallucination
    The thought has in quotes what is under it, and neither words that the instruction
    quotes nor the target's own.
reasoning drift
    The thought has such words as well, but takes what is under the click for what is asked
    for. Or it sees something in a half of the screen where the target is not, and the click
    is in that half.
visual confusion
    The control under it has a role that the target's word could mean, and its width and
    height are within half and twice the target's; or it fits the expression but for
    its colour, shape, size or content.
location hallucination
    The thought names the target by its own words. Or nothing but holders of other things is
    under it, and the picture is plain within 8 pixels.
undecided
    Otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec
import numpy as np

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import LOOKS, Expression
from surefoot.core.question import Answer, Question, Refusal, Unparsed
from surefoot.failures.alternatives import OPPOSITE, misplaced, on_the_side, quotes, turned
from surefoot.failures.landing import (
    control_at,
    has_ink,
    landed_at,
    seen_box,
    shows_something,
)
from surefoot.failures.modes import FailureMode
from surefoot.failures.thought import claims, in_part, mentions, quoted, thought_of
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.sizes import parts_of, without
from surefoot.refer.resolve.things import same_thing
from surefoot.refer.scene.names import alike, key_of
from surefoot.refer.scene.roles import could_mean
from surefoot.refer.scene.scene import Scene
from surefoot.score.truths import place_of

MARGIN_SHARE: Final = 0.25
MARGIN_PX: Final = 8.0
LIKE_SIZE: Final = 2.0
WHY: Final = 200  # characters of what a reply says for itself
ON_NOTHING: Final = "on nothing"


class MissVerdict(msgspec.Struct, frozen=True):
    """Name the mode of a miss, say why, and the id of the element under the click."""

    mode: FailureMode
    why: str
    landed: str


class _Click(msgspec.Struct, frozen=True):
    scene: Scene
    expression: Expression
    target: int
    point: Point
    under: int | None
    control: int | None
    thought: str
    former: Box | None


def classify(
    scene: Scene, question: Question, answer: Answer, former: Box | None = None
) -> MissVerdict:
    """
    Return the mode of an answer that missed; the target must be on the scene.

    ``former`` is the target's box on the original, None where it is the same or unknown.
    """
    point = place_of(answer.parsed)
    if point is None:
        if isinstance(answer.parsed, Refusal):
            return MissVerdict("refused", answer.parsed.reason[:WHY], "")
        why = answer.parsed.why if isinstance(answer.parsed, Unparsed) else "no place"
        return MissVerdict("unparsed", why[:WHY], "")
    if not scene.screen.bounds.contains(point):
        return MissVerdict("location hallucination", "outside the picture", "")
    click = _Click(
        scene,
        question.instruction.expression,
        scene.place[question.instruction.target],
        point,
        landed_at(scene, point),
        control_at(scene, point),
        thought_of(answer.raw),
        former,
    )
    landed = "" if click.under is None else scene.elements[click.under].id
    for mode, rule in _RULES:
        why = rule(click)
        if why:
            return MissVerdict(mode, why, landed)
    return MissVerdict("undecided", "", landed)


def _on_landmark(click: _Click) -> str:
    expression, scene = click.expression, click.scene
    for landmark in (expression.landmark, expression.second):
        there = None if landmark is None else landmark_place(scene, landmark)
        if there is None or same_thing(scene, there, click.target):
            continue
        if seen_box(scene, there).contains(click.point):
            return f"on the landmark, {_called(scene, there)}"
    return ""


def _on_its_label(click: _Click) -> str:
    """Say whether the click lies on the words beside a target that the instruction quotes."""
    target = click.scene.elements[click.target]
    if target.box.contains(click.point) or not _on_its_name(click):
        return ""
    named = any(alike(target.name, words) for words in quotes(click.expression))
    return f"on the words '{target.name}' beside the target" if named else ""


def _on_its_name(click: _Click) -> bool:
    boxes = click.scene.elements[click.target].name_boxes
    return any(box.contains(click.point) for box in boxes)


def _beside_target(click: _Click) -> str:
    scene, target = click.scene, click.scene.elements[click.target]
    other = click.control is not None and not scene.kin(click.target)[click.control]
    if other:
        return ""
    if _on_its_name(click):
        return "on the words that name it"
    if click.under is not None and scene.kin(click.target)[click.under] and _belongs(click):
        return "on a part or the holder of it"
    margin = max(
        MARGIN_PX * scene.screen.scale, MARGIN_SHARE * min(target.box.width, target.box.height)
    )
    if target.box.contains(click.point, tolerance=2 * margin):
        return f"within {margin:.0f} px of it"
    return ""


def _belongs(click: _Click) -> bool:
    """Tell whether what is under the click is in the target, or holds it and little else."""
    under, scene = click.under, click.scene
    if under is None or click.target not in scene.below(under):
        return under is not None
    return same_thing(scene, under, click.target)


def _misplaced(click: _Click) -> str:
    if click.control is None or same_thing(click.scene, click.control, click.target):
        return ""
    found = misplaced(click.scene, click.expression)
    return next((words for words, mask in found if mask[click.control]), "")


def _mirrored(click: _Click) -> str:
    """Say whether a click lies on the wrong side of a landmark where nothing would fit."""
    scene, expression = click.scene, click.expression
    if expression.landmark is None or expression.direction is None:
        return ""
    there = landmark_place(scene, expression.landmark)
    other = OPPOSITE[expression.direction]
    if there is None or fits(scene, turned(expression, other), "strict").any():
        return ""
    aside = on_the_side(other, click.point, seen_box(scene, there))
    return f"{other} the landmark, where nothing fits" if aside else ""


def _on_like_words(click: _Click) -> str:
    scene = click.scene
    for place in {click.under, click.control} - {None}:
        if place is None or same_thing(scene, place, click.target):
            continue
        if not seen_box(scene, place).contains(click.point):
            continue
        for words in quotes(click.expression):
            if _bears(scene, place, words):
                return f"on '{scene.names[place] or scene.texts[place]}', quoted '{words}'"
    return ""


def _bears(scene: Scene, place: int, words: str) -> bool:
    known: Iterable[str] = scene.labels[place]
    shown = shows_something(scene, place)
    return shown and any(alike(item, words) for item in known)


def _where_it_was(click: _Click) -> str:
    there = click.former is not None and click.former.contains(click.point)
    return "where the target stands on the original" if there else ""


def _unasked_goal(click: _Click) -> str:
    words = _named_there(click)
    if not words or not any(quotes(click.expression)) or _keeps_to_the_task(click):
        return ""
    return f"the thought is of '{words}', which is under the click, and not of what was asked"


def _drifted(click: _Click) -> str:
    words = _named_there(click)
    if words:
        return f"the thought takes '{words}', which is under the click, for what was asked"
    target = click.scene.elements[click.target].box.center
    for part in claims(click.thought):
        if in_part(click.scene, part, click.point) and not in_part(click.scene, part, target):
            return f"the thought looks at the {part} of the screen, where the target is not"
    return ""


def _named_there(click: _Click) -> str:
    """Return words that the thought quotes and another thing under the click bears."""
    scene = click.scene
    quotes = {key_of(item).compact for item in quoted(click.thought)} - {""}
    for place in (click.control, click.under):
        if quotes and place is not None and not same_thing(scene, place, click.target):
            for words in sorted(scene.labels[place]):
                if key_of(words).compact in quotes:
                    return words
    return ""


def _keeps_to_the_task(click: _Click) -> bool:
    asked = (*quotes(click.expression), *click.scene.labels[click.target])
    return any(mentions(click.thought, words) for words in asked)


def _fabricated(click: _Click) -> str:
    """Say whether the thought names the target by its own words, wherever the click is."""
    for words in sorted(click.scene.labels[click.target]):
        if mentions(click.thought, words):
            return f"the thought names the target, '{words}', and the click is elsewhere"
    return ""


def _on_look_alike(click: _Click) -> str:
    scene, place = click.scene, click.control
    if place is None or same_thing(scene, place, click.target):
        return ""
    target, other = scene.elements[click.target], scene.elements[place]
    if other.role in could_mean(target.role) and _like_size(target.box, other.box):
        return f"on another thing of like role and size, {_called(scene, place)}"
    for look in set(parts_of(click.expression)) & set(LOOKS) - {"state"}:
        if fits(scene, without(click.expression, look), "strict")[place]:
            return f"on one that fits but for its {look}, {_called(scene, place)}"
    return ""


def _called(scene: Scene, place: int) -> str:
    """Name an element by its role and its words, by its id where it has none."""
    element = scene.elements[place]
    words = scene.names[place] or scene.texts[place]
    return f"the {element.role} '{words[:WHY]}'" if words else f"the {element.role} {element.id}"


def _on_nothing(click: _Click) -> str:
    under = click.under
    if under is not None and shows_something(click.scene, under):
        return ""
    return "" if has_ink(click.scene, click.point) else ON_NOTHING


def _like_size(one: Box, other: Box) -> bool:
    sides = np.array([[one.width, one.height], [other.width, other.height]])
    ratio = sides.max(axis=0) / np.maximum(sides.min(axis=0), 1.0)
    return bool((ratio <= LIKE_SIZE).all())


_RULES: Final[tuple[tuple[FailureMode, Callable[[_Click], str]], ...]] = (
    ("text-matching bias", _on_landmark),
    ("text-matching bias", _on_its_label),
    ("click-region error", _beside_target),
    ("spatial-reasoning error", _misplaced),
    ("spatial-reasoning error", _mirrored),
    ("text-matching bias", _on_like_words),
    ("scale brittleness", _where_it_was),
    ("goal hallucination", _unasked_goal),
    ("reasoning drift", _drifted),
    ("visual confusion", _on_look_alike),
    ("location hallucination", _fabricated),
    ("location hallucination", _on_nothing),
)
