"""
What a build from a set remembers: questions by their screens, results sorted, all on disk.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from surefoot.benchmarks.benchmark import BENCHMARKS
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.run.building.pages import build_benchmark
from surefoot.run.building.sets import INDEX, open_set_index
from surefoot.run.folders.folder import read_questions, read_screens


def test_questions_come_back_by_screen_and_sorted(drawn: Path, tmp_path: Path) -> None:
    """A screen's questions keep their order; what was made comes back sorted, and counted."""
    questions, screens = read_questions(drawn), read_screens(drawn)
    with open_set_index(tmp_path) as index:
        for question in questions:
            index.ask(question)
        index.group()
        for screen in screens:
            mine = tuple(question for question in questions if question.screen == screen.id)
            assert index.asked(screen.id) == mine
        assert index.asked("none") == ()
        for question in reversed(questions):
            index.keep_question(question)
        for screen in reversed(screens):
            index.keep_screen(screen)
        assert list(index.questions()) == [canonical_json(question) for question in questions]
        assert list(index.screens()) == [canonical_json(item) for item in screens]
        pairs = {question.pair for question in questions}
        pages = {question.cluster for question in questions}
        assert index.counts() == (len(pairs), len(pages))
    assert not (tmp_path / INDEX).exists()


def test_two_records_of_one_id_are_refused(drawn: Path, tmp_path: Path) -> None:
    """A second question, or screen, of an id is refused by its id, alike or not."""
    question, screen = read_questions(drawn)[0], read_screens(drawn)[0]
    with open_set_index(tmp_path) as index:
        index.keep_question(question)
        index.keep_screen(screen)
        with pytest.raises(InvalidInputError, match=question.id):
            index.keep_question(msgspec.structs.replace(question, pair="another"))
        with pytest.raises(InvalidInputError, match=screen.id):
            index.keep_screen(screen)


def test_what_a_kill_left_is_not_taken_over(tmp_path: Path) -> None:
    """An index begins empty whatever lies there."""
    (tmp_path / INDEX).write_bytes(b"left by a kill")
    with open_set_index(tmp_path) as index:
        assert index.counts() == (0, 0)


@pytest.mark.parametrize(
    ("benchmark", "variants", "added"),
    [("perturbed", ("original", "grey"), ("", "grey")), ("hidden", ("static",), ("static",))],
)
def test_a_benchmark_over_another_keeps_its_conditions(
    drawn: Path, tmp_path: Path, benchmark: str, variants: tuple[str, ...], added: tuple[str, ...]
) -> None:
    """What a benchmark shows under "style" is "style" still, or "style+grey", of one element."""
    own = {"original", "style", "zoom:1.5"}
    options = msgspec.structs.replace(
        BENCHMARKS.get(benchmark).defaults, variants=variants, targets=16
    )

    build_benchmark(benchmark, drawn, tmp_path / "over", options, workers=1)

    made = read_questions(tmp_path / "over")
    screens = {screen.id: screen.variant for screen in read_screens(tmp_path / "over")}
    expected = {
        "+".join(filter(None, (name if name != "original" else "", more))) or "original"
        for name in own
        for more in added
    }
    assert {question.cell.variant for question in made} == expected
    assert all(screens[question.screen] == question.cell.variant for question in made)
    pairs = {
        pair: {one.cell.variant for one in made if one.pair == pair}
        for pair in {question.pair for question in made}
    }
    assert set(map(frozenset, pairs.values())) == {frozenset(expected)}
