"""
Addresses of e-mail, with hosts in small letters.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from surefoot.forms.specification import FieldKind, Holds, Kind
from surefoot.forms.values.normalise import lower_host, single

_EMAIL: Final = re.compile(
    r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@((?:[^\W_](?:[^\W_]|-){0,61}[^\W_]\.|[^\W_]\.)+[^\W_]{2,63})"
)
_LONGEST: Final = 320


def _email(text: str) -> str | None:
    line = unicodedata.normalize("NFC", text).strip()
    found = _EMAIL.fullmatch(line) if len(line) <= _LONGEST else None
    if found is None or ".." in line or line.startswith(".") or ".@" in line:
        return None
    return f"{line[: found.start(1)]}{lower_host(found[1])}"


EMAIL: Final = FieldKind(
    name="email",
    version=1,
    widget=Kind.EMAIL,
    holds=Holds.TEXT,
    read=single(lambda _field, text, _language: _email(text)),
    rank=1,
    column="String",
    found_as=Kind.EMAIL,
)
