"""
Traces cut into the steps that a page shows, and how an episode ended in words.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.capture.live.protocol import Activation, EndReason
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.run.asking.traces import TracedActivation, TracedEnd, TracedStep, TraceEntry
from surefoot.view.episodes import playable

WORDS = Instruction("Click", "en", "direct", "high", Expression(role="button"), "b")
CELL = Cell("original", "direct")
QUESTION = Question("q", "p", "c", CELL, "s", "", 300, 200, WORDS, Box(0, 0, 9, 9))


def trace(*parts: TracedStep | TracedActivation | TracedEnd) -> list[TraceEntry]:
    """Return a trace of parts, a second after each other."""
    names = {TracedStep: "step", TracedActivation: "heard", TracedEnd: "end"}
    return [
        msgspec.structs.replace(
            TraceEntry("q", "e", number, float(number)), **{names[type(part)]: part}
        )
        for number, part in enumerate(parts, start=1)
    ]


def heard(element: str, *, right: bool = False) -> TracedActivation:
    """Return an activation of an element."""
    return TracedActivation(Activation(element, "pointer", None, "a", 1.0), right)


def test_what_was_heard_belongs_to_the_step_before_it() -> None:
    """Activations before the first step stand alone, all others with the step that led to them."""
    look, click = TracedStep("look"), TracedStep("click")
    first, second, third = heard("x"), heard("y"), heard("b", right=True)
    end = TracedEnd("right", counts=True)
    episode = playable(QUESTION, "e", trace(first, look, click, second, third, end))

    assert [(step.posted, step.heard) for step in episode.steps] == [
        (None, (first,)),
        (look, ()),
        (click, (second, third)),
    ]
    assert [step.seconds for step in episode.steps] == [1.0, 2.0, 3.0]
    assert (episode.steps_posted, episode.wrong, episode.right, episode.seconds) == (
        2,
        2,
        True,
        6.0,
    )


def test_each_activation_is_a_step_where_the_agent_told_none() -> None:
    """Every episode can be played, one in which nothing happened as well."""
    episode = playable(QUESTION, "e", trace(heard("x"), heard("y")))
    empty = playable(QUESTION, "e", trace(TracedEnd("given-up", counts=True)))

    assert [len(step.heard) for step in episode.steps] == [1, 1]
    assert [(step.posted, step.heard) for step in empty.steps] == [(None, ())]


@pytest.mark.parametrize(
    ("ended", "refusal", "wrong", "words"),
    [
        ("right", "", 0, "the target was activated at once"),
        ("right", "", 1, "the target was activated after 1 wrong activation"),
        ("wrong", "", 4, "ended after 4 wrong activations; the target was not activated"),
        ("given-up", "", 0, "the agent gave up; the target was not activated"),
        ("given-up", "no such thing", 2, "declined after 2 wrong activations: no such thing"),
        ("", "", 1, "broke off after 1 wrong activation: the server was stopped before it ended"),
    ],
)
def test_how_it_ended_is_said(ended: EndReason, refusal: str, wrong: int, words: str) -> None:
    """Right, wrong, given up, declined and broken off are posted apart, with what was wrong."""
    parts: list[TracedActivation | TracedEnd] = [heard("x")] * wrong
    if ended:
        parts.append(TracedEnd(ended, counts=True, refusal=refusal))

    assert playable(QUESTION, "e", trace(*parts)).words == words
