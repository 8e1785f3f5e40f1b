"""
What an instruction quotes.
"""

from __future__ import annotations

from collections.abc import Iterator

from surefoot.core.instruction import Expression


def quotes_of(expression: Expression | None) -> Iterator[str]:
    """
    Yield the words that an expression has said as they stand, those of the target first.

    >>> list(quotes_of(Expression(name="Save", landmark=Expression(text="Draft"))))
    ['Save', 'Draft']
    """
    if expression is None:
        return
    yield from filter(None, (expression.name, expression.text, expression.label))
    for inner in (expression.landmark, expression.second, expression.container):
        yield from quotes_of(inner)
