"""
Fresh questions: those that a cause is held to which the search has found.

They are about other elements of the screens first, and about others' instructions that the
search did not ask; sites take turns. Besides, what failed is asked with the one thing changed
that the cause names: the same element in other words, or its picture in another light or size.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec

from surefoot.core.edit import Resize, Tone
from surefoot.core.geometry import Box
from surefoot.core.question import Question
from surefoot.core.seeds import random_source
from surefoot.diagnose.search.arms import Arm, ArmResult, Pool, Subject
from surefoot.run.turns import in_turns

OF_ELEMENT: Final = 2  # questions of one element on either side
LOOKED_AT: Final = 1000  # elements on either side, whose instructions are made for it
AHEAD: Final = 12  # elements whose instructions are made before they are looked at
MOST_OF_ELEMENT: Final = 6  # where there are few elements
PAIRED: Final = 8
LARGER: Final = 2.0
CONTRASTS: Final = (4.0, 16.0, 0.25)  # times that of the target
RIM_PX: Final = 2.0


class Wanted(msgspec.Struct, frozen=True, eq=False):
    """
    Say which questions a cause is about, and which it is to be held against.

    ``hopeful`` tells of an element, before anything is said of it, whether its questions can
    be of the cause. ``light`` and ``size`` tell whether a picture in another light, or of another
    size, can take a question out of it. ``pillars`` are the benchmarks that each get an equal part
    of the questions; where there are none, nobody tells them apart.
    """

    inside: Callable[[Arm], bool]
    outside: Callable[[Arm], bool]
    hopeful: Callable[[Arm], bool]
    light: bool = False
    size: bool = False
    pillars: tuple[str, ...] = ()


def fresh_arms(
    pool: Pool,
    wanted: Sequence[Wanted],
    used: AbstractSet[str],
    *,
    count: int,
    seed: int,
    looked_at: int = LOOKED_AT,
) -> list[Arm]:
    """
    Return ``count`` arms within and as many without every cause, fewer where there are none.

    ``used`` are the ids of the questions that were asked. The instructions of ``looked_at``
    elements at most are made for it.
    """
    others, known = (_drawn(some, seed) for some in (pool.strangers(), pool.subjects()))
    subjects = [*others, *known]
    sketches = {
        item.pair: pool.sketch(item) for item in sorted(subjects, key=lambda one: one.screen)
    }
    found: dict[str, Arm] = {}
    for want in wanted:
        hopeful = {pair: want.hopeful(sketch) for pair, sketch in sketches.items()}
        parts = want.pillars or ("",)
        share = -(-count // len(parts))
        for inside, pillar in itertools.product((True, False), parts):
            fits = want.inside if inside else want.outside
            order = sorted(subjects, key=lambda one: hopeful[one.pair] != inside)
            chosen: list[Arm] = []
            more: list[Arm] = []
            for subject in _page_by_page(pool, order[:looked_at]):
                if len(chosen) >= share:
                    break
                own = [
                    arm
                    for arm in pool.arms(subject)
                    if arm.question.id not in used and pillar in {"", arm.pillar} and fits(arm)
                ]
                random_source(seed, "fresh", subject.pair).shuffle(own)
                chosen += own[:OF_ELEMENT]
                more += own[OF_ELEMENT:MOST_OF_ELEMENT]
            kept = [*chosen, *in_turns(more, lambda arm: arm.question.pair)][:share]
            found |= {arm.question.id: arm for arm in kept}
    return list(found.values())


def _page_by_page(pool: Pool, subjects: Sequence[Subject]) -> Iterator[Subject]:
    """
    Yield elements in their order, with the instructions of some more made ahead.

    These are made screen by screen, since a screen's pixels are not kept for long; each time
    twice as many, as the first few are mostly enough.
    """
    start, size = 0, AHEAD
    while start < len(subjects):
        some = subjects[start : start + size]
        for subject in sorted(some, key=lambda one: one.screen):
            pool.arms(subject)
        yield from some
        start, size = start + size, 2 * size


def changed_arms(
    pool: Pool, failures: Sequence[tuple[Subject, ArmResult]], want: Wanted
) -> Iterator[Arm]:
    """
    Yield, for one failure of each element, an arm that differs in what the cause names.

    It is the element's likest instruction on the same screen that is not of the cause; else
    the same words on a picture in another light, where that can matter: the target with more, or
    less, contrast to its ground, the target inverted, and the whole inverted; else the same
    words on another view that is not of it, or on the picture twice, or half, as large.
    """
    seen: set[str] = set()
    for subject, failure in failures:
        if subject.pair in seen or len(seen) == PAIRED or not want.inside(failure.arm):
            continue
        changed = _changed(pool, subject, failure.arm, want)
        if changed is not None:
            seen.add(subject.pair)
            yield changed


def _changed(pool: Pool, subject: Subject, arm: Arm, want: Wanted) -> Arm | None:
    question, outside = arm.question, list(filter(want.outside, pool.arms(subject)))
    same = [other for other in outside if other.question.screen == question.screen]
    text = question.instruction.text
    worded = [other for other in outside if other.question.instruction.text == text]
    if same:
        return _likest(same, arm)
    relit = _redrawn(pool, subject, arm, want, _lights(question)) if want.light else None
    if relit is not None or worded:
        return relit or _likest(worded, arm)
    sizes = (Resize(factor, factor) for factor in (LARGER, 1 / LARGER))
    return _redrawn(pool, subject, arm, want, sizes) if want.size else None


def _likest(others: Sequence[Arm], arm: Arm) -> Arm:
    return min(
        others,
        key=lambda other: (len(set(other.features) ^ set(arm.features)), other.question.id),
    )


def _redrawn(
    pool: Pool, subject: Subject, arm: Arm, want: Wanted, edits: Iterable[Resize | Tone]
) -> Arm | None:
    """Return the same words on the first changed picture that is not of the cause."""
    changed = (pool.changed(subject, arm, edit) for edit in edits)
    return next((other for other in changed if other is not None and want.outside(other)), None)


def _lights(question: Question) -> Iterator[Tone]:
    """Yield edits of the target's light, with a rim as contrast is measured, then of all."""
    left, top, right, bottom = question.truth.as_tuple()
    near = Box(left - RIM_PX, top - RIM_PX, right + RIM_PX, bottom + RIM_PX)
    yield from (Tone(near, contrast) for contrast in CONTRASTS)
    yield Tone(near, inverted=True)
    yield Tone(Box(0, 0, question.width, question.height), inverted=True)


def _drawn(subjects: Sequence[Subject], seed: int) -> list[Subject]:
    order = sorted(subjects, key=lambda one: one.pair)
    random_source(seed, "fresh elements").shuffle(order)
    return in_turns(order, lambda one: one.cluster)
