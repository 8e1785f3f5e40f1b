"""
Rates of a diagnosis with their intervals over sites, or over another unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np

from surefoot.score.conditions.scores import Score, mean_of
from surefoot.score.metric import GivenMetric
from surefoot.score.stats.clusters import POSITIVE, intervals, quotient_of_ratios, sum_by_cluster
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.units import SITES

# Failures and questions of one element.
Found: TypeAlias = tuple[int, int]
BASELINE: Final = "random baseline"
LEAST_FAILED: Final = 5  # elements, for a ratio of two searches
FAILED: Final = GivenMetric(
    name="elements_failed",
    title="elements that fail",
    summary="at least one instruction that both resolvers prove valid was missed each time",
    higher_is_better=False,
    counts="elements",
)
FAILURES: Final = GivenMetric(
    name="failures",
    title="failures",
    summary="valid instructions that were missed, of the search alone",
    unit="per 100 questions",
    higher_is_better=False,
    bounds=(0.0, 100.0),
    counts="questions",
)
AGREED: Final = GivenMetric(
    name="agreement",
    title="second resolver agrees",
    summary="misses whose instruction the first resolver proves valid, and the second one too",
    counts="misses",
)
MISSED: Final = GivenMetric(
    name="missed",
    title="failure rate",
    summary="the click lies outside the target's box, or the reply names no place",
    higher_is_better=False,
    counts="answers",
)
FAILED_QUESTIONS: Final = GivenMetric(
    name="question_failed",
    title="failure rate",
    summary="valid instructions that were missed each time they were asked, of the search",
    higher_is_better=False,
    counts="answers",
)
AT_RANDOM: Final = GivenMetric(
    name="question_failed_at_random",
    title="failure rate at random",
    summary="the same, of the questions that were drawn at random",
    higher_is_better=False,
    counts="answers at random",
)
VALID: Final = GivenMetric(
    name="candidate_valid",
    title="valid",
    summary="misses whose instruction both resolvers find valid, of those that held",
    counts="misses that held",
)
HELD: Final = GivenMetric(
    name="candidate_held",
    title="fails again",
    summary="misses that were missed once more when they were asked again",
    counts="misses",
)
PRECISE: Final = GivenMetric(
    name="candidate_precise",
    title="valid and fails again",
    summary="misses that held and whose instruction both resolvers find valid",
    counts="misses",
)
RATES: Final = (FAILED, FAILURES, AGREED)


def rate_of_failures(
    found: Mapping[str, Found],
    sites: Mapping[str, str],
    model: str,
    planner: str,
    *,
    unit: str = SITES,
) -> Score:
    """
    Return the failures found per 100 questions, from those of each element (by its pair).

    >>> rate_of_failures({"a": (2, 10), "b": (1, 10)}, {"a": "s", "b": "s"}, "ocr", "").amount
    15.0
    """
    numbers = (
        (sites[pair], 100.0 * (at < failures))
        for pair, (failures, questions) in found.items()
        for at in range(questions)
    )
    return mean_of(FAILURES, numbers, model, planner, unit=unit)


def ratio_interval(
    one: Mapping[str, Found],
    other: Mapping[str, Found],
    sites: Mapping[str, str],
    *,
    unit: str = SITES,
) -> tuple[float | None, Interval | None]:
    """
    Return how many times the failures per question one search finds of another's.

    Both choose among the same elements (by their pair), of which either may have left some;
    ``sites`` names the site of each, and the two searches of a site stay paired. Where either
    found fewer than five elements that fail there is no ratio: nothing could be said of it.
    """
    pairs = sorted(one.keys() | other.keys())
    if any(sum(failures > 0 for failures, _ in of.values()) < LEAST_FAILED for of in (one, other)):
        return None, None
    found_by = [[*one.get(pair, (0, 0)), *other.get(pair, (0, 0))] for pair in pairs]
    counts = np.array(found_by, np.float64).reshape(-1, 4)
    sums = sum_by_cluster([sites[pair] for pair in pairs], counts)
    found = quotient_of_ratios((sums[:, :1], sums[:, 1:2]), (sums[:, 2:3], sums[:, 3:]))
    if np.isnan(found.value[0]):
        return None, None
    (interval,) = intervals(found, POSITIVE, over=unit)
    return float(found.value[0]), interval
