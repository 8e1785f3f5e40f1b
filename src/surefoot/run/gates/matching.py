"""
The same controls in two releases, whatever their port, host or path: by names, then neighbours.

Pages are paired by what they hold. In a pair, controls whose role, name and landmarks are the
only such ones on both sides are the same, then those whose role and name are. What is left
between two paired neighbours is paired where a role has the same names there in both, and where
it has one control in both, which was renamed.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final, TypeAlias

import msgspec

from surefoot.run.gates.baseline import Control, GateBaseline, GatedPage, GatedQuestion
from surefoot.score.gate import GateCount

ALIKE: Final = 0.25  # of the controls of two pages; below it they are two pages
Pairs: TypeAlias = dict[int, int]  # places of controls: in the baseline, in the release
_KEYS: Final[tuple[Callable[[Control], Hashable], ...]] = (
    lambda one: (one.role, one.name, one.landmarks),
    lambda one: (one.role, one.name),
)


class SharedControls(msgspec.Struct, frozen=True):
    """
    Hold what a baseline and a release have in common, and what they have not.

    ``questions`` are pairs: of the baseline, and of the release. ``renamed`` are pairs of
    controls in words; ``gone`` controls of the baseline that the release does not show,
    ``unasked`` those that were hit, and that it shows and does not ask for, ``new`` those that
    it asks for and the baseline does not show.
    """

    questions: tuple[tuple[GatedQuestion, GatedQuestion], ...]
    renamed: tuple[tuple[str, str], ...]
    gone: tuple[str, ...]
    unasked: tuple[str, ...]
    new: tuple[str, ...]

    def counts(self) -> list[GateCount]:
        """Return the hits of every shared question, by the ids of the release."""
        return [
            GateCount(
                id=after.id,
                element=f"{after.page} {after.control}",
                before=before.asked,
                hits_before=before.hits,
                after=after.asked,
                hits_after=after.hits,
            )
            for before, after in self.questions
        ]


def pair_releases(before: GateBaseline, after: GateBaseline) -> SharedControls:
    """Pair the questions of a baseline with those of a release about the same controls."""
    there: dict[tuple[str, int], tuple[str, int]] = {}
    renamed = []
    for page, other in _paired_pages(before, after).items():
        old, new = before.pages[page].controls, after.pages[other].controls
        pairs = _paired(old, new)
        there.update(((page, at), (other, place)) for at, place in pairs.items())
        renamed += [
            (before.control(page, at), new[place].name)
            for at, place in sorted(pairs.items())
            if old[at].name != new[place].name
        ]
    asked = {(one.page, one.control, one.condition): one for one in after.questions}
    asked_controls = {(one.page, one.control): None for one in after.questions}
    shared = []
    gone: dict[str, None] = {}
    unasked: dict[str, None] = {}
    for one in before.questions:
        place = there.get((one.page, one.control))
        words = before.control(one.page, one.control)
        if place is None:
            gone[words] = None
        elif (found := asked.get((*place, one.condition))) is not None:
            shared.append((one, found))
        elif place not in asked_controls and one.hits:
            unasked[words] = None
    known = set(there.values())
    new_ones = (after.control(*place) for place in asked_controls if place not in known)
    return SharedControls(
        tuple(shared), tuple(renamed), tuple(gone), tuple(unasked), tuple(dict.fromkeys(new_ones))
    )


def _paired_pages(before: GateBaseline, after: GateBaseline) -> dict[str, str]:
    """Pair pages that are alike, those whose paths end alike first; each with one other."""
    alike = sorted(
        (
            (-_ending(page, other), -likeness, page, other)
            for page, old in before.pages.items()
            for other, new in after.pages.items()
            if (likeness := _likeness(old, new)) >= ALIKE
        ),
    )
    pairs: dict[str, str] = {}
    for *_, page, other in alike:
        if page not in pairs and other not in pairs.values():
            pairs[page] = other
    return pairs


def _likeness(old: GatedPage, new: GatedPage) -> float:
    """Return the share of controls that both pages have, by role and name."""
    first = Counter((one.role, one.name) for one in old.controls)
    second = Counter((one.role, one.name) for one in new.controls)
    return (first & second).total() / max((first | second).total(), 1)


def _ending(page: str, other: str) -> int:
    """
    Count the parts at the end of two addresses that are the same.

    >>> _ending("127.0.0.1:8000/shop/orders", "127.0.0.1:9000/orders")
    1
    """
    parts = zip(reversed(page.split("/")), reversed(other.split("/")), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda two: two[0] == two[1], parts))


def _paired(old: Sequence[Control], new: Sequence[Control]) -> Pairs:
    """Return the places of the same controls on two pages."""
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
    left = [(key(one), at) for at, one in enumerate(controls) if one.name and at not in taken]
    counts = Counter(name for name, _ in left)
    return {name: at for name, at in left if counts[name] == 1}


def _is_new_name(
    old: Sequence[Control], new: Sequence[Control], left: Sequence[int], right: Sequence[int]
) -> bool:
    """Tell whether neither page has a control of the other's name: else one came, one went."""
    first, second = old[left[0]], new[right[0]]
    return not any(one.name == first.name for one in new) and not any(
        one.name == second.name for one in old
    )


def _gaps(pairs: Pairs, old: int, new: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield what is left on both pages between two neighbours that are paired in both."""
    taken = set(pairs.values())
    ends = [(-1, -1), *sorted(pairs.items()), (old, new)]
    for (left, there), (right, beyond) in itertools.pairwise(ends):
        if beyond > there:  # else the two have changed places
            others = [at for at in range(there + 1, beyond) if at not in taken]
            yield list(range(left + 1, right)), others
