"""
The words around a reference, by language: actions, directions, quotes.

A language is one more entry here and one more table in ``roles``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.instruction import Action, Direction

__all__ = ["Phrases", "phrases_of", "quoted"]

# The first pair of which neither sign is in the text is used.
QUOTES: Final = ("''", '""', "\u201c\u201d", "\u00ab\u00bb", "``")


class Phrases(msgspec.Struct, frozen=True):
    """
    Hold a language's templates.

    ``actions`` have {target} and {value}; ``named`` and ``beginning`` have {name} and
    {role}, ``plain`` has {role}; ``directions`` have {target} and {landmark}.
    """

    actions: Mapping[Action, str]
    plain: str
    named: str
    beginning: str
    directions: Mapping[Direction, str]


_PHRASES: Final[Mapping[str, Phrases]] = {
    "en": Phrases(
        actions={
            "click": "Click {target}",
            "type": "Type {value} in {target}",
            "select": "Select {value} in {target}",
        },
        plain="the {role}",
        named="the {name} {role}",
        beginning="the {role} that begins with {name}",
        directions={
            "above": "{target} directly above {landmark}",
            "below": "{target} directly below {landmark}",
            "left of": "{target} directly to the left of {landmark}",
            "right of": "{target} directly to the right of {landmark}",
        },
    )
}


def phrases_of(language: str) -> Phrases:
    """
    Return a language's templates; raises UnknownNameError for one without.

    >>> phrases_of("en").directions["left of"]
    '{target} directly to the left of {landmark}'
    """
    if language not in _PHRASES:
        raise UnknownNameError(f"a language among {', '.join(_PHRASES)}", found=f"'{language}'")
    return _PHRASES[language]


def quoted(text: str) -> str:
    r"""
    Put text into quotes that do not occur in it.

    Raises InvalidInputError where every kind of quotes occurs.

    >>> quoted("Save"), quoted("What's new")
    ("'Save'", '"What\'s new"')
    """
    for opening, closing in QUOTES:
        if opening not in text and closing not in text:
            return f"{opening}{text}{closing}"
    raise InvalidInputError("a text that some kind of quotes can hold", found=text)
