"""
The book of looks at test screens, kept beside a memory: a second look under another choice fails.

Whoever looks at a test, chooses anew and looks again chooses on the test. What is written here
is written before the first question is asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import decode, digest, readable_json
from surefoot.core.errors import PlanMismatchError
from surefoot.core.files import write_atomic
from surefoot.core.ledger import lock_folder
from surefoot.core.plan import first_difference
from surefoot.intervene.items import ParallelItem, UsedScreens

PAPER: Final = "paper"
BOOK: Final = "looks.json"


class ScreenLook(msgspec.Struct, frozen=True):
    """
    Hold one look: under which choice, at which screens, and whether they were held out.
    """

    choice: dict[str, object]
    held_out: bool
    pages: tuple[str, ...]
    images: tuple[str, ...]

    @property
    def screens(self) -> UsedScreens:
        """Return the screens that were looked at."""
        return UsedScreens(frozenset(self.pages), frozenset(self.images))


def note_look(
    memory: Path, items: Iterable[ParallelItem], choice: Mapping[str, object], *, held_out: bool
) -> None:
    """
    Note that items are about to be looked at under a choice; the same look again is none.

    Raises PlanMismatchError for a held-out look at screens that were looked at under another
    choice, whatever its protocol.
    """
    found = tuple(items)
    shown = UsedScreens().with_items(found)
    look = ScreenLook(
        dict(choice), held_out, tuple(sorted(shown.pages)), tuple(sorted(shown.images))
    )
    lock = lock_folder(memory)
    try:
        looks = read_looks(memory)
        same = digest(look.choice)
        for earlier in looks if held_out else ():
            met = sum(earlier.screens.meets(item) for item in found)
            if met and digest(earlier.choice) != same:
                raise PlanMismatchError(
                    f"test items that were never looked at, or under this choice, by {memory}",
                    found=f"{met} of {len(found)} looked at under another one "
                    f"({first_difference(earlier.choice, look.choice)})",
                    remedy="test on other screens; a second look at these chooses on the test",
                )
        if all(digest(earlier) != digest(look) for earlier in looks):
            write_atomic(memory / BOOK, readable_json([*looks, look]))
    finally:
        os.close(lock)


def read_looks(memory: Path) -> list[ScreenLook]:
    """Return the looks that were noted beside a memory, the first one first."""
    path = memory / BOOK
    if not path.is_file():
        return []
    return decode(path.read_bytes(), list[ScreenLook], what=str(path))
