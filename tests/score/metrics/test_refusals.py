"""
Refusals, right and wrong, counted by hand.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Parsed, Refusal
from surefoot.phrasing.headlines import headline_sentences
from surefoot.phrasing.tables import summary_lines
from surefoot.score.outcomes import Record, by_model
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import ABSENT, HITS
from surefoot.score.summary import Summary, summarise

RecordMaker = Callable[..., Record]
HIT = Point(120.0, 110.0)
DECLINES = Refusal("not there")


@pytest.fixture
def summary(record: RecordMaker) -> Callable[..., Summary]:
    """Score one model: 40 elements that are there and 20 that are not, of ten sites."""

    def make(there: list[Parsed], absent: list[Parsed]) -> Summary:
        told = [
            record(parsed, pair=f"p{at}", cluster=f"s{at % 10}", variant=variant)
            for at, parsed in enumerate(there)
            for variant in ("original", "zoom")
        ]
        for at, parsed in enumerate(absent):
            model, question, answer = record(
                parsed,
                pair=f"a{at}",
                cluster=f"s{at % 10}",
                instruction=ABSENT,
                truth=Box(0, 0, 0, 0),
            )
            told.append((model, msgspec.structs.replace(question, answerable=False), answer))
        return summarise(tabulate_for(HITS, by_model(told)), HITS)

    return make


def test_both_rates_are_those_counted(summary: Callable[..., Summary]) -> None:
    """15 of 20 are declined rightly and 8 of 80 wrongly, in tables, sentence and conditions."""
    found = summary([DECLINES] * 4 + [HIT] * 36, [DECLINES] * 15 + [HIT] * 5)
    right, wrong = found.details["refusals"]
    cells = {(one.metric, one.instruction, one.variant): one.total for one in found.scores}

    assert (right.metric, right.n, right.amount) == ("right_refusals", 20, 0.75)
    assert (wrong.metric, wrong.n, wrong.amount) == ("wrong_refusals", 80, 0.1)
    assert cells["right_refusals", ABSENT, "original"] == 15
    assert cells["wrong_refusals", "direct", "zoom"] == 4
    said = " ".join(headline_sentences(found))
    assert "declines 75.0 % of 20 questions about what is not there" in said
    assert "and 10.0 % of 80 questions about what is there" in said
    assert "What is declined" in summary_lines(found)


def test_what_is_not_there_moves_no_other_number(summary: Callable[..., Summary]) -> None:
    """Rates, effects and rulers of what is there are the same with and without it."""
    there: list[Parsed] = [*[DECLINES] * 10, *[HIT] * 30]
    alone, beside = summary(there, []), summary(there, [HIT] * 20)

    assert "refusals" not in alone.details
    assert beside.effects == alone.effects
    for one, other in zip(beside.baselines, alone.baselines, strict=True):
        assert (one.n, one.amount, one.interval) == (other.n, other.amount, other.interval)
    assert beside.details["rulers"] == alone.details["rulers"]
    assert beside.comparisons == alone.comparisons
    assert not any("right_refusals" == one.metric for one in alone.scores)


def test_what_is_not_there_is_a_family_of_its_own(record: RecordMaker) -> None:
    """Under a second variant its comparison is told, and corrects no other, nor is it summed."""

    def told(*, absent: bool) -> Summary:
        rows = [
            record(
                HIT if at % 3 or variant == "original" else DECLINES,
                pair=f"p{at}", cluster=f"s{at % 10}", variant=variant,
            )
            for at in range(40)
            for variant in ("original", "zoom")
        ]  # fmt: skip
        for at in range(20 * absent):
            for variant in ("original", "zoom"):
                model, question, answer = record(
                    DECLINES, pair=f"a{at}", cluster=f"s{at % 10}", variant=variant,
                    instruction=ABSENT,
                )  # fmt: skip
                rows.append((model, msgspec.structs.replace(question, answerable=False), answer))
        return summarise(tabulate_for(HITS, by_model(rows)), HITS)

    alone, beside = told(absent=False), told(absent=True)
    own = [one for one in beside.comparisons if one.instruction == ABSENT]

    assert tuple(one for one in beside.comparisons if one not in own) == alone.comparisons
    assert [(one.n, one.change) for one in own] == [(20, 0.0)]
    assert beside.totals == alone.totals
