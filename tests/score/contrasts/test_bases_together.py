"""
Crossed conditions: every factor is compared with the same condition without it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import msgspec
import pytest

from surefoot.core.geometry import Point
from surefoot.core.perturbation import OVER, variant_over
from surefoot.score.contrasts.effects import Effect
from surefoot.score.outcomes import Record
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.overlap import OVERLAP
from surefoot.score.summary import Summary, summarise

HIT, MISS = Point(120.0, 110.0), Point(900.0, 400.0)
BASES, MASKS = ("original", "theme", "zoom:1.5"), ("original", "static", "hide")
SITES, ELEMENTS = 8, 6


def right(base: str, mask: str, at: int) -> bool:
    """Hit five of six; a theme costs one, a mask three, and both together all of them."""
    lost = (base == "theme") + 3 * (mask != "original") + (base == "theme" and mask != "original")
    return at >= 1 + lost


@pytest.fixture
def crossed(record: Callable[..., Record]) -> Summary:
    """Score answers to all masks over all bases; zoom lacks the last element of each site."""
    records = []
    for site, at, base, mask in itertools.product(range(SITES), range(ELEMENTS), BASES, MASKS):
        if (base, at) == ("zoom:1.5", ELEMENTS - 1):
            continue
        model, question, answer = record(
            pair=f"{site}#{at}",
            cluster=str(site),
            variant=variant_over(base, mask),
            parsed=HIT if right(base, mask, at) else MISS,
        )
        facts = {} if base == "original" else {OVER: base}
        records.append((model, msgspec.structs.replace(question, facts=facts), answer))
    model = records[0][0]
    questions = [question for _, question, _ in records]
    answers = [answer for *_, answer in records if answer is not None]
    return summarise(tabulate_for(OVERLAP, [(questions, [(model, answers)])]), OVERLAP)


def effect(summary: Summary, factor: str, value: str) -> Effect:
    """Return the effect of a level on the hits with the middle of a box."""
    (found,) = (
        one
        for one in summary.effects
        if (one.metric, one.factor, one.value, one.beside) == ("bcp", factor, value, "")
    )
    return found


def test_a_mask_is_compared_on_its_own_base(crossed: Summary) -> None:
    """What a mask costs is the mean over the bases of what it costs there, on all elements."""
    found = effect(crossed, "variant", "static")
    assert found.n == found.asked == SITES * ELEMENTS
    by_element = [
        [
            right(base, "static", at) - right(base, "original", at)
            for base in BASES
            if (base, at) != ("zoom:1.5", ELEMENTS - 1)
        ]
        for at in range(ELEMENTS)
    ]
    means = [sum(own) / len(own) for own in by_element]
    assert found.change == pytest.approx(sum(means) / ELEMENTS)


def test_a_base_is_compared_under_the_same_mask(crossed: Summary) -> None:
    """A base's effect is pooled over the masks, on the elements that both sides have."""
    found = effect(crossed, "base", "zoom:1.5")
    assert (found.baseline, found.n, found.asked) == ("original", 40, 48)
    assert found.change == 0.0
    theme = [
        sum(right("theme", mask, at) - right("original", mask, at) for mask in MASKS) / 3
        for at in range(ELEMENTS)
    ]
    assert effect(crossed, "base", "theme").change == pytest.approx(sum(theme) / ELEMENTS)


def test_single_conditions_name_what_they_are_compared_with(crossed: Summary) -> None:
    """A mask over a base is compared with the base as it is, a base with the mask alone."""
    pairs = {
        (one.contrast, one.variant): (one.baseline, one.value)
        for one in crossed.comparisons
        if one.metric == "bcp"
    }
    assert pairs["variant", "theme+static"] == ("theme", "")
    assert pairs["variant", "static"] == ("original", "")
    assert pairs["base", "theme+static"] == ("original", "theme")
    assert ("base", "static") not in pairs
    assert len(pairs) == 2 * 3 + 2 * 3


def test_an_interaction_is_told_beside_its_base(crossed: Summary) -> None:
    """How much worse a theme makes a mask is an effect of its own, on elements that have both."""
    (found,) = (
        one
        for one in crossed.effects
        if (one.metric, one.value, one.beside_value) == ("bcp", "static", "theme")
    )
    assert (found.factor, found.beside, found.beside_baseline) == ("variant", "base", "original")
    assert found.change == pytest.approx(-1 / ELEMENTS)
    assert [side.change for side in found.simple] == pytest.approx([-3 / 6, -4 / 6])
