"""
Which control of a page is which in another version of it, by its name first, then by its place.

Controls whose role, name and landmarks are the only such ones on both sides are the same, then
those whose role and name are. What is left between two paired neighbours is paired where a role
has the same names there in both, and where it has one control in both, which was renamed.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen

LANDMARKS: Final = frozenset({
    "banner", "complementary", "contentinfo", "dialog", "form", "main", "navigation", "region",
    "search",
})  # fmt: skip
_ELSE: Final = "other version "  # before the id of what the first version does not have
Pairs: TypeAlias = dict[int, int]  # places of controls: in the one version, in the other


class Control(msgspec.Struct, frozen=True, array_like=True):
    """Name a control of a page as people do; ``landmarks`` are around it, the nearest first."""

    role: str
    name: str
    landmarks: tuple[str, ...] = ()


_KEYS: Final[tuple[Callable[[Control], Hashable], ...]] = (
    lambda one: (one.role, one.name, one.landmarks),
    lambda one: (one.role, one.name),
)


def control_of(element: Element, above: Mapping[str, Element]) -> Control:
    """Name a control as people do; ``above`` are the elements of its screen by id."""
    return Control(element.role, element.name or element.text, tuple(_landmarks(element, above)))


def match_versions(first: Screen, second: Screen) -> dict[str, str]:
    """
    Pair the controls of two versions of a page: ids of the first lead to ids of the second.

    >>> from surefoot.core.geometry import Box
    >>> save = Element("a", "button", Box(0, 0, 9, 9), "Save")
    >>> new = Screen("1", "p", "s", "", 9, 9, 1.0, "web", "en", (save,))
    >>> moved = msgspec.structs.replace(save, id="b", box=Box(5, 5, 9, 9))
    >>> match_versions(new, msgspec.structs.replace(new, elements=(moved,)))
    {'a': 'b'}
    """
    ours, theirs = (
        [element for element in screen.elements if element.role in INTERACTIVE_ROLES]
        for screen in (first, second)
    )
    sides = (
        [control_of(element, {item.id: item for item in screen.elements}) for element in own]
        for own, screen in ((ours, first), (theirs, second))
    )
    return {ours[at].id: theirs[place].id for at, place in pair_controls(*sides).items()}


def as_version(
    first: Screen, second: Screen, variant: str, pairs: Mapping[str, str] | None = None
) -> Screen:
    """
    Return the second version as a variant of the first, elements by their ids in that one.

    ``pairs`` lead from ids of the first to ids of the second; controls are paired where they
    are not given.
    """
    found = match_versions(first, second) if pairs is None else pairs
    back = {other: item for item, other in found.items()}

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


def pair_controls(old: Sequence[Control], new: Sequence[Control]) -> Pairs:
    """Return the places of the same controls on two pages, each given in their order there."""
    pairs: Pairs = {}
    for key in _KEYS:
        taken = set(pairs.values())
        ours = _alone(old, key, pairs)
        theirs = _alone(new, key, taken)
        pairs.update((at, theirs[name]) for name, at in ours.items() if name in theirs)
    for gap, others in _gaps(pairs, len(old), len(new)):
        for role in sorted({old[at].role for at in gap}):
            left = [at for at in gap if old[at].role == role]
            right = [at for at in others if new[at].role == role]
            same = [old[at].name for at in left] == [new[at].name for at in right]
            if same or (len(left) == len(right) == 1 and _is_new_name(old, new, left, right)):
                pairs.update(zip(left, right, strict=True))
    return pairs


def _alone(
    controls: Sequence[Control], key: Callable[[Control], Hashable], taken: Pairs | set[int]
) -> dict[Hashable, int]:
    """Return the places of named controls that are the only ones with their key, by key."""
    left = [
        (key(control), at)
        for at, control in enumerate(controls)
        if control.name and at not in taken
    ]
    counts = Counter(name for name, _ in left)
    return {name: at for name, at in left if counts[name] == 1}


def _is_new_name(
    old: Sequence[Control], new: Sequence[Control], left: Sequence[int], right: Sequence[int]
) -> bool:
    """Tell whether neither page has a control of the other's name: else one came, one went."""
    first, second = old[left[0]], new[right[0]]
    return not any(control.name == first.name for control in new) and not any(
        control.name == second.name for control in old
    )


def _gaps(pairs: Pairs, old: int, new: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield what is left on both pages between two neighbours that are paired in both."""
    taken = set(pairs.values())
    ends = [(-1, -1), *sorted(pairs.items()), (old, new)]
    for (left, there), (right, beyond) in itertools.pairwise(ends):
        if beyond > there:  # else the two have changed places
            others = [at for at in range(there + 1, beyond) if at not in taken]
            yield list(range(left + 1, right)), others


def _landmarks(element: Element, above: Mapping[str, Element]) -> Iterator[str]:
    """Yield the regions that hold an element, the nearest first."""
    at = above.get(element.parent)
    while at is not None:
        if at.role in LANDMARKS:
            yield f"{at.role} '{at.name}'" if at.name else at.role
        at = above.get(at.parent)
