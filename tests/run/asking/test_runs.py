"""
Tests of reading finished runs back.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.run.asking.runs import asked_questions, open_run, tabulate_folders
from surefoot.run.imports.published import import_published
from surefoot.score.scorings.hits import HITS


def _published(path: Path, models: tuple[str, ...] = ("gta1", "uitars15")) -> Path:
    """Write a small file in the published layout: two steps, two variants, two kinds."""
    lines = [
        {
            "model": model,
            "reasoning": False,
            "instruction_type": kind,
            "variant": variant,
            "split": "s",
            "task_id": task,
            "step_index": 1,
            "instruction": f"Click on the '{kind}' button",
            "raw_prediction": "(110,110)",
            "box_xywh": [100, 100, 20, 20],
            "seconds": 1.0,
        }
        for model in models
        for task in ("one", "two")
        for variant in ("original", "style")
        for kind in ("direct", "relational")
    ]
    with gzip.open(path, "wt") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Import the small file and return the folder."""
    import_published("gui-perturbed", _published(tmp_path / "raw.jsonl.gz"), tmp_path / "out")
    return tmp_path / "out"


def test_a_run_finds_its_benchmark_again(published: Path) -> None:
    """A run opens together with the benchmark that it was asked, by a relative hint."""
    run = open_run(published / "runs" / "gta1")

    assert run.name == "gta1"
    assert len(run.questions) == len(run.answers) == 8


def test_a_moved_tree_still_opens(published: Path, tmp_path: Path) -> None:
    """Moving benchmark and run together changes nothing: no absolute path is kept."""
    moved = published.rename(tmp_path / "elsewhere")

    assert len(open_run(moved / "runs" / "gta1").answers) == 8


def test_another_benchmark_is_refused(published: Path) -> None:
    """Scoring a run against a benchmark that it was not asked is an error."""
    other = published / "bench" / "uitars15"
    plan = json.loads((other / "plan.json").read_text())

    assert plan["asked"] == "uitars15"
    with pytest.raises(InvalidInputError, match="another one in"):
        open_run(published / "runs" / "gta1", other)


def test_a_limit_keeps_whole_targets(published: Path) -> None:
    """Limiting a run keeps every condition of the targets that stay."""
    asked = asked_questions(published / "bench" / "gta1", "off", 1)

    assert len({question.pair for question in asked}) == 1
    assert len(asked) == 4


def test_both_reasoning_modes_double_the_questions(published: Path) -> None:
    """Asking in both modes asks each question twice, under different ids."""
    asked = asked_questions(published / "bench" / "gta1", "both", 0)

    assert len({question.id for question in asked}) == 16


def test_two_runs_of_one_model_are_refused(published: Path) -> None:
    """The same model twice would be paired with itself; that is an error."""
    run = open_run(published / "runs" / "gta1")

    with pytest.raises(InvalidInputError, match="runs of different names"):
        tabulate_folders([run, run], HITS)


def test_imports_are_the_same_bytes(published: Path, tmp_path: Path) -> None:
    """Importing the same file twice writes the same exports."""
    again = tmp_path / "again"
    import_published("gui-perturbed", _published(tmp_path / "raw.jsonl.gz"), again)

    name = Path("runs/gta1/answers.jsonl")
    assert (published / name).read_bytes() == (again / name).read_bytes()


def test_a_limit_takes_targets_from_all_sites_in_turn(drawn: Path) -> None:
    """A limit of three sites takes one target of each; the earlier way took the first by name."""

    def targets(limit: int) -> set[str]:
        return {question.pair for question in asked_questions(drawn, "off", limit)}

    every = sorted({question.pair for question in asked_questions(drawn, "off", 0)})
    assert {pair.partition("#")[0] for pair in targets(3)} == {
        "site/a.html",
        "site/b.html",
        "site/c.html",
    }
    assert targets(3) < targets(5) < set(every)
    assert targets(-3) == set(every[:3])
