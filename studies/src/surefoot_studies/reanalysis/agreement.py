"""
How our statistics agree with GUI-Perturbed's published tables, and what ruler those used.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog
from scipy.special import betaincinv, chdtrc

from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import ORIGINAL
from surefoot.score.conditions.rows import Condition, rows_of
from surefoot.score.hits import hits
from surefoot.score.metric import Ruler as ScoreRuler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Bools, Floats
from surefoot.score.stats.bootstrap import percentile_bounds, resampled_ratios
from surefoot.score.stats.intervals import CONFIDENCE
from surefoot.score.stats.mcnemar import EXACT_BELOW, mcnemar, mcnemar_chi_square
from surefoot_studies.reanalysis.counts import PublishedRate, PublishedTest

RESAMPLES = 10_000
SEED = 42


class PublishedAgreement(msgspec.Struct, frozen=True):
    """Hold the largest distance from a published number, over how many, and in what unit."""

    what: str
    rows: int
    distance: float
    unit: str


class PublishedRuler(msgspec.Struct, frozen=True):
    """Hold how far any selection of ``chosen`` steps stays from published counts."""

    models: tuple[str, ...]
    converted: tuple[bool, ...]
    tolerance: float
    counts: int
    chosen: int
    miscount: float


def chi_square_p(b: int, c: int) -> float:
    """Return the p-value of the published chi-square, whatever the number of flips."""
    return float(chdtrc(1, mcnemar_chi_square(b, c)))


def exact_bounds(count: int, total: int, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """
    Return both ends of the exact binomial interval (Clopper and Pearson, 1934).

    >>> [round(end, 4) for end in exact_bounds(0, 10)]
    [0.0, 0.3085]
    """
    tail = (1 - confidence) / 2
    low = float(betaincinv(count, total - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, total - count, 1 - tail)) if count < total else 1.0
    return low, high


def rate_bounds(rates: Sequence[PublishedRate]) -> Floats:
    """Bootstrap rates from their counts alone: (rates, 2), percentile bounds over steps."""
    return _bounds([np.repeat([1.0, 0.0], [rate.k, rate.n - rate.k]) for rate in rates])


def change_bounds(tests: Sequence[PublishedTest]) -> Floats:
    """Bootstrap original minus variant from the paired counts: (tests, 2), the same way."""
    return _bounds([np.repeat([1.0, -1.0, 0.0], _flips(test)) for test in tests])


def _flips(test: PublishedTest) -> list[int]:
    return [test.b_orig_only, test.c_pert_only, test.a_both_correct + test.d_both_wrong]


def _bounds(columns: Sequence[Floats]) -> Floats:
    values = np.stack(columns, axis=1)
    drawn = resampled_ratios(values, np.ones_like(values), resamples=RESAMPLES, seed=SEED)
    return percentile_bounds(drawn).T


def compare_published(
    rates: Sequence[PublishedRate], tests: Sequence[PublishedTest]
) -> tuple[PublishedAgreement, ...]:
    """Recompute every published number from its counts; return the largest distances."""
    n = rates[0].n
    pairs = [(test.b_orig_only, test.c_pert_only) for test in tests]
    few = [mcnemar(b, c).p if b + c < EXACT_BELOW else chi_square_p(b, c) for b, c in pairs]
    return (
        _agreement(
            "Clopper-Pearson bounds",
            [exact_bounds(row.k, row.n) for row in rates],
            [(row.cp_ci_lo, row.cp_ci_hi) for row in rates],
        ),
        _agreement(
            "McNemar's chi-square with continuity correction",
            [mcnemar_chi_square(b, c) for b, c in pairs],
            [test.mcnemar_chi2 for test in tests],
        ),
        _agreement(
            "its p", [chi_square_p(b, c) for b, c in pairs], [test.mcnemar_p for test in tests]
        ),
        _agreement(
            f"p, exact binomial under {EXACT_BELOW} flips",
            few,
            [test.mcnemar_p_exact for test in tests],
        ),
        _agreement(
            "bootstrap bounds of the rates",
            rate_bounds(rates) * n,
            [(row.boot_ci_lo * n, row.boot_ci_hi * n) for row in rates],
            f"counts of {n}",
        ),
        _agreement(
            "bootstrap bounds of the paired changes",
            change_bounds(tests) * n,
            [(test.diff_ci_lo * n, test.diff_ci_hi * n) for test in tests],
            f"counts of {n}",
        ),
    )


def _agreement(
    what: str, ours: ArrayLike, published: ArrayLike, unit: str = ""
) -> PublishedAgreement:
    far = np.abs(np.asarray(ours) - np.asarray(published))
    return PublishedAgreement(what, far.size, float(far.max()), unit)


def try_ruler(
    outcomes: Outcomes,
    said: Outcomes,
    rates: Sequence[PublishedRate],
    tests: Sequence[PublishedTest],
    *,
    converted: dict[str, bool],
    tolerance: float,
) -> PublishedRuler:
    """
    Ask whether any selection of steps gives the published counts of some models.

    ``said`` holds the rows of ``outcomes`` with the coordinates as the models said them.
    ``converted`` names the models, and whether their coordinates are converted from the
    size that the model saw. Both the hits of each condition and the pairs hit twice must fit.
    """
    chosen = np.array([name in converted for name in outcomes.model.names])
    rows = np.asarray(chosen[outcomes.model.codes])
    table, raw = outcomes.take(rows), said.take(rows)
    keep = np.array([converted.get(name, True) for name in table.model.names])
    hit = np.where(
        keep[table.model.codes], hits(table, tolerance=tolerance), hits(raw, tolerance=tolerance)
    )
    laid = rows_of(table, ScoreRuler())
    right = np.zeros((laid.elements, len(laid.conditions)), dtype=np.bool_)
    right[laid.element, laid.condition] = hit & laid.answered
    selected, counts = _wanted(right, laid.conditions, rates, tests, frozenset(converted))
    miscount = least_miscount(selected, counts, rates[0].n)
    return PublishedRuler(
        tuple(converted), tuple(converted.values()), tolerance, len(counts), rates[0].n, miscount
    )


def least_miscount(results: Floats, counts: Floats, chosen: int) -> float:
    """
    Bound from below how far the counts of any selection of columns stay from given counts.

    ``results`` is (counts, items) of 0 and 1, and ``chosen`` items are selected; the
    result is the least sum of absolute deviations where items may be taken in part (a
    linear programme). Above zero it proves that no selection gives the counts; zero
    proves nothing. Raises InvalidInputError for shapes that do not fit.

    >>> import numpy as np
    >>> least_miscount(np.array([[1.0, 1.0, 0.0]]), np.array([0.0]), 2)
    1.0
    """
    rows, items = results.shape
    if counts.shape != (rows,) or not 0 <= chosen <= items:
        raise InvalidInputError(
            "a count for each row and a selection within the items",
            found=f"{counts.shape} counts, {chosen} of {items}",
        )
    slack = np.eye(rows)
    total = np.r_[np.ones(items), np.zeros(2 * rows)][None, :]
    solved = linprog(
        np.r_[np.zeros(items), np.ones(2 * rows)],
        A_eq=np.vstack([np.hstack([results, slack, -slack]), total]),
        b_eq=np.r_[counts, chosen],
        bounds=[(0, 1)] * items + [(0, None)] * (2 * rows),
        method="highs",
    )
    return round(float(np.abs(results @ np.asarray(solved.x)[:items] - counts).sum()), 6)


def _wanted(
    right: Bools,
    conditions: Sequence[Condition],
    rates: Sequence[PublishedRate],
    tests: Sequence[PublishedTest],
    models: frozenset[str],
) -> tuple[Floats, Floats]:
    column = {condition: index for index, condition in enumerate(conditions)}
    rows, counts = [], []
    for rate in rates:
        if rate.model in models:
            rows.append(right[:, [column[Condition(*rate.condition)]]].all(axis=1))
            counts.append(rate.k)
    for test in tests:
        if test.model in models:
            after = Condition(*test.condition)
            before = msgspec.structs.replace(after, variant=ORIGINAL)
            both = right[:, [column[before], column[after]]]
            rows.append(both.all(axis=1))
            counts.append(test.a_both_correct)
    return np.array(rows, dtype=np.float64), np.array(counts, dtype=np.float64)
