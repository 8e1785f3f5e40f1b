"""
What is right for one question: a place, a refusal, a few words or an option.

Scores, pictures and searches all judge by what stands here, so they cannot disagree.
"""

from __future__ import annotations

import math

from surefoot.core.geometry import Box, Point, distance_to_polygon
from surefoot.core.question import Choice, Parsed, Question, Refusal, Text
from surefoot.score.short_answers import exact_match, token_f1


def place_of(parsed: Parsed | None) -> Point | None:
    """
    Return the point that an answer names: a box's centre, None for no place.

    >>> place_of(Box(0, 0, 10, 20))
    Point(x=5.0, y=10.0)
    """
    if isinstance(parsed, Box):
        return parsed.center
    return parsed if isinstance(parsed, Point) else None


def words_of(question: Question, parsed: Parsed | None) -> str | None:
    """Return a reply in words, or the option's label, where that is asked for, else None."""
    if question.asks == "words" and isinstance(parsed, Text):
        return parsed.text
    return parsed.label if question.asks == "option" and isinstance(parsed, Choice) else None


def right_boxes(question: Question) -> tuple[Box, ...]:
    """
    Return all boxes of which any is right, the truth first.

    None for a question that nothing on the screen answers, that words answer, or whose
    target is a polygon.
    """
    if question.asks != "place" or not question.answerable or question.polygon:
        return ()
    return (question.truth, *question.boxes)


def outside(question: Question, point: Point) -> float:
    """
    Return by how many pixels a target has to grow on every side to hold a point; 0 inside.

    The target is a polygon, or any of one box and more. Infinity where no place is right:
    where words are asked for, or nothing that the screen shows.
    """
    if question.asks != "place" or not question.answerable:
        return math.inf
    if question.polygon:
        return distance_to_polygon(point, question.polygon)
    if question.answers and not question.truth.area:
        return math.inf  # answers without a place
    return min(_growth(point, box) for box in right_boxes(question))


def right_words(question: Question, parsed: Parsed | None) -> bool:
    """
    Tell whether a reply is the label of the right option, or has the right words.

    Labels are compared as they are, words as ``exact_match`` does.
    """
    words = words_of(question, parsed)
    if words is None or not question.answerable:
        return False
    return (
        words in question.answers
        if question.asks == "option"
        else exact_match(words, question.answers)
    )


def words_f1(question: Question, parsed: Parsed | None) -> float:
    """
    Return the token F1 of a reply, NaN where no words are asked for.

    0 for a reply that is none; where the screen does not tell, 1 for a refusal alone.
    """
    if question.asks != "words":
        return math.nan
    if not question.answerable:
        return float(isinstance(parsed, Refusal))
    words = words_of(question, parsed)
    return 0.0 if words is None else token_f1(words, question.answers)


def chance_level(question: Question) -> float:
    """
    Return how likely a guess among the options is right, NaN where there are none.
    """
    if question.asks != "option" or not question.options:
        return math.nan
    right = set(question.options) & set(question.answers) if question.answerable else ()
    return len(right) / len(question.options)


def _growth(point: Point, box: Box) -> float:
    across = max(box.left - point.x, point.x - box.right)
    return max(0.0, across, box.top - point.y, point.y - box.bottom)
