"""
The report's sections: every number of the summary stands in a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from surefoot.benchmarks.matching import with_reasoning
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Parsed, Question, Unparsed
from surefoot.report.answers.sections import metric_figure, sections, wide_table
from surefoot.report.html.section import Figure, Section
from surefoot.run.asking.runs import open_run, tabulate_folders
from surefoot.run.folders.folder import read_questions
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.units import Unit
from surefoot.score.summary import Summary, summarise

Replies = Callable[[Question], Parsed]


def score(
    questions: Sequence[Question], answers: Sequence[Answer], *, unit: Unit = "site"
) -> Summary:
    """Score one model by hits."""
    table = tabulate_for(HITS, [(questions, [("walker", answers)])])
    return summarise(table, HITS, unit=unit)


@pytest.fixture(scope="module")
def summary(drawn: Path, stumble: Replies) -> Summary:
    """Score one model in both reasoning modes; with reasoning it says nothing readable."""
    plain = read_questions(drawn)
    thought = with_reasoning(plain)
    answers = [Answer(question.id, "", stumble(question)) for question in plain]
    answers += [Answer(question.id, "", Unparsed("no numbers")) for question in thought]
    return score([*plain, *thought], answers)


def figures(found: tuple[Section, ...], section: str) -> dict[str, Figure]:
    """Return a section's figures by title."""
    return {
        figure.title: figure for part in found if part.id == section for figure in part.figures
    }


def named(figure: Figure, name: str) -> dict[str, str]:
    """Return the row of a figure's table by its heads."""
    (row,) = (row for row in figure.table.rows if row[0] == name)
    return dict(zip(figure.table.head, row, strict=True))


def test_sections_are_whole_tables(summary: Summary) -> None:
    """Sections have anchors of their own, and each row has a value under each head."""
    found = sections(summary)

    assert [section.id for section in found] == ["changes", "metrics", "kinds", "unread"]
    for part in found:
        assert part.figures
        for figure in part.figures:
            assert figure.table.rows
            assert {len(row) for row in figure.table.rows} == {len(figure.table.head)}
            assert len(set(figure.table.rows)) == len(figure.table.rows)


def test_every_comparison_has_its_row(summary: Summary) -> None:
    """Each variant, kind of instruction and mode is one row with its own counts."""
    found = figures(sections(summary), "changes")
    rows = [
        row for name, figure in found.items() if "summed" not in name for row in figure.table.rows
    ]

    assert len(rows) == len(summary.comparisons) == 2 * (2 * 2 + 3) + 1
    lost = named(
        found["Each variant against the original: hit rate"],
        "walker, direct, theme and order against original",
    )
    assert (lost["elements"], lost["sites"]) == ("6", "3")
    assert (lost["lost (b)"], lost["gained (c)"], lost["flips"]) == ("4", "0", "66.7 %")
    assert (lost["before"], lost["after"], lost["change"]) == ("100.0 %", "33.3 %", "-66.7 points")


def test_flips_are_summed_over_kinds_and_modes(summary: Summary) -> None:
    """The sums of each variant are those of its rows, and all of its comparisons count."""
    found = figures(sections(summary), "changes")
    title = "Each variant against the original: hit rate"
    total = named(
        found[f"{title}, summed over the other conditions"],
        "walker, theme and order against original",
    )
    rows = [
        named(found[title], row[0])
        for row in found[title].table.rows
        if "theme and order" in row[0]
    ]

    assert len(rows) == 4
    elements, lost, gained = (
        sum(int(row[part]) for row in rows) for part in ("elements", "lost (b)", "gained (c)")
    )
    assert total["elements"] == str(elements) == "24"
    assert (
        total["lost / gained (b / c)"].split() == [str(lost), "/", str(gained)] == ["8", "/", "0"]
    )
    assert (total["flips, %"], total["change, points"]) == ("33.3", "-33.3")
    assert total["significant by sites, Holm"] == "0 of 4"


def test_only_what_outlasts_correction_is_coloured(summary: Summary) -> None:
    """A mark is filled where interval and corrected test agree, and open elsewhere."""
    (base, *_) = (
        comparison for comparison in summary.comparisons if comparison.contrast == "variant"
    )
    interval = Interval(-0.4, -0.1, "jackknife t", clusters=9, over="sites")
    tones = []
    for p in (0.01, 0.2):
        told = msgspec.structs.replace(base, change=-0.2, interval=interval, p_holm=p)
        one = msgspec.structs.replace(summary, comparisons=(told,), totals=())
        (figure,) = figures(sections(one), "changes").values()
        tones.append(re.findall(r'<g class="(\w+)">', figure.svg))

    assert tones == [["loss"] * 2, ["open"] * 2]  # for a desk and for a phone


def test_reasoning_stands_apart(summary: Summary) -> None:
    """Scores with and without reasoning are rows of their own, in the drawing as well."""
    role = figures(sections(summary), "kinds").get("Hit rate by size of the target")
    rates = metric_figure(summary, summary.metrics[0])

    assert role is None  # all targets are of one size
    assert rates.svg.count('class="heat') == 2 * 4 * 3  # for a desk and for a phone
    assert len(rates.table.rows) == 12
    assert "walker, reasoning, relational" in rates.svg


def test_slices_say_what_they_rest_on(summary: Summary) -> None:
    """Each site has a cell, and its row in the table has rate and count."""
    figure = figures(sections(summary), "kinds")["Hit rate by site"]
    row = named(figure, "walker, direct, theme and order: site/b.html")

    assert "walker, direct, theme and order: site/a.html 100.0 %, site/b.html 0.0 %" in figure.svg
    assert row["hit rate, %"].split() == ["0.0"]  # one site has no interval
    assert row["elements"] == "2"


def test_what_became_of_every_question(summary: Summary) -> None:
    """Asked is read plus unparsed, declined and failed, in every cell."""
    (table,) = (figure.table for figure in figures(sections(summary), "unread").values())

    for _, asked, *parts in table.rows:
        assert int(asked) == sum(map(int, parts)) == 6
    assert sum(int(row[3]) for row in table.rows) == 36


def test_a_failed_question_was_asked(drawn: Path) -> None:
    """A question without an answer counts as asked and failed in its cell."""
    questions = read_questions(drawn)
    answers = [Answer(question.id, "", Point(1.0, 1.0)) for question in questions[1:]]
    (table,) = (
        figure.table for figure in figures(sections(score(questions, answers)), "unread").values()
    )

    cell = questions[0].cell
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows[f"walker, {cell.instruction}, {cell.variant}"] == ("6", "5", "0", "0", "1")


def test_a_summary_by_elements_speaks_of_elements(drawn: Path, stumble: Replies) -> None:
    """Where elements are taken as independent, no head and no note says sites."""
    questions = read_questions(drawn)
    answers = [Answer(question.id, "", stumble(question)) for question in questions]
    units: tuple[Unit, ...] = ("site", "element")
    for unit in units:
        found = sections(score(questions, answers, unit=unit))
        changes = figures(found, "changes")["Each variant against the original: hit rate"]
        assert f"{unit}s" in changes.table.head
        assert f"(by {unit}s, Holm)" in changes.svg
        assert ("site" in str(changes)) == (unit == "site")


def test_two_models_stand_side_by_side(
    drawn: Path, write_run: Callable[..., Path], stumble: Replies, tmp_path: Path
) -> None:
    """Each model has its own row in the grid of rates, and they are compared."""
    runs = [
        open_run(write_run(drawn, tmp_path / name, stumble, name=name)) for name in ("one", "two")
    ]
    summary = summarise(tabulate_folders(runs, HITS), HITS)
    figure = metric_figure(summary, summary.metrics[0])
    models = figures(sections(summary), "changes")["Each model against the others: hit rate"]

    assert figure.table.rows[0][0] == "one, direct, original"
    assert "two, relational" in figure.svg
    assert named(models, "two against one")["change"] == "+0.0 points"


def test_what_is_counted_stands_once_where_it_is_alike(summary: Summary) -> None:
    """Metrics of as many elements share a column of counts; each else has its own."""
    hit, *_ = summary.metrics
    other = msgspec.structs.replace(hit, name="other")
    (one, *_) = (score for score in summary.scores if score.metric == "hit")
    alike = msgspec.structs.replace(one, metric="other")
    fewer = msgspec.structs.replace(alike, n=one.n - 1)

    assert wide_table([one, alike], [hit, other]).head == (
        "condition", "sites", "elements", "hit rate, %", "hit rate, %",
    )  # fmt: skip
    apart = wide_table([one, fewer], [hit, other])
    assert apart.head == ("condition", "sites", "n", "hit rate, %", "n", "hit rate, %")
    assert (apart.rows[0][2], apart.rows[0][4]) == (f"{one.n:,}", f"{one.n - 1:,}")
