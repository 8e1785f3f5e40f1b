"""
The table of outcomes: every kind of reply keeps its place and its status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec
import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Cell, Choice, Question, Refusal, Text, Unparsed
from surefoot.score.outcomes import Record, Status, by_model, tabulate, tabulate_runs

RecordMaker = Callable[..., Record]


def test_each_kind_of_reply_has_its_status_and_place(record: RecordMaker) -> None:
    """A point stands as said, a box as its centre, and everything else without a place."""
    replies = [Point(3.0, 4.0), Box(0.0, 0.0, 10.0, 20.0), Refusal("no"), Unparsed("?"), None]
    others = [Choice("A"), Text("words")]
    table = tabulate(
        record(reply, pair=f"p{index}") for index, reply in enumerate([*replies, *others])
    )
    assert [Status(code).name for code in table.status] == [
        "POINT",
        "BOX",
        "REFUSAL",
        "UNPARSED",
        "FAILED",
        "UNPARSED",
        "UNPARSED",
    ]
    assert table.place[:2].tolist() == [[3.0, 4.0], [5.0, 10.0]]
    assert np.isnan(table.place[2:]).all()
    assert table.answered.tolist() == [True] * 4 + [False, True, True]
    assert table.located.tolist() == [True, True] + [False] * 5


def test_columns_say_what_the_question_said(record: RecordMaker) -> None:
    """Cell, pair, page, role, direction, truth and picture size come from the question."""
    row = record(
        Point(1.0, 1.0),
        pair="b",
        cluster="home",
        variant="zoom",
        instruction="relational",
        reasoning=True,
        direction="left of",
        role="link",
    )
    table = tabulate([record(None), row])
    named = (table.variant, table.instruction, table.pair, table.cluster, table.role)
    assert [column.names[column.codes[1]] for column in named] == [
        "zoom",
        "relational",
        "b",
        "home",
        "link",
    ]
    assert table.direction.names[table.direction.codes[1]] == "left of"
    assert bool(table.reasoning[1])
    assert table.truth[1].tolist() == [100.0, 100.0, 140.0, 120.0]
    assert table.size[1].tolist() == [1000.0, 500.0]


def test_a_selection_keeps_rows_together(record: RecordMaker) -> None:
    """Taking rows takes them in every column."""
    table = tabulate(record(Point(float(n), 0.0), pair=f"p{n}", cluster=f"c{n}") for n in range(5))
    taken = table.take(table.place[:, 0] > 2)
    assert len(taken) == 2
    assert [taken.cluster.names[code] for code in taken.cluster.codes] == ["c3", "c4"]


def test_a_question_without_an_answer_has_failed(record: RecordMaker) -> None:
    """Rows keep the order of the questions, run by run, and the unanswered have failed."""
    _, first, answer = record(Point(1.0, 1.0), pair="a")
    _, second, _ = record(None, pair="b")
    assert answer is not None
    table = tabulate_runs([([second, first], [("m", [answer]), ("k", [])])])

    assert table.status.tolist() == [4, 0, 4, 4]
    assert [table.model.names[code] for code in table.model.codes] == ["m", "m", "k", "k"]
    assert [table.pair.names[code] for code in table.pair.codes] == ["b", "a", "b", "a"]
    assert len(table.asked) == 2


def test_what_does_not_match_is_an_error(record: RecordMaker) -> None:
    """Answers to unknown questions, two answers to one, and twin questions raise."""
    _, question, answer = record(Point(1.0, 1.0))
    assert answer is not None
    stray = Answer("elsewhere", "", Point(0.0, 0.0))
    with pytest.raises(InvalidInputError, match="'elsewhere'"):
        tabulate_runs([([question], [("m", [answer, stray])])])
    again = Answer(answer.question, "again", Point(0.0, 0.0))
    with pytest.raises(InvalidInputError, match="one answer"):
        tabulate_runs([([question], [("m", [answer, again])])])
    with pytest.raises(InvalidInputError, match="different ids"):
        tabulate_runs([([question, question], [])])
    with pytest.raises(InvalidInputError, match="the one to 'elsewhere'"):
        tabulate([("m", question, stray)])


def test_questions_that_are_held_are_judged_like_those_that_are_not(record: RecordMaker) -> None:
    """Whether a question is kept for a metric or not, its row is the same."""
    replies = [Point(110.0, 105.0), Box(0.0, 0.0, 10.0, 20.0), Refusal("no"), Unparsed("?"), None]
    others = [Choice("A"), Text("words"), Point(0.0, 0.0)]
    rows = [record(reply, pair=f"p{n}") for n, reply in enumerate([*replies, *others])]
    plain = tabulate_runs(by_model(rows))
    held = tabulate_runs(by_model(rows), measures={"one": lambda _question, _answer: 1.0})

    for name in ("status", "place", "reach", "f1"):
        np.testing.assert_array_equal(getattr(plain, name), getattr(held, name))
    assert held.measured["one"].tolist() == [1.0] * len(rows)


def test_a_question_may_stand_under_two_cells(record: RecordMaker) -> None:
    """One answer counts in each cell that its question was put under, and in none if left out."""
    _, question, answer = record(Point(110.0, 105.0))
    _, other, unused = record(Point(1.0, 1.0), pair="b")
    assert answer is not None
    assert unused is not None

    def twice(questions: Iterable[Question]) -> Iterator[Question]:
        for one in questions:
            if one.pair == "a":
                yield one
                yield msgspec.structs.replace(one, cell=Cell("zoom", "direct"))

    table = tabulate_runs([([question, other], [("m", [answer, unused])])], arrange=twice)

    assert [table.variant.names[code] for code in table.variant.codes] == ["original", "zoom"]
    assert table.place.tolist() == [[110.0, 105.0]] * 2


def test_no_records_make_an_empty_table() -> None:
    """An empty run has a table with its columns and no rows."""
    table = tabulate([])
    assert len(table) == 0
    assert table.truth.shape == (0, 4)
