"""
What holds an element: containers, and the sections that headings name.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.core.instruction import Expression
from surefoot.core.screen import Element
from surefoot.refer.judge.ground import Ground, Reading, name_said, text_said
from surefoot.refer.judge.measure import overlap
from surefoot.refer.judge.words import alike, begins_with, same_spelling

FAMILIES: Final = (
    {
        "region",
        "group",
        "form",
        "section",
        "article",
        "tabpanel",
        "panel",
        "complementary",
        "main",
    },
    {"list", "listbox", "menu", "tree", "radiogroup"},
    {"table", "grid", "treegrid"},
    {"toolbar", "menubar", "tablist", "navigation"},
)
HALF: Final[dict[Reading, float]] = {"strict": 1 / 2, "lenient": 1 / 20}
LEAST: Final = 2


class HeldGroup(msgspec.Struct, frozen=True):
    """
    Hold one container or section: its element (a section's heading) and members.

    ``generous`` are the members under the lenient reading.
    """

    at: int
    section: bool
    members: frozenset[int]
    generous: frozenset[int]


def holders(ground: Ground, expression: Expression, reading: Reading) -> list[HeldGroup]:
    """Return everything that a container's expression fits under a reading."""
    return [
        holder
        for holder in _all_holders(ground, expression.role, reading)
        if len(holder.members if reading == "strict" else holder.generous) >= LEAST
        and _is_called(ground, holder, expression, reading)
        and _shows(ground, holder, expression, reading)
    ]


def held_by(ground: Ground, found: list[HeldGroup], reading: Reading) -> set[int]:
    """Return every element that is in one of the holders under a reading."""
    if reading == "strict":
        return {member for holder in found for member in holder.members}
    held = {place for holder in found for place in holder.generous}
    for at, element in enumerate(ground.elements):
        for holder in found:
            around = holder.section or holder.at == at or holder.at in ground.descendants(at)
            if not around and ground.elements[holder.at].box.contains(element.box.center):
                held.add(at)
    return held


def same_holder(ground: Ground, one: HeldGroup, other: HeldGroup) -> bool:
    """Tell whether two holders are one thing, or hold the same controls."""
    if not (one.section or other.section) and ground.one_thing(one.at, other.at):
        return True
    mine = {member for member in one.members if ground.control(member)}
    return bool(mine) and mine == {member for member in other.members if ground.control(member)}


def _family(role: str) -> set[str]:
    return next((family for family in FAMILIES if role in family), {role})


def _all_holders(ground: Ground, role: str, reading: Reading) -> list[HeldGroup]:
    roles = {role} if reading == "strict" else _family(role)
    found = []
    for at, element in enumerate(ground.elements):
        if element.visible_fraction < HALF[reading]:
            continue
        may_hold = element.role == "listbox" or not ground.control(at)
        if may_hold and element.role in roles:
            below = frozenset(ground.descendants(at))
            found.append(HeldGroup(at, False, below, below))  # noqa: FBT003
        if "section" in roles and _heads(element):
            found.append(_section(ground, at))
    return found


def _heads(element: Element) -> bool:
    return element.role == "heading" or element.attributes.get("tag") == "legend"


def _is_called(
    ground: Ground, holder: HeldGroup, expression: Expression, reading: Reading
) -> bool:
    if not expression.name:
        return True
    name = name_said(ground.elements[holder.at])
    if reading == "lenient":
        return alike(name, expression.name)
    cut = expression.name_cut and begins_with(name, expression.name)
    return cut or same_spelling(name, expression.name)


def _shows(ground: Ground, holder: HeldGroup, expression: Expression, reading: Reading) -> bool:
    """Tell whether a holder is the one with the text, the innermost strictly."""
    if not expression.text:
        return True
    if reading == "lenient":
        return _has_text(ground, holder.generous, expression.text, reading)
    inner = (
        member
        for member in holder.members
        if ground.elements[member].role == expression.role
        and len(ground.descendants(member)) >= LEAST
        and ground.elements[member].visible_fraction >= HALF[reading]
    )
    return _has_text(ground, holder.members, expression.text, reading) and not any(
        _has_text(ground, frozenset(ground.descendants(place)), expression.text, reading)
        for place in inner
    )


def _has_text(ground: Ground, members: frozenset[int], text: str, reading: Reading) -> bool:
    for member in members:
        if not ground.visible(member, reading):
            continue
        shown = text_said(ground.elements[member])
        if reading == "lenient" and alike(shown, text):
            return True
        if not ground.control(member) and same_spelling(shown, text):
            return True
    return False


def _section(ground: Ground, heading: int) -> HeldGroup:
    members = frozenset(_members(ground, heading))
    generous = members | _band(ground, heading)
    return HeldGroup(heading, True, members, generous)  # noqa: FBT003


def _members(ground: Ground, heading: int) -> set[int]:
    """Return a section's members, from what the capture says or else from the tree."""
    if any("section" in element.attributes for element in ground.elements):
        return _recorded_members(ground, heading)
    for above in ground.ancestors(heading):
        if ground.elements[above].hits or ground.control(above):
            continue
        below = ground.descendants(above) - {heading}
        headed = any(_heads(ground.elements[place]) for place in below)
        return set() if headed else below
    return set()


def _recorded_members(ground: Ground, heading: int) -> set[int]:
    """Return what names the heading as its section, or something that does, and so on."""
    found: set[int] = set()
    fresh = [heading]
    while fresh:
        own = ground.elements[fresh.pop()].id
        for at, element in enumerate(ground.elements):
            if element.attributes.get("section") == own and at not in found:
                found.add(at)
                fresh.append(at)
    return found - {heading}


def _band(ground: Ground, heading: int) -> set[int]:
    """Return what lies in a heading's column down to the next heading there."""
    element = ground.elements[heading]
    parent = ground.index.get(element.parent)
    column = ground.screen.bounds if parent is None else ground.elements[parent].box
    lower = [
        item.box.top
        for at, item in enumerate(ground.elements)
        if _heads(item)
        and ground.visible(at, "lenient")
        and item.box.top > element.box.top
        and overlap((item.box.left, item.box.right), (column.left, column.right)) > 0
    ]
    end = min(lower, default=float("inf"))
    return {
        at
        for at, item in enumerate(ground.elements)
        if at != heading
        and heading not in ground.descendants(at)
        and column.left <= item.box.center.x <= column.right
        and element.box.top < item.box.center.y < end
    }
