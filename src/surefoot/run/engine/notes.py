"""
What a worker process notes beside a unit's result: how it went about it, which no record holds.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Final

_NOTES: Final[ContextVar[list[str] | None]] = ContextVar("notes", default=None)


@contextlib.contextmanager
def collected_notes() -> Iterator[list[str]]:
    """
    Collect the notes of a block, in their order.

    >>> with collected_notes() as notes:
    ...     note("one load")
    >>> notes
    ['one load']
    """
    found: list[str] = []
    token = _NOTES.set(found)
    try:
        yield found
    finally:
        _NOTES.reset(token)


def note(text: str) -> None:
    """Add a note to those that are collected, if any are."""
    found = _NOTES.get()
    if found is not None:
        found.append(text)
