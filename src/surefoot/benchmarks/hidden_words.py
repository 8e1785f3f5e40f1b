"""
Words that find an element which cannot be seen: where it is, and nothing of what it is.

Kept are expressions in which every part speaks of other things (a container, a landmark,
an order, a region) or of a label beside the element. Its name, text, colour, shape, size,
content, state and function are never said; nor is its role, save in "the field labelled
...", where "control" in its place must mean the same element.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from surefoot.core.instruction import Expression
from surefoot.refer.generate.describe import Described
from surefoot.refer.generate.expressions import expressions
from surefoot.refer.generate.heads import CONTROL
from surefoot.refer.generate.hold import readable
from surefoot.refer.resolve.resolve import fits, prove
from surefoot.refer.scene.scene import Scene

__all__ = ["contextual", "first_of_each", "found_when_hidden", "says_nothing_of_itself"]

_OF_ITSELF: Final = ("name", "text", "colour", "shape", "size", "content", "state", "function")
_ALL: Final = 1_000  # of an element's expressions: more than there are


def contextual(
    scene: Scene, target: str, *, kinds: Collection[str], seed: int = 0
) -> tuple[Described, ...]:
    """
    Return a target's proven expressions, of the kinds, that say nothing of the target itself.

    The cheapest come first. ``target`` is an element's id; each expression is proven on the
    scene as it is, before anything is hidden.
    """
    place = scene.place[target]
    return tuple(
        each
        for each in expressions(scene, target, seed=seed, most=_ALL)
        if each.kind in kinds
        and says_nothing_of_itself(each.expression)
        and _means(scene, each.expression, place)
    )


def says_nothing_of_itself(expression: Expression) -> bool:
    """
    Tell whether no part of an expression is read off the element.

    >>> says_nothing_of_itself(Expression(role="control", landmark=Expression(text="Total"),
    ...                                   direction="below"))
    True
    >>> says_nothing_of_itself(Expression(role="button", name="Save"))
    False
    """
    if any(getattr(expression, part) for part in _OF_ITSELF):
        return False
    return expression.role == CONTROL or bool(expression.label)


def found_when_hidden(
    scene: Scene,
    hidden: Scene,
    expression: Expression,
    target: str,
    companions: Sequence[str],
) -> bool:
    """
    Tell whether an expression's context can still be seen where elements are hidden.

    ``scene`` is the screen before, ``hidden`` as it is shown, the target and its companions
    (ids) covered. All words quoted must be readable there, and nothing that is hidden may be
    among what is counted.
    """
    place = hidden.place[target]
    if readable(hidden, expression, place) is not None:
        return False
    return expression.ordinal is None or not _counts(scene, expression, companions)


def _means(scene: Scene, expression: Expression, place: int) -> bool:
    if expression.role == CONTROL:
        return True
    return prove(scene, msgspec.structs.replace(expression, role=CONTROL), place) is None


def _counts(scene: Scene, expression: Expression, companions: Sequence[str]) -> bool:
    """Tell whether one of the companions may be among those that an ordinal counts."""
    counted = fits(scene, msgspec.structs.replace(expression, ordinal=None), "lenient")
    return any(bool(counted[scene.place[each]]) for each in companions)


def first_of_each(found: Sequence[Described], each_kind: int) -> list[Described]:
    """Return at most so many of each kind, in the order given."""
    taken: Counter[str] = Counter()
    kept = []
    for each in found:
        taken[each.kind] += 1
        if taken[each.kind] <= each_kind:
            kept.append(each)
    return kept
