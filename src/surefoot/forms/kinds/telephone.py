"""
Telephone numbers in E.164.
"""

from __future__ import annotations

from random import Random
from typing import Final

from surefoot.forms.letters.tables import spelling
from surefoot.forms.specification import Field, FieldKind, Holds, Kind
from surefoot.forms.values.normalise import read_telephone, single


def _said(_: Field, value: str, random: Random, language: str) -> str:
    import phonenumbers

    number = phonenumbers.parse(value)
    if number.extension:
        return value
    shapes = phonenumbers.PhoneNumberFormat
    at_home = number.country_code == spelling(language).home
    domestic = shapes.NATIONAL if at_home else shapes.INTERNATIONAL
    return phonenumbers.format_number(number, random.choice((domestic, shapes.INTERNATIONAL)))


TELEPHONE: Final = FieldKind(
    name="telephone",
    version=1,
    widget=Kind.TELEPHONE,
    holds=Holds.TEXT,
    read=single(lambda _field, text, _language: read_telephone(text)),
    rank=2,
    column="String",
    say=_said,
    found_as=Kind.TELEPHONE,
)
