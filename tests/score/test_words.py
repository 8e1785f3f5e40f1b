"""
Sentences that claim what the numbers hold, and no more.
"""

from __future__ import annotations

from collections.abc import Callable

from surefoot.score.outcomes import Outcomes
from surefoot.score.summary import summarise
from surefoot.score.words import p_words, sentence

TableMaker = Callable[..., Outcomes]


def said(table: Outcomes, *, cluster: bool = True) -> str:
    """Return the sentence about a table's only comparison."""
    return sentence(summarise(table, cluster=cluster).comparisons[0])


def test_a_clear_loss_is_called_a_cost(pairs_table: TableMaker) -> None:
    """Targets, sites, points, interval, p, correction and tolerance are in one sentence."""
    words = said(pairs_table([(f"c{n % 50}", True, n % 4 > 0) for n in range(200)]))
    assert words.startswith("On 200 targets from 50 sites, variant 'zoom' cost model ")
    assert "25.0 points" in words
    for part in (
        "95 % interval",
        "(50 sites)",
        "p < 0.001 by sites",
        "Holm over 1 tests",
        "tolerance 0 px",
    ):
        assert part in words


def test_a_gain_is_called_a_gain(pairs_table: TableMaker) -> None:
    """A clear rise is not called a cost."""
    words = said(pairs_table([(f"c{n % 50}", n % 4 > 0, True) for n in range(200)]))
    assert "variant 'zoom' gave model " in words


def test_what_chance_can_explain_is_not_claimed(pairs_table: TableMaker) -> None:
    """A small change says that chance can explain it, and what would have been missed."""
    results = [(f"c{n}", n != 1, n not in (2, 3)) for n in range(60)]
    words = said(pairs_table(results))
    assert "cost" not in words
    assert "which chance can explain" in words
    assert "easily missed" in words


def test_no_flip_at_all_is_said_plainly(pairs_table: TableMaker) -> None:
    """Two equal conditions are the same, with an interval that is not a point."""
    words = said(pairs_table([(f"c{n}", True, True) for n in range(40)]))
    assert "was the same with variant 'zoom'" in words
    assert "interval +0.0 to +0.0" not in words


def test_pairs_as_units_name_no_sites(pairs_table: TableMaker) -> None:
    """A summary over pairs speaks of targets alone."""
    words = said(pairs_table([("c", True, n % 4 > 0) for n in range(80)]), cluster=False)
    assert "site" not in words
    assert "by pairs" in words


def test_a_p_value_is_never_zero() -> None:
    """The smallest p is written as a bound."""
    assert p_words(0.0) == "p < 0.001"
    assert p_words(0.25) == "p = 0.25"
