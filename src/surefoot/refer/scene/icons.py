"""
What the pictures in controls show, by what sets of icons, files and titles call them.

``icons.tsv`` has the names of each thing that is surely shown, and first the words that only
tell how it is drawn ("outline", "alt").
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from surefoot.core.screen import Element

FILE: Final = "file:"
UNNAMED: Final = "?"


def icons_of(element: Element) -> frozenset[str]:
    """Return what the pictures of a control surely show."""
    return frozenset(filter(None, map(_shown, _named(element))))


def could_show(element: Element, icon: str) -> bool:
    """
    Tell whether a picture of a control may show an icon: one unknown, or named like it.

    >>> from surefoot.core.geometry import Box
    >>> bell = Element("a", "button", Box(0, 0, 9, 9), attributes={"icons": "bell-slash"})
    >>> could_show(bell, "bell"), could_show(bell, "star"), icons_of(bell)
    (True, False, frozenset())
    """
    words = {part for name, known in _known()[0].items() if known == icon for part in
             name.split("-")}  # fmt: skip
    for name in _named(element):
        shown = _shown(name)
        unknown = name == UNNAMED or (name.startswith(FILE) and not shown)
        if unknown or shown == icon or words & set(name.removeprefix(FILE).split("-")):
            return True
    return False


def _named(element: Element) -> Iterator[str]:
    yield from element.attributes.get("icons", "").split()


def _shown(name: str) -> str:
    icons, styles = _known()
    words = [word for word in name.removeprefix(FILE).split("-") if word not in styles]
    return icons.get("-".join(words), "")


@functools.cache
def _known() -> tuple[dict[str, str], frozenset[str]]:
    lines = Path(__file__).with_name("icons.tsv").read_text("utf-8").splitlines()
    (_, styles), *rows = (line.split("\t") for line in lines)
    return {name: icon for icon, names in rows for name in names.split()}, frozenset(
        styles.split()
    )
