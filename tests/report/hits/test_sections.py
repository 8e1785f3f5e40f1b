"""
The report's sections: every number of the summary stands in a table.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from surefoot.benchmarks.matching import with_reasoning
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Parsed, Question, Unparsed
from surefoot.report.hits.sections import rates_figure, sections
from surefoot.report.html.section import Figure, Section
from surefoot.run.asking.runs import open_run, tabulate_runs
from surefoot.run.folders.folder import read_questions
from surefoot.score.outcomes import match, tabulate
from surefoot.score.summary import Summary, summarise

Replies = Callable[[Question], Parsed]


@pytest.fixture(scope="module")
def summary(drawn: Path, stumble: Replies) -> Summary:
    """Score one model in both reasoning modes; with reasoning it says nothing readable."""
    plain = read_questions(drawn)
    thought = with_reasoning(plain)
    answers = [Answer(each.id, "", stumble(each)) for each in plain]
    answers += [Answer(each.id, "", Unparsed("no numbers")) for each in thought]
    return summarise(tabulate(match("walker", [*plain, *thought], answers)))


def figures(found: tuple[Section, ...], section: str) -> dict[str, Figure]:
    """Return a section's figures by title."""
    return {each.title: each for part in found if part.id == section for each in part.figures}


def test_sections_are_whole_tables(summary: Summary) -> None:
    """Sections have anchors of their own, and each row has a value under each head."""
    found = sections(summary)

    assert len({each.id for each in found}) == len(found) == 6
    for part in found:
        assert part.figures
        for figure in part.figures:
            assert figure.table.rows
            assert {len(row) for row in figure.table.rows} == {len(figure.table.head)}
            assert len(set(figure.table.rows)) == len(figure.table.rows)


def test_every_comparison_has_its_row(summary: Summary) -> None:
    """Each variant and each kind of instruction is one row with its own counts."""
    found = figures(sections(summary), "changes")
    rows = [row for figure in found.values() for row in figure.table.rows]

    assert len(rows) == len(summary.comparisons) == 2 * (2 * 2 + 3)
    (lost,) = (row for row in rows if row[0] == "walker, direct: style")
    head = next(iter(found.values())).table.head
    named = dict(zip(head, lost, strict=True))
    assert (named["n"], named["sites"], named["lost (b)"], named["gained (c)"]) == (
        "6",
        "3",
        "4",
        "0",
    )
    assert (named["baseline"], named["here"], named["change"]) == ("100.0 %", "33.3 %", "-66.7")


def test_matched_pairs_are_variants_alone(summary: Summary) -> None:
    """The grid of lost and gained compares variants with the original, and adds up to n."""
    (grid,) = figures(sections(summary), "pairs").values()

    assert all("on " not in row[0] for row in grid.table.rows)
    assert [sum(map(int, row[1:5])) for row in grid.table.rows] == [6] * 8


def test_reasoning_stands_apart(summary: Summary) -> None:
    """Shares with and without reasoning are rows of their own, in the drawing as well."""
    found = figures(sections(summary), "kinds")
    for figure in found.values():
        assert "walker, direct, reasoning, style" in figure.svg
    assert "walker, direct, style: button 33 % of 6" in found["By the target's role"].svg
    assert "walker, direct, reasoning, style: button 0 % of 6" in found["By the target's role"].svg
    rates = rates_figure(summary)
    assert rates.svg.count('class="heat') == 4 * 3
    assert len(rates.table.rows) == 12


def test_what_became_of_every_question(summary: Summary) -> None:
    """Asked is located plus others plus unparsed, declined and failed, in every cell."""
    (table,) = (each.table for each in figures(sections(summary), "unread").values())

    for _, asked, *parts in table.rows:
        assert int(asked) == sum(map(int, parts)) == 6
    assert sum(int(row[4]) for row in table.rows) == 36


def test_a_failed_question_was_asked(drawn: Path) -> None:
    """A question without an answer counts as asked and failed in its cell."""
    questions = read_questions(drawn)
    answers = [Answer(each.id, "", Point(1.0, 1.0)) for each in questions[1:]]
    found = sections(summarise(tabulate(match("walker", questions, answers))))
    (table,) = (each.table for each in figures(found, "unread").values())

    cell = questions[0].cell
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows[f"walker, {cell.instruction}, {cell.variant}"] == ("6", "5", "0", "0", "0", "1")


def test_a_summary_by_pairs_speaks_of_pairs(drawn: Path, stumble: Replies) -> None:
    """Where pairs are taken as independent, no head and no note says sites."""
    questions = read_questions(drawn)
    answers = [Answer(each.id, "", stumble(each)) for each in questions]
    table = tabulate(match("walker", questions, answers))
    for cluster, units in ((True, "sites"), (False, "pairs")):
        found = sections(summarise(table, cluster=cluster))
        changes = figures(found, "changes")["Each variant against the original"]
        assert units in changes.table.head
        assert f"p by {units}, Holm" in changes.table.head
        assert f"(by {units}, Holm)" in changes.svg


def test_direct_questions_alone_have_no_directions(drawn: Path) -> None:
    """Without relational instructions there is no empty drawing of directions."""
    questions = [each for each in read_questions(drawn) if each.cell.instruction == "direct"]
    bare = [msgspec.structs.replace(each, role="") for each in questions]
    answers = [Answer(each.id, "", Point(1.0, 1.0)) for each in bare]
    found = sections(summarise(tabulate(match("walker", bare, answers))))

    assert list(figures(found, "directions")) == ["To which side the misses fall"]
    assert list(figures(found, "kinds")) == ["By the target's size (shorter side, px)"]
    assert list(figures(found, "changes")) == ["Each variant against the original"]


def test_two_models_stand_side_by_side(
    drawn: Path, write_run: Callable[..., Path], stumble: Replies, tmp_path: Path
) -> None:
    """Each model has its own row in the grid of rates."""
    runs = [
        open_run(write_run(drawn, tmp_path / name, stumble, name=name)) for name in ("one", "two")
    ]
    figure = rates_figure(summarise(tabulate_runs(runs)))

    assert figure.table.rows[0][0] == "one, direct, original"
    assert "two, relational" in figure.svg
