"""
The verdict on a release: simulated releases, and its numbers by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import msgspec
import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.score.gate import GateCount, judge_release
from surefoot.score.stats.units import GateUnit

NOISE: Final = 0.05  # of a model, in each answer
FEW: Final = 150
MANY: Final = 2000
UNITS: Final[tuple[GateUnit, ...]] = ("page", "element")


def simulated(
    source: np.random.Generator, rates: np.ndarray, after: np.ndarray, answers: int
) -> list[GateCount]:
    """Draw a baseline of 10 answers, a release, and what is asked again of it."""
    counts = []
    for at, (rate, now) in enumerate(zip(rates, after, strict=True)):
        hits, then = source.binomial(10, rate), source.binomial(answers, now)
        count = GateCount(str(at), str(at), 10, int(hits), answers, int(then))
        again = int(source.binomial(count.open, now)) if count.open else 0
        counts.append(msgspec.structs.replace(count, again=count.open, hits_again=again))
    return counts


def failing(
    elements: int, change: Callable[[np.ndarray], np.ndarray], answers: int, times: int
) -> float:
    """Return the share of simulated releases that fail."""
    source, rates = np.random.default_rng(7), np.full(elements, 1 - NOISE)
    found = (
        judge_release(simulated(source, rates, change(rates.copy()), answers)).verdict
        for _ in range(times)
    )
    return sum(verdict == "failed" for verdict in found) / times


def unchanged(rates: np.ndarray) -> np.ndarray:
    """Return the rates of a release in which nothing changed."""
    return rates


def first_lost(rates: np.ndarray) -> np.ndarray:
    """Return the rates of a release in which one element is hit no longer."""
    rates[0] = 0.02
    return rates


def tenth_lost(rates: np.ndarray) -> np.ndarray:
    """Return the rates of a release in which a tenth of the elements are hit no longer."""
    rates[: len(rates) // 10] = 0.02
    return rates


def all_worse(rates: np.ndarray) -> np.ndarray:
    """Return the rates of a release that loses fifteen answers of a hundred everywhere."""
    return rates - 0.15


CASES: Final = {
    "unchanged": (unchanged, 1, 0.0, 0.05),
    "unchanged, three answers": (unchanged, 3, 0.0, 0.05),
    "one of forty lost": (first_lost, 1, 0.9, 1.0),
    "a tenth lost": (tenth_lost, 1, 0.99, 1.0),
    "all a little worse": (all_worse, 3, 0.8, 1.0),
}


@pytest.mark.parametrize("case", CASES)
def test_false_alarms_and_power_are_as_stated(case: str) -> None:
    """Of releases without a change at most 5 % fail; a lost element and spread losses do."""
    change, answers, least, most = CASES[case]
    assert least <= failing(40, change, answers, FEW) <= most


@pytest.mark.long
@pytest.mark.parametrize("elements", [12, 40, 200])
def test_false_alarms_are_rare_whatever_the_size(elements: int) -> None:
    """Of 2,000 releases without a change at most 4 % fail, of small products and large ones."""
    assert failing(elements, unchanged, 1, MANY) <= 0.04


def test_what_cannot_be_told_says_what_it_would_take() -> None:
    """A few elements pass no gate; with the count of elements that is named, they do."""
    few = [GateCount(str(at), str(at), 10, 10, 1, 1) for at in range(8)]
    found = judge_release(few, margin=0.05)
    assert found.verdict == "cannot tell"
    more = [GateCount(str(at), str(at), 10, 10, 1, 1) for at in range(found.elements)]
    assert judge_release(more, margin=0.05).verdict == "passed"
    fewer = more[: found.elements - 2]
    assert judge_release(fewer, margin=0.05).verdict == "cannot tell"
    if found.answers:
        often = [
            GateCount(one.id, one.element, 10, 10, found.answers, found.answers) for one in few
        ]
        assert judge_release(often, margin=0.05).verdict == "passed"


def test_an_element_that_was_never_sure_is_not_lost() -> None:
    """What the baseline hit 8 times of 10 is no loss when missed; 9 of 10, missed 10 times, is."""
    sure = [GateCount(str(at), str(at), 10, 10, 3, 3) for at in range(60)]
    shaky = GateCount("a", "a", 10, 8, 1, 0, 9, 0)
    firm = GateCount("a", "a", 10, 9, 1, 0, 9, 0)
    assert judge_release([*sure, shaky]).lost == ()
    found = judge_release([*sure, firm])
    assert (found.verdict, found.lost) == ("failed", ("a",))
    unasked = judge_release([*sure, msgspec.structs.replace(firm, again=0)])
    assert (unasked.verdict, unasked.suspects) == ("cannot tell", ("a",))


def test_a_rate_is_reached_surely_or_missed_surely() -> None:
    """Of 200 answers 190 surely reach 85 %, surely miss 99 %, and leave 95 % open."""
    counts = [GateCount(str(at), str(at), 10, 9, 1, at >= 10) for at in range(200)]
    counts = [msgspec.structs.replace(one, again=9, hits_again=9) for one in counts]
    verdicts = [judge_release(counts, least=least).verdict for least in (0.85, 0.95, 0.99)]
    assert verdicts == ["passed", "cannot tell", "failed"]


def test_the_mean_drop_and_its_error_are_those_by_hand() -> None:
    """The drop is the mean over questions, its error that of answers with the shared rates."""
    counts = [GateCount("a", "a", 10, 10, 2, 1), GateCount("b", "b", 10, 5, 1, 1)]
    found = judge_release(counts, margin=0.9)
    first, second = 11.5 / 13, 6.5 / 12
    error = math.sqrt(first * (1 - first) * (0.1 + 0.5) + second * (1 - second) * (0.1 + 1)) / 2
    assert found.drop == pytest.approx((0.5 - 0.5) / 2)
    assert found.error == pytest.approx(error)
    assert found.bound == pytest.approx(1.6448536 * error)


def by_pages(
    source: np.random.Generator, pages: int, each: int, spread: float, drop: float
) -> list[GateCount]:
    """Draw a release whose pages lose and gain, each a share of its own around a mean drop."""
    counts = []
    for page in range(pages):
        now = float(np.clip(0.75 - drop + source.normal(0, spread), 0.02, 0.98))
        for at in range(each):
            hits, then = int(source.binomial(10, 0.75)), int(source.binomial(3, now))
            counts.append(
                GateCount(f"{page}-{at}", f"{page} {at}", 10, hits, 3, then, page=f"{page}")
            )
    return counts


@pytest.mark.parametrize(
    ("pages", "times"), [(12, FEW), pytest.param(40, MANY // 2, marks=pytest.mark.long)]
)
def test_a_drop_of_other_pages_is_bounded_as_stated(pages: int, times: int) -> None:
    """The bound holds the mean drop of all pages in 95 of 100 draws; that of these does not."""
    source = np.random.default_rng(11)
    held = {"page": 0, "element": 0}
    alarms = {"page": 0, "element": 0}
    for _ in range(times):
        counts = by_pages(source, pages, 8, 0.12, 0.0)
        for unit in UNITS:
            found = judge_release(counts, margin=0.03, unit=unit)
            held[unit] += found.bound >= 0
            alarms[unit] += found.spread

    # Two standard errors of the share itself below what is promised.
    assert held["page"] / times >= 0.95 - 2 * math.sqrt(0.05 * 0.95 / times)
    assert alarms["page"] / times <= 0.025 + 2 * math.sqrt(0.025 * 0.975 / times)
    assert held["element"] < held["page"]
    assert alarms["element"] > alarms["page"]


def test_a_drop_of_other_pages_is_seen_and_needs_five_of_them() -> None:
    """A drop on all pages alike fails with either unit; four pages alone tell of no others."""
    counts = by_pages(np.random.default_rng(3), 30, 8, 0.02, 0.2)
    units = [judge_release(counts, margin=0.05, unit=unit) for unit in UNITS]
    few = [one for one in counts if int(one.page) < 4]
    unsure = judge_release(few, margin=0.05, unit="page")

    assert [found.spread for found in units] == [True, True]
    assert units[0].drop == units[1].drop
    assert (unsure.verdict, unsure.spread, unsure.bound, unsure.pages) == (
        "cannot tell",
        False,
        1.0,
        4,
    )
    with pytest.raises(InvalidInputError, match="Leave --min-hit out"):
        judge_release(counts, least=0.5, unit="page")
