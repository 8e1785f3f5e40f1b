"""
What of a page's structure its elements do not tell: keys that are the same in every language.
"""

from __future__ import annotations

from typing import Self

import msgspec

from surefoot.core.screen import Screen


class Structure(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Hold what tells elements apart without any word that is read.

    ``keys`` are, by element id, where a link leads, what a picture shows, and the name and
    value that a control is sent with: a main part and, after a line break, a part that may
    differ (a query, a value). ``surroundings`` are digests of the tags beside an element and
    beside all above it: where two are the same, so is what the same id names. ``language`` is
    what the document says of itself, "" if nothing.
    """

    language: str = ""
    keys: dict[str, str] = {}
    surroundings: dict[str, str] = {}


class ParallelScreen(Screen, frozen=True, omit_defaults=True):
    """Hold a screen together with its structure, to be matched with that of another language."""

    structure: Structure = Structure()

    @classmethod
    def of(cls, screen: Screen, structure: Structure) -> Self:
        """Return a screen with a structure."""
        return cls(**msgspec.structs.asdict(screen), structure=structure)
