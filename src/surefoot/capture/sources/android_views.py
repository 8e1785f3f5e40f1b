"""
One view of an Android screen, the same whichever dump it was read from.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from surefoot.core.geometry import Box

__all__ = ["Dump", "View"]


class View(msgspec.Struct, frozen=True):
    """
    Hold what a dump tells of one view.

    ``parent`` is a place in the dump, -1 for a root; ``path`` are its places among its
    siblings from the root down. ``box`` is in pixels of the dump's own space, None where
    the view has no area.
    """

    path: tuple[int, ...]
    parent: int
    box: Box | None
    class_name: str = ""
    ancestors: tuple[str, ...] = ()
    package: str = ""
    resource_id: str = ""
    text: str = ""
    description: str = ""
    hint: str = ""
    clickable: bool = False
    long_clickable: bool = False
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    focused: bool = False
    enabled: bool = True
    scrollable: bool = False
    password: bool = False

    @property
    def acts(self) -> bool:
        """Tell whether a touch does something here."""
        return self.clickable or self.long_clickable

    @property
    def id(self) -> str:
        """Return the class and the path, which no other view of the dump has."""
        simple = self.class_name.replace("$", ".").rpartition(".")[2] or "view"
        return f"{simple.lower()}-{'.'.join(map(str, self.path))}"


class Dump(msgspec.Struct, frozen=True):
    """
    Hold a dump: its views in painting order, parents before children.

    ``width`` and ``height`` are the size of the space that the boxes are in, None where
    they are pixels of the picture.
    """

    views: Sequence[View]
    width: float | None = None
    height: float | None = None
