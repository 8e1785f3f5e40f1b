"""
Make instances: seeded values for every field of a form that agree with each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.seeds import derive_seed, random_source
from surefoot.forms.instance import FileValue, Instance, Value
from surefoot.forms.specification import Field, Form, Holds
from surefoot.forms.values.constraints import broken, broken_field
from surefoot.forms.values.files import file_bytes
from surefoot.forms.values.makers.cast import Party, subjects
from surefoot.forms.values.makers.scene import FieldContext
from surefoot.forms.values.makers.table import find_maker
from surefoot.forms.values.normalise import normalise
from surefoot.forms.values.solving import (
    always_likely,
    last_made,
    left_out,
    likely_field,
    order_of,
    settled,
    tightened,
)

_ATTEMPTS: Final = 40
_TIDY: Final = 10  # attempts in which values that follow from others should be unlike the rest
_TRIES: Final = 40
_FAMILIES: Final = frozenset({"person", "address", "company"})
_NAMES: Final = frozenset(
    {"person.full_name", "person.first_name", "person.last_name", "company.name"}
)
_UNHASHED: Final = "0" * 64


def instances(form: Form, seed: int, count: int) -> Iterator[Instance]:
    """Yield the first ``count`` instances of a form under a seed."""
    for index in range(count):
        yield make_instance(form, seed=seed, index=index)


def make_instance(form: Form, *, seed: int, index: int) -> Instance:
    """
    Make one instance, the same in every process.

    Fields with one ``about`` agree; rules of the form hold by construction; optional fields
    are empty with probability 0.15, unless options of others hang on them. No text of a
    field stands whole in that of another, as far as their meanings allow. Raises
    UnknownNameError for a ``fill`` that nothing makes, and InvalidInputError for a form
    whose limits leave no values.
    """
    for fill in (*(item.fill for item in form.fields), *(item.fill for item in form.likely)):
        find_maker(fill or "option")
    problem = ""
    for attempt in range(_ATTEMPTS):
        values, problem = _attempt(form, seed, index, attempt)
        if not problem and (attempt >= _TIDY or not _clashing(form, values)):
            break
    else:
        raise InvalidInputError(
            f"form '{form.id}' to leave room for values",
            found=f"{problem} after {_ATTEMPTS} attempts",
            remedy="widen the limits of that field, or change the rule",
        )
    made = Instance(form.id, form.version, seed, index, values)
    hashed = {
        field.id: FileValue(value.name, sha256(file_bytes(form, made, field)))
        for field in form.fields
        if isinstance(value := values.get(field.id), FileValue)
    }
    return msgspec.structs.replace(made, values=values | hashed)


def clash(first: Field, one: Value, second: Field, other: Value) -> bool:
    """
    Say whether the text of one field's value stands, word by word, in that of another.

    Values of options, boxes and files have no text of their own; those of one person,
    company or address are expected to share words.
    """
    if not (first.traits.written and second.traits.written):
        return False
    families = {field.fill.partition(".")[0] for field in (first, second)}
    if first.about == second.about and families <= _FAMILIES:
        return False
    texts = sorted((_words(str(one)), _words(str(other))), key=len)
    return texts[0] in texts[1]


def _attempt(form: Form, seed: int, index: int, attempt: int) -> tuple[dict[str, Value], str]:
    """Make all values once; return them with what is wrong about them, or ""."""
    uses = ("form-values", form.id, str(form.version), str(index), str(attempt))
    cast = subjects(always_likely(form), random_source(seed, *uses, "cast"))
    common = derive_seed(seed, *uses, "common")
    values: dict[str, Value] = {}
    for field in order_of(form):
        if left_out(form, field, values, random_source(seed, *uses, field.id, "empty")):
            continue
        random = random_source(seed, *uses, field.id)
        value = settled(form, field, values, random)
        if value is None:
            scene = FieldContext(
                field=tightened(form, likely_field(form, field, values), values),
                subject=cast[field.about],
                random=random,
                values=values,
                owner=_owner(form, field, cast, values),
                common=common,
            )
            value = _drawn(form, scene, field)
        if value is not None:
            values[field.id] = value
        elif field.required:
            return values, f"no value for '{field.id}'"
    wrong = broken(form, values)
    return _in_order(form, values), f"'{wrong[0].field}' {wrong[0].reason}" if wrong else ""


def _clashing(form: Form, values: Mapping[str, Value]) -> bool:
    """Say whether what followed from others stands in another field, or the other way round."""
    solved = {"sum", "percent", "weeks"}
    followed = {
        last_made(constraint)[0] for constraint in form.constraints if constraint.rule in solved
    }
    made = [field for field in form.fields if field.id in values]
    return any(
        clash(item, values[item.id], other, values[other.id])
        for item in made
        if item.id in followed
        for other in made
        if other is not item
    )


def _drawn(form: Form, scene: FieldContext, field: Field) -> Value | None:
    """Draw until a value is within the limits and, if that can be had, unlike all others."""
    maker = find_maker(scene.field.fill)
    second_best: Value | None = None
    for _ in range(_TRIES):
        raw = maker(scene)
        if raw is None:
            return None
        texts = (str(raw), _UNHASHED) if field.traits.holds is Holds.FILE else raw
        value = normalise(field, texts)
        if value is None or broken_field(field, {**scene.values, field.id: value}):
            continue
        others = ((item, scene.values[item.id]) for item in form.fields if item.id in scene.values)
        if not any(clash(field, value, item, other) for item, other in others):
            return value
        second_best = value
    return second_best


def _owner(
    form: Form, field: Field, cast: Mapping[str, Party], values: Mapping[str, Value]
) -> str:
    """Name whom a file is about: somebody whose name the form is told."""
    names = [item for item in form.fields if item.fill in _NAMES and item.id in values]
    named = [item for item in names if item.about == field.about] or names
    if not named:
        return ""
    subject = cast[named[0].about]
    if named[0].fill == "company.name":
        return subject.company.name
    return f"{subject.person.first} {subject.person.last}"


def _in_order(form: Form, values: Mapping[str, Value]) -> dict[str, Value]:
    return {field.id: values[field.id] for field in form.fields if field.id in values}


def _words(text: str) -> str:
    """Spell a text as words with a space on either side, so that whole words are found."""
    words = re.findall(r"[^\W_]+", text.casefold())
    return f" {' '.join(words)} "
