"""
What a question says beside its words and its places, as the formats with room for it keep it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from surefoot.core.instruction import Action
from surefoot.core.question import Asks
from surefoot.datasets.labelled import Platform

__all__ = ["Attributes", "attributes_of"]


class Attributes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    Hold the fields of a ``Record`` that no format of annotations has a word for.
    """

    kind: str = "given"
    language: str = "en"
    action: Action = "click"
    value: str = ""
    answerable: bool = True
    answers: tuple[str, ...] = ()
    split: str = ""
    page: str = ""
    site: str = ""
    platform: Platform = ""
    system: str = ""
    locale: str = ""
    role: str = ""
    target: str = ""
    facts: dict[str, str] = {}
    asks: Asks = "place"
    options: tuple[str, ...] = ()


def attributes_of(fields: Attributes) -> dict[str, Any]:
    """
    Return attributes as the arguments of a ``Record``.

    >>> attributes_of(Attributes(split="test"))["split"]
    'test'
    """
    return {name: getattr(fields, name) for name in fields.__struct_fields__}
