"""
How large an expression is: what a cheaper one has less of.
"""

from __future__ import annotations

import msgspec

from surefoot.core.instruction import Expression

# Parts that stand and fall together.
_TIED = {
    "landmark": ("landmark", "second", "direction", "relation"),
    "direction": ("landmark", "second", "direction", "relation"),
    "relation": ("landmark", "second", "direction", "relation"),
    "second": ("landmark", "second", "direction", "relation"),
    "name": ("name", "name_cut"),
}
_LED = ("direction", "relation", "second", "name_cut")  # counted with what they belong to
WORD = 0.05


def parts_of(expression: Expression) -> tuple[str, ...]:
    """
    Return the parts that are given, in the order of the fields.

    A landmark with its direction or relation is one part, and so is a name that was cut.

    >>> parts_of(Expression(role="button", direction="above", landmark=Expression(text="A")))
    ('role', 'landmark')
    """
    defaults = Expression()
    return tuple(
        name
        for name in expression.__struct_fields__
        if name not in _LED and getattr(expression, name) != getattr(defaults, name)
    )


def without(expression: Expression, part: str) -> Expression:
    """
    Return an expression without one part.

    >>> without(Expression(role="button", name="Save"), "role") == Expression(name="Save")
    True
    """
    defaults = Expression()
    gone = {name: getattr(defaults, name) for name in _TIED.get(part, (part,))}
    return msgspec.structs.replace(expression, **gone)


def size_of(expression: Expression | None) -> float:
    """
    Return the number of parts, those of landmarks and containers included.

    Each quoted word adds a twentieth, so that of two expressions of the same form the one
    with fewer words is smaller.

    >>> size_of(Expression(role="button", name="Sign in"))
    2.1
    """
    if expression is None:
        return 0.0
    words = f"{expression.name} {expression.text} {expression.label}".split()
    inner = (expression.landmark, expression.second, expression.container)
    return len(parts_of(expression)) + WORD * len(words) + sum(map(size_of, inner))
