"""
Sections of what no metric says, on the report of a sensitivity benchmark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question
from surefoot.phrasing.headlines import headline_sentences
from surefoot.report.answers.details import detail_sections
from surefoot.report.answers.page import write_report
from surefoot.report.answers.scored import Choices, score_runs
from surefoot.run.asking.runs import FinishedRun, open_run
from surefoot.score.scorings.hits import HITS
from surefoot.score.scorings.scatter import SCATTER
from surefoot.score.summary import Summary

Write = Callable[..., Path]
Replies = Callable[[Question], Parsed | None]


@pytest.fixture(scope="module")
def folders(
    worded: Path,
    write_run: Write,
    waver: Callable[[float], Replies],
    tmp_path_factory: pytest.TempPathFactory,
) -> list[Path]:
    """Return runs of three models that waver more and more."""
    out = tmp_path_factory.mktemp("runs")
    noise = {"steady": 0.1, "shaky": 0.5, "wild <b>": 1.2}
    return [
        write_run(worded, out / f"run{at}", waver(width), name=name)
        for at, (name, width) in enumerate(noise.items())
    ]


@pytest.fixture(scope="module")
def runs(folders: list[Path]) -> list[FinishedRun]:
    """Open the runs."""
    return [open_run(folder) for folder in folders]


@pytest.fixture(scope="module")
def summary(runs: list[FinishedRun]) -> Summary:
    """Score the runs."""
    return score_runs(runs, SCATTER, Choices())


@pytest.fixture(scope="module")
def page(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Render the report."""
    out = tmp_path_factory.mktemp("page") / "page.html"
    choices = Choices(title="Words & <places>", cards=2, sanity=(folders[0],))
    write_report(folders, out, choices)
    return out.read_text()


def test_it_is_alone_and_escaped(page: str) -> None:
    """There is no script and no link to elsewhere, and names are words, never markup."""
    assert "<script" not in page
    assert not re.search(r"https?://", page)
    assert "<h1>Words &amp; &lt;places&gt;</h1>" in page
    assert "wild <b>" not in page
    assert "&lt;now&gt;" in page


def test_it_names_its_rulers(page: str, summary: Summary) -> None:
    """All that is said of the changes is in the page, and what they are measured with."""
    said = unescape(page)

    assert all(sentence in said for sentence in headline_sentences(summary))
    for part in ("the degrees of freedom that Bell and McCaffrey give for sites", "Deviation from",
                 "within each contrast, metric and model", "0 px, the total growth"):  # fmt: skip
        assert part in said


def test_break_downs_and_gallery_stand_there(page: str) -> None:
    """Kinds, specificities, wordings, toolkits and sites are shown; each run has its cards."""
    for title in ("kind of instruction", "specificity", "wording", "toolkit", "site"):
        assert f"Mean deviation by {title}" in page
    for title in ("Checks on the benchmark", "How far the orders agree"):
        assert title in page
    assert "by platform" not in page
    assert page.count('<article id="card-') == 3 * 2


def test_counts_are_the_runs(runs: list[FinishedRun], summary: Summary) -> None:
    """Elements and sites are those of the runs; rewordings stand in a view of their own."""
    wild = {
        one.variant: one
        for one in summary.scores
        if (one.model, one.metric) == ("wild <b>", "s_oob")
    }

    assert (summary.elements, summary.clusters) == (16, 4)
    assert wild["original+reworded"].rows == 16 * 3
    assert wild["original"].rows == wild["crop"].rows == 16 * 4
    assert sum(len(run.failures) for run in runs) > 0
    assert any("name no place" in warning for warning in summary.warnings)


def test_toolkit_and_site_come_from_the_screens(summary: Summary) -> None:
    """Slices count the sites of each toolkit, and each site once."""
    sites = {
        (one.trait, one.value): one.clusters
        for one in summary.slices
        if (one.model, one.variant, one.metric) == ("steady", "original", "s_oob")
        and one.trait in {"toolkit", "site"}
    }

    assert sites == {
        ("toolkit", "gtk3"): 4,
        ("toolkit", "qt"): 4,
        **{("site", f"program{at}"): 1 for at in range(4)},
    }


def test_models_are_ordered(
    summary: Summary, runs: list[FinishedRun], folders: list[Path], tmp_path: Path
) -> None:
    """The best hit rate comes first, each metric has its tau; other runs may be the standard."""
    (section,) = (one for one in detail_sections(summary) if one.id == "orders")
    models, taus = section.figures
    told = score_runs(runs, SCATTER, Choices(), standard=runs)
    write_report(folders, tmp_path / "page.html", Choices(standard=tuple(folders), cards=0))
    page = (tmp_path / "page.html").read_text()

    rates = [float(row[1].partition(" ")[0]) for row in models.table.rows]
    assert {row[0] for row in models.table.rows} == {"steady", "shaky", "wild <b>"}
    assert rates == sorted(rates, reverse=True)
    assert [row[0] for row in taus.table.rows] == ["s_mean", "s_worst", "s_oob"]
    assert told.details["orders"].standard == "the runs that were named as the standard"
    assert "the runs that were named as the standard" in page
    assert "How much the words matter to steady, shaky, wild &lt;b&gt;" in page


def test_a_click_that_never_moves_is_named(worded: Path, write_run: Write, tmp_path: Path) -> None:
    """A model that always clicks one place wavers nowhere; the page warns of it."""
    run = open_run(write_run(worded, tmp_path / "run", lambda _: Point(1.0, 1.0)))
    said = score_runs([run], SCATTER, Choices())

    assert {one.amount for one in said.scores if one.metric == "s_mean"} == {0.0}
    assert {one.amount for one in said.scores if one.metric == "s_oob"} == {1.0}
    assert any("never moves" in warning for warning in said.warnings)


def test_directions_of_misses_are_shown(
    drawn: Path, write_run: Write, stumble: Replies, tmp_path: Path
) -> None:
    """Each condition and direction is a row, and the sides of the misses add up."""
    run = open_run(write_run(drawn, tmp_path / "run", stumble))
    section, *others = detail_sections(score_runs([run], HITS, Choices()))
    assert [one.id for one in others][:1] == ["rulers"]
    rows = {row[:2]: row for row in section.figures[0].table.rows}

    assert section.id == "directions"
    assert rows["walker, relational, theme and order", "below"][2:4] == ("6", "4")
    assert rows["walker, direct, theme and order", "(none)"][6:8] == ("0.0 %", "100.0 %")
