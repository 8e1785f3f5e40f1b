"""
Makers of files to upload: they name the file, and ``values.files`` makes its bytes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import partial
from typing import Final

from surefoot.core.errors import InvalidInputError
from surefoot.forms.instance import FileValue
from surefoot.forms.values.makers.scene import FieldContext, Maker

__all__ = ["SUFFIXES", "UPLOADS"]

SUFFIXES: Final = (".pdf", ".png")
_WHATS: Final = (
    *("transcript", "letter", "pitch_deck", "identity", "income", "resume", "credentials"),
    *("image", "manuscript", "cv", "screenshot", "bills", "prescriptions", "tax_form"),
    *("insurance", "license", "costs", "schedule", "references", "drawings", "documents"),
    *("paper", "budget"),
)


def _name(scene: FieldContext, *, what: str) -> str:
    """
    Name a file after what it is and whom it is about: "pitch-deck-li-wei.pdf".

    Raises InvalidInputError where the field accepts neither PDF nor PNG.
    """
    able = [each for each in SUFFIXES if each in scene.field.accepts]
    if not able:
        raise InvalidInputError(
            f"field '{scene.field.id}' to accept one of {', '.join(SUFFIXES)}",
            found=", ".join(scene.field.accepts),
            remedy="add one of them to 'accepts'",
        )
    plain = unicodedata.normalize("NFKD", scene.owner.lower())
    owner = re.findall(r"[a-z]+", plain)
    suffix = scene.random.choice(able)
    taken = {each.name for each in scene.values.values() if isinstance(each, FileValue)}
    names = (
        "-".join([word.replace("_", "-"), *owner]) + suffix
        for word in (what, scene.field.id, f"{what}-{scene.field.id}")
    )
    return next((each for each in names if each not in taken), f"{scene.field.id}{suffix}")


UPLOADS: Final[Mapping[str, Maker]] = {
    f"file.{what}": partial(_name, what=what) for what in _WHATS
}
