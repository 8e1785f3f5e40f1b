"""
The table of makers, by the name that a field's ``fill`` gives; and those that only read the cast.

Makers of files to upload name the file, and ``values.files`` makes its bytes.
"""

from __future__ import annotations

import datetime as dt
import functools
import re
import unicodedata
from collections.abc import Mapping
from functools import partial
from typing import Final

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.registry import suggest
from surefoot.forms.instance import FileValue
from surefoot.forms.specification import Holds
from surefoot.forms.values.makers.grammar import grammar_makers
from surefoot.forms.values.makers.quantities import QUANTITIES, day_between, number_between
from surefoot.forms.values.makers.scene import FieldContext, Maker

_MEN: Final = ("male", "man", "m")
_WOMEN: Final = ("female", "woman", "f")
SUFFIXES: Final = (".pdf", ".png")
_WHATS: Final = (
    *("transcript", "letter", "pitch_deck", "identity", "income", "resume", "credentials"),
    *("image", "manuscript", "cv", "screenshot", "bills", "prescriptions", "tax_form"),
    *("insurance", "license", "costs", "schedule", "references", "drawings", "documents"),
    *("paper", "budget"),
)


def _gender(scene: FieldContext) -> str:
    """Name the gender as the field's options do, or else in a word."""
    person = scene.subject.person
    names = _WOMEN if person.gender == "female" else _MEN
    offered = [option.value for option in scene.field.options]
    if not offered:
        return names[0]
    return next((name for name in names if name in offered), offered[-1])


def _founded(scene: FieldContext) -> str:
    if scene.field.traits.holds is Holds.NUMBER:
        return number_between(scene, 1975, 2024)
    return day_between(scene, dt.date(1990, 1, 1), dt.date(2025, 6, 30))


PEOPLE: Final[Mapping[str, Maker]] = {
    "person.first_name": lambda scene: scene.subject.person.first,
    "person.middle_name": lambda scene: scene.subject.person.middle,
    "person.last_name": lambda scene: scene.subject.person.last,
    "person.full_name": lambda scene: f"{scene.subject.person.first} {scene.subject.person.last}",
    "person.email": lambda scene: scene.subject.person.email,
    "person.phone": lambda scene: scene.subject.person.phone,
    "person.birth_date": lambda scene: scene.subject.person.birth.isoformat(),
    "person.age": lambda scene: str(scene.subject.person.age),
    "person.gender": _gender,
    "person.profile_url": lambda scene: (
        f"https://www.linkedin.com/in/{scene.subject.person.handle}"
    ),
    "person.username": lambda scene: scene.subject.person.handle.replace("-", "_"),
    "address.street": lambda scene: scene.subject.street,
    "address.city": lambda scene: scene.subject.place.city,
    "address.state": lambda scene: scene.subject.place.state,
    "address.zip": lambda scene: scene.subject.zip_code,
    "address.full": lambda scene: scene.subject.address,
    "company.name": lambda scene: scene.subject.company.name,
    "company.website": lambda scene: f"https://www.{scene.subject.company.site}",
    "company.email": lambda scene: f"office@{scene.subject.company.site}",
    "company.phone": lambda scene: scene.subject.company.phone,
    "company.founded": _founded,
}


def _name(scene: FieldContext, *, what: str) -> str:
    """
    Name a file after what it is and whom it is about: "pitch-deck-li-wei.pdf".

    Raises InvalidInputError where the field accepts neither PDF nor PNG.
    """
    able = [literal for literal in SUFFIXES if literal in scene.field.accepts]
    if not able:
        raise InvalidInputError(
            f"field '{scene.field.id}' to accept one of {', '.join(SUFFIXES)}",
            found=", ".join(scene.field.accepts),
            remedy="add one of them to 'accepts'",
        )
    plain = unicodedata.normalize("NFKD", scene.owner.lower())
    owner = re.findall(r"[a-z]+", plain)
    suffix = scene.random.choice(able)
    taken = {value.name for value in scene.values.values() if isinstance(value, FileValue)}
    names = (
        "-".join([word.replace("_", "-"), *owner]) + suffix
        for word in (what, scene.field.id, f"{what}-{scene.field.id}")
    )
    return next((name for name in names if name not in taken), f"{scene.field.id}{suffix}")


UPLOADS: Final[Mapping[str, Maker]] = {
    f"file.{what}": partial(_name, what=what) for what in _WHATS
}


def find_maker(name: str) -> Maker:
    """
    Return the maker of a name; raises UnknownNameError with the nearest names.

    Files are made after all other values, by ``values.files``: their makers only say what
    the file is ("transcript").
    """
    made = _table().get(name)
    if made is None:
        raise UnknownNameError(
            "a known maker of values",
            found=f"'{name}'",
            remedy=suggest(name, list(_table())),
        )
    return made


def maker_names() -> tuple[str, ...]:
    """Return the names of all makers, sorted."""
    return tuple(sorted(_table()))


@functools.cache
def _table() -> Mapping[str, Maker]:
    return {**grammar_makers(), **PEOPLE, **QUANTITIES, **UPLOADS}
