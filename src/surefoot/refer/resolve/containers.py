"""
What holds an element: a container by its name or by a text in it, and the section of a heading.

A section is what a heading (or a group's legend) names: the smallest box that the page's
author drew around it. Capture records for each element the heading of its section; the
members of a section are also those of the sections in it.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from surefoot.core.instruction import Expression
from surefoot.core.screen import INTERACTIVE_ROLES, Element
from surefoot.refer.resolve.things import same_thing
from surefoot.refer.scene.geometry import Mask, Reading
from surefoot.refer.scene.names import alike, spoken
from surefoot.refer.scene.scene import STRICTLY_VISIBLE, Scene

FAMILIES: Final = (
    frozenset({
        "article", "complementary", "form", "group", "main", "panel", "region", "section",
        "tabpanel",
    }),
    frozenset({"list", "listbox", "menu", "radiogroup", "tree"}),
    frozenset({"grid", "table", "treegrid"}),
    frozenset({"menubar", "navigation", "tablist", "toolbar"}),
)  # fmt: skip
SECTION: Final = "section"
LEAST_HELD: Final = 2


class ContainerPlace(msgspec.Struct, frozen=True):
    """Point to a container by its place, or to a section by that of its heading."""

    place: int
    section: bool = False


def within(scene: Scene, container: Expression, reading: Reading) -> Mask:
    """
    Tell which elements a container holds.

    Leniently also those whose centre lies in its box, or under a section's heading.
    """
    key = ("within", container, reading)
    if key not in scene.masks:
        mask = np.zeros(len(scene.elements), dtype=bool)
        for holder in holders(scene, container, reading):
            mask |= members(scene, holder, reading)
        scene.masks[key] = mask
    return scene.masks[key]


def holders(scene: Scene, container: Expression, reading: Reading) -> tuple[ContainerPlace, ...]:
    """Return what the words of a container fit, in the screen's order."""
    roles = _roles(container.role, reading)
    seen = _seen(scene, reading)
    found = [
        holder
        for holder in _all_holders(scene)
        if seen[holder.place]
        and _role(scene, holder) in roles
        and members(scene, holder, reading).sum() >= LEAST_HELD
        and _fits(scene, holder, container, reading)
    ]
    if container.text and reading == "strict":
        found = [item for item in found if not _is_around(scene, item, found)]
    return tuple(found)


def members(scene: Scene, holder: ContainerPlace, reading: Reading) -> Mask:
    """Tell which elements a container or a section holds."""
    key = ("members", holder.place, holder.section, reading)
    if key not in scene.masks:
        mask = _section(scene, holder.place) if holder.section else _inside(scene, holder.place)
        if reading == "lenient":
            around = _under(scene, holder.place) if holder.section else _box_of(scene, holder)
            mask = mask | around
        scene.masks[key] = mask
    return scene.masks[key]


def is_one_container(scene: Scene, container: Expression) -> bool:
    """Tell whether all that a container's words could mean is one thing."""
    found = holders(scene, container, "lenient")
    return bool(found) and all(_same(scene, found[0], item) for item in found[1:])


def _same(scene: Scene, one: ContainerPlace, other: ContainerPlace) -> bool:
    if one.section == other.section and same_thing(scene, one.place, other.place):
        return True
    controls, others = (
        scene.thing & members(scene, container, "strict") for container in (one, other)
    )
    return bool(controls.any()) and bool((controls == others).all())


def _all_holders(scene: Scene) -> tuple[ContainerPlace, ...]:
    key = ("containers",)
    if key not in scene.masks:
        places = range(len(scene.elements))
        scene.masks[key] = np.array([_is_container(scene, item) for item in places], dtype=bool)
    containers = [ContainerPlace(int(item)) for item in np.flatnonzero(scene.masks[key])]
    headings = [place for place, element in enumerate(scene.elements) if _is_heading(element)]
    return (*containers, *(ContainerPlace(heading, section=True) for heading in headings))


def _is_container(scene: Scene, place: int) -> bool:
    element = scene.elements[place]
    held = element.role not in INTERACTIVE_ROLES or element.role == "listbox" or not element.hits
    return held and len(list(scene.below(place))) >= LEAST_HELD


def _is_heading(element: Element) -> bool:
    return element.role == "heading" or element.attributes.get("tag") == "legend"


def _seen(scene: Scene, reading: Reading) -> Mask:
    if reading == "lenient":
        return scene.glimpsed
    seen = [element.visible_fraction >= STRICTLY_VISIBLE for element in scene.elements]
    return np.array(seen, dtype=bool)


def _role(scene: Scene, holder: ContainerPlace) -> str:
    return SECTION if holder.section else scene.elements[holder.place].role


def _roles(role: str, reading: Reading) -> frozenset[str]:
    own = frozenset({role})
    if reading == "strict":
        return own
    return own.union(*(family for family in FAMILIES if role in family))


def _fits(scene: Scene, holder: ContainerPlace, container: Expression, reading: Reading) -> bool:
    if container.name:
        name, wanted = scene.names[holder.place], spoken(container.name)
        return name == wanted if reading == "strict" else alike(name, wanted)
    return bool((members(scene, holder, reading) & _showing(scene, container.text, reading)).any())


def _showing(scene: Scene, text: str, reading: Reading) -> Mask:
    """Tell which elements show the text that a container is known by."""
    key = ("showing", text, reading)
    if key not in scene.masks:
        wanted = spoken(text)
        if reading == "strict":
            shown = np.array([item == wanted for item in scene.texts], dtype=bool)
            scene.masks[key] = shown & scene.plain & ~scene.thing
        else:
            shown = np.array([alike(item, wanted) for item in scene.texts], dtype=bool)
            scene.masks[key] = shown & scene.glimpsed
    return scene.masks[key]


def _is_around(scene: Scene, holder: ContainerPlace, others: list[ContainerPlace]) -> bool:
    inside = members(scene, holder, "strict")
    return any(bool(inside[other.place]) for other in others if other != holder)


def _inside(scene: Scene, place: int) -> Mask:
    mask = np.zeros(len(scene.elements), dtype=bool)
    mask[list(scene.below(place))] = True
    return mask


def _box_of(scene: Scene, holder: ContainerPlace) -> Mask:
    left, top, right, bottom = scene.boxes[holder.place]
    x, y = scene.centres.T
    inside: Mask = (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
    inside[[holder.place, *scene.above(holder.place)]] = False
    return inside


def _section(scene: Scene, heading: int) -> Mask:
    mask = np.zeros(len(scene.elements), dtype=bool)
    if not scene.has_sections:
        around = next((item for item in scene.above(heading) if _is_container(scene, item)), None)
        if around is not None:
            held = list(scene.below(around))
            headings = [item for item in held if _is_heading(scene.elements[item])]
            if headings == [heading]:
                mask[held] = True
                mask[heading] = False
        return mask
    for place in range(len(scene.elements)):
        mask[place] = heading in scene.headings(place)
    return mask


def _under(scene: Scene, heading: int) -> Mask:
    """Tell whose centre lies under a heading, in its column, above the next heading."""
    parent = scene.place.get(scene.elements[heading].parent)
    column = scene.frame[0] if parent is None else scene.boxes[parent]
    top, bottom = scene.boxes[heading][1], np.inf
    for place, element in enumerate(scene.elements):
        box = element.box
        below = _is_heading(element) and scene.glimpsed[place] and box.top > top
        if below and min(box.right, column[2]) > max(box.left, column[0]):
            bottom = min(bottom, box.top)
    x, y = scene.centres.T
    found: Mask = (x >= column[0]) & (x <= column[2]) & (y > top) & (y < bottom)
    found[[heading, *scene.above(heading)]] = False
    return found
