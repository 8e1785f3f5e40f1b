"""
Pillars judged as one family: whose level is shared, whose numbers stay, and what chance has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Question
from surefoot.score.contrasts.comparisons import LEVEL
from surefoot.score.metric import Ruler
from surefoot.score.outcomes import Record, by_model
from surefoot.score.pillars import (
    GUESSING,
    MeasuredPillar,
    by_hits,
    judge_together,
    measure_pillar,
)
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.scorings.overlap import OVERLAP
from surefoot.score.summary import summarise

RecordMaker = Callable[..., Record]
TRUTH = Box(100.0, 100.0, 140.0, 120.0)
MISS = Point(900.0, 400.0)


def answers(
    record: RecordMaker, seed: int, rates: dict[str, float], *, model: str = "model"
) -> Iterator[Record]:
    """Draw a model's answers about 60 elements of 12 sites, hit at a rate by variant."""
    random = np.random.default_rng(seed)
    for at in range(60):
        for variant, rate in rates.items():
            place = TRUTH.center if random.random() < rate else MISS
            yield record(place, model=model, pair=f"p{at}", cluster=f"s{at % 12}", variant=variant)


@pytest.fixture
def pillar(record: RecordMaker) -> Callable[..., MeasuredPillar]:
    """Measure a pillar of drawn answers, with a model that always clicks one place beside."""

    def make(name: str, seed: int, **rates: float) -> MeasuredPillar:
        told = [
            *answers(record, seed, rates),
            *answers(record, seed, dict.fromkeys(rates, 0.0), model="center"),
        ]
        table = tabulate_for(by_hits(HITS), by_model(told))
        return measure_pillar(name, table, HITS, Ruler(), "site")

    return make


def test_one_pillar_alone_is_its_own_summary(
    record: RecordMaker, pillar: Callable[..., MeasuredPillar]
) -> None:
    """Alone, a pillar has the effects that its own scoring by hits has, to the last digit."""
    rates = {"original": 0.9, "zoom": 0.5, "style": 0.8}
    told = [
        *answers(record, 3, rates),
        *answers(record, 3, dict.fromkeys(rates, 0.0), model="center"),
    ]
    alone = summarise(tabulate_for(by_hits(HITS), by_model(told)), by_hits(HITS))
    (found,) = judge_together([pillar("a", 3, **rates)])

    assert found.summary.effects == alone.effects
    assert any(effect.found for effect in found.effects_on("model"))


def test_all_pillars_share_one_level(pillar: Callable[..., MeasuredPillar]) -> None:
    """With a second pillar every change keeps its estimate, and is held to half the level."""
    first, second = (
        pillar(name, seed, original=0.9, zoom=0.7) for name, seed in (("a", 1), ("b", 2))
    )
    (alone,) = judge_together([first])
    together, other = judge_together([first, second])
    (before,), (after,) = alone.effects_on("model"), together.effects_on("model")

    assert (before.level, after.level) == (LEVEL, LEVEL / 2)
    assert other.effects_on("model")[0].level == LEVEL / 2
    assert (before.change, before.p, before.n) == (after.change, after.p, after.n)
    assert before.interval is not None
    assert after.interval is not None
    assert after.interval.low < before.interval.low < before.interval.high < after.interval.high
    assert (together.name, other.name) == ("a", "b")


def test_interactions_stay_within_a_pillar(record: RecordMaker) -> None:
    """A factor is crossed with those of its own pillar alone, though all names are alike."""

    def measured(name: str) -> MeasuredPillar:
        told = [
            record(
                TRUTH.center if variant == "original" or kind == "direct" else MISS,
                pair=f"p{at}", cluster=f"s{at % 12}", variant=variant, instruction=kind,
            )
            for at in range(60)
            for variant in ("original", "zoom")
            for kind in ("direct", "relational")
        ]  # fmt: skip
        table = tabulate_for(by_hits(HITS), by_model(told))
        return measure_pillar(name, table, HITS, Ruler(), "site")

    for found in judge_together([measured("a"), measured("b")]):
        crossed = [effect for effect in found.effects_on("model") if effect.beside]
        assert [(one.factor, one.beside, one.change) for one in crossed] == [
            ("variant", "instruction", -1.0)
        ]


@pytest.mark.parametrize(("rate", "above"), [(0.95, True), (0.0, False), (0.02, False)])
def test_chance_is_told_where_changes_start(
    pillar: Callable[..., MeasuredPillar], rate: float, *, above: bool
) -> None:
    """A model is above chance if it beats an even click and each model that does not look."""
    found = pillar("a", 5, original=rate, zoom=0.9).pillar
    told = {one.reference: one for one in found.above if one.model == "model"}

    assert found.stands_above("model") is above
    assert told.keys() == {GUESSING, "center"}
    # 40 x 20 of 1000 x 500 pixels, whatever the variant is like.
    assert told[GUESSING].amount == pytest.approx(800 / 500_000)
    assert not any(one.model == "center" for one in found.above)


def test_nothing_is_above_chance_that_was_not_asked_plainly(
    pillar: Callable[..., MeasuredPillar],
) -> None:
    """Without the original there is nothing that could be above chance."""
    found = pillar("a", 6, zoom=1.0).pillar

    assert (found.above, found.stands_above("model")) == ((), False)


def test_what_is_apart_is_in_no_number(record: RecordMaker) -> None:
    """Guesses about content, which are scored apart, are in no rate that changes start from."""
    told = []
    for at in range(24):
        model, question, answer = record(
            TRUTH.center if at % 2 else MISS, pair=f"p{at}", cluster=f"s{at % 6}"
        )
        facts = {} if at % 2 else {"decided": "nothing"}
        told.append((model, _with(question, facts), answer))
    table = tabulate_for(by_hits(OVERLAP), by_model(told))
    found = measure_pillar("hidden", table, OVERLAP, Ruler(), "site").pillar

    assert [(one.variant, one.n, one.amount) for one in found.standings] == [("original", 12, 1.0)]
    assert found.stands_above("model")


def _with(question: Question, facts: dict[str, str]) -> Question:
    return msgspec.structs.replace(question, facts=facts)


@pytest.mark.long
def test_nothing_planted_is_found_seldom(pillar: Callable[..., MeasuredPillar]) -> None:
    """Of 300 draws of three pillars without any effect at most 5 % find one, all together."""
    rates = dict.fromkeys(("original", "zoom", "style"), 0.8)
    wrong = 0
    for seed in range(300):
        measured = [pillar(name, 10 * seed + at, **rates) for at, name in enumerate("abc")]
        found = judge_together(measured)
        wrong += any(effect.found for one in found for effect in one.effects_on("model"))

    assert wrong <= 0.05 * 300 + 1.64 * (300 * 0.05 * 0.95) ** 0.5
