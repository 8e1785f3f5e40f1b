"""
Controls: models that know everything or nothing, whose scores say what a score is worth.

The oracle knows the truth and clicks in its middle; a run of it must hit always. Of a polygon
it clicks a place inside; what the screen does not show it declines. The centre always clicks
the middle of the image, as a blind model might. Chance clicks anywhere, evenly, drawn from the
seed and the question's id. Options are taken, or drawn, in the same way; where words are asked
for, the oracle gives the first that is right, chance one of the question's, the centre none.
"""

from __future__ import annotations

from surefoot.core.geometry import inside_of_polygon
from surefoot.core.question import Question
from surefoot.core.seeds import random_source
from surefoot.models.backend import Backend, Options
from surefoot.models.local import LocalResponder, answer_reply, place_reply, refusal_reply


def _middle(question: Question) -> str:
    if question.asks == "option" and question.options:
        return answer_reply(question.options[len(question.options) // 2])
    return place_reply(question.width / 2, question.height / 2)


CENTER = Backend(
    name="center",
    version=1,
    summary="clicks the middle of the image, whatever is asked",
    usage="center",
    open=lambda rest, options: LocalResponder("center", rest, _middle),  # noqa: ARG005
    speaks="json",
    blind=True,
)


def _open_random(rest: str, options: Options) -> LocalResponder:
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
    open=_open_random,
    speaks="json",
    blind=True,
)


def _truth(question: Question) -> str:
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
    open=lambda rest, options: LocalResponder("oracle", rest, _truth),  # noqa: ARG005
    speaks="json",
    blind=True,
)
