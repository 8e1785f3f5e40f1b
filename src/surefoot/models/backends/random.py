"""
Chance: clicks anywhere, evenly, drawn from the seed and the question's id.
"""

from __future__ import annotations

from surefoot.core.question import Question
from surefoot.core.seeds import random_source
from surefoot.models.backend import Backend, Options
from surefoot.models.local import LocalResponder, place_reply

__all__ = ["RANDOM"]


def _open(rest: str, options: Options) -> LocalResponder:
    def reply(question: Question) -> str:
        source = random_source(options.seed, "random-model", question.id)
        return place_reply(source.random() * question.width, source.random() * question.height)

    return LocalResponder("random", rest, reply, {"seed": options.seed})


RANDOM = Backend(
    name="random",
    version=1,
    summary="clicks anywhere, drawn from the seed and the question's id",
    usage="random",
    open=_open,
    speaks="json",
)
