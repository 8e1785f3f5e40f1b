"""
Answers as columns are the answers themselves, and what cannot be is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import FARTHEST, Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import (
    Answer,
    Cell,
    Choice,
    Parsed,
    Question,
    Refusal,
    Text,
    Unparsed,
)
from surefoot.score.columns import AnswerColumns, PlacedAnswer, QuestionIds, columns_of
from surefoot.score.outcomes import Outcomes, tabulate_runs

PLACES = st.floats(-FARTHEST, FARTHEST)
CORNERS = st.tuples(PLACES, PLACES).map(sorted)
REPLIES = st.one_of(
    st.builds(Point, PLACES, PLACES),
    st.builds(lambda x, y: Box(x[0], y[0], x[1], y[1]), CORNERS, CORNERS),
    st.builds(Choice, st.text()),
    st.builds(Text, st.text()),
    st.builds(Refusal, st.text()),
    st.builds(Unparsed, st.text()),
)


def question(name: str) -> Question:
    """Return a question about one box."""
    return Question(
        id=name,
        pair=name,
        cluster="site",
        cell=Cell("original", "direct"),
        screen="screen",
        image="",
        width=100,
        height=100,
        instruction=Instruction("Click it", "en", "direct", "high", Expression(), "element"),
        truth=Box(0, 0, 10, 10),
    )


def placed(*replies: Parsed) -> list[PlacedAnswer]:
    """Return replies as they are read of the lines of a run."""
    lines = b"\n".join(
        canonical_json(Answer(f"q{at}", "", reply)) for at, reply in enumerate(replies)
    )
    return msgspec.json.Decoder(PlacedAnswer).decode_lines(lines)


@given(replies=st.lists(REPLIES, min_size=1, max_size=12), copies=st.integers(0, 2))
def test_columns_give_the_table_of_the_answers(replies: list[Parsed], copies: int) -> None:
    """Status and place are to the bit those of the answers, under however many conditions."""
    asked = [question(f"q{at}") for at in range(len(replies))]

    def arrange(questions: Iterable[Question]) -> Iterator[Question]:
        for at, one in enumerate(questions):
            yield from [one] * (at % 2 + copies)

    def table(answers: Iterable[Answer] | AnswerColumns) -> Outcomes:
        return tabulate_runs([(asked, [("model", answers)])], arrange=arrange)

    records = columns_of(placed(*replies))
    order = np.random.default_rng(len(replies)).permutation(len(replies))
    records["at"] = np.arange(len(replies))
    ids = QuestionIds([one.id for one in asked])
    answers = [Answer(f"q{at}", "", reply) for at, reply in enumerate(replies)]

    ours, theirs = table(AnswerColumns(ids, records[order], ())), table(answers)

    assert ours.status.tobytes() == theirs.status.tobytes()
    assert ours.place.tobytes() == theirs.place.tobytes()


@pytest.mark.parametrize(
    "parsed",
    ['["point",1e13,1]', '["point",1,-1e300]', '["box",0,0,1e13,1]', '["box",5,0,1,1]'],
)
def test_impossible_places_are_refused(parsed: str) -> None:
    """What no point and no box can be is the error that an answer has."""
    line = f'{{"parsed":{parsed},"question":"q","raw":""}}'.encode()
    found = msgspec.json.Decoder(PlacedAnswer).decode_lines(line)

    with pytest.raises(InvalidInputError):
        columns_of(found)
    with pytest.raises((InvalidInputError, msgspec.ValidationError)):
        msgspec.json.decode(line, type=Answer)


def test_two_answers_to_a_question_are_named() -> None:
    """Twice the same question is an error, as among answers."""
    asked = question("q7")
    records = columns_of(placed(Point(1, 1), Point(2, 2)))
    records["at"] = 0
    columns = AnswerColumns(QuestionIds([asked.id]), records, ())

    with pytest.raises(InvalidInputError, match="two to 'q7'"):
        tabulate_runs([([asked], [("model", columns)])])
