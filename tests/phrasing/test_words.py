"""
Sentences that claim what the numbers hold, and no more.
"""

from __future__ import annotations

from collections.abc import Callable

from surefoot.core.geometry import Point
from surefoot.phrasing.tables import summary_lines
from surefoot.phrasing.words import p_words
from surefoot.score.outcomes import Outcomes, Record, by_model
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.summary import summarise

TableMaker = Callable[..., Outcomes]
RecordMaker = Callable[..., Record]


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
