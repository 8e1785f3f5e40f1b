"""
Shards of a run, scored together: the numbers of the run that they make.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.core.ledger import Ledger, read_plan
from surefoot.core.question import Parsed, Question
from surefoot.report.answers import scored
from surefoot.run.asking.runs import find_run, remember_bench
from surefoot.run.asking.shards import join_shards, whole_of
from surefoot.run.folders.folder import export, read_answers, read_questions

Surefoot = Callable[..., Any]


@pytest.fixture
def run(
    drawn: Path,
    write_run: Callable[..., Path],
    stumble: Callable[[Question], Parsed],
    tmp_path: Path,
) -> Path:
    """Return a run of which every question was answered."""
    return write_run(drawn, tmp_path / "whole", stumble)


def in_shards(run: Path, bench: Path, count: int) -> list[Path]:
    """Write a run anew as so many, by pages."""
    pages = sorted({one.cluster for one in read_questions(bench)})
    page_of = {one.id: pages.index(one.cluster) for one in read_questions(bench)}
    shards = []
    for shard in range(count):
        folder = run.parent / f"shard-{shard + 1}-of-{count}"
        with Ledger.open(folder, {**read_plan(run), "shard": [shard + 1, count]}):
            remember_bench(folder, bench)
        own = [one for one in read_answers(run) if page_of[one.question] % count == shard]
        export(folder, "run", {"answers.jsonl": own, "failures.jsonl": []})
        shards.append(folder)
    return shards


@pytest.mark.parametrize("held", [0, 3_000_000])
def test_shards_score_as_the_run_they_make(
    surefoot: Surefoot, run: Path, drawn: Path, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    """Two and three shards, in any order, give the JSON of the whole run, in parts or at once."""
    monkeypatch.setattr(scored, "MANY", held)

    def scores(*runs: Path) -> bytes:
        out = run.parent / "scores.json"
        assert surefoot("score", *runs, "--json", out).code == 0
        return out.read_bytes()

    whole = scores(run)

    assert scores(*in_shards(run, drawn, 2)) == whole
    assert scores(*reversed(in_shards(run, drawn, 3))) == whole


def test_of_some_shards_no_other_question_counts(
    surefoot: Surefoot, run: Path, drawn: Path
) -> None:
    """A shard by itself has no question without a reply, though the benchmark has more."""
    first, *_ = in_shards(run, drawn, 3)
    out = run.parent / "scores.json"
    surefoot("score", first, "--json", out)
    found = json.loads(out.read_text())

    assert found["failed"] == 0
    assert found["answers"] == len(read_answers(first))


def test_plans_tell_which_runs_are_parts_of_one(run: Path, drawn: Path) -> None:
    """Shards of one run are of one whole; a whole run, and a shard of another model, are not."""
    shards = join_shards([find_run(one) for one in (run, *in_shards(run, drawn, 2))])
    plan = read_plan(shards[1].folder)

    assert shards[0].shard_of == ""
    assert shards[1].shard_of == shards[2].shard_of != ""
    assert whole_of({**plan, "model": {"name": "other"}}, {}) != whole_of(plan, {})
    two = ({"bench": str(at)} for at in (1, 2))
    parts = [whole_of(one, {"shard": [at, 2]}) for at, one in enumerate(two, start=1)]
    assert parts[0] == parts[1]


def test_shards_that_the_command_runs_score_as_the_run(
    surefoot: Surefoot, drawn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ``run --shard`` writes scores as what ``run`` writes, in parts and at once."""
    runs = [tmp_path / "whole", tmp_path / "one", tmp_path / "two"]
    for run, shard in zip(runs, ([], ["--shard", "1/2"], ["--shard", "2/2"]), strict=True):
        ended = surefoot("run", drawn, "--model", "center", "--out", run, *shard)
        assert ended.code == ExitCode.FINE, ended.err

    def scores(*folders: Path) -> bytes:
        out = tmp_path / "scores.json"
        assert surefoot("score", *folders, "--json", out).code == ExitCode.FINE
        return out.read_bytes()

    whole = scores(runs[0])
    assert scores(*runs[1:]) == whole
    monkeypatch.setattr(scored, "MANY", 0)
    assert scores(*runs[1:]) == scores(runs[0])
