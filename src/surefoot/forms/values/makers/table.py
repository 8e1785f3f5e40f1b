"""
The table of makers, by the name that a field's ``fill`` gives.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from surefoot.core.errors import UnknownNameError
from surefoot.core.registry import suggest
from surefoot.forms.values.makers.grammar import grammar_makers
from surefoot.forms.values.makers.people import PEOPLE
from surefoot.forms.values.makers.quantities import QUANTITIES
from surefoot.forms.values.makers.scene import Maker
from surefoot.forms.values.makers.uploads import UPLOADS

__all__ = ["find_maker", "maker_names"]


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
