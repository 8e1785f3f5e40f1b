"""
The centre: always clicks the middle of the image; what a blind model gets.

Of options it takes the one in the middle. Words it has none: it clicks, which is no answer.
"""

from __future__ import annotations

from surefoot.core.question import Question
from surefoot.models.backend import Backend
from surefoot.models.local import LocalResponder, answer_reply, place_reply

__all__ = ["CENTER"]


def _reply(question: Question) -> str:
    if question.asks == "option" and question.options:
        return answer_reply(question.options[len(question.options) // 2])
    return place_reply(question.width / 2, question.height / 2)


CENTER = Backend(
    name="center",
    version=1,
    summary="clicks the middle of the image, whatever is asked",
    usage="center",
    open=lambda rest, options: LocalResponder("center", rest, _reply),  # noqa: ARG005
    speaks="json",
    blind=True,
)
