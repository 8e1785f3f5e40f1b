"""
Passwords, of which every sign counts.
"""

from __future__ import annotations

from typing import Final

from surefoot.forms.specification import FieldKind, Holds, Kind
from surefoot.forms.values.normalise import single

PASSWORD: Final = FieldKind(
    name="password",
    version=1,
    widget=Kind.PASSWORD,
    holds=Holds.TEXT,
    read=single(lambda _field, text, _language: text or None),
    rank=3,
    column="String",
    secret=True,
)
