"""
Whether a release is worse than its baseline for a model: one product's elements, paired.

Two questions, two stages. Which elements are lost: what was firm in the baseline (9 of 10
answers or more) and is missed now is asked again, and is lost where at most 2 of 10 answers
hit. Whether losses are spread: the mean drop over all elements, whose standard error is that of
the model's own noise, since a product's elements are no sample of others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec
from scipy.stats import norm

Verdict: TypeAlias = Literal["passed", "failed", "cannot tell"]

ANSWERS: Final = 10  # of a question in a baseline, and of one that is asked again
FIRM: Final = 0.9
LOST: Final = 0.2
SPREAD: Final = 0.02  # the smallest mean drop that is called one
Z_SPREAD: Final = float(norm.ppf(0.975))
Z_BOUND: Final = float(norm.ppf(0.95))
FEW: Final = 40  # elements; below it a wider margin is the usual one
MARGINS: Final = (0.05, 0.10)
_MOST_ANSWERS: Final = 100


class GateCount(msgspec.Struct, frozen=True):
    """
    Count the answers to one question, and the hits, in a baseline, in a release and again.

    Answers that were asked for again belong to the release, but not to its mean: they are
    asked for where it missed.
    """

    id: str
    element: str
    before: int
    hits_before: int
    after: int
    hits_after: int
    again: int = 0
    hits_again: int = 0

    @property
    def firm(self) -> bool:
        """Tell whether the baseline hit it so often that a miss means something."""
        return self.before >= ANSWERS and self.hits_before >= FIRM * self.before

    @property
    def suspect(self) -> bool:
        """Tell whether it was firm, and the release missed it at least half of the time."""
        return self.firm and 2 * self.hits_after <= self.after

    @property
    def open(self) -> int:
        """Count the answers that it takes to tell whether a suspect is lost."""
        return max(ANSWERS - self.after - self.again, 0) if self.suspect else 0

    @property
    def lost(self) -> bool:
        """Tell whether it was firm and is surely lost."""
        count, hits = self.after + self.again, self.hits_after + self.hits_again
        return self.suspect and count >= ANSWERS and hits <= LOST * count

    @property
    def drop(self) -> float:
        """Return the rate before less the rate after, a share."""
        return self.hits_before / self.before - self.hits_after / self.after

    @property
    def noise(self) -> float:
        """Return the variance of one answer, as if nothing had changed; never 0."""
        count, hits = self.before + self.after, self.hits_before + self.hits_after
        rate = (hits + 0.5) / (count + 1)
        return rate * (1 - rate)


class GateFinding(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what a gate found: its verdict, and the numbers behind it.

    ``drop`` is the mean loss with its standard ``error`` and its upper ``bound`` (95 %), shares
    of answers. ``rate`` is the release's with its ``interval`` (95 %). ``elements`` or
    ``answers`` (of each question) are what would bring the bound under the margin, 0 where
    neither would.
    """

    verdict: Verdict
    lost: tuple[str, ...]
    suspects: tuple[str, ...]
    questions: int
    compared: int
    drop: float
    error: float
    bound: float
    margin: float
    spread: bool
    rate: float
    interval: tuple[float, float]
    least: float
    elements: int
    answers: int


def usual_margin(elements: int) -> float:
    """
    Return the drop that is borne, where none is named: a small product cannot show a small one.

    >>> usual_margin(120), usual_margin(30)
    (0.05, 0.1)
    """
    return MARGINS[elements < FEW]


def judge_release(
    counts: Sequence[GateCount],
    *,
    margin: float | None = None,
    least: float = 0.0,
    unseen: int = 0,
) -> GateFinding:
    """
    Judge a release by the questions that it shares with its baseline, at least one.

    It fails where an element is lost, where losses are spread and may exceed the ``margin``,
    and where its rate is surely under ``least``. It passes where the drop is surely within the
    margin, the rate surely reaches ``least`` and nothing that was hit is ``unseen``; else neither
    can be told.

    >>> counts = [GateCount(str(n), str(n), 10, 10, 3, 3) for n in range(60)]
    >>> judge_release(counts).verdict
    'passed'
    """
    elements = len({count.element for count in counts})
    borne = usual_margin(elements) if margin is None else margin
    drop = math.fsum(count.drop for count in counts) / len(counts)
    error = _error(counts)
    bound = drop + Z_BOUND * error
    spread = drop >= SPREAD and drop > Z_SPREAD * error and bound > borne
    rate, interval = _rate(counts)
    lost = tuple(count.id for count in counts if count.lost)
    open_ones = tuple(count.id for count in counts if count.open)
    failed = bool(lost) or spread or interval[1] < least
    passed = not open_ones and not unseen and bound <= borne and interval[0] >= least
    more = 0 if bound <= borne or drop >= borne else _elements(counts, borne - drop)
    return GateFinding(
        verdict="failed" if failed else "passed" if passed else "cannot tell",
        lost=lost,
        suspects=open_ones,
        questions=len(counts),
        compared=elements,
        drop=drop,
        error=error,
        bound=bound,
        margin=borne,
        spread=spread,
        rate=rate,
        interval=interval,
        least=least,
        elements=more,
        answers=_answers(counts, borne - drop) if more else 0,
    )


def _error(counts: Sequence[GateCount], after: int = 0) -> float:
    """Return the standard error of the mean drop, as if ``after`` answers had been given."""
    parts = (one.noise * (1 / one.before + 1 / (after or one.after)) for one in counts)
    return math.sqrt(math.fsum(parts)) / len(counts)


def _elements(counts: Sequence[GateCount], room: float) -> int:
    """Count the elements, like those at hand, whose bound is within ``room`` of their drop."""
    elements = len({count.element for count in counts})
    return math.ceil(elements * (Z_BOUND * _error(counts) / room) ** 2)


def _answers(counts: Sequence[GateCount], room: float) -> int:
    """Count the answers of each question that would do, 0 where none of a hundred would."""
    tried = range(1, _MOST_ANSWERS + 1)
    return next((many for many in tried if Z_BOUND * _error(counts, many) <= room), 0)


def _rate(counts: Sequence[GateCount]) -> tuple[float, tuple[float, float]]:
    """Return the release's rate of hits, and Wilson's interval at 95 % for it."""
    count = sum(one.after for one in counts)
    rate = sum(one.hits_after for one in counts) / count
    square = Z_SPREAD**2 / count
    middle = (rate + square / 2) / (1 + square)
    half = math.sqrt(rate * (1 - rate) * square + square**2 / 4) / (1 + square)
    return rate, (middle - half, middle + half)
