"""
A model's words as actions: read, converted, counted where they are none; never evaluated.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Point
from surefoot.core.question import Unparsed
from surefoot.forms.driver.actions import Action, Click, Finish, Scroll, Submit, Type, Upload
from surefoot.forms.driver.agent import FormTask, Policy
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.driver.observation import ActionOutcome, Observation
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply
from surefoot.models.spaces import IMAGE_PIXELS, PER_MILLE, UNIT, Space, resized_pixels
from surefoot.run.forms.models import FormModel, Manner
from surefoot.run.forms.prompts import placed

SPACES = [IMAGE_PIXELS, PER_MILLE, UNIT, resized_pixels(28, 3136, 12845056)]
PIXELS = st.floats(0, 3000)


class Parrot:
    """Say given replies in order, and remember what was asked."""

    def __init__(self, *replies: str) -> None:
        self.left = list(replies)
        self.asked: list[str] = []

    def say(self, messages: ChatMessages, seen: Observation) -> Reply:
        """Return the next reply."""
        assert seen.fields == ()
        self.asked.append(messages.user)
        return Reply(self.left.pop(0))


def model(
    parrot: Parrot, policy: Policy = "step", language: str = "paper", space: Space = IMAGE_PIXELS
) -> FormModel:
    """Return an agent that a parrot speaks for."""
    return FormModel(Manner("vl", policy, language, space), FormTask("x"), 0, parrot.say)


def read(reply: str, space: Space = IMAGE_PIXELS) -> Sequence[Action | Unparsed]:
    """Return what one reply about a picture of 1,280 x 800 pixels comes to."""
    return model(Parrot(reply), space=space).act(Observation(b"", 1280, 800, 0)).actions


@given(
    x=PIXELS,
    y=PIXELS,
    space=st.sampled_from(SPACES),
    language=st.sampled_from(["browsergym", "paper"]),
    size=st.tuples(st.integers(100, 3000), st.integers(100, 3000)),
)
def test_points_arrive_where_they_were_meant(
    x: float, y: float, space: Space, language: str, size: tuple[int, int]
) -> None:
    """Whatever the space and the language, a call is turned into the pixels that it means."""
    width, height = size

    def own(x: float, y: float) -> tuple[float, float]:
        return space.from_image(Point(x, y), width=width, height=height)

    meant = (Click(x, y), Type("Ann"), Scroll(3, 4, x, y), Upload(x, y, "cv.pdf"), Submit())
    write = ACTION_LANGUAGES.get(language).write
    reply = "\n".join(write(placed(item, own)) for item in meant)
    agent = model(Parrot(reply), language=language, space=space)
    done = agent.act(Observation(b"", width, height, 0)).actions
    for was, now in zip(meant, done, strict=True):
        assert not isinstance(now, Unparsed)
        assert type(was) is type(now)
        assert placed(now, lambda x, y: (round(x, 6), round(y, 6))) == placed(
            was, lambda x, y: (round(x, 6), round(y, 6))
        )


@given(st.text(max_size=400) | st.text("()\"'[],.=\\\nClickType0-9e+`", max_size=200))
def test_no_reply_breaks_the_agent(reply: str) -> None:
    """Whatever is said, each part is an action with finite points or is counted."""
    found = read(reply, PER_MILLE)
    assert found


@pytest.mark.parametrize(
    "reply",
    [
        "__import__('os').system('true')",
        "Click(1e308, 2)",
        "Click(10, eval('1'))",
        "Click(10)",
        "",
        "x" * 200_000,
        "Click(" + "[" * 90_000,
        "<think>" * 14_000,
    ],
)
def test_what_is_no_action_is_counted(reply: str) -> None:
    """Code, points beyond any screen, half calls and endless replies do nothing."""
    found = read(reply, PER_MILLE)
    assert found
    assert all(isinstance(item, Unparsed) for item in found)


def test_three_replies_without_an_action_end_an_episode() -> None:
    """They must come in a row, each is told, and no end is put among the model's own actions."""
    parrot = Parrot("hm", "hm", "Click(1, 1)", "hm", "hm", "hm")
    agent = model(parrot)
    seen = Observation(b"", 1280, 800, 0)
    replies = [agent.act(seen) for _ in range(6)]
    assert [bool(reply.given_up) for reply in replies] == [False] * 5 + [True]
    assert not any(isinstance(action, Finish) for reply in replies for action in reply.actions)
    told = ["no call that could" in item for item in parrot.asked]
    assert told == [False, True, True, False, True, True]


def test_the_past_is_told_at_the_size_that_it_had() -> None:
    """A page may grow taller between two looks; a past click is said as it was written."""
    outcomes = (ActionOutcome(Click(640, 400)), ActionOutcome(Type("Ann"), (("Ann",),)))
    asked = {}
    for policy in ("page", "step"):
        parrot = Parrot("Click(500, 500)", "Submit()")
        agent = model(parrot, policy, space=PER_MILLE)
        agent.act(Observation(b"", 1280, 800, 0))
        agent.act(Observation(b"", 1280, 1600, 0, outcomes=outcomes))
        asked[policy] = parrot.asked[1]
    assert '- Click(500, 500): no field changed\n- Type("Ann"): 1 field changed' in asked["step"]
    assert "no field changed" not in asked["page"]
