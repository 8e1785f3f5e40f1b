"""
Elements that recur on the pages of a site: which page each of them is asked for on.

A menu stands on every page of its site. Asking for the same entry on each of them would
count one observation many times, so an element is a target on one page alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import msgspec

from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.refer.generate.generate import targets
from surefoot.refer.scene.scene import Scene

__all__ = ["REPEAT", "asked_elsewhere", "spread_recurring"]

Identity: TypeAlias = tuple[str, ...]
REPEAT: Final = "asked for on another page of the site"
ASKED_ON: Final = "asked-on"  # an attribute: the page of the site that asks for the element


def spread_recurring(screens: Iterable[Screen], seed: int) -> tuple[Screen, ...]:
    """
    Mark the elements of each screen that are asked for on another page of its site.

    Two targets of a site are one element where role and name, the roles of what they stand
    in, and their number among those of a page that share all this, are the same; without a
    name, where their position in the page's structure is. The seed draws, for each element
    by itself, the page on which it is asked for, among the pages that show it.
    """
    originals = tuple(screens)
    found: defaultdict[Identity, dict[str, str]] = defaultdict(dict)
    for screen in originals:
        for identity, element in _identities(screen):
            found[identity][screen.page] = element.id
    elsewhere: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for identity, places in found.items():
        asked_on = random_source(seed, "recurring", *identity).choice(sorted(places))
        for page in places.keys() - {asked_on}:
            elsewhere[page][places[page]] = asked_on
    return tuple(_marked(screen, elsewhere[screen.page]) for screen in originals)


def asked_elsewhere(element: Element) -> bool:
    """Tell whether another page of the element's site asks for it."""
    return ASKED_ON in element.attributes


def _identities(screen: Screen) -> Iterator[tuple[Identity, Element]]:
    scene = Scene(screen)
    seen: Counter[Identity] = Counter()
    for element in targets(scene):
        around = (scene.elements[place].role for place in scene.above(scene.place[element.id]))
        kind = (screen.site or screen.page, element.role, element.name, *around)
        seen[kind] += 1
        yield (*kind, str(seen[kind]) if element.name else element.id), element


def _marked(screen: Screen, elsewhere: dict[str, str]) -> Screen:
    if not elsewhere:
        return screen
    elements = tuple(
        msgspec.structs.replace(each, attributes={**each.attributes, ASKED_ON: elsewhere[each.id]})
        if each.id in elsewhere
        else each
        for each in screen.elements
    )
    return msgspec.structs.replace(screen, elements=elements)
