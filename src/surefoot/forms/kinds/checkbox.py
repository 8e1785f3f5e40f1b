"""
A box to tick; one that is left empty is posted with no text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from surefoot.forms.specification import Field, FieldKind, Holds, Kind

_YES: Final = frozenset(
    "yes y true on 1 checked ticked agreed x ✓ ✔ ☑ oui vrai да 是 はい ใช่ نعم".split()  # noqa: SIM905
)
_NO: Final = frozenset("no n false off 0 unchecked ☐ non faux нет 否 いいえ ไม่ใช่ لا".split())  # noqa: SIM905


def _ticked(_: Field, texts: Sequence[str], __: str) -> bool | None:
    if len(texts) > 1:
        return None
    word = unicodedata.normalize("NFKC", "".join(texts)).strip().casefold()
    if not word or word in _NO:
        return False
    return True if word in _YES else None


CHECKBOX: Final = FieldKind(
    name="checkbox",
    version=1,
    widget=Kind.CHECKBOX,
    holds=Holds.TICK,
    read=_ticked,
    rank=5,
    column="Check",
)
