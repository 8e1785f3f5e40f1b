"""
What a worker process notes beside a unit's result: how it went about it, which no record holds.
"""

from __future__ import annotations

_noted: list[str] = []


def note(text: str) -> None:
    """Add a note to the unit that this process works on."""
    _noted.append(text)


def take_notes() -> tuple[str, ...]:
    """
    Return the notes since the last call.

    >>> note("one load")
    >>> take_notes(), take_notes()
    (('one load',), ())
    """
    found = tuple(_noted)
    _noted.clear()
    return found
