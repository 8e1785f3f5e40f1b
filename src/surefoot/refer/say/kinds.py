"""
What kind of instruction an expression makes, and how specific it is.

Each way of pointing at the target beyond its role and its name makes a kind: a direction
("relational"), "nearest", "between", an ordinal (with the container that it counts in), a
region, a container, a label, what it does ("functional"), what it looks like ("visual":
colour, shape, size, icon, what is written in it, its state, or its role alone). Two or
more of these make "combined", none makes "direct".

Specificity, after the three levels of "Do GUI Grounders Truly Understand UI Elements?"
(appendix B; the rule is ours): "high" where the words name the thing itself, by its name,
its text, its label or what it does to something named; "medium" where they describe it, by
its role or its looks, however they place it; "low" where they only say where it is.
"""

from __future__ import annotations

from surefoot.core.instruction import LOOKS, Expression, InstructionKind, Specificity


def kind_of(expression: Expression) -> InstructionKind:
    """
    Return the kind of instruction that an expression makes.

    >>> kind_of(Expression(role="button", name="Save")), kind_of(Expression(role="slider"))
    ('direct', 'visual')
    """
    ways: dict[InstructionKind, bool] = {
        "relational": expression.direction is not None,
        "nearest": expression.relation == "nearest",
        "between": expression.relation == "between",
        "ordinal": expression.ordinal is not None,
        "container": expression.container is not None and expression.ordinal is None,
        "region": expression.region is not None,
        "label": bool(expression.label),
        "functional": bool(expression.function),
        "visual": _looks(expression) or bool(expression.text),
    }
    used = [kind for kind, holds in ways.items() if holds]
    if len(used) > 1:
        return "combined"
    if used:
        return used[0]
    return "direct" if _names(expression) else "visual"


def specificity_of(expression: Expression) -> Specificity:
    """
    Return how much an expression says about the thing itself.

    >>> [specificity_of(Expression(role=item)) for item in ("button", "control")]
    ['medium', 'low']
    """
    if _names(expression):
        return "high"
    described = _looks(expression) or expression.function or expression.role != "control"
    return "medium" if described else "low"


def _looks(expression: Expression) -> bool:
    return any(getattr(expression, look) for look in LOOKS)


def _names(expression: Expression) -> bool:
    return bool(expression.name or expression.text or expression.label)
