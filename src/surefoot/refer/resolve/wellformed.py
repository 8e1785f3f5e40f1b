"""
Which expressions can be said at all: the parts that belong together stand together.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Expression, Function
from surefoot.refer.resolve.words import FIELDS

MOST_NESTED: Final = 8
LAST_POSITION: Final = 9999
LABELLED: Final = FIELDS | {"control"}
NAMELESS_FUNCTIONS: Final[frozenset[Function]] = frozenset({"close", "search"})


def require_wellformed(expression: Expression) -> None:
    """
    Refuse an expression whose parts do not make a reference to a target.

    A target has a role, or else a name and nothing of its own besides; a landmark may be a
    text alone. A landmark stands with one direction or one relation, and "between" takes
    two. At most one part ranks. Only a field has a label. A function names what it acts on,
    except "close" and "search". A container is a role with a name or with a text. Landmarks
    nest eight deep at most. Raises InvalidInputError.
    """
    _require(expression, 0)


def _require(expression: Expression, depth: int) -> None:
    if depth > MOST_NESTED:
        raise InvalidInputError(f"landmarks nested {MOST_NESTED} deep", found="deeper ones")
    if not (depth and expression == Expression(text=expression.text) and expression.text):
        for expected, holds in _rules(expression, nested=bool(depth)).items():
            if not holds:
                raise InvalidInputError(expected, found=str(expression))
    for item in (expression.landmark, expression.second):
        if item is not None:
            _require(item, depth + 1)


def _rules(given: Expression, *, nested: bool) -> dict[str, bool]:
    """Return what must hold of an expression by itself, and whether it does."""
    related = (given.direction is not None) + bool(given.relation)
    ranked = (
        (given.direction is not None)
        + (given.relation == "nearest")
        + bool(given.size)
        + (given.ordinal is not None)
    )
    named = bool(given.name) or given.function in NAMELESS_FUNCTIONS
    return {
        "an expression with a role or a name, and no text without a role": bool(given.role)
        or (bool(given.name) and not _described(given) and not (nested and _bare(given))),
        "a landmark with a direction or a relation, and one of these with a landmark": related
        == (given.landmark is not None),
        "a second landmark with the relation between alone": (given.second is not None)
        == (given.relation == "between"),
        "one direction, relation nearest, size or ordinal at most": ranked <= 1,
        "a beginning of a name with a name": bool(given.name) or not given.name_cut,
        "a function with a whole name": not given.function
        or (named and not (given.name_cut and given.function not in NAMELESS_FUNCTIONS)),
        "a position from 1 or from -1, and a row in a grid alone": _counts(given),
        "a label of a field": not given.label or given.role in LABELLED,
        "a container that is a role with a name or with a text": given.container is None
        or _contains(given.container),
    }


def _described(given: Expression) -> bool:
    looks = (given.colour, given.shape, given.size, given.content, given.ink, given.outline)
    does = (given.state, given.function, given.label, given.text, given.icon)
    return any(looks) or any(does) or given.name_cut or given.ordinal is not None


def _bare(given: Expression) -> bool:
    return given == Expression(name=given.name)


def _counts(given: Expression) -> bool:
    ordinal = given.ordinal
    if ordinal is None:
        return True
    within = 1 <= abs(ordinal.position) <= LAST_POSITION and abs(ordinal.row) <= LAST_POSITION
    return within and bool(ordinal.row) == (ordinal.order == "grid")


def _contains(given: Expression) -> bool:
    role, name, text = given.role, given.name, given.text
    alone = given == Expression(role=role, name=name, text=text)
    return alone and bool(role) and bool(name) != bool(text)
