"""
One way to describe a target, and what it costs to say and to understand.

The costs make an order of preference in the sense of the incremental algorithm (Dale and
Reiter 1995): what a thing is and is called before how it looks, before where it is; a
count the dearer the further one counts. The numbers are ours; only their order matters.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.core.instruction import Expression, InstructionKind, Ordinal, Specificity
from surefoot.refer.say.kinds import kind_of, specificity_of

COSTS: Final[dict[str, float]] = {
    "role": 1.0,
    "control": 0.5,
    "name": 1.0,
    "name_cut": 0.5,
    "text": 1.5,
    "function": 1.0,
    "label": 1.5,
    "state": 1.0,
    "content": 0.5,
    "colour": 1.0,
    "shape": 1.5,
    "icon": 1.0,
    "ink": 1.5,
    "outline": 1.5,
    "size": 1.5,
    "container": 1.5,
    "region": 2.0,
    "direction": 1.5,
    "nearest": 2.0,
    "between": 2.5,
    "ordinal": 1.5,
    "grid": 1.0,
}
COUNTED: Final = 0.25  # for each position, and each row, past the first or the last


class Description(msgspec.Struct, frozen=True):
    """Hold a proven expression, its kind and specificity, and its cost."""

    expression: Expression
    kind: InstructionKind
    specificity: Specificity
    cost: float


def described(expression: Expression) -> Description:
    """Return an expression with its kind, its specificity and its cost."""
    kind, specificity = kind_of(expression), specificity_of(expression)
    return Description(expression, kind, specificity, cost_of(expression))


def cost_of(expression: Expression) -> float:
    """
    Return what an expression costs: the sum of its parts, landmarks and containers included.

    >>> cost_of(Expression(role="button", name="Save"))
    2.0
    """
    parts = (
        *("name", "text", "function", "label", "state"),
        *("content", "colour", "shape", "size", "icon", "ink", "outline"),
    )
    given = [
        part for part in (*parts, "name_cut", "region", "direction") if getattr(expression, part)
    ]
    if expression.role:
        given.append("control" if expression.role == "control" else "role")
    if expression.relation:
        given.append(expression.relation)
    if expression.container is not None:
        given.append("container")
    inner = (expression.landmark, expression.second, expression.container)
    nested = sum(cost_of(item) for item in inner if item is not None)
    return sum(COSTS[item] for item in given) + nested + _counting(expression.ordinal)


def _counting(ordinal: Ordinal | None) -> float:
    if ordinal is None:
        return 0.0
    further = abs(ordinal.position) + max(abs(ordinal.row), 1) - 2
    grid = COSTS["grid"] if ordinal.order == "grid" else 0.0
    return COSTS["ordinal"] + grid + COUNTED * further
