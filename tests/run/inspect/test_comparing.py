"""
Two logs of Inspect AI are compared sample by sample, with clusters, whatever task they are of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import surefoot
from surefoot.core.errors import InvalidInputError
from surefoot.run.folders.folder import read_answers, read_questions
from surefoot.run.imports.results import import_results
from surefoot.score.hits import judge

Evaluate = Callable[..., Path]
Scores = dict[tuple[str, int], object]


def _log(model: str, scores: Scores, *, failed: Sequence[str] = (), task: str = "sums") -> Any:  # noqa: ANN401 - a type of an extra
    """Make a log of a task of somebody else's: samples in groups of three, by their numbers."""
    from inspect_ai.log import (
        EvalConfig,
        EvalDataset,
        EvalError,
        EvalLog,
        EvalSample,
        EvalSpec,
    )
    from inspect_ai.scorer import Score

    samples = [
        EvalSample(
            id=name,
            epoch=epoch,
            input="1 + 1",
            target="2",
            metadata={"group": int(name) // 3},
            scores={"match": Score(value=value)},  # type: ignore[arg-type,unused-ignore]
            error=EvalError(message="x", traceback="", traceback_ansi="")
            if name in failed
            else None,
        )
        for (name, epoch), value in scores.items()
    ]
    about = EvalSpec(
        created="2026-11-28T00:00:00+00:00",
        task=task,
        dataset=EvalDataset(),
        model=model,
        config=EvalConfig(),
    )
    return EvalLog(eval=about, samples=samples)


def _letters(hits: Sequence[int]) -> Scores:
    return {(str(number), 1): "C" if hit else "I" for number, hit in enumerate(hits)}


def test_the_change_is_that_of_the_shared_samples() -> None:
    """A sample of one log alone and one that failed are counted, and weigh nothing."""
    before = _log("a/old", _letters([1, 0, 0, 1, 0, 0]), failed=["5"])
    after = _log("a/new", _letters([1, 1, 0, 0, 1, 1, 1]))

    found = surefoot.compare_inspect_logs(before, after, cluster="group")

    assert (found.n, found.unmatched, found.failed, found.clusters) == (5, 1, 1, 2)
    assert [found.before, found.after] == pytest.approx([0.4, 0.6])
    assert found.change == pytest.approx(0.2)
    assert (found.gained, found.lost) == (2, 1)
    assert "a/new minus a/old: +0.200" in str(found)


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Of clustered changes around a known mean 95 % intervals hold it in about 95 of 100."""
    source = np.random.default_rng(7)
    held = 0
    for _ in range(200):
        shift = np.repeat(source.normal(0, 0.15, 30), 3)
        old = source.random(90) < 0.5
        new = source.random(90) < np.clip(0.6 + shift, 0, 1)
        found = surefoot.compare_inspect_logs(
            _log("a", _letters(list(old))), _log("b", _letters(list(new))), cluster="group"
        )
        assert found.interval is not None
        held += found.interval.low <= 0.1 <= found.interval.high
    assert 0.9 <= held / 200 <= 1.0


def test_epochs_are_averaged_first() -> None:
    """Three epochs of a sample are one change of their mean, not three changes."""
    before = _log("a", {("0", 1): 0, ("0", 2): 0, ("1", 1): 1, ("3", 1): 1})
    after = _log("b", {("0", 1): 1, ("0", 2): 0, ("1", 1): 1, ("3", 1): 1})
    found = surefoot.compare_inspect_logs(before, after)
    assert found.n == 3
    assert found.change == pytest.approx(0.5 / 3)
    assert found.cluster == ""


@pytest.mark.parametrize(
    ("before", "after", "options", "words"),
    [
        (_letters([1]), {("9", 1): "C"}, {}, "scored in both"),
        (_letters([1, 0]), _letters([1, 0]), {"scorer": "exact"}, "'exact'"),
        (_letters([1, 0]), _letters([1, 0]), {"cluster": "site"}, "group"),
        ({("0", 1): "yes"}, _letters([1]), {}, "'yes'"),
    ],
)
def test_what_cannot_be_compared_is_an_error(
    before: Scores, after: Scores, options: dict[str, str], words: str
) -> None:
    """Nothing in common, a score or a cluster that is not there, and words as scores."""
    with pytest.raises(InvalidInputError, match=words):
        surefoot.compare_inspect_logs(_log("a", before), _log("b", after), **options)


def test_logs_of_two_tasks_are_an_error(tmp_path: Path) -> None:
    """Equal ids of two tasks are no pairs; a file that is no log is said to be none."""
    with pytest.raises(InvalidInputError, match="'other'"):
        surefoot.compare_inspect_logs(
            _log("a", _letters([1])), _log("b", _letters([1]), task="other")
        )
    (tmp_path / "a.eval").write_text("no")
    with pytest.raises(InvalidInputError, match=r"a\.eval"):
        surefoot.compare_inspect_logs(tmp_path / "a.eval", tmp_path / "a.eval")


def test_logs_on_disk_agree_with_the_runs_made_of_them(
    log: Path, evaluate: Evaluate, perturbed_bench: Path, tmp_path: Path
) -> None:
    """The change between two models' logs is that of the hits of the runs that they become."""
    words = ("-T", f"bench={perturbed_bench}", "-T", "format=json", "--model", "offline/two-json")
    other = evaluate("surefoot/perturbed", *words)
    found = surefoot.compare_inspect_logs(log, other)

    questions, rates = read_questions(perturbed_bench), []
    for name, path in (("one", log), ("two", other)):
        import_results("inspect-log", path, perturbed_bench, tmp_path / name)
        rates.append(sum(judge(questions, read_answers(tmp_path / name)).values()) / 36)
    assert found.change == pytest.approx(rates[1] - rates[0])
    assert (found.cluster, found.clusters) == ("site", 3)
