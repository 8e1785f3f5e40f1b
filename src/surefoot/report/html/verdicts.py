"""
What a picture of an answer shows and says: every right place, what was expected, what came.

Whether it was a hit is not decided here; the scores' own judgement is handed in.
"""

from __future__ import annotations

from surefoot.core.geometry import Box, Point, distance_to_polygon
from surefoot.core.question import Parsed, Question, Refusal, Unparsed
from surefoot.score.truths import place_of, right_boxes, words_of

_QUOTED = 80  # characters of an answer in words that are repeated under a picture


def shown_boxes(question: Question) -> tuple[Box, ...]:
    """Return the boxes that a view of all right places has to hold, one for a polygon."""
    return (question.truth,) if _polygonal(question) else right_boxes(question)


def truth_shapes(question: Question, kind: str) -> str:
    """
    Draw all that is right as SVG of a class, in pixels of the image: a polygon, or each box.

    Nothing is drawn where no place is right.
    """
    if _polygonal(question):
        corners = " ".join(f"{point.x:.1f},{point.y:.1f}" for point in question.polygon)
        return f'<polygon class="{kind}" points="{corners}"/>'
    return "".join(
        f'<rect class="{kind}" x="{box.left:.1f}" y="{box.top:.1f}" '
        f'width="{box.width:.1f}" height="{box.height:.1f}"/>'
        for box in right_boxes(question)
    )


def expectation(question: Question) -> str:
    """Say what was expected where it is no place, else ""."""
    if not question.answerable:
        return "a refusal, as the screen does not show it"
    if question.asks == "place":
        return ""
    right = " or ".join(f"'{_short(answer)}'" for answer in question.answers)
    return f"option {right}" if question.asks == "option" else right


def verdict(question: Question, parsed: Parsed | None, *, hit: bool) -> str:
    """Say what came of a question, and what was expected where no picture can show it."""
    if hit:
        return "hit" if question.answerable else "hit: the model declined, as is right"
    expected = expectation(question)
    came = _came(question, parsed)
    return f"{came}; expected {expected}" if expected else came


def _polygonal(question: Question) -> bool:
    return bool(question.polygon) and question.asks == "place" and question.answerable


def _came(question: Question, parsed: Parsed | None) -> str:
    if parsed is None:
        return "no reply (failed)"
    if isinstance(parsed, Unparsed):
        return f"unparsed: {parsed.why}"
    if isinstance(parsed, Refusal):
        return "the model declined"
    if question.asks == "place":
        return _clicked(question, place_of(parsed))
    words = words_of(question, parsed)
    if words is None:
        return "an answer of another kind"
    return f"the model {'chose' if question.asks == 'option' else 'said'} '{_short(words)}'"


def _clicked(question: Question, point: Point | None) -> str:
    if point is None:
        return "an answer that is no position"
    if not question.answerable:
        return f"clicked at {point.x:.0f}, {point.y:.0f}"
    return f"missed by {_away(question, point):.0f} px"


def _away(question: Question, point: Point) -> float:
    if question.polygon:
        return distance_to_polygon(point, question.polygon)
    return min(_nearest(box, point).distance(point) for box in right_boxes(question))


def _nearest(box: Box, point: Point) -> Point:
    x, y = min(max(point.x, box.left), box.right), min(max(point.y, box.top), box.bottom)
    return Point(x, y)


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= _QUOTED else f"{plain[: _QUOTED - 3]}..."
