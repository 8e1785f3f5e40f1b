"""
Options to choose from: one in a list, one by its button, several by their boxes.
"""

from __future__ import annotations

from random import Random
from typing import Final

from surefoot.forms.letters.surfaces import short
from surefoot.forms.renderers.wording import phrase
from surefoot.forms.specification import Field, FieldKind, Holds, Kind, said
from surefoot.forms.values.normalise import read_choice, read_choices, single


def _said(field: Field, value: str, _: Random, language: str) -> str:
    option = field.option(value)
    return value if option is None else short(option, language)


def _hint(field: Field, language: str) -> str:
    return "" if said(field.help, language) else phrase("choose-several", language)


DROP_DOWN: Final = FieldKind(
    name="drop-down",
    version=1,
    widget=Kind.DROP_DOWN,
    holds=Holds.OPTION,
    needs=("options",),
    read=single(read_choice),
    rank=5,
    column="Drop-down List",
    say=_said,
)
RADIO: Final = FieldKind(
    name="radio",
    version=1,
    widget=Kind.RADIO,
    holds=Holds.OPTION,
    needs=("options",),
    read=single(read_choice),
    rank=5,
    column="Radio Button",
    say=_said,
)
MULTI_CHOICE: Final = FieldKind(
    name="multi-choice",
    version=1,
    widget=Kind.MULTI_CHOICE,
    holds=Holds.OPTIONS,
    needs=("options",),
    read=read_choices,
    rank=5,
    column="Checkbox",
    hint=_hint,
)
