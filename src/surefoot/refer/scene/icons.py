"""
What the pictures in controls show: by what sets of icons, files and titles call them, or by shape.

``icons.tsv`` has the names of each thing that is surely shown, and first the words that only
tell how it is drawn ("outline", "alt").
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from surefoot.core.screen import Element
from surefoot.refer.scene.scene import Scene

FILE: Final = "file:"
UNNAMED: Final = "?"


def icons_of(scene: Scene, place: int) -> frozenset[str]:
    """Return what the pictures of a control (by its place) surely show."""
    names = list(_named(scene.elements[place]))
    known = frozenset(filter(None, map(shown_by, names)))
    if known or len(names) != 1 or not _is_unknown(names[0]):
        return known
    return frozenset(filter(None, [scene.icon_shape(place)]))


def could_show(scene: Scene, place: int, icon: str) -> bool:
    """Tell whether a picture of a control may show an icon: one unknown, or named like it."""
    names = list(_named(scene.elements[place]))
    shape = scene.icon_shape(place) if len(names) == 1 else ""
    words = dict(icon_words())[icon]
    for name in names:
        shown = shown_by(name)
        unknown = _is_unknown(name) and shape in ("", icon)
        if unknown or shown == icon or words & set(name.removeprefix(FILE).split("-")):
            return True
    return False


def shown_by(name: str) -> str:
    """
    Return what a picture of this name surely shows, "" where that is not sure.

    >>> shown_by("bell-outline"), shown_by("bell-slash")
    ('bell', '')
    """
    icons, styles = _known()
    words = [word for word in name.removeprefix(FILE).split("-") if word not in styles]
    return icons.get("-".join(words), "")


@functools.cache
def icon_words() -> tuple[tuple[str, set[str]], ...]:
    """Return for each icon the words that are in its names."""
    found: dict[str, set[str]] = {}
    for name, icon in _known()[0].items():
        found.setdefault(icon, set()).update(name.split("-"))
    return tuple(found.items())


def _named(element: Element) -> Iterator[str]:
    yield from element.attributes.get("icons", "").split()


def _is_unknown(name: str) -> bool:
    return name == UNNAMED or (name.startswith(FILE) and not shown_by(name))


@functools.cache
def _known() -> tuple[dict[str, str], frozenset[str]]:
    lines = Path(__file__).with_name("icons.tsv").read_text("utf-8").splitlines()
    (_, styles), *rows = (line.split("\t") for line in lines)
    return {name: icon for icon, names in rows for name in names.split()}, frozenset(
        styles.split()
    )
