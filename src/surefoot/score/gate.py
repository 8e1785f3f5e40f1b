"""
Whether a release is worse than its baseline for a model: one product's elements, paired.

Two questions, two stages. Which elements are lost: what was firm in the baseline (9 of 10
answers or more) and is missed now is asked again, and is lost where at most 2 of 10 answers
hit. Whether losses are spread: the mean drop over all elements, whose standard error is that of
the model's own noise, since a product's elements are no sample of others. Where the captured
pages are a sample of a product's, the drop stands for others of its pages, and varies as theirs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np
from scipy.stats import norm

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.paired import PairedChange, paired_change
from surefoot.score.stats.units import GateUnit

Verdict: TypeAlias = Literal["passed", "failed", "cannot tell"]

ANSWERS: Final = 10  # of a question in a baseline, and of one that is asked again
FIRM: Final = 0.9
LOST: Final = 0.2
SPREAD: Final = 0.02  # the smallest mean drop that is called one
Z_SPREAD: Final = float(norm.ppf(0.975))
_SURE: Final = 0.95
Z_BOUND: Final = float(norm.ppf(_SURE))
FEW: Final = 40  # elements; below it a wider margin is the usual one
MARGINS: Final = (0.05, 0.10)
FEWEST_PAGES: Final = 5  # from which anything is said of others
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
    page: str = ""

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
    neither would. ``unit`` says what the drop, the error and the bound speak of; ``pages`` counts
    those that have an element of both.
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
    unit: GateUnit = "element"
    pages: int = 0


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
    unit: GateUnit = "element",
) -> GateFinding:
    """
    Judge a release by the questions that it shares with its baseline, at least one.

    It fails where an element is lost, where losses are spread and may exceed the ``margin``,
    and where its rate is surely under ``least``. It passes where the drop is surely within the
    margin, the rate surely reaches ``least`` and nothing that was hit is ``unseen``; else neither
    can be told. With the unit "page" the drop is that of other pages too, about which fewer than
    five tell nothing; a ``least`` rate is one of these elements, so that both raise
    InvalidInputError.

    >>> counts = [GateCount(str(n), str(n), 10, 10, 3, 3) for n in range(60)]
    >>> judge_release(counts).verdict
    'passed'
    """
    elements = len({count.element for count in counts})
    borne = usual_margin(elements) if margin is None else margin
    if unit == "page" and least:
        raise InvalidInputError(
            "a rate to reach, or a verdict on other pages",
            found="both",
            remedy="leave --min-hit out, or --unit page",
        )
    drop = math.fsum(count.drop for count in counts) / len(counts)
    error, low, bound = _among_pages(counts) if unit == "page" else _of_these(counts, drop)
    spread = drop >= SPREAD and low > 0 and bound > borne
    rate, interval = _rate(counts)
    lost = tuple(count.id for count in counts if count.lost)
    open_ones = tuple(count.id for count in counts if count.open)
    failed = bool(lost) or spread or interval[1] < least
    passed = not open_ones and not unseen and bound <= borne and interval[0] >= least
    near = bound <= borne or drop >= borne
    more = 0 if near else _elements(counts, borne - drop, bound - drop)
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
        answers=_answers(counts, borne - drop) if more and unit == "element" else 0,
        unit=unit,
        pages=len({count.page for count in counts}),
    )


def _of_these(counts: Sequence[GateCount], drop: float) -> tuple[float, float, float]:
    """Return the error of the mean drop of these elements, its lower end and its bound."""
    error = _error(counts)
    return error, drop - Z_SPREAD * error, drop + Z_BOUND * error


def _among_pages(counts: Sequence[GateCount]) -> tuple[float, float, float]:
    """Return the same of a drop over pages like these; one that rules nothing out of too few."""
    pages = {page: at for at, page in enumerate(dict.fromkeys(count.page for count in counts))}
    if len(pages) < FEWEST_PAGES:
        return 1.0, -1.0, 1.0
    drops = np.array([count.drop for count in counts])
    home = np.array([pages[count.page] for count in counts])
    found: PairedChange = paired_change(drops, home, 1.0, over="pages")
    # Two ends at 90 % are one at 95 %.
    wide, narrow = found.interval(), found.interval(2 * _SURE - 1)
    if wide is None or narrow is None:
        return 1.0, -1.0, 1.0
    return found.scale * found.error, wide.low, narrow.high


def _error(counts: Sequence[GateCount], after: int = 0) -> float:
    """Return the standard error of the mean drop, as if ``after`` answers had been given."""
    parts = (count.noise * (1 / count.before + 1 / (after or count.after)) for count in counts)
    return math.sqrt(math.fsum(parts)) / len(counts)


def _elements(counts: Sequence[GateCount], room: float, reach: float) -> int:
    """Count the elements, like those at hand, whose bound is within ``room`` of their drop."""
    elements = len({count.element for count in counts})
    return math.ceil(elements * (reach / room) ** 2)


def _answers(counts: Sequence[GateCount], room: float) -> int:
    """Count the answers of each question that would do, 0 where none of a hundred would."""
    tried = range(1, _MOST_ANSWERS + 1)
    return next((many for many in tried if Z_BOUND * _error(counts, many) <= room), 0)


def _rate(counts: Sequence[GateCount]) -> tuple[float, tuple[float, float]]:
    """Return the release's rate of hits, and Wilson's interval at 95 % for it."""
    count = sum(item.after for item in counts)
    rate = sum(item.hits_after for item in counts) / count
    square = Z_SPREAD**2 / count
    middle = (rate + square / 2) / (1 + square)
    half = math.sqrt(rate * (1 - rate) * square + square**2 / 4) / (1 + square)
    return rate, (middle - half, middle + half)
