"""
Which element of a page is which in another language, by structure and never by its words.

Both trees are walked from their roots. Below two elements that are matched, children are paired
by what they lead to or are sent as, wherever they stand now; then by their id, where the same
tags stand beside them and beside all above them; the others by their role and what lies in them,
in their order, where both sides have as many of them. Where they have not, nothing tells which
is missing, and none of them is paired.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.capture.parallel.structure import Structure
from surefoot.core.screen import Element, Screen

ROOT: Final = ""
# Words and signs within a sentence, which every language orders in its own way.
WITHIN: Final = frozenset(
    {"text", "strong", "emphasis", "code", "mark", "time", "deletion", "insertion"}
    | {"subscript", "superscript"}
)


class Matching(msgspec.Struct, frozen=True):
    """
    Hold pairs of element ids, and the shares of what is visible that they cover.

    ``pairs`` leads from an id of the first screen to one of the second. ``share`` is the
    smaller of two: matched elements among the visible ones of the first screen, and of the
    second. ``unmatched`` counts visible elements of the first screen without a partner, by
    reason: "other number" of siblings alike, "other order" of siblings, "other sentence", or
    "inside" of what has no partner itself.
    """

    pairs: dict[str, str]
    share: float
    unmatched: dict[str, int]


def match_screens(
    first: Screen, second: Screen, first_structure: Structure, second_structure: Structure
) -> Matching:
    """
    Match two screens of one page, whose keys hold in both languages.

    Names serve only to find lists that are in another order than they were; such a list is
    left out where its entries have no keys.

    >>> from surefoot.core.geometry import Box
    >>> page = [Element("a", "link", Box(0, 0, 9, 9), "Home", visible_fraction=1.0)]
    >>> one = Screen("1", "p", "s", "", 9, 9, 1.0, "web", "en", tuple(page))
    >>> other = msgspec.structs.replace(one, id="2", locale="fr")
    >>> match_screens(one, other, Structure(), Structure()).pairs
    {'a': 'a'}
    """
    left = _Tree(first.elements, first_structure)
    right = _Tree(second.elements, second_structure)
    walk = _Walk(left, right)
    walk.run()
    return Matching(walk.pairs, _share(left, right, walk.pairs), walk.reasons())


class _Tree:
    """Hold the elements of a screen by id, with their children and what lies in them."""

    def __init__(self, elements: Sequence[Element], structure: Structure) -> None:
        self.elements = {element.id: element for element in elements}
        self.keys = structure.keys
        self.surroundings = structure.surroundings
        self.children: dict[str, list[str]] = defaultdict(list)
        for element in elements:
            above = element.parent if element.parent in self.elements else ROOT
            self.children[above].append(element.id)
        self.shapes: dict[str, int] = {}
        self.inside: dict[str, tuple[str, ...]] = {}
        for element in reversed(elements):
            self._sum_up(element)

    def kind(self, element_id: str) -> tuple[str, str, str]:
        """Return an element's role, tag and type of input."""
        element = self.elements[element_id]
        attributes = element.attributes
        return element.role, attributes.get("tag", ""), attributes.get("type", "")

    def main(self, element_id: str) -> str:
        """Return the part of an element's key that may not differ."""
        return self.keys.get(element_id, "").partition("\n")[0]

    @property
    def visible(self) -> set[str]:
        """Return the ids of the elements of which something is seen."""
        return {key for key, item in self.elements.items() if item.visible_fraction > 0}

    def _sum_up(self, element: Element) -> None:
        """Note the shape and the keys of what lies in an element; children are noted before."""
        below = [item for item in self.children[element.id] if item in self.shapes]
        lasting = [item for item in below if self.elements[item].role not in WITHIN]
        shape = (self.kind(element.id), tuple(self.shapes[item] for item in lasting))
        self.shapes[element.id] = hash(shape)
        own = self.keys.get(element.id, "")
        found = [own] if own else []
        self.inside[element.id] = (*found, *(key for item in below for key in self.inside[item]))


class _Walk:
    """Pair the elements of two trees, from their roots down."""

    def __init__(self, left: _Tree, right: _Tree) -> None:
        self.left = left
        self.right = right
        self.pairs: dict[str, str] = {}
        self._taken: set[str] = set()
        self._why: dict[str, str] = {}
        self._waiting: list[tuple[str, str]] = [(ROOT, ROOT)]

    def run(self) -> None:
        """Pair all that can be paired: below what is paired, then by keys that only one has."""
        while self._waiting:
            while self._waiting:
                self._below(*self._waiting.pop())
            self._moved()

    def reasons(self) -> dict[str, int]:
        """Count the visible elements without a partner by the reason."""
        lost = sorted(self.left.visible - self.pairs.keys())
        return dict(sorted(Counter(self._why.get(item, "inside") for item in lost).items()))

    def _below(self, first: str, second: str) -> None:
        ours = [item for item in self.left.children[first] if item not in self.pairs]
        theirs = [item for item in self.right.children[second] if item not in self._taken]
        ours, theirs = self._paired(ours, theirs, _by_keys)
        ours = self._without(ours, theirs, _reordered, "other order")
        ours, theirs = self._paired(ours, theirs, _by_place)
        ours = self._without(ours, theirs, _uneven, "other number")
        ours, theirs = self._paired(ours, theirs, _by_shape)
        self._paired(ours, theirs, _by_kind)

    def _without(
        self,
        ours: list[str],
        theirs: list[str],
        doubtful: Callable[[_Tree, list[str], _Tree, list[str]], bool],
        why: str,
    ) -> list[str]:
        """Return siblings without those of a kind in which nothing tells them apart."""
        groups = _grouped(ours, self.left, _by_kind)
        others = _grouped(theirs, self.right, _by_kind)
        left = {
            item
            for key, group in groups.items()
            if doubtful(self.left, group, self.right, others.get(key, []))
            for item in group
        }
        self._why.update(dict.fromkeys(left, why))
        return [item for item in ours if item not in left]

    def _paired(
        self, ours: list[str], theirs: list[str], sign: Callable[[_Tree, str], Hashable]
    ) -> tuple[list[str], list[str]]:
        """Pair those that one sign stands for, as often on both sides, in their order."""
        groups, others = _grouped(ours, self.left, sign), _grouped(theirs, self.right, sign)
        for key, group in groups.items():
            other = others.get(key, [])
            if key is None or len(group) != len(other):
                continue
            if sign in SHAPED and self._other_sentence(group[0], other[0]):
                self._why.update(dict.fromkeys(group, "other sentence"))
                continue
            self._pair(zip(group, other, strict=True))
        return (
            [item for item in ours if item not in self.pairs],
            [item for item in theirs if item not in self._taken],
        )

    def _pair(self, found: Iterable[tuple[str, str]]) -> None:
        for ours, theirs in found:
            self.pairs[ours] = theirs
            self._taken.add(theirs)
            self._waiting.append((ours, theirs))

    def _other_sentence(self, ours: str, theirs: str) -> bool:
        within = self.left.elements[ours].role in WITHIN
        return within and _roles_beside(self.left, ours) != _roles_beside(self.right, theirs)

    def _moved(self) -> None:
        """Pair what stands elsewhere now, where its key is one of a kind on both sides."""
        ours = [item for item in self.left.elements if item not in self.pairs]
        theirs = [item for item in self.right.elements if item not in self._taken]
        groups = _grouped(ours, self.left, _by_keys)
        others = _grouped(theirs, self.right, _by_keys)
        for key, group in groups.items():
            other = others.get(key, [])
            if key is not None and len(group) == len(other) == 1:
                self._pair([(group[0], other[0])])


def _by_keys(tree: _Tree, item: str) -> Hashable:
    inside = tree.inside[item]
    return (tree.kind(item), tuple(sorted(inside))) if inside else None


def _by_place(tree: _Tree, item: str) -> Hashable:
    return item, tree.kind(item), tree.main(item), tree.surroundings.get(item, "")


def _by_shape(tree: _Tree, item: str) -> Hashable:
    return tree.kind(item), tree.main(item), tree.shapes[item]


def _by_kind(tree: _Tree, item: str) -> Hashable:
    return tree.kind(item), tree.main(item)


# Signs that go by order among siblings alike, which a sentence does not keep.
SHAPED: Final = (_by_shape, _by_kind)


def _grouped(
    items: Iterable[str], tree: _Tree, sign: Callable[[_Tree, str], Hashable]
) -> dict[Hashable, list[str]]:
    groups: dict[Hashable, list[str]] = defaultdict(list)
    for item in items:
        groups[sign(tree, item)].append(item)
    return groups


def _uneven(_left: _Tree, ours: list[str], _right: _Tree, theirs: list[str]) -> bool:
    return len(ours) != len(theirs)


def _reordered(left: _Tree, ours: list[str], right: _Tree, theirs: list[str]) -> bool:
    """Tell whether names that both lists have once stand in another order."""
    before = [left.elements[item].name for item in ours]
    after = [right.elements[item].name for item in theirs]
    once = {name for name, count in Counter(before).items() if name and count == 1}
    once &= {name for name, count in Counter(after).items() if count == 1}
    return [name for name in before if name in once] != [name for name in after if name in once]


def _roles_beside(tree: _Tree, item: str) -> list[str]:
    above = tree.elements[item].parent
    beside = tree.children[above if above in tree.elements else ROOT]
    return [tree.elements[other].role for other in beside]


def _share(left: _Tree, right: _Tree, pairs: Mapping[str, str]) -> float:
    """Return the smaller share of visible elements that are matched, 1 where none is visible."""
    sides = ((left.visible, set(pairs)), (right.visible, set(pairs.values())))
    shares = [len(seen & matched) / len(seen) for seen, matched in sides if seen]
    return round(min(shares, default=1.0), 4)
