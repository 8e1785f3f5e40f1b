"""
The same controls in two releases, whatever their port, host or path: by names, then neighbours.

Pages are paired by what they hold, and their controls as ``capture/parallel/versions.py`` does.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Final

import msgspec

from surefoot.capture.parallel.versions import pair_controls
from surefoot.run.gates.baseline import GateBaseline, GatedPage, GatedQuestion
from surefoot.score.gate import GateCount

ALIKE: Final = 0.25  # of the controls of two pages; below it they are two pages


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
                page=after.page,
            )
            for before, after in self.questions
        ]


def pair_releases(before: GateBaseline, after: GateBaseline) -> SharedControls:
    """Pair the questions of a baseline with those of a release about the same controls."""
    there: dict[tuple[str, int], tuple[str, int]] = {}
    renamed = []
    for page, other in _paired_pages(before, after).items():
        old, new = before.pages[page].controls, after.pages[other].controls
        pairs = pair_controls(old, new)
        there.update(((page, at), (other, place)) for at, place in pairs.items())
        renamed += [
            (before.control(page, at), new[place].name)
            for at, place in sorted(pairs.items())
            if old[at].name != new[place].name
        ]
    asked = {
        (question.page, question.control, question.condition): question
        for question in after.questions
    }
    asked_controls = {(question.page, question.control): None for question in after.questions}
    shared = []
    gone: dict[str, None] = {}
    unasked: dict[str, None] = {}
    for question in before.questions:
        place = there.get((question.page, question.control))
        words = before.control(question.page, question.control)
        if place is None:
            gone[words] = None
        elif (found := asked.get((*place, question.condition))) is not None:
            shared.append((question, found))
        elif place not in asked_controls and question.hits:
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
    first = Counter((control.role, control.name) for control in old.controls)
    second = Counter((control.role, control.name) for control in new.controls)
    return (first & second).total() / max((first | second).total(), 1)


def _ending(page: str, other: str) -> int:
    """
    Count the parts at the end of two addresses that are the same.

    >>> _ending("127.0.0.1:8000/shop/orders", "127.0.0.1:9000/orders")
    1
    """
    parts = zip(reversed(page.split("/")), reversed(other.split("/")), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda two: two[0] == two[1], parts))
