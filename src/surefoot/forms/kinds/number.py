"""
Numbers, as plain decimals.
"""

from __future__ import annotations

from random import Random
from typing import Final

from surefoot.forms.letters.surfaces import grouped, in_words
from surefoot.forms.letters.tables import spelling
from surefoot.forms.renderers.wording import bounds
from surefoot.forms.specification import Field, FieldKind, Holds, Kind
from surefoot.forms.values.normalise import single
from surefoot.forms.values.numerals import COMMA_DECIMAL, read_number

_IN_WORDS: Final = 100
_FIRST_COUNTED: Final = 2
_HALF: Final = 0.5


def _said(field: Field, value: str, random: Random, language: str) -> str:
    """Write thousands apart, a small count in words where there are such, and a year as it is."""
    if field.fill == "number.year":
        return value
    small = value.isdigit() and _FIRST_COUNTED <= int(value) < _IN_WORDS
    counted = small and spelling(language).units and field.fill != "number.money"
    if counted and random.random() < _HALF:
        return in_words(int(value), language)
    whole, point, decimals = value.partition(".")
    if point and language in COMMA_DECIMAL:
        point = ","
    return f"{grouped(int(whole), language)}{point}{decimals}"


NUMBER: Final = FieldKind(
    name="number",
    version=1,
    widget=Kind.NUMBER,
    holds=Holds.NUMBER,
    read=single(lambda _field, text, language: read_number(text, language=language)),
    rank=4,
    column="String",
    hint=bounds,
    say=_said,
    found_as=Kind.NUMBER,
)
