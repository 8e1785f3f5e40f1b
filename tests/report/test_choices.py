"""
What ``surefoot score`` and ``surefoot report`` do with folders: scored by their benchmark.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Question
from surefoot.report.answers.scored import Choices, scoring_of
from surefoot.report.choices import score_folders, write_report_on
from surefoot.run.folders.folder import export, read_questions
from surefoot.score.metric import Ruler
from surefoot.score.scorings.hits import HITS, HITS_OF_SEVERAL
from surefoot.score.scorings.scatter import SCATTER

Write = Callable[..., Path]


@pytest.fixture(scope="module")
def runs(
    drawn: Path, worded: Path, write_run: Write, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """Return an oracle's runs of a benchmark without a name and of a sensitivity benchmark."""
    out = tmp_path_factory.mktemp("runs")

    def oracle(question: Question) -> object:
        return question.truth.center

    return write_run(drawn, out / "hits", oracle), write_run(worded, out / "words", oracle)


def test_the_benchmark_decides(runs: tuple[Path, Path]) -> None:
    """A named benchmark has its own scores, an imported set those of hits."""
    assert (scoring_of(runs[:1]), scoring_of(runs[1:])) == (HITS, SCATTER)
    assert score_folders(runs[:1], Choices()).scoring == "hits"
    found = score_folders(runs[1:], Choices())
    assert {(one.metric, one.amount) for one in found.scores} == {
        ("s_mean", 0.0),
        ("s_worst", 0.0),
        ("s_oob", 0.0),
    }


@pytest.mark.parametrize("name", ["failing", "absent"])
def test_what_no_benchmark_builds(
    name: str, drawn: Path, write_run: Write, tmp_path: Path
) -> None:
    """What a diagnosis found is scored by hits, over several words; what is not installed not."""
    bench = tmp_path / "bench"
    with Ledger.open(bench, {"kind": "bench", "benchmark": f"{name}@1"}):
        export(bench, "bench", {"questions.jsonl": read_questions(drawn), "screens.jsonl": ()})
    run = write_run(bench, tmp_path / "run", lambda question: question.truth.center)
    if name == "failing":
        assert scoring_of([run]) is HITS_OF_SEVERAL
    else:
        with pytest.raises(UnknownNameError, match="absent"):
            scoring_of([run])


def test_two_kinds_do_not_mix(runs: tuple[Path, Path]) -> None:
    """Hits and wavering in one table are refused."""
    with pytest.raises(InvalidInputError, match="scored alike, found '' and 'sensitivity'"):
        score_folders(runs, Choices())


def test_options_without_a_use_are_refused(runs: tuple[Path, Path], tmp_path: Path) -> None:
    """What the scores cannot heed is refused, not passed over."""
    choices = Choices(ruler=Ruler(spread="pairwise"))
    with pytest.raises(InvalidInputError, match="'sensitivity'"):
        score_folders(runs[:1], choices)
    with pytest.raises(InvalidInputError, match="'sensitivity'"):
        write_report_on(runs[:1], tmp_path / "page.html", choices)
