"""
Which scores a run gets: by its benchmark's name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Question
from surefoot.report.scoring import SCORINGS, Choices, scoring_of
from surefoot.score.sensitivity.summary import SensitivitySummary
from surefoot.score.summary import Summary

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


def test_the_name_decides(runs: tuple[Path, Path]) -> None:
    """A named benchmark has its own scores, any other those of hits."""
    assert scoring_of(runs[:1]) is SCORINGS["perturbed"]
    assert scoring_of(runs[1:]) is SCORINGS["sensitivity"]
    assert isinstance(scoring_of(runs[:1]).score(runs[:1], Choices()).numbers, Summary)
    scored = scoring_of(runs[1:]).score(runs[1:], Choices())
    assert isinstance(scored.numbers, SensitivitySummary)
    assert scored.lines[0].startswith("walker, original: s_mean 0.000")


def test_two_kinds_do_not_mix(runs: tuple[Path, Path]) -> None:
    """Hits and wavering in one table are refused."""
    with pytest.raises(InvalidInputError, match="scored alike, found '' and 'sensitivity'"):
        scoring_of(runs)


def test_options_without_a_use_are_refused(runs: tuple[Path, Path], tmp_path: Path) -> None:
    """What the scores cannot heed is refused, not passed over."""
    hits, words = scoring_of(runs[:1]), scoring_of(runs[1:])
    for choices in (Choices(spread="pairwise"), Choices(standard=runs[:1])):
        with pytest.raises(InvalidInputError, match="'sensitivity'"):
            hits.score(runs[:1], choices)
        with pytest.raises(InvalidInputError, match="'sensitivity'"):
            hits.write(runs[:1], tmp_path / "page.html", choices)
    with pytest.raises(InvalidInputError, match="--by-sample"):
        words.score(runs[1:], Choices(by_site=False))
