"""
Makers of what belongs to people, companies and addresses: they only read the cast.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Final

from surefoot.forms.specification import Kind
from surefoot.forms.values.makers.cast import Person
from surefoot.forms.values.makers.quantities import day_between, number_between
from surefoot.forms.values.makers.scene import FieldContext, Maker

__all__ = ["PEOPLE"]

_MEN: Final = ("male", "man", "m")
_WOMEN: Final = ("female", "woman", "f")


def _full(person: Person) -> str:
    return f"{person.first} {person.last}"


def _gender(scene: FieldContext) -> str:
    """Name the gender as the field's options do, or else in a word."""
    person = scene.subject.person
    names = _WOMEN if person.gender == "female" else _MEN
    offered = [each.value for each in scene.field.options]
    if not offered:
        return names[0]
    return next((each for each in names if each in offered), offered[-1])


def _founded(scene: FieldContext) -> str:
    if scene.field.kind is Kind.NUMBER:
        return number_between(scene, 1975, 2024)
    return day_between(scene, dt.date(1990, 1, 1), dt.date(2025, 6, 30))


PEOPLE: Final[Mapping[str, Maker]] = {
    "person.first_name": lambda scene: scene.subject.person.first,
    "person.middle_name": lambda scene: scene.subject.person.middle,
    "person.last_name": lambda scene: scene.subject.person.last,
    "person.full_name": lambda scene: _full(scene.subject.person),
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
