"""
The languages that expressions can be said in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from surefoot.core.errors import UnknownNameError
from surefoot.refer.languages.english import ENGLISH
from surefoot.refer.languages.phrases import Language

__all__ = ["LANGUAGES", "language_of"]

LANGUAGES: Final[Mapping[str, Language]] = {"en": ENGLISH}


def language_of(code: str) -> Language:
    """
    Return a language's table by its code; raises UnknownNameError for one without.

    >>> language_of("en").directions["left of"]
    'directly to the left of {landmark}'
    """
    if code not in LANGUAGES:
        raise UnknownNameError(f"a language among {', '.join(LANGUAGES)}", found=f"'{code}'")
    return LANGUAGES[code]
