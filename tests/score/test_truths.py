"""
What is right for one question: words, options, chance, and how far outside a place is.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Choice, Parsed, Question, Refusal, Text, Unparsed
from surefoot.score.outcomes import Record
from surefoot.score.truths import (
    chance_level,
    outside,
    place_of,
    right_boxes,
    right_words,
    words_f1,
    words_of,
)

NOWHERE = Box(0.0, 0.0, 0.0, 0.0)
RecordMaker = Callable[..., Record]


@pytest.fixture
def make(record: RecordMaker) -> Callable[..., Question]:
    """Return a maker of questions about the box (100, 100, 140, 120)."""

    def changed(**changes: object) -> Question:
        return msgspec.structs.replace(record(None)[1], **changes)

    return changed


def test_a_box_answer_clicks_its_centre() -> None:
    """A model that answers with a box is taken to click the middle of it."""
    assert place_of(Box(0, 0, 10, 20)) == Point(5, 10)
    assert place_of(Refusal("no")) is None
    assert place_of(None) is None


def test_places_are_right_only_where_places_are_asked_for(make: Callable[..., Question]) -> None:
    """Several boxes are all right; of a refusal, of words and of a polygon no box is."""
    more = (Box(0, 0, 1, 1),)
    corners = (Point(100, 100), Point(140, 100), Point(100, 120))
    assert right_boxes(make(boxes=more)) == (Box(100, 100, 140, 120), *more)
    for changes in (
        {"answerable": False},
        {"asks": "words", "answers": ("x",)},
        {"asks": "option", "answers": ("A",), "options": ("A", "B")},
    ):
        assert right_boxes(make(**changes)) == ()
        assert outside(make(**changes), Point(110, 110)) == math.inf
    assert right_boxes(make(polygon=corners)) == ()
    assert outside(make(polygon=corners), Point(101, 101)) == 0
    assert outside(make(boxes=more), Point(4, 3)) == 3
    assert outside(make(truth=NOWHERE, answers=("x",)), Point(0, 0)) == math.inf


@pytest.mark.parametrize(
    ("asks", "parsed", "words", "right", "score"),
    [
        ("words", Text("The Two stars."), "The Two stars.", True, 1.0),
        ("words", Text("two"), "two", False, 2 / 3),
        ("words", Choice("two stars"), None, False, 0.0),
        ("words", Point(1, 1), None, False, 0.0),
        ("words", Refusal("no"), None, False, 0.0),
        ("words", Unparsed("?"), None, False, 0.0),
        ("option", Choice("B"), "B", True, math.nan),
        ("option", Choice("b"), "b", False, math.nan),
        ("option", Choice("A"), "A", False, math.nan),
        ("option", Text("B"), None, False, math.nan),
        ("place", Text("two stars"), None, False, math.nan),
    ],
)
def test_words_and_labels_are_judged_by_what_is_asked(
    make: Callable[..., Question],
    asks: str,
    parsed: Parsed,
    words: str | None,
    right: bool,
    score: float,
) -> None:
    """Words match once normalised, labels as they are; a reply of another kind is none."""
    answers = ("B",) if asks == "option" else ("2", "two stars")
    question = make(asks=asks, truth=NOWHERE, answers=answers, options=("A", "B"))
    assert words_of(question, parsed) == words
    assert right_words(question, parsed) is right
    assert words_f1(question, parsed) == pytest.approx(score, nan_ok=True)


def test_what_the_screen_does_not_tell_is_right_to_refuse(make: Callable[..., Question]) -> None:
    """Without an answer on the screen no words are right, and a refusal has an F1 of 1."""
    question = make(asks="words", truth=NOWHERE, answerable=False)
    assert not right_words(question, Text(""))
    assert [words_f1(question, item) for item in (Refusal("no"), Text("x"), None)] == [1, 0, 0]


def test_chance_is_one_over_the_options(make: Callable[..., Question]) -> None:
    """A label counts once; where nothing is right, or nothing can be chosen, there is none."""
    four = tuple("DABC")
    assert chance_level(make(asks="option", options=four, answers=("C",))) == 0.25
    assert chance_level(make(asks="option", options=four, answers=("C", "D", "D"))) == 0.5
    assert chance_level(make(asks="option", options=four, answerable=False)) == 0.0
    assert math.isnan(chance_level(make(asks="option", answers=("C",))))
    assert math.isnan(chance_level(make(asks="words", answers=("C",))))
