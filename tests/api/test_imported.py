"""
Benchmarks that go out come back: ``export`` and ``import_``.
"""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path

import pytest

import surefoot


def test_what_is_published_comes_back(drawn: Path, tmp_path: Path) -> None:
    """A benchmark that was exported and imported has the same questions, and no run."""
    outcome = surefoot.export(drawn, out=tmp_path / "published")
    found = surefoot.import_("surefoot-hf", outcome.folder, out=tmp_path / "again")

    (bench,) = found.benches
    assert list(bench) == list(surefoot.open_bench(drawn))
    assert found.runs == ()


def test_a_published_run_is_benchmarks_and_runs(published_folder: Path, tmp_path: Path) -> None:
    """Of each model there is a benchmark and a run of it, in one order."""
    file = tmp_path / "predictions.jsonl"
    with gzip.open(published_folder / "predictions.jsonl.gz", "rb") as whole:
        file.write_bytes(b"".join(itertools.islice(whole, 60)))
    found = surefoot.import_("gui-perturbed", file, out=tmp_path / "published")

    assert [run.bench.folder for run in found.runs] == [bench.folder for bench in found.benches]
    assert sum(map(len, found.runs)) == found.counts["replies"]


def test_an_unknown_set_is_answered_with_the_next(tmp_path: Path) -> None:
    """A misspelt name is told the right one, and nothing is written."""
    with pytest.raises(surefoot.SurefootError, match="'screenspot'"):
        surefoot.import_("screenspt", tmp_path, out=tmp_path / "out")

    assert not (tmp_path / "out").exists()
