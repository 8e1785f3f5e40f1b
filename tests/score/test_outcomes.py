"""
The table of outcomes: every kind of reply keeps its place and its status.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Choice, Refusal, Text, Unparsed
from surefoot.score.outcomes import Record, Status, match, tabulate

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
    """Matching keeps the order of the questions and marks the unanswered."""
    _, first, answer = record(Point(1.0, 1.0), pair="a")
    _, second, _ = record(None, pair="b")
    assert answer is not None
    matched = list(match("m", [second, first], [answer]))
    assert matched == [("m", second, None), ("m", first, answer)]


def test_what_does_not_match_is_an_error(record: RecordMaker) -> None:
    """Answers to unknown questions, two answers to one, and twin questions raise."""
    _, question, answer = record(Point(1.0, 1.0))
    assert answer is not None
    stray = Answer("elsewhere", "", Point(0.0, 0.0))
    with pytest.raises(InvalidInputError, match="'elsewhere'"):
        list(match("m", [question], [answer, stray]))
    again = Answer(answer.question, "again", Point(0.0, 0.0))
    with pytest.raises(InvalidInputError, match="one answer"):
        list(match("m", [question], [answer, again]))
    with pytest.raises(InvalidInputError, match="different ids"):
        list(match("m", [question, question], []))
    with pytest.raises(InvalidInputError, match="the one to 'elsewhere'"):
        tabulate([("m", question, stray)])


def test_no_records_make_an_empty_table() -> None:
    """An empty run has a table with its columns and no rows."""
    table = tabulate([])
    assert len(table) == 0
    assert table.truth.shape == (0, 4)
