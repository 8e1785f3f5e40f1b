"""
Where failures are: every share is counted anew from the replies themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Question
from surefoot.diagnose.breakdown import (
    failure_rates,
    precision,
    success_by_round,
    success_by_size,
)
from surefoot.diagnose.diagnosing import diagnose_model
from surefoot.diagnose.findings import Diagnosis
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.pool import open_pool
from surefoot.diagnose.summary import diagnosis_sentences
from surefoot.models import Options
from surefoot.run.folders.folder import read_table

MOST = 12


@pytest.fixture(scope="module")
def diagnosed(bench: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the diagnosis of a model that clicks the nearest control four times in ten."""
    out = tmp_path_factory.mktemp("breakdown") / "out"
    options = DiagnoseOptions(
        planner="heuristics", most=MOST, rounds=4, shrink=0, confirm=0, limit=16
    )
    diagnose_model(bench, f"simulated:nearest-control@{bench}", out, options, options=Options())
    return out


@pytest.fixture(scope="module")
def found(diagnosed: Path) -> Diagnosis:
    """Return what was found."""
    from surefoot.diagnose.folder import read_diagnosis

    return read_diagnosis(diagnosed)


@pytest.fixture(scope="module")
def questions(bench: Path) -> dict[str, Question]:
    """Return every question that could be asked, by id."""
    pool = open_pool(bench, bench, seed=0, most=MOST)
    arms = (arm for subject in pool.subjects() for arm in pool.arms(subject))
    return {arm.question.id: arm.question for arm in arms}


@pytest.fixture(scope="module")
def missed(diagnosed: Path, questions: dict[str, Question]) -> Callable[[str], int]:
    """Count by hand how often a question was missed: the click lies outside of its box."""
    replies: dict[str, list[Answer]] = {}
    for answer in read_table(diagnosed, "answers.jsonl", Answer, kind="diagnosis"):
        replies.setdefault(answer.question.removesuffix("~2"), []).append(answer)

    def count(id_: str) -> int:
        box = questions[id_].truth
        outside = 0
        for reply in replies[id_]:
            assert isinstance(reply.parsed, Point)
            x, y = reply.parsed.x, reply.parsed.y
            outside += not (box.left <= x <= box.right and box.top <= y <= box.bottom)
        return outside

    return count


def test_the_curve_counts_what_had_failed_by_then(
    found: Diagnosis, missed: Callable[[str], int]
) -> None:
    """By each round the share is that of the elements with a question missed twice so far."""
    scores = success_by_round(found)

    for number, score in enumerate(scores):
        had = sum(
            any(
                missed(asked.question) == 2
                for turn in element.trail
                if turn.round <= number
                for asked in turn.asked
            )
            for element in found.elements
        )
        assert (score.value, score.total, score.n) == (str(number), had, len(found.elements))
    assert len(scores) == 5
    assert scores[0].total < scores[-1].total == found.success.total


@pytest.mark.parametrize("trait", ["kind", "specificity"])
def test_rates_count_questions(
    found: Diagnosis,
    questions: dict[str, Question],
    missed: Callable[[str], int],
    trait: str,
) -> None:
    """Of each kind, and of each specificity, the rate is what was missed twice over all asked."""
    asked: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for element in found.elements:
        for one in element.asked_instructions:
            value = getattr(questions[one.question].instruction, trait)
            asked[value] += 1
            failed[value] += missed(one.question) == 2

    rates = {one.value: one.amount for one in failure_rates(found, trait)}  # type: ignore[arg-type]

    assert rates == {value: float(Fraction(failed[value], asked[value])) for value in asked}
    assert sum(asked.values()) == found.questions
    assert failure_rates(found, "kind", at_random=True) == ()


def test_targets_are_told_by_their_shorter_side(found: Diagnosis) -> None:
    """The icons of 24 x 24 px stand above the least size of a target, the links of 20 px below."""
    small, large = success_by_size(found)

    assert (small.value, small.n) == ("16 to 24 px", sum(e.role == "link" for e in found.elements))
    assert (large.value, large.n) == (
        "24 to 44 px", sum(e.role == "button" for e in found.elements)
    )  # fmt: skip


def test_what_is_selected_has_the_fewest_loose_matches(
    found: Diagnosis, missed: Callable[[str], int]
) -> None:
    """One miss of each element is selected before it is asked again; the others stand apart."""
    held = {True: 0, False: 0}
    count = {True: 0, False: 0}
    for element in found.elements:
        misses = [one for one in element.asked_instructions if missed(one.question)]
        least = min((one.matches for one in misses), default=0)
        for one in misses:
            chosen = one.question == element.selected
            assert not chosen or one.matches == least
            count[chosen] += 1
            held[chosen] += missed(one.question) == 2

    told = {(one.metric, one.value): (one.total, one.n) for one in precision(found)}

    assert told["candidate_held", "selected"] == (held[True], count[True])
    assert told["candidate_held", "not selected"] == (held[False], count[False])
    assert told["candidate_precise", "selected"] == (held[True], count[True])
    assert told["candidate_valid", "not selected"] == (held[False], held[False])
    assert 0 < held[True] < count[True] == sum(bool(e.selected) for e in found.elements)


def test_the_summary_says_it(found: Diagnosis) -> None:
    """The printed sentences have the first and the last round, each specificity and the rule."""
    said = "\n".join(diagnosis_sentences(found))
    first, *_, last = success_by_round(found)

    assert f"elements that fail: {100 * (first.amount or 0):.0f} % by round 0, " in said
    assert f"{100 * (last.amount or 0):.0f} % by round " in said
    assert "questions that fail, by specificity: high " in said
    assert "selected by fewest loose matches: " in said


def test_selection_can_be_switched_off(bench: Path, tmp_path: Path) -> None:
    """With "first" the first miss is selected and the first failure stands for the element."""
    options = DiagnoseOptions(
        planner="random", most=MOST, rounds=2, shrink=0, confirm=0, limit=6, select="first"
    )
    _, found = diagnose_model(
        bench, f"simulated:left-right@{bench}", tmp_path / "out", options, options=Options()
    )

    for element in found.elements:
        misses = [one.question for one in element.asked_instructions if one.candidate]
        assert element.selected == next(iter(misses), "")
        assert element.best == next((one.question for one in element.failures), "")
    assert found.select == "first"
    assert any(len(element.failures) > 1 for element in found.elements)
