"""
The centre: always clicks the middle of the image; what a blind model gets.
"""

from __future__ import annotations

from surefoot.core.question import Question
from surefoot.models.backend import Backend
from surefoot.models.local import LocalResponder, place_reply

__all__ = ["CENTER"]


def _reply(question: Question) -> str:
    return place_reply(question.width / 2, question.height / 2)


CENTER = Backend(
    name="center",
    version=1,
    summary="clicks the middle of the image, whatever is asked",
    usage="center",
    open=lambda rest, options: LocalResponder("center", rest, _reply),  # noqa: ARG005
    speaks="json",
)
