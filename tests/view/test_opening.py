"""
What is given is sorted by kind, and models of one name are told apart.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.run.folders.folder import export, run_plan
from surefoot.view.opening import benchmark_of, open_folders


def test_a_folder_of_folders_opens_them_all(opened: Path) -> None:
    """A folder that is none of ours stands for those in it, and a benchmark comes once."""
    given = open_folders([opened, opened / "bench", opened / "run-steady"])

    assert given.benches == (opened / "bench",)
    assert [run.folder.name for run in given.runs] == ["run-steady", "run-wavering"]
    assert (given.screens, given.diagnoses, given.forms) == ((), (), ())
    assert benchmark_of(given.benches[0]) == "perturbed@4"


def test_a_run_brings_its_benchmark(opened: Path) -> None:
    """The benchmark that a run was asked is opened with it."""
    assert open_folders([opened / "run-steady"]).benches == (opened / "bench",)


def test_runs_of_one_model_are_told_apart(opened: Path, tmp_path: Path) -> None:
    """Two runs of one model bear what differs in their plans, or the labels that are given."""
    bench, runs = opened / "bench", []
    for prompt in ("short", "long"):
        runs.append(tmp_path / prompt)
        with Ledger.open(runs[-1], run_plan(bench, {"name": "steady", "prompt": prompt})):
            export(runs[-1], "run", {"answers.jsonl": (), "failures.jsonl": ()})

    named = [run.name for run in open_folders(runs, bench=bench).runs]
    assert named == ["steady (prompt short)", "steady (prompt long)"]
    labelled = open_folders(runs, bench=bench, labels=["S", "L"]).runs
    assert [run.name for run in labelled] == ["S", "L"]
    with pytest.raises(InvalidInputError, match="a label for each of 2 runs"):
        open_folders(runs, bench=bench, labels=["S"])


@pytest.mark.parametrize("made", [True, False])
def test_nothing_to_look_at_is_said(tmp_path: Path, made: bool) -> None:
    """A folder without any of ours, and one that is not there, are refused with what to name."""
    folder = tmp_path / "empty"
    if made:
        folder.mkdir()

    with pytest.raises(InvalidInputError, match="Name a folder that surefoot wrote"):
        open_folders([folder])
