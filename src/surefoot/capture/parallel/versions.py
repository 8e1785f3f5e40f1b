"""
Which element of a page is which in another version of it, by its name first, then by structure.

Two elements are one where role, name, the named parts of the page around them and the roles
above them are the same, and there is one such on either side; then where less of that is. What
is left is paired as it is in two languages, by structure alone, where names do not speak against
it: both are alike or there is none, or the elements beside both are paired with each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.capture.parallel.matching import match_screens
from surefoot.capture.parallel.structure import Structure
from surefoot.core.screen import Element, Screen

LANDMARKS: Final = frozenset({
    "article", "banner", "complementary", "contentinfo", "dialog", "form", "group", "main",
    "navigation", "region", "search", "table", "tablist", "toolbar",
})  # fmt: skip
_ELSE: Final = "other version "  # before the id of what the first version does not have


def match_versions(first: Screen, second: Screen) -> dict[str, str]:
    """
    Pair elements of two versions of a page: ids of the first lead to ids of the second.

    >>> from surefoot.core.geometry import Box
    >>> save = Element("a", "button", Box(0, 0, 9, 9), "Save")
    >>> new = Screen("1", "p", "s", "", 9, 9, 1.0, "web", "en", (save,))
    >>> moved = msgspec.structs.replace(save, id="b", box=Box(5, 5, 9, 9))
    >>> match_versions(new, msgspec.structs.replace(new, elements=(moved,)))
    {'a': 'b'}
    """
    sides = _Side(first.elements), _Side(second.elements)
    pairs: dict[str, str] = {}
    taken: set[str] = set()
    for sign in (_Side.whole, _Side.within, _Side.named):
        ours, theirs = (
            _once(side, sign, known) for side, known in zip(sides, (pairs, taken), strict=True)
        )
        for key in ours.keys() & theirs.keys():
            pairs[ours[key]] = theirs[key]
            taken.add(theirs[key])
    walked = match_screens(first, second, Structure(), Structure()).pairs
    for one, other in walked.items():
        if one in pairs or other in taken:
            continue
        names = sides[0].elements[one].name, sides[1].elements[other].name
        alike = names[0] == names[1] or not all(names)
        if alike or _between_pairs(one, other, sides, pairs):
            pairs[one] = other
            taken.add(other)
    return pairs


def as_version(first: Screen, second: Screen, variant: str) -> Screen:
    """Return the second version as a variant of the first, elements by their ids in that one."""
    back = {other: one for one, other in match_versions(first, second).items()}

    def known(name: str) -> str:
        return back.get(name) or (f"{_ELSE}{name}" if name else "")

    def told(element: Element) -> Element:
        attributes = dict(element.attributes)
        if "section" in attributes:
            attributes["section"] = known(attributes["section"])
        return msgspec.structs.replace(
            element, id=known(element.id), parent=known(element.parent), attributes=attributes
        )

    return msgspec.structs.replace(
        second,
        id=f"{first.id} {variant}",
        page=first.page,
        site=first.site,
        variant=variant,
        elements=tuple(map(told, second.elements)),
    )


class _Side:
    """Hold the elements of a version, what stands around each, and what beside."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self.elements = {element.id: element for element in elements}
        self.beside: dict[str, tuple[str, str]] = {}
        children: dict[str, list[str]] = {}
        for element in elements:
            children.setdefault(element.parent, []).append(element.id)
        for own in children.values():
            for before, here, after in zip(["", *own], own, [*own[1:], ""], strict=False):
                self.beside[here] = before, after

    def above(self, element: Element) -> list[Element]:
        found: list[Element] = []
        parent = self.elements.get(element.parent)
        while parent is not None and parent not in found:
            found.append(parent)
            parent = self.elements.get(parent.parent)
        return found

    def whole(self, element: Element) -> Hashable:
        """Name an element by itself, the parts of the page around it and the roles above it."""
        roles = tuple(one.role for one in self.above(element))
        return (*self._within(element), roles)

    def within(self, element: Element) -> Hashable:
        """Name an element by itself and the parts of the page around it."""
        return self._within(element)

    def named(self, element: Element) -> Hashable:
        """Name an element by its role and its name."""
        return element.role, element.name

    def _within(self, element: Element) -> tuple[Hashable, ...]:
        around = (one for one in self.above(element) if one.role in LANDMARKS)
        return element.role, element.name, tuple((one.role, one.name) for one in around)


def _once(
    side: _Side, sign: Callable[[_Side, Element], Hashable], known: Collection[str]
) -> dict[Hashable, str]:
    """Return the elements with a name that nothing else on their side is known by."""
    left = [one for one in side.elements.values() if one.name and one.id not in known]
    keys = [sign(side, one) for one in left]
    counts = Counter(keys)
    return {key: one.id for key, one in zip(keys, left, strict=True) if counts[key] == 1}


def _between_pairs(
    one: str, other: str, sides: tuple[_Side, _Side], pairs: Mapping[str, str]
) -> bool:
    """Tell whether what stands before and behind two elements is paired with each other."""
    ours, theirs = sides[0].beside[one], sides[1].beside[other]
    return all(bool(a) and pairs.get(a) == b for a, b in zip(ours, theirs, strict=True))
