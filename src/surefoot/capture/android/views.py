"""
One view of an Android screen, the same whichever dump it was read from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from surefoot.core.geometry import Box


class AndroidView(msgspec.Struct, frozen=True):
    """
    Hold what a dump tells of one view.

    ``parent`` is a place in the dump, -1 for a root; ``path`` are its places among its
    siblings from the root down. ``drawing`` ranks it among its siblings from the lowest to
    the topmost, where the dump tells. ``box`` is in pixels of the dump's own space, None where
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
    drawing: int | None = None

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

    views: Sequence[AndroidView]
    width: float | None = None
    height: float | None = None


def painting_order(views: Sequence[AndroidView]) -> list[int]:
    """
    Return the places of views from the lowest to the topmost.

    A view lies below all that it holds. Siblings are in the order that they are drawn in
    where all of them tell it, else as they are listed.

    >>> drawn = ((0, 2), (1, 1))
    >>> low, high = (AndroidView((at,), -1, None, drawing=rank) for at, rank in drawn)
    >>> painting_order([low, high])
    [1, 0]
    """
    children: dict[int, list[int]] = {}
    for place, view in enumerate(views):
        children.setdefault(view.parent, []).append(place)
    return list(_painted(views, children))


def _painted(views: Sequence[AndroidView], children: dict[int, list[int]]) -> Iterator[int]:
    waiting = [-1]
    while waiting:
        place = waiting.pop()
        if place >= 0:
            yield place
        siblings = children.get(place, [])
        ranks = [views[sibling].drawing for sibling in siblings]
        known = [rank for rank in ranks if rank is not None]
        if len(known) == len(siblings):
            siblings = [item for _, item in sorted(zip(known, siblings, strict=True))]
        waiting += reversed(siblings)
