"""
What a maker sees, and what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias

import msgspec

from surefoot.forms.instance import Value
from surefoot.forms.specification import Field
from surefoot.forms.values.makers.cast import Party

Raw: TypeAlias = str | tuple[str, ...]


class FieldContext(msgspec.Struct, frozen=True):
    """
    Show a maker the field, with limits tightened by the rules of its form, and the rest.

    ``subject`` is whom the field is about; ``values`` are those made before this one;
    ``owner`` names the person or company whose files these are. ``common`` is a seed that
    all fields of an instance have in common, for words that have to agree.
    """

    field: Field
    subject: Party
    random: Random
    values: Mapping[str, Value] = {}
    owner: str = ""
    common: int = 0


Maker: TypeAlias = Callable[[FieldContext], Raw | None]
"""
Return the text of a value, as a form would post it, or None to leave the field empty.
"""
