"""
Days, in ISO 8601.
"""

from __future__ import annotations

from typing import Final

from surefoot.forms.letters.surfaces import spoken_date
from surefoot.forms.renderers.wording import phrase
from surefoot.forms.specification import FieldKind, Holds, Kind
from surefoot.forms.values.dates import DATE_FORMATS, read_date
from surefoot.forms.values.normalise import single

DATE: Final = FieldKind(
    name="date",
    version=2,
    widget=Kind.DATE,
    holds=Holds.DATE,
    read=single(lambda _field, text, language: read_date(text, language=language)),
    rank=2,
    column="Date",
    hint=lambda _field, language: phrase("date", language, format=DATE_FORMATS[language]),
    say=lambda _field, value, random, language: spoken_date(value, random, language),
    found_as=Kind.DATE,
)
