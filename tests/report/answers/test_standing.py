"""
Standard sets beside a benchmark: the rates are those of each by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question
from surefoot.report.answers.details import detail_sections
from surefoot.report.answers.scored import Choices, score_runs
from surefoot.report.answers.standing import Beside
from surefoot.run.asking.runs import find_run
from surefoot.score.scorings.hits import HITS

Write = Callable[..., Path]


def test_each_rate_is_that_of_its_own_set(
    drawn: Path, write_run: Write, stumble: Callable[[Question], Parsed | None], tmp_path: Path
) -> None:
    """A model that misses all of a standard set has 0 there, and here what it has without one."""
    run = find_run(write_run(drawn, tmp_path / "run", stumble))
    missed = find_run(write_run(drawn, tmp_path / "set", lambda _: Point(319.0, 199.0)))
    other = find_run(write_run(drawn, tmp_path / "of", lambda _: None, name="another"))
    plain = score_runs([run], HITS, Choices())
    found = score_runs([run], HITS, Choices(), standard=[missed, other])

    told: tuple[Beside, ...] = found.details["standard"]
    assert {one.standard.model for one in told} == {"walker"}
    assert {one.standard.amount for one in told} == {0.0}
    assert {one.original.amount for one in told} == {1.0}
    changes = [one.change for one in plain.comparisons if one.metric == "hit"]
    assert {one.change for one in told} == {
        min(change for change in changes if change is not None)
    }
    assert (found.scores, found.comparisons) == (plain.scores, plain.comparisons)
    (section,) = (item for item in detail_sections(found) if item.id == "standard")
    assert len(section.figures[0].table.rows) == len(told)
