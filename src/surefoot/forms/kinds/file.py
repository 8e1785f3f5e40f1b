"""
Files, which are compared by their bytes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

import msgspec

from surefoot.forms.instance import FileValue
from surefoot.forms.renderers.wording import phrase
from surefoot.forms.specification import Field, FieldKind, Holds, Kind

_SHA256: Final = re.compile(r"[0-9a-f]{64}")


def _file(_: Field, texts: Sequence[str], __: str) -> FileValue | None:
    """Read name and SHA-256, as two texts or as the object that an upload is answered with."""
    if len(texts) == 1:
        try:
            found = msgspec.json.decode(texts[0], type=FileValue)
        except (msgspec.MsgspecError, UnicodeError):
            return None
        texts = (found.name, found.sha256)
    if len(texts) != len(FileValue.__struct_fields__):
        return None
    name = re.split(r"[/\\]", unicodedata.normalize("NFC", texts[0]))[-1].strip()
    digest = texts[1].strip().lower()
    return FileValue(name, digest) if name and _SHA256.fullmatch(digest) else None


FILE: Final = FieldKind(
    name="file",
    version=1,
    widget=Kind.FILE,
    holds=Holds.FILE,
    needs=("accepts",),
    read=_file,
    rank=1,
    column="",
    hint=lambda field, language: phrase("accepts", language, name=", ".join(field.accepts)),
)
