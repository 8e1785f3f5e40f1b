"""
The report on a sensitivity benchmark: whole, alone, with rulers and pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question
from surefoot.report.sensitivity.page import (
    render_sensitivity,
    score_sensitivity,
    write_sensitivity,
)
from surefoot.run.asking.runs import FinishedRun, open_run
from surefoot.score.sensitivity.rows import Ruler
from surefoot.score.sensitivity.summary import SensitivitySummary
from surefoot.score.sensitivity.words import view_sentence

Write = Callable[..., Path]
Replies = Callable[[Question], Parsed | None]
FAST = Ruler()


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
def summary(runs: list[FinishedRun]) -> SensitivitySummary:
    """Score the runs."""
    return score_sensitivity(runs, FAST)


@pytest.fixture(scope="module")
def page(runs: list[FinishedRun], summary: SensitivitySummary) -> str:
    """Render the report."""
    return render_sensitivity(runs, summary, title="Words & <places>", cards=2, references=summary)


def test_it_is_alone_and_escaped(page: str) -> None:
    """There is no script and no link to elsewhere, and names are words, never markup."""
    assert "<script" not in page
    assert not re.search(r"https?://", page)
    assert "<h1>Words &amp; &lt;places&gt;</h1>" in page
    assert "wild <b>" not in page
    assert "&lt;now&gt;" in page


def test_every_view_is_said_with_its_rulers(page: str, summary: SensitivitySummary) -> None:
    """All three metrics of each model and view are said, and what they are measured with."""
    said = unescape(page)

    assert len(summary.views) == 3 * 3
    assert all(view_sentence(row) in said for row in summary.views)
    for part in ("how far a number moves when one site is left out", "jackknife t",
                 "Holm within each contrast and metric", "tolerance 0 px"):  # fmt: skip
        assert part in said


def test_break_downs_and_gallery_stand_there(page: str) -> None:
    """Kinds, specificities, wordings, toolkits and sites are shown; each run has its cards."""
    for title in ("By kind of expression: s_oob in every view", "By specificity: s_oob",
                  "By wording: s_oob", "By toolkit: s_oob", "By site or program: s_oob",
                  "Checks on the benchmark", "How far the orders agree"):  # fmt: skip
        assert title in page
    assert "By platform" not in page
    assert page.count("<article>") == 3 * 2


def test_counts_are_the_runs(runs: list[FinishedRun], summary: SensitivitySummary) -> None:
    """Answers and failures are those of the runs; rewordings' originals count once."""
    assert summary.answers == sum(len(run.answers) for run in runs)
    assert summary.failed == sum(len(run.failures) for run in runs)
    assert summary.failed > 0
    assert (summary.elements, summary.clusters) == (16, 4)
    wild = {row.view: row for row in summary.views if row.model == "wild <b>"}
    assert wild["original+reworded"].instructions == 16 * 3


def test_toolkit_and_site_come_from_the_screens(summary: SensitivitySummary) -> None:
    """Slices count the sites of each toolkit, and each site once."""
    sites = {
        (row.by, row.value): row.clusters
        for row in summary.slices
        if (row.model, row.view) == ("steady", "original") and row.by in {"toolkit", "site"}
    }

    assert sites == {
        ("toolkit", "gtk3"): 4,
        ("toolkit", "qt"): 4,
        **{("site", f"program{at}"): 1 for at in range(4)},
    }


def test_writing_orders_by_a_standard(folders: list[Path], tmp_path: Path) -> None:
    """Other runs order the models; the page is written and its sentences returned."""
    out = tmp_path / "new" / "page.html"
    said = write_sensitivity(folders, out, FAST, cards=0, others=(folders, folders[:1]))

    page = out.read_text()
    assert "the runs that were named as the standard" in page
    assert "Metrics of the reference models" in page
    assert "How much the words matter to steady, shaky, wild &lt;b&gt;" in page
    assert all(line in unescape(page) for line in said)
    assert "None: every instruction about every element was hit." in page


def test_one_model_twice_is_refused(runs: list[FinishedRun]) -> None:
    """The same model twice would be compared with itself."""
    with pytest.raises(InvalidInputError, match="two of 'steady'"):
        score_sensitivity([runs[0], runs[0]], FAST)


def test_a_click_that_never_moves_is_named(worded: Path, write_run: Write, tmp_path: Path) -> None:
    """A model that always clicks one place wavers nowhere; the page warns of it."""
    run = open_run(write_run(worded, tmp_path / "run", lambda _: Point(1.0, 1.0)))
    said = score_sensitivity([run], FAST)

    assert {row.s_mean.value for row in said.views} == {0.0}
    assert {row.s_oob.value for row in said.views} == {1.0}
    assert any("never moves" in each for each in said.warnings)
