"""
Questions and answers: what they hold survives JSON, and every reply has one meaning.
"""

from __future__ import annotations

import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
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
    Usage,
)

words = st.text(st.characters(codec="utf-8"), max_size=8)
reals = st.floats(-1e4, 1e4)
sides = st.floats(0, 1e4)
boxes = st.builds(lambda x, y, w, h: Box(x, y, x + w, y + h), reals, reals, sides, sides)
parsed: st.SearchStrategy[Parsed] = st.one_of(
    st.builds(Point, reals, reals),
    boxes,
    st.builds(Choice, words),
    st.builds(Text, words),
    st.builds(Refusal, words),
    st.builds(Unparsed, words),
)
usages = st.builds(Usage, st.integers(0, 9), st.integers(0, 9), sides)
landmarks = st.builds(Expression, role=words, name=words)
expressions = st.builds(
    Expression,
    role=words,
    name=words,
    name_cut=st.booleans(),
    direction=st.sampled_from([None, "above", "left of"]),
    landmark=st.none() | landmarks,
)
instructions = st.builds(
    Instruction,
    text=words,
    language=words,
    kind=st.sampled_from(["direct", "relational"]),
    specificity=st.sampled_from(["high", "medium", "low"]),
    expression=expressions,
    target=words,
    name_visible=st.booleans(),
)
questions = st.builds(
    Question,
    id=words,
    pair=words,
    cluster=words,
    cell=st.builds(Cell, words, words, st.booleans()),
    screen=words,
    image=words,
    width=st.integers(1, 9999),
    height=st.integers(1, 9999),
    instruction=instructions,
    truth=boxes,
    role=words,
    boxes=st.lists(boxes, max_size=2).map(tuple),
    polygon=st.lists(st.builds(Point, reals, reals), max_size=3).map(tuple),
    answerable=st.booleans(),
    answers=st.lists(words, max_size=2).map(tuple),
    split=words,
    platform=words,
    system=words,
    facts=st.dictionaries(words, words, max_size=2),
)


@given(question=questions)
def test_questions_survive_json(question: Question) -> None:
    """Every field, landmarks inside expressions too, comes back equal."""
    data = canonical_json(question)
    again = decode(data, Question, what="a question")
    assert again == question
    assert canonical_json(again) == data


@given(answer=st.builds(Answer, words, words, parsed, usages))
def test_answers_survive_json(answer: Answer) -> None:
    """What a reply parsed to keeps its kind, also where two kinds hold the same text."""
    again = decode(canonical_json(answer), Answer, what="an answer")
    assert again == answer
    assert type(again.parsed) is type(answer.parsed)


def test_kinds_of_reply_have_distinct_tags() -> None:
    """No two kinds of reply are spelt with one tag."""
    tags = [kind.__struct_config__.tag for kind in typing.get_args(Parsed)]
    assert len(set(tags)) == len(tags) == 6


@pytest.mark.parametrize(
    "reply", [None, [], ["point", 1], ["point", "1", 2], ["click", 1, 2], [1, 2], "none"]
)
def test_no_reply_is_ever_a_default(reply: object) -> None:
    """A malformed reply is refused: it never becomes a click at some place."""
    data = canonical_json({"question": "q", "raw": "", "parsed": reply})
    with pytest.raises(InvalidInputError, match="a valid Answer"):
        decode(data, Answer, what="an answer")


def test_cells_sort_by_variant() -> None:
    """Cells have an order, so that tables come out the same every time."""
    cells = [Cell("zoom", "direct"), Cell("original", "relational"), Cell("original", "direct")]
    assert [cell.variant for cell in sorted(cells)] == ["original", "original", "zoom"]


def test_what_data_sets_add_is_not_spelt_where_they_add_nothing() -> None:
    """A question without splits, polygons or refusals has the bytes that it always had."""
    instruction = Instruction("t", "en", "direct", "high", Expression(), "e")
    question = Question(
        "i", "p", "c", Cell("original", "direct"), "s", "", 9, 9, instruction, Box(1, 2, 3, 4)
    )
    assert canonical_json(question) == (
        b'{"cell":{"instruction":"direct","reasoning":false,"variant":"original"},"cluster":"c",'
        b'"height":9,"id":"i","image":"","instruction":{"expression":{},"kind":"direct",'
        b'"language":"en","specificity":"high","target":"e","text":"t"},"pair":"p","screen":"s",'
        b'"truth":["box",1,2,3,4],"width":9}'
    )
