"""
Whether a kind of fix helps: what a model missed, with the fix, without it, and with it elsewhere.

A product's controls are all there are, and each is one unit. Its gain is the share of answers that
hit with the fix, less the share where it was asked again unchanged, and less the share where the
same fix was made at other controls. A kind helps if both gains are surely above none: an exact
test that swaps the two sides of whole controls (Pitman, 1937), one-sided, corrected by Holm over
the kinds of fixes that were tried at enough controls to be found at all (Tarone, 1990).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.score.stats.intervals import CONFIDENCE, Interval
from surefoot.score.stats.multiplicity import holm
from surefoot.score.stats.paired import paired_change

LEVEL: Final = 1 - CONFIDENCE
EXACT: Final = 14  # controls, beyond which swaps are drawn
SWAPS: Final = 20_000
CONTROLS: Final = "controls"
NEEDED: Final = 5  # controls, the fewest whose gains can be sure: half to this power is under 5 %


class FixCount(msgspec.Struct, frozen=True):
    """
    Count one control's answers under one kind of fix: (hits, answers) under each arm.

    What the fix itself makes impossible to ask for counts as missed. ``elsewhere`` has no
    answers where no other control of the page could take the fix.
    """

    control: str
    kind: str
    fix: tuple[int, int]
    again: tuple[int, int]
    elsewhere: tuple[int, int]

    @property
    def back(self) -> bool:
        """Tell whether most answers hit with the fix, and at most half without it."""
        return _most(self.fix) and not _most(self.again)


class FixFinding(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what one kind of fix did: of ``controls`` that were missed, so many came ``back``.

    ``back_again`` and ``back_elsewhere`` are those most of whose answers hit unchanged, and with
    the fix at others. ``gain`` is the mean gain over asking again, with its ``interval``, shares
    of answers; ``over_elsewhere`` that over the fix at others, None where it could be made at
    none. ``p`` is the larger of both tests', ``adjusted`` by Holm, and ``helps`` whether that is
    under 5 %. ``needed`` is how many controls it takes at least for that, were all to come back.
    ``more`` of those that came back do so with no kind that adds something and comes before this
    one, and ``p_more`` is the p at what those do not bring back.
    """

    kind: str
    controls: int
    back: int
    back_again: int
    back_elsewhere: int
    compared_elsewhere: int
    gain: float
    interval: Interval | None
    over_elsewhere: float | None
    p: float
    adjusted: float
    helps: bool
    needed: int
    more: int = 0
    p_more: float = 1.0

    @property
    def adds(self) -> bool:
        """Tell whether it helps, and surely also where those before it do not."""
        return self.helps and self.p_more <= LEVEL


def judge_fixes(counts: Sequence[FixCount], *, seed: int = 0) -> tuple[FixFinding, ...]:
    """
    Judge every kind of fix: first those that help, in the order in which to make them.

    Each of these comes before what brings back fewer of the controls that are missed after those
    before it; then come those that help, but not surely where others do not. What is not shown to
    help comes by its share of controls that came back.

    >>> counts = [FixCount(str(n), "size", (3, 3), (0, 3), (0, 3)) for n in range(6)]
    >>> found = judge_fixes(counts)[0]
    >>> found.back, found.p, found.helps
    (6, 0.015625, True)
    """
    kinds = list(dict.fromkeys(count.kind for count in counts))
    groups = [[count for count in counts if count.kind == kind] for kind in kinds]
    tests = [_tested(group, seed) for group in groups]
    # Too few controls give no small p, whatever comes of them; and how many there are was known.
    able = [place for place, group in enumerate(groups) if _held(group) >= NEEDED]
    adjusted = [1.0] * len(kinds)
    for place, p in zip(able, holm([tests[place] for place in able]), strict=True):
        adjusted[place] = p
    found = [
        _finding(kind, group, p, corrected, len(able) + (_held(group) < NEEDED))
        for kind, group, p, corrected in zip(kinds, groups, tests, adjusted, strict=True)
    ]
    return tuple(_in_order(found, dict(zip(kinds, groups, strict=True)), seed))


def _in_order(
    found: Iterable[FixFinding], groups: Mapping[str, Sequence[FixCount]], seed: int
) -> Iterator[FixFinding]:
    """Yield what helps by what it brings back that is not back yet, and then all else."""
    back = {kind: {item.control for item in own if item.back} for kind, own in groups.items()}
    done = set[str]()

    def beyond(one: FixFinding) -> FixFinding:
        rest = [count for count in groups[one.kind] if count.control not in done]
        more = len(back[one.kind] - done)
        return msgspec.structs.replace(one, more=more, p_more=_tested(rest, seed))

    left = sorted(found, key=lambda one: (-one.back / one.controls, -one.back))
    while adding := [own for finding in left if finding.helps and (own := beyond(finding)).adds]:
        first = max(adding, key=lambda one: one.more)
        left = [finding for finding in left if finding.kind != first.kind]
        done |= back[first.kind]
        yield first
    yield from sorted(map(beyond, left), key=lambda one: not one.helps)


def _finding(
    kind: str, group: Sequence[FixCount], p: float, adjusted: float, tried: int
) -> FixFinding:
    gains = np.array([_rate(count.fix) - _rate(count.again) for count in group])
    change = paired_change(gains, np.arange(len(group)), 1.0, over=CONTROLS)
    held = [count for count in group if count.elsewhere[1]]
    over = [_rate(count.fix) - _rate(count.elsewhere) for count in held]
    return FixFinding(
        kind=kind,
        controls=len(group),
        back=sum(count.back for count in group),
        back_again=sum(_most(count.again) for count in group),
        back_elsewhere=sum(_most(count.elsewhere) for count in held),
        compared_elsewhere=len(held),
        gain=float(gains.mean()),
        interval=change.interval(),
        over_elsewhere=float(np.mean(over)) if over else None,
        p=p,
        adjusted=adjusted,
        helps=adjusted <= LEVEL,
        needed=math.ceil(math.log2(tried / LEVEL)),
    )


def _held(group: Sequence[FixCount]) -> int:
    """Count the controls that were compared with the fix at others."""
    return sum(bool(count.elsewhere[1]) for count in group)


def _tested(group: Sequence[FixCount], seed: int) -> float:
    """Return the larger p of a fix against asking again and against the fix elsewhere."""
    again = [_rate(count.fix) - _rate(count.again) for count in group]
    held = [count for count in group if count.elsewhere[1]]
    elsewhere = [_rate(count.fix) - _rate(count.elsewhere) for count in held]
    return max(swap_test(again, seed=seed), swap_test(elsewhere, seed=seed))


def swap_test(gains: Iterable[float], *, seed: int = 0) -> float:
    """
    Return the one-sided p that gains are above none: how many swaps give as large a sum.

    >>> swap_test([1.0] * 5), swap_test([0.0] * 5), swap_test([])
    (0.03125, 1.0, 1.0)
    """
    changed = np.array([gain for gain in gains if gain], dtype=np.float64)
    if not len(changed):
        return 1.0
    if len(changed) <= EXACT:
        bits = np.arange(2 ** len(changed))[:, None] >> np.arange(len(changed)) & 1
        return float(np.mean((1 - 2 * bits) @ changed >= changed.sum() - 1e-9))
    drawn = np.random.default_rng(seed).choice((-1.0, 1.0), size=(SWAPS, len(changed)))
    larger = int(np.count_nonzero(drawn @ changed >= changed.sum() - 1e-9))
    return (1 + larger) / (1 + SWAPS)


def _rate(counted: tuple[int, int]) -> float:
    return counted[0] / counted[1] if counted[1] else 0.0


def _most(counted: tuple[int, int]) -> bool:
    return 2 * counted[0] > counted[1]
