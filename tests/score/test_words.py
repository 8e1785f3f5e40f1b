"""
Sentences that claim what the numbers hold, and no more.
"""

from __future__ import annotations

from collections.abc import Callable

from surefoot.core.geometry import Point
from surefoot.score.outcomes import Outcomes, Record, by_model
from surefoot.score.scoring import tabulate_for, with_traits
from surefoot.score.scorings.hits import HITS
from surefoot.score.stats.units import Unit
from surefoot.score.summary import summarise
from surefoot.score.tables import summary_lines
from surefoot.score.words import comparison_sentence, p_words

TableMaker = Callable[..., Outcomes]
RecordMaker = Callable[..., Record]


def said(table: Outcomes, *, unit: Unit = "site") -> str:
    """Return the sentence about a table's only comparison."""
    summary = summarise(with_traits(HITS, table), HITS, unit=unit)
    return comparison_sentence(summary.comparisons[0], summary.metrics[0], summary.unit)


def test_a_clear_loss_is_called_a_loss(pairs_table: TableMaker) -> None:
    """Elements, sites, points, interval, p and correction are in one sentence."""
    words = said(pairs_table([(f"c{n % 50}", True, n % 4 > 0) for n in range(200)]))

    assert words.startswith(
        "On 200 elements from 50 sites, model, direct, browser zoom 70 % against original:"
    )
    for part in ("25.0 points lower, a loss", "95 % interval", "p < 0.001", "Holm over 1"):
        assert part in words


def test_a_gain_is_called_a_gain(pairs_table: TableMaker) -> None:
    """A clear rise is not called a loss."""
    words = said(pairs_table([(f"c{n % 50}", n % 4 > 0, True) for n in range(200)]))

    assert "25.0 points higher, a gain" in words


def test_what_chance_can_explain_is_not_claimed(pairs_table: TableMaker) -> None:
    """A small change says that chance can explain it, and what would have been missed."""
    words = said(pairs_table([(f"c{n}", n != 1, n not in (2, 3)) for n in range(60)]))

    assert "a loss" not in words
    assert "which chance can explain" in words
    assert "easily missed" in words


def test_no_flip_at_all_is_said_plainly(pairs_table: TableMaker) -> None:
    """Two equal conditions are the same, with an interval that is not a point."""
    words = said(pairs_table([(f"c{n}", True, True) for n in range(40)]))

    assert "the same hit rate" in words
    assert "interval +0.0 to +0.0" not in words


def test_elements_as_clusters_name_no_sites(pairs_table: TableMaker) -> None:
    """A summary over elements speaks of elements alone."""
    words = said(pairs_table([("c", True, n % 4 > 0) for n in range(80)]), unit="element")

    assert "site" not in words


def test_every_score_and_what_was_lost_is_said(record: RecordMaker) -> None:
    """A condition without a reply says so, and one with counts what it rests on."""
    rows = [record(Point(120.0, 110.0)), record(None, pair="b"), record(None, variant="zoom")]
    summary = summarise(tabulate_for(HITS, by_model(rows)), HITS)
    lines = summary_lines(summary)

    assert lines[0] == (
        "model: no result. 2 of 3 questions got no reply, so no effect is claimed."
    )
    original = next(line for line in lines if line.startswith("model, direct, original"))
    assert original.split()[3:6] == ["1", "100.0", "%"]
    assert original.split()[-3:] == ["0", "0", "1"]
    zoom = next(line for line in lines if line.startswith("model, direct, browser zoom 70 %"))
    assert zoom.split()[6:] == ["0", "0", "0", "1"]
    assert "1 answers about 1 element on 1 page of 1 site; tolerance 0 px" in lines[-1] + lines[-2]


def test_a_p_value_is_never_zero() -> None:
    """The smallest p is written as a bound."""
    assert p_words(0.0) == "p < 0.001"
    assert p_words(0.25) == "p = 0.25"
