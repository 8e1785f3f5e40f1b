"""
The pool: valid instructions, each once, in a fixed order.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Ordinal
from surefoot.core.ledger import Ledger
from surefoot.core.store import ObjectStore
from surefoot.diagnose.causes.checking import Checker
from surefoot.diagnose.search.pool import open_pool
from surefoot.run.folders.folder import export, read_questions, read_screens


def test_arms_are_valid_and_different(bench: Path) -> None:
    """Each instruction holds by both resolvers, and no two are the same words or question."""
    pool = open_pool(bench, bench, seed=0, most=40)
    checker = Checker(pool.scenes)
    for subject in pool.subjects()[:6]:
        arms = pool.arms(subject)
        assert len({arm.question.id for arm in arms}) == len(arms) > 2
        assert len({arm.question.instruction.text for arm in arms}) == len(arms)
        assert all(checker.resolved(arm.question) for arm in arms)
        assert all(checker.judged(arm.question) for arm in arms)
        assert [arm.cost for arm in arms] == sorted(arm.cost for arm in arms)


def test_the_benchmarks_own_questions_are_kept(bench: Path) -> None:
    """Every question of the benchmark is an arm under its own id."""
    pool = open_pool(bench, bench, seed=0, most=40)
    arms = [arm for subject in pool.subjects() for arm in pool.arms(subject)]
    kept = {item.question.id: item.question for item in arms}

    for question in read_questions(bench):
        assert kept[question.id] == question


def test_clusters_are_those_of_the_unit(bench: Path) -> None:
    """By page the pages are clusters, by element each element, and strangers are elements too."""
    by_page, by_element = (
        open_pool(bench, bench, seed=0, most=0, unit=unit) for unit in ("page", "element")
    )
    pages = {by_page.scenes.screens[one.screen].page for one in by_page.subjects()}

    assert {one.cluster for one in by_page.subjects()} == pages
    assert all(one.cluster == one.pair for one in by_element.subjects())
    assert all(one.cluster == one.pair for one in by_element.strangers())
    assert by_page.population(by_page.subjects()).pages == len(pages)


def test_two_pools_are_equal(bench: Path) -> None:
    """The same benchmark and seed give the same arms in the same order."""
    one, other = (open_pool(bench, bench, seed=3, most=20) for _ in range(2))
    subject = one.subjects()[2]

    assert one.subjects() == other.subjects()
    assert one.arms(subject) == other.arms(subject)


@pytest.mark.parametrize(
    "expression",
    [
        Expression(role="link"),
        Expression(role="link", name="Home"),
        Expression(role="link", direction="above"),
        Expression(role="link", ordinal=Ordinal(0, "row")),
        Expression(role="link", size="largest", ordinal=Ordinal(1, "row")),
        Expression(),
    ],
)
def test_what_does_not_hold_is_no_arm(bench: Path, expression: Expression) -> None:
    """An ambiguous, a false and a malformed expression are never asked."""
    pool = open_pool(bench, bench, seed=0, most=0)
    subject = next(item for item in pool.subjects() if item.target == "a2")

    assert pool.arm(subject, expression) is None


def test_a_benchmark_without_its_screens_is_refused(bench: Path, tmp_path: Path) -> None:
    """A question about a screen that is not there is said, not skipped."""
    pool = open_pool(bench, bench, seed=0, most=0)
    with pytest.raises(InvalidInputError, match="nowhere"):
        pool.scenes.scene("nowhere")
    with pytest.raises(InvalidInputError):
        open_pool(tmp_path, tmp_path, seed=0, most=0)


def test_questions_about_no_element_are_left_out(bench: Path, tmp_path: Path) -> None:
    """Refusals, words and places without an element are no subjects; alone they are refused."""
    asked = sorted(read_questions(bench), key=lambda question: question.id)
    instruction = msgspec.structs.replace(asked[0].instruction, target="")
    strange: list[dict[str, object]] = [
        {"answerable": False},
        {"asks": "words", "answers": ("x",)},
        {"instruction": instruction},
    ]
    odd = [
        msgspec.structs.replace(asked[0], id=f"odd{at}", pair=f"odd{at}", **changes)
        for at, changes in enumerate(strange)
    ]
    images = ObjectStore(bench)
    for name, questions in (("mixed", [*asked, *odd]), ("odd", odd)):
        with Ledger.open(tmp_path / name, {"kind": "bench"}):
            for image in {question.image for question in questions}:
                ObjectStore(tmp_path / name).put(images.get(image))
            screens = read_screens(bench)
            ordered = sorted(questions, key=lambda question: question.id)
            tables: dict[str, Sequence[object]] = {
                "screens.jsonl": screens,
                "questions.jsonl": ordered,
            }
            export(tmp_path / name, "bench", tables)
    mixed = open_pool(tmp_path / "mixed", tmp_path / "mixed", seed=0, most=0)
    assert mixed.subjects() == open_pool(bench, bench, seed=0, most=0).subjects()
    with pytest.raises(InvalidInputError, match="about an element of its screen"):
        open_pool(tmp_path / "odd", tmp_path / "odd", seed=0, most=0)


def test_a_new_instruction_is_judged_by_the_element(bench: Path, tmp_path: Path) -> None:
    """What else was right for a set's own words is not for words that name one element."""
    first = min(read_questions(bench), key=lambda question: question.id)
    corners = (Point(0.0, 0.0), Point(9.0, 0.0), Point(0.0, 9.0))
    shaped = msgspec.structs.replace(first, polygon=corners, boxes=(Box(0, 0, 1, 1),))
    folder = tmp_path / "bench"
    with Ledger.open(folder, {"kind": "bench"}):
        for image in {screen.image for screen in read_screens(bench)}:
            ObjectStore(folder).put(ObjectStore(bench).get(image))
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": read_screens(bench),
            "questions.jsonl": [shaped],
        }
        export(folder, "bench", tables)
    pool = open_pool(folder, folder, seed=0, most=20)
    (subject,) = pool.subjects()
    arms = pool.arms(subject)
    assert len(arms) > 1
    for arm in arms:
        given = arm.question.id == shaped.id
        assert (arm.question.polygon, arm.question.boxes) == (
            (corners, shaped.boxes) if given else ((), ())
        )
