"""
Ranks by paired tests: equal models tie, a planted difference does not, and intervals hold.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from surefoot.score.ranking import mean_rate, rank

SITES = 28
ELEMENTS = 9  # of each site, as a standard suite asks for


def drawn(
    seed: int, rates: Mapping[str, float]
) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, str]]:
    """
    Draw models that hit at rates, on sites of different difficulty, in two pillars.

    An element's difficulty is the same for all models, as on a real page.
    """
    source = np.random.default_rng(seed)
    sites: dict[str, str] = {}
    values: dict[str, dict[str, dict[str, float]]] = {
        model: {"plain": {}, "hidden": {}} for model in rates
    }
    for site in range(SITES):
        shift = source.normal(0, 0.1)
        for at in range(ELEMENTS):
            pair = f"s{site}#{at}"
            sites[pair] = f"s{site}"
            own = shift + source.normal(0, 0.1)
            for model, rate in rates.items():
                for pillar in values[model]:
                    chance = float(np.clip(rate + own, 0, 1))
                    values[model][pillar][pair] = float((source.random(4) < chance).mean())
    return values, sites


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 20))]
)
def test_a_planted_difference_parts_and_equals_tie(seed: int) -> None:
    """Two models of one rate share a place, and one that is 15 points behind has none of it."""
    values, sites = drawn(seed, {"a": 0.7, "b": 0.7, "c": 0.55})
    found = rank(values, sites)

    assert found.places["c"] == (3, 3)
    assert found.places["a"] == found.places["b"] == (1, 2)
    assert [set(group) for group in found.ties] == [{"a", "b"}, {"c"}]
    assert {(pair.model, pair.other) for pair in found.pairs if pair.found} == {
        (first, "c") for first in ("a", "b")
    }


@pytest.mark.long
def test_equal_models_are_parted_no_more_often_than_said() -> None:
    """Of 300 boards of six equal models at most 5 % (and their error) tell any two apart."""
    boards = [rank(*drawn(seed, dict.fromkeys("abcdef", 0.7))) for seed in range(300)]
    wrong = sum(len(board.ties) > 1 for board in boards)

    assert wrong <= 26  # 15 expected at most, and three of their standard errors


def test_all_is_counted_by_element() -> None:
    """An element weighs once, whatever asks for it; a model without a pillar has no place."""
    sites = {"a": "s", "b": "t", "c": "u"}
    values = {
        "x": {"p": {"a": 1.0, "b": 0.0}, "q": {"a": 0.0, "c": 1.0}},
        "y": {"p": {"a": 1.0, "b": 1.0}},
        "oracle": {"p": {"a": 1.0, "b": 1.0}, "q": {"a": 1.0, "c": 1.0}},
    }
    found = rank(values, sites, beside=["oracle"])
    rate, part = found.rate("x"), found.rate("y", "p")

    assert found.models == ("x",)
    assert rate is not None
    assert part is not None
    assert rate.n == 3
    assert rate.amount == pytest.approx(0.5)
    assert (part.n, part.amount) == (2, 1.0)
    assert found.rate("y") is None
    assert found.rate("oracle") is not None
    assert found.places == {"x": (1, 1)}


def test_intervals_widen_with_what_is_told() -> None:
    """With more models beside it, a model's interval is wider, about the same rate."""
    values, sites = drawn(3, dict.fromkeys("abcdef", 0.7))
    alone, among = (
        rank(some, sites).rate("a") for some in ({"a": values["a"]}, values)
    )  # fmt: skip

    assert alone is not None
    assert among is not None
    assert alone.interval is not None
    assert among.interval is not None
    assert alone.amount == among.amount
    assert among.interval.low < alone.interval.low < alone.amount < alone.interval.high
    assert alone.interval.high < among.interval.high
    assert mean_rate({"a": 1.0}, {"a": "s"})[2] is None


def test_ties_need_not_be_one_group() -> None:
    """A model between two that are told apart is tied with both, in a group each."""
    source = np.random.default_rng(5)
    pairs = [f"{at}" for at in range(240)]
    hits = source.random(len(pairs))
    values = {
        model: {"p": {pair: float(hit < rate) for pair, hit in zip(pairs, hits, strict=True)}}
        for model, rate in (("good", 0.70), ("middle", 0.685), ("bad", 0.62))
    }
    sites = {pair: f"s{int(pair) % 24}" for pair in pairs}
    found = rank(values, sites)
    parted = {(pair.model, pair.other) for pair in found.pairs if pair.found}

    for group in found.ties:
        assert not any({one, other} <= {*group} for one, other in parted)
    joined = {frozenset((one, other)) for group in found.ties for one in group for other in group}
    for pair in found.pairs:
        assert (frozenset((pair.model, pair.other)) in joined) is not pair.found
