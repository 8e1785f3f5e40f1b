"""
The oracle: knows the truth and clicks in its middle; a run of it must hit always.

Of a polygon it clicks a place inside; what the screen does not show it declines. Where words
or an option are asked for it gives the first that is right.
"""

from __future__ import annotations

from surefoot.core.geometry import inside_of_polygon
from surefoot.core.question import Question
from surefoot.models.backend import Backend
from surefoot.models.local import LocalResponder, answer_reply, place_reply, refusal_reply

__all__ = ["ORACLE"]


def _reply(question: Question) -> str:
    if not question.answerable:
        return refusal_reply("the screen does not show it")
    if question.asks != "place":
        return answer_reply(question.answers[0])
    if question.polygon:
        inside = inside_of_polygon(question.polygon)
        return place_reply(inside.x, inside.y)
    left, top, right, bottom = question.truth.as_tuple()
    return place_reply((left + right) / 2, (top + bottom) / 2)


ORACLE = Backend(
    name="oracle",
    version=1,
    summary="clicks the middle of the true box: shows that scoring works",
    usage="oracle",
    open=lambda rest, options: LocalResponder("oracle", rest, _reply),  # noqa: ARG005
    speaks="json",
    blind=True,
)
