"""
What renderers say beside a form's own words: one table, in every language of a form.
"""

from __future__ import annotations

import functools
from decimal import Decimal
from importlib import resources

import msgspec

from surefoot.forms.specification import Field, Words, said


@functools.cache
def phrases() -> dict[str, Words]:
    """Return the whole table: name of a phrase to its words by language."""
    text = resources.files("surefoot.forms.renderers").joinpath("wording.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, Words])


def phrase(name: str, language: str, /, **parts: object) -> str:
    """
    Return a phrase in a language with its parts filled in; raises KeyError for no phrase.

    >>> phrase("progress", "fr", page=2, pages=3)
    'Page 2 sur 3'
    """
    return said(phrases()[name], language).format(**parts)


def hints(field: Field, language: str) -> tuple[str, ...]:
    """
    Return what a page says below a field: its help, then how its value is given.

    >>> from surefoot.forms.specification import Field, Kind
    >>> hints(Field("gpa", Kind.NUMBER, {"en": "GPA"}, "number.gpa", lowest=0, highest=4), "en")
    ('From 0 to 4.',)
    """
    own = said(field.help, language)
    texts = (own, field.traits.hint(field, language))
    return tuple(text for text in texts if text)


def bounds(field: Field, language: str) -> str:
    """Say what numbers a field takes; "" where it takes any."""
    low, high = (
        "" if bound is None else f"{Decimal(str(bound)).normalize():f}"
        for bound in (field.lowest, field.highest)
    )
    if low and high:
        return phrase("between", language, lowest=low, highest=high)
    if low:
        return phrase("at-least", language, lowest=low)
    return phrase("at-most", language, highest=high) if high else ""
