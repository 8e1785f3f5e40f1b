"""
Read options by their value or by their label in any language; several in any order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from surefoot.forms.specification import Field, Option

__all__ = ["read_choice", "read_choices"]

_LONGEST: Final = 2000
_BETWEEN: Final = re.compile(r"\s*[;,\n|\u3001\uff0c\uff1b\u060c]\s*")
_DASH: Final = re.compile(r"\s*[-\u2010-\u2014]\s*")
_MOST_PARTS: Final = 64


def read_choice(field: Field, text: str, language: str = "en") -> str | None:
    """
    Return the value of the option that a text names, or None.

    A value outranks a label, and a label in the language one in English, which outranks
    the others; case and white space do not matter. A label that names two options of the
    first rank in which it occurs names none.
    """
    said = _folded(text) if len(text) <= _LONGEST else ""
    if not said:
        return None
    for spelled in _ranks(language):
        found = {each.value for each in field.options if said in spelled(each)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def read_choices(
    field: Field, texts: Sequence[str], language: str = "en"
) -> tuple[str, ...] | None:
    """
    Return the sorted values of the options named, or None where one is unknown or none is.

    A text may name several, apart by commas, semicolons, bars or lines; a label that holds
    such a sign itself is still found.
    """
    chosen: set[str] = set()
    for text in texts:
        found = _several(field, text, language)
        if found is None:
            return None
        chosen |= found
    return tuple(sorted(chosen)) or None


def _several(field: Field, text: str, language: str) -> set[str] | None:
    """Read one text as options, the longest label first at each place."""
    if len(text) > _LONGEST:
        return None
    gaps = list(_BETWEEN.finditer(text))
    if len(gaps) >= _MOST_PARTS:
        return None
    starts = [0, *(each.end() for each in gaps)]
    stops = [*(each.start() for each in gaps), len(text)]
    found: set[str] = set()
    at = 0
    while at < len(starts):
        for last in reversed(range(at, len(stops))):
            value = read_choice(field, text[starts[at] : stops[last]], language)
            if value is not None:
                found.add(value)
                at = last + 1
                break
        else:
            return None
    return found


def _ranks(language: str) -> Iterator[Callable[[Option], set[str]]]:
    """Yield, best first, the ways in which an option may be named."""
    yield lambda option: {_folded(option.value)}
    yield lambda option: {_folded(option.label.get(language, ""))}
    yield lambda option: {_folded(option.label["en"])}
    yield lambda option: {_folded(each) for each in option.label.values()}


def _folded(text: str) -> str:
    """Fold case, width, white space, apostrophes, and how dashes are written and set apart."""
    text = _DASH.sub("-", text)
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    return " ".join(plain.casefold().split())
