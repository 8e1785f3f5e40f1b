"""
Chance: clicks anywhere, evenly, drawn from the seed and the question's id.

Options it draws as evenly; where words are asked for it draws one from the question.
"""

from __future__ import annotations

from surefoot.core.question import Question
from surefoot.core.seeds import random_source
from surefoot.models.backend import Backend, Options
from surefoot.models.local import LocalResponder, answer_reply, place_reply

__all__ = ["RANDOM"]


def _open(rest: str, options: Options) -> LocalResponder:
    def reply(question: Question) -> str:
        source = random_source(options.seed, "random-model", question.id)
        if question.asks == "option" and question.options:
            return answer_reply(source.choice(question.options))
        if question.asks == "words":
            return answer_reply(source.choice(question.instruction.text.split()))
        return place_reply(source.random() * question.width, source.random() * question.height)

    return LocalResponder("random", rest, reply, {"seed": options.seed})


RANDOM = Backend(
    name="random",
    version=1,
    summary="clicks anywhere, drawn from the seed and the question's id",
    usage="random",
    open=_open,
    speaks="json",
    blind=True,
)
