"""
A whole diagnosis: planted weaknesses are named, and a kill changes no byte.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError, NothingKeptError, PlanMismatchError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer
from surefoot.core.store import ObjectStore
from surefoot.diagnose.causes.checking import Checker
from surefoot.diagnose.diagnosing import diagnose_model
from surefoot.diagnose.findings import Diagnosis
from surefoot.diagnose.folder import FAILING, SHRUNK, read_diagnosis
from surefoot.diagnose.search.arms import is_miss
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.pool import open_pool
from surefoot.models import Options
from surefoot.report.answers.scored import Choices
from surefoot.report.choices import score_folders, write_report_on
from surefoot.run.asking.run import ask_model
from surefoot.run.folders.folder import (
    CLASSES,
    export,
    read_answers,
    read_questions,
    read_screens,
    read_table,
)

NAMES = {
    "left-right": "confuses left and right",
    "ordinals": "ignores ordinals: takes the first of those that are counted",
    "larger": "takes the larger look-alike",
}
LIMIT = 16  # elements of the diagnosis that is killed
EXPORTS = ("diagnosis.json", "answers.jsonl", "manifest.json")


def diagnosed(bench: Path, weakness: str, out: Path, **chosen: object) -> Diagnosis:
    """Diagnose a simulated model."""
    _, found = diagnose_model(
        bench,
        f"simulated:{weakness}@{bench}",
        out,
        DiagnoseOptions(most=24, **chosen),  # type: ignore[arg-type]
        options=Options(),
    )
    return found


@pytest.fixture(scope="module")
def diagnosis(bench: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the diagnosis of a model that confuses left and right, with its baseline."""
    out = tmp_path_factory.mktemp("diagnosis") / "left-right"
    diagnosed(bench, "left-right", out, baseline=True)
    return out


def test_left_for_right_is_named(diagnosis: Path) -> None:
    """A model that takes left for right is said to, and no other confusion is."""
    found = read_diagnosis(diagnosis)

    assert found.names[0] == NAMES["left-right"]
    assert not set(found.names) & (set(NAMES.values()) - {NAMES["left-right"]})
    assert found.success.amount == 1.0
    assert found.taxonomy["spatial-reasoning error"] == found.failures > 0


def test_search_needs_fewer_questions_than_chance(diagnosis: Path) -> None:
    """The search finds at least 1.4 times as many failures a question, surely."""
    found = read_diagnosis(diagnosis)

    assert found.ratio is not None
    assert found.ratio_interval is not None
    assert found.ratio_interval.low > 1.4
    assert found.baseline_questions > 0


@pytest.mark.parametrize("weakness", ["ordinals", pytest.param("larger", marks=pytest.mark.long)])
def test_other_weaknesses_are_named(bench: Path, tmp_path: Path, weakness: str) -> None:
    """Each planted weakness is named, and no other confusion is."""
    found = diagnosed(bench, weakness, tmp_path / "out", rounds=5, shrink=0)

    assert NAMES[weakness] in found.names
    assert not set(found.names) & (set(NAMES.values()) - {NAMES[weakness]})


def test_a_perfect_model_has_no_weakness(bench: Path, tmp_path: Path) -> None:
    """Where nothing fails nothing is named, and the benchmark of failures is empty."""
    found = diagnosed(bench, "none", tmp_path / "out", rounds=2)

    assert found.names == ()
    assert found.success.total == 0
    assert read_questions(tmp_path / "out" / FAILING) == ()


def test_failing_instructions_are_valid_and_fail(bench: Path, diagnosis: Path) -> None:
    """Every kept instruction is valid by both resolvers, and its answer misses."""
    pool = open_pool(bench, bench, seed=0, most=0)
    checker = Checker(pool.scenes)
    failing = {question.id: question for question in read_questions(diagnosis / FAILING)}
    answers = {
        answer.question: answer
        for answer in read_table(diagnosis, "answers.jsonl", Answer, kind="diagnosis")
    }

    originals = [item for item in failing.values() if SHRUNK not in item.cell.instruction]
    assert len(originals) == read_diagnosis(diagnosis).failures
    for item in failing.values():
        assert checker.resolved(item)
        assert checker.judged(item)
    assert all(is_miss(original, answers[original.id]) for original in originals)


def test_classes_hold_as_many_outside_as_inside(diagnosis: Path) -> None:
    """What is learned of a cause is of it; the others place nothing to the left or right."""
    asked = read_questions(diagnosis / CLASSES)
    sides = Counter(question.facts["side"] for question in asked)
    assert sides["inside"] >= 20
    assert sides["outside"] == sides["inside"]
    assert {question.facts["class"] for question in asked} <= {
        weakness.words for weakness in read_diagnosis(diagnosis).profile if weakness.said
    }
    store = ObjectStore(diagnosis / CLASSES)
    for question in asked:
        assert store.get(question.image)
        aside = question.instruction.expression.direction in {"left of", "right of"}
        assert aside == (question.facts["side"] == "inside"), question.instruction.text


def test_the_best_has_the_fewest_loose_matches(diagnosis: Path) -> None:
    """Of each element's failures the best leaves the least excuse."""
    for element in read_diagnosis(diagnosis).elements:
        loose = {failure.question: len(failure.matches) for failure in element.failures}
        assert loose[element.best] == min(loose.values())
        assert element.asked >= element.first_failure > 0


def test_the_failing_benchmark_runs_and_is_diagnosed(diagnosis: Path, tmp_path: Path) -> None:
    """What failed can be asked again, fails again, is scored so, and is diagnosed in turn."""
    failing = diagnosis / FAILING
    spec = f"simulated:left-right@{failing}"
    ask_model(failing, spec, tmp_path / "run", options=Options())
    answers = {answer.question: answer for answer in read_answers(tmp_path / "run")}

    summary = score_folders([tmp_path / "run"], Choices())
    sentences = write_report_on([tmp_path / "run"], tmp_path / "page.html", Choices())
    found = diagnosed(failing, "left-right", tmp_path / "again", limit=4, shrink=0)

    several = Counter((one.pair, one.cell) for one in read_questions(failing))
    hits = [one for one in summary.scores if one.metric == "hit"]
    assert max(several.values()) > 1
    assert sum(one.rows for one in hits) == len(answers)
    assert {one.amount for one in hits} == {0.0}
    assert sentences
    assert all(is_miss(question, answers[question.id]) for question in read_questions(failing))
    assert found.success.total == 4


@pytest.mark.long
@pytest.mark.parametrize("stage", ["explore", pytest.param("confirm", marks=pytest.mark.long)])
def test_a_killed_diagnosis_ends_in_the_same_bytes(
    bench: Path, tmp_path: Path, stage: str
) -> None:
    """Killed early, or as it confirms, and begun again, it writes what it writes undisturbed."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    found = diagnosed(bench, "left-right", whole, limit=LIMIT)
    least = 40 if stage == "explore" else count_answers(whole) - found.confirm_questions // 2

    kept = kill_after(bench, killed, least)
    diagnosed(bench, "left-right", killed, limit=LIMIT)

    assert found.confirm_questions > 20
    assert kept >= least
    for name in (*EXPORTS, f"{FAILING}/questions.jsonl", f"{FAILING}/manifest.json"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes(), name


def test_another_plan_is_refused(bench: Path, tmp_path: Path) -> None:
    """A folder takes no other seed, model or number."""
    diagnosed(bench, "none", tmp_path / "out", limit=2, rounds=1)

    with pytest.raises(PlanMismatchError, match="rounds"):
        diagnosed(bench, "none", tmp_path / "out", limit=2, rounds=2)


def test_a_planner_needs_its_model(bench: Path, tmp_path: Path) -> None:
    """The planner "llm" without a model is the user's mistake."""
    with pytest.raises(InvalidInputError, match="planner-model"):
        diagnosed(bench, "none", tmp_path / "out", planner="llm")


def kill_after(bench: Path, out: Path, answers: int) -> int:
    """Diagnose in another process, kill it after so many answers, and count what is kept."""
    script = (
        "import sys; from pathlib import Path;"
        "from surefoot.diagnose.diagnosing import diagnose_model;"
        "from surefoot.diagnose.search.options import DiagnoseOptions;"
        "from surefoot.models import Options;"
        "diagnose_model(Path(sys.argv[1]), 'simulated:left-right@' + sys.argv[1],"
        f" Path(sys.argv[2]), DiagnoseOptions(most=24, limit={LIMIT}), options=Options())"
    )
    child = subprocess.Popen([sys.executable, "-c", script, str(bench), str(out)])
    while child.poll() is None and count_answers(out) < answers:
        time.sleep(0.02)
    os.kill(child.pid, signal.SIGKILL)
    assert child.wait() in (-signal.SIGKILL, 0)  # 0 where it was quicker than we looked
    return count_answers(out)


def count_answers(out: Path) -> int:
    """Count the units that a folder's ledger has, 0 before it has one."""
    try:
        with Ledger.read(out) as ledger:
            return len(ledger.finished())
    except (InvalidInputError, sqlite3.Error):
        return 0


def test_counting_before_the_first_answer(tmp_path: Path) -> None:
    """A folder that does not exist yet has no answers."""
    assert count_answers(tmp_path / "none") == 0


Writer = Callable[..., Path]


def test_a_benchmark_without_questions(write_bench: Writer, tmp_path: Path) -> None:
    """Where there is nothing to diagnose it is said, and nothing is written."""
    empty = write_bench(tmp_path / "bench", 1, ())

    with pytest.raises(NothingKeptError, match="a question in"):
        diagnosed(empty, "none", tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_questions_without_a_picture_are_refused(bench: Path, tmp_path: Path) -> None:
    """What was imported without pictures is refused, with a remedy, before anything is asked."""
    bare = tmp_path / "bare"
    questions = [msgspec.structs.replace(question, image="") for question in read_questions(bench)]
    screens = [msgspec.structs.replace(screen, image="") for screen in read_screens(bench)]
    with Ledger.open(bare, {"kind": "bench"}):
        export(bare, "bench", {"screens.jsonl": screens, "questions.jsonl": questions})

    with pytest.raises(InvalidInputError, match=r"picture.*--images"):
        diagnosed(bare, "none", tmp_path / "out")

    assert not (tmp_path / "out").exists()
