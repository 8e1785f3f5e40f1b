"""
Words written by hand: a line of them, or a passage that keeps its lines.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from surefoot.forms.specification import FieldKind, Holds, Kind
from surefoot.forms.values.normalise import single


def _line(text: str) -> str | None:
    """Compose characters, and write every run of white space as one space."""
    return " ".join(unicodedata.normalize("NFC", text).split()) or None


def _lines(text: str) -> str | None:
    """Do the same within each line, and keep the lines."""
    composed = unicodedata.normalize("NFC", text)
    lines = (" ".join(line.split()) for line in composed.splitlines())
    return "\n".join(lines).strip() or None


STRING: Final = FieldKind(
    name="string",
    version=1,
    widget=Kind.STRING,
    holds=Holds.TEXT,
    read=single(lambda _field, text, _language: _line(text)),
    rank=3,
    column="String",
    words="line",
)
DESCRIPTION: Final = FieldKind(
    name="description",
    version=1,
    widget=Kind.DESCRIPTION,
    holds=Holds.TEXT,
    read=single(lambda _field, text, _language: _lines(text)),
    rank=0,
    column="Description",
    words="passage",
)
