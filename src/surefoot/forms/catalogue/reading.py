"""
Read forms from TOML: the catalogue's own, found by name, and anybody's, found by path.
"""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.registry import suggest
from surefoot.forms.specification import Form

LARGEST_FORM: Final = 1 << 20  # bytes; our longest form takes a thirtieth of it

_REMEDY: Final = "compare it with the example in docs/forms.md"


def read_form(path: Path) -> Form:
    """
    Read one form from a TOML file.

    Raises InvalidInputError where the file cannot be read, is larger than LARGEST_FORM
    bytes, is no TOML, or does not describe a form that agrees with itself.
    """
    place = f"a form in TOML in '{path}'"
    if not path.is_file():
        raise InvalidInputError(place, found="no such file", remedy="name a file that exists")
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FORM + 1)
    except OSError as error:
        raise InvalidInputError(place, found=error, remedy="make it readable") from error
    if len(data) > LARGEST_FORM:
        found = f"more than {LARGEST_FORM} bytes"
        raise InvalidInputError(place, found=found, remedy="shorten or split the form")
    return _form(data, place)


def catalogue() -> dict[str, Form]:
    """
    Return our forms by id, in the order of their codes.

    >>> catalogue()["student_course_registration"].code
    'A15'
    """
    return {form.id: form for form in _forms()}


def find_form(name: str) -> Form:
    """
    Return the form that a name means: an id or a code of ours, or the path of a TOML file.

    Raises UnknownNameError with the nearest ids, and InvalidInputError as read_form does.

    >>> find_form("A15") is find_form("student_course_registration")
    True
    """
    if name.endswith(".toml"):
        return read_form(Path(name))
    ours = catalogue()
    coded = {form.code.lower(): form for form in ours.values()}
    form = ours.get(name) or coded.get(name.lower())
    if form is None:
        remedy = suggest(name, list(ours))
        raise UnknownNameError(
            "a form of the catalogue or a .toml file", found=f"'{name}'", remedy=remedy
        )
    return form


@functools.cache
def _forms() -> tuple[Form, ...]:
    """Read all forms of the catalogue, in the order of their codes."""
    entries = files("surefoot.forms.catalogue").iterdir()
    texts = {entry.name: entry.read_bytes() for entry in entries if entry.name.endswith(".toml")}
    read = [_form(data, f"a form in the catalogue's '{name}'") for name, data in texts.items()]
    return tuple(sorted(read, key=lambda form: (form.code, form.id)))


def _form(data: bytes, place: str) -> Form:
    try:
        return msgspec.convert(tomllib.loads(data.decode("utf-8")), Form)
    # TOML that does not parse, text that is no UTF-8, keys and values that are no form's.
    except (RecursionError, ValueError) as error:
        raise InvalidInputError(place, found=error, remedy=_REMEDY) from error
