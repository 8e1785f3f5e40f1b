"""
What is said first of one model, of two, and of many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from surefoot.core.geometry import Point
from surefoot.phrasing.headlines import headline_rows, headlines
from surefoot.score.outcomes import Record, by_model
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.summary import Summary, summarise

RecordMaker = Callable[..., Record]
HIT, MISS = Point(120.0, 110.0), Point(900.0, 400.0)


@pytest.fixture
def rated(record: RecordMaker) -> Callable[[Mapping[str, float]], Summary]:
    """Score models that hit 12 sites' targets at given rates, on the original and zoomed."""

    def score(rates: Mapping[str, float]) -> Summary:
        random = np.random.default_rng(3)
        rows = [
            record(
                HIT if random.random() < rate else MISS, model=model, pair=f"p{pair}",
                cluster=f"site {pair % 12}", variant=variant,
            )
            for model, rate in rates.items()
            for pair in range(120)
            for variant in ("original", "zoom")
        ]  # fmt: skip
        return summarise(tabulate_for(HITS, by_model(rows)), HITS)

    return score


def test_two_models_are_compared_in_a_sentence(
    rated: Callable[[Mapping[str, float]], Summary],
) -> None:
    """The better one is named with both rates over what both were asked; equals are not ranked."""
    found = rated({"a": 0.3, "b": 0.9})
    change, *_ = (one for one in found.effects if one.varies == "model")
    told, *others = headlines(found)
    assert told.sentence.startswith(
        f"b does better than a: hit rate {100 * (change.after or 0):.1f} % against "
        f"{100 * (change.before or 0):.1f} % on the same 120 elements, a difference of "
    )
    assert [line.model for line in others] == ["a", "b"]
    turned, *_ = headlines(rated({"a": 0.9, "b": 0.3}))
    assert turned.sentence.startswith("a does better than b: hit rate ")
    assert "interval -" not in turned.sentence
    equal, *_ = headlines(rated({"a": 0.6, "b": 0.6}))
    assert equal.sentence.startswith("b and a do not differ beyond chance: hit rate ")


def test_only_two_models_are_compared_first(
    rated: Callable[[Mapping[str, float]], Summary],
) -> None:
    """One model and three have a line each, and a table of a row each."""
    for names in ("a", "abc"):
        told = headlines(rated(dict.fromkeys(names, 0.5)))
        assert [line.model for line in told] == list(names)
        head, *rows = headline_rows(told)
        assert head[:2] == ("model", "hit rate on the original screens")
        assert [row[0] for row in rows] == list(names)
        assert {len(row) for row in (head, *rows)} == {4}
