"""
Tests of a report's tables as files: their numbers are the scores', and nothing is left out.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from surefoot.core.errors import MissingComponentError
from surefoot.core.geometry import Point
from surefoot.core.question import Question
from surefoot.phrasing.values import Number, Value, count
from surefoot.report.answers.page import write_report
from surefoot.report.answers.scored import Choices, score_runs
from surefoot.report.choices import write_report_on
from surefoot.report.html.section import Figure, Section, Table
from surefoot.report.html.tables import named_tables
from surefoot.run.asking.runs import find_run
from surefoot.score.scorings.hits import HITS

Write = Callable[..., Path]


def read_parquet(path: Path) -> dict[str, list[Any]]:
    """Return the columns of a file."""
    columns: dict[str, list[Any]] = parquet.read_table(path).to_pydict()
    return columns


def read_csv(path: Path) -> dict[str, list[str]]:
    """Return the columns of a file, as text."""
    with path.open(newline="", encoding="utf-8") as lines:
        head, *rows = csv.reader(lines)
    return dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))


@pytest.fixture(scope="module")
def run(
    drawn: Path,
    write_run: Write,
    stumble: Callable[[Question], Point],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Return a run that stumbles on variants."""
    return write_run(drawn, tmp_path_factory.mktemp("tables") / "run", stumble)


def test_numbers_are_the_scores_with_all_their_digits(run: Path, tmp_path: Path) -> None:
    """Each comparison's change, interval and p-value is in both files as the scores have it."""
    choices = Choices(cards=0, tables=tmp_path / "tables")
    write_report([run], tmp_path / "page.html", choices)
    found = score_runs([find_run(run)], HITS, choices).comparisons
    own = [one for one in found if (one.contrast, one.metric) == ("variant", "hit")]
    name = "changes-each-variant-against-the-original-hit-rate"

    told = read_parquet(tmp_path / f"tables/{name}.parquet")
    written = read_csv(tmp_path / f"tables/{name}.csv")

    assert own
    assert list(told) == list(written)
    assert told["change (points)"] == [100 * one.change for one in own if one.change is not None]
    ends = [one.interval and (100 * one.interval.low, 100 * one.interval.high) for one in own]
    assert list(
        zip(told["interval, low (points)"], told["interval, high (points)"], strict=True)
    ) == [pair or (None, None) for pair in ends]
    assert told["p, Holm"] == [one.p_holm for one in own]
    for column, values in told.items():
        if not isinstance(values[0], str):
            assert [float(text) if text else None for text in written[column]] == values


def test_every_table_of_every_report_is_written(
    run: Path, diagnosis_folder: Write, tmp_path: Path
) -> None:
    """There are as many files of each kind as the page has tables, of runs and of diagnoses."""
    for name, folder in (("run", run), ("diagnosis", diagnosis_folder(tmp_path / "found"))):
        tables, page = tmp_path / f"{name}-tables", tmp_path / f"{name}.html"
        write_report_on([folder], page, Choices(cards=0, tables=tables))

        shown = page.read_text("utf-8").count("Save as CSV</a>")
        assert shown > 1
        assert len(list(tables.glob("*.csv"))) == len(list(tables.glob("*.parquet"))) == shown


def test_names_are_whole_and_formulas_are_tamed(
    drawn: Path, write_run: Write, stumble: Callable[[Question], Point], tmp_path: Path
) -> None:
    """A model whose name is a formula is text in CSV, and has its own name in parquet."""
    write_run(drawn, tmp_path / "run", stumble, name="=1+1")
    choices = Choices(cards=0, tables=tmp_path / "tables")
    write_report([tmp_path / "run"], tmp_path / "page.html", choices)
    name = "unread-what-became-of-every-question"

    assert read_parquet(tmp_path / f"tables/{name}.parquet")["condition"][0].startswith("=1+1")
    assert read_csv(tmp_path / f"tables/{name}.csv")["condition"][0].startswith("'=1+1")


def test_columns_of_one_name_and_tables_of_one_title_are_told_apart() -> None:
    """Nothing takes the place of its namesake, and a word among numbers is no number."""
    both = Value("3 / 4", (Number(3, part="lost"), Number(4, part="gained")))
    table = Table(("a", "of", "of", "b"), (("x", count(1), count(2), both), ("y", "none", "", "")))
    figure = Figure("One title", table)

    assert [column.name for column in table.columns] == [
        "a",
        "of",
        "of #2",
        "b, lost",
        "b, gained",
    ]
    assert [column.values for column in table.columns][1:4] == [(1, None), (2, None), (3, None)]
    sections = (Section("s", "", "", (figure, figure)), Section("t", "", "", (figure,)))
    assert list(named_tables(sections)) == ["s-one-title", "s-one-title-2", "t-one-title"]
    long = Section("s", "", "", (Figure("模型" * 99, table),))
    assert all(len(f"{name}.parquet".encode()) < 255 for name in named_tables((long,)))


def test_without_pyarrow_csv_is_written_and_the_extra_is_named(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where parquet cannot be written, the error says what to install, after page and CSV."""
    from surefoot import report

    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(MissingComponentError, match=r"surefoot\[parquet\]"):
        report(run, out=tmp_path / "page.html", tables=tmp_path / "tables")

    assert (tmp_path / "page.html").is_file()
    assert {path.suffix for path in (tmp_path / "tables").iterdir()} == {".csv"}
