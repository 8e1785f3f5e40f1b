"""
The median of several replies is defined for all that can be replied, and mends noise.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Choice, Parsed, Question, Refusal, Unparsed, Usage
from surefoot.models import Model, open_model
from surefoot.models.model import Reply, Request
from surefoot.models.opening import FORMATS, WRAPPERS
from surefoot.models.wrapper import WrappedModel
from surefoot.models.wrappers.median import middle, voted
from surefoot.run.folders.folder import read_answers, read_questions
from surefoot.score.hits import is_hit

POINTS = st.builds(Point, st.floats(0, 1000), st.floats(0, 800))
NO = Unparsed("no place")


@given(st.lists(POINTS, min_size=2, max_size=8), POINTS, st.randoms())
def test_most_replies_near_one_place_keep_it_there(
    strays: list[Point], true: Point, random: Random
) -> None:
    """Whatever fewer than half of the replies say, the median stays within their scatter."""
    near = [
        Point(true.x + random.uniform(-5, 5), true.y + random.uniform(-5, 5))
        for _ in range(len(strays) + 1)
    ]
    places = [*strays, *near]
    random.shuffle(places)
    found = middle(places, 1000, 800)
    assert abs(found.x - true.x) <= 5 + 1e-9
    assert abs(found.y - true.y) <= 5 + 1e-9


@given(st.lists(POINTS, min_size=1, max_size=9))
def test_where_replies_disagree_the_answer_is_one_of_them(places: list[Point]) -> None:
    """It is a place that was replied, or one that more than half of the replies lie near."""
    found = middle(places, 1000, 800)
    near = sum(place.distance(found) <= (1000**2 + 800**2) ** 0.5 / 20 for place in places)
    assert found in places or 2 * near > len(places)


@pytest.mark.parametrize(
    ("replies", "wanted"),
    [
        ([Point(0, 0), Box(8, 8, 12, 12), Point(20, 20)], Point(10, 10)),
        ([Point(1, 1), Refusal("a"), Refusal("b")], Refusal("a")),
        ([Point(1, 1), Refusal("a")], Point(1, 1)),
        ([Point(1, 1), NO, NO], Unparsed("2 of 3 replies; the first: no place")),
        ([Point(1, 1), NO], Point(1, 1)),
        ([Refusal("a"), NO], Refusal("a")),
        ([Choice("A"), Choice("B"), Choice("B")], Choice("B")),
        ([Choice("A"), Choice("B")], Choice("A")),
    ],
)
def test_all_kinds_of_replies_have_a_result(replies: Sequence[Parsed], wanted: Parsed) -> None:
    """Places, refusals, options and what cannot be read; a tie goes to a place, or the first."""
    assert voted(replies, 1000, 800) == wanted


class Noisy:
    """Name the middle of the truth, but in two of each five samples a place far off."""

    name = "noisy"
    speaks = "json"

    def __init__(self) -> None:
        self.samples: list[tuple[str, int]] = []

    def identity(self) -> dict[str, object]:
        """Return nothing that matters."""
        return {"backend": "noisy"}

    async def reply(self, request: Request) -> Reply:
        """Stray in the first two samples of five."""
        question = request.question
        self.samples.append((question.id, question.sample))
        place = question.truth.center
        off = 500 if (question.sample - 1) % 5 < 2 else 0
        return Reply(json.dumps({"x": place.x + off, "y": place.y + off}), Usage(10, 2, 0.5))

    async def close(self) -> None:
        """Hold nothing."""


def test_a_median_mends_noise_that_strays_in_two_of_five(ask_for: Callable[..., Question]) -> None:
    """The bare model misses with its first reply; the median of five hits, and pays for five."""
    question, median, noisy = ask_for(size=(1000, 800)), WRAPPERS.get("median"), Noisy()
    model = Model(noisy, FORMATS.get("json"))
    wrapped = WrappedModel(model, median, "5", median.open("5"))
    bare = asyncio.run(model.answer(question, b""))
    noisy.samples.clear()

    answer = asyncio.run(wrapped.answer(question, b""))

    assert not is_hit(question, bare)
    assert is_hit(question, answer)
    assert answer.question == question.id
    assert answer.usage == Usage(50, 10, 2.5)
    assert noisy.samples == [("q1", 1), ("q1~2", 2), ("q1~3", 3), ("q1~4", 4), ("q1~5", 5)]


def test_a_wrapped_run_is_compared_with_the_bare_one(
    surefoot: Callable[..., Any],
    drawn: Path,
    tmp_path: Path,
    server: Any,  # noqa: ANN401 - see the conftest of all tests
    step: Any,  # noqa: ANN401 - as above
) -> None:
    """One noisy server: the plan names the wrapper, each seed is asked, the report pairs both."""
    truths = {item.instruction.text: item.truth.center for item in read_questions(drawn)
              if item.cell.variant == "original"}  # fmt: skip

    def choose(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a step
        words = json.dumps(body["messages"])
        place = next(place for text, place in truths.items() if text in words)
        off = 150 if body["seed"] % 5 < 2 else 0
        reply = json.dumps({"x": place.x + off, "y": place.y + 10})
        message = {"role": "assistant", "content": reply}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 9, "completion_tokens": 4}
        return step(json.dumps({"choices": [choice], "usage": usage}).encode())

    server.choose = choose
    bare = f"openai:m@{server.base}"
    words = ("--format", "json", "--no-self-check", "--keep-going")
    bare_run = surefoot("run", drawn, "--model", bare, *words, "--out", tmp_path / "bare")
    asked = len(server.bodies)
    more = ("--model", f"median:5@{bare}", *words, "--out", tmp_path / "five")
    five = surefoot("run", drawn, *more)

    assert (bare_run.code, five.code) == (0, 0), bare_run.err + five.err
    assert len(server.bodies) - asked == 5 * asked
    assert {body["temperature"] for body in server.bodies[asked:]} == {0.7}
    plan = json.loads((tmp_path / "five" / "plan.json").read_text())["model"]
    assert (plan["name"], plan["wrappers"]) == ("median:5@m", [{"name": "median@1", "count": 5}])
    assert {answer.usage.prompt_tokens for answer in read_answers(tmp_path / "five")} == {45}
    report = surefoot(
        "report", tmp_path / "bare", tmp_path / "five", "--out", tmp_path / "both.html"
    )
    assert report.code == 0, report.err
    page = (tmp_path / "both.html").read_text()
    assert "median:5@m" in page
    both = (tmp_path / "bare", tmp_path / "five")
    scored = surefoot("score", *both, "--json", tmp_path / "s.json")
    assert scored.code == 0
    effects = json.loads((tmp_path / "s.json").read_text())["effects"]
    changes = [item["change"] for item in effects if item["factor"] == item["varies"] == "model"]
    # With seed 0 the bare model strays each time; relational words are alike for two targets.
    assert max(changes) == pytest.approx(0.75)


def test_answers_made_of_several_replies_are_not_replayed(
    surefoot: Callable[..., Any], drawn: Path, tmp_path: Path
) -> None:
    """A parser of today cannot read anew what a wrapper made of several replies."""
    surefoot("run", drawn, "--model", "median:3@oracle", "--out", tmp_path / "run")
    assert all(is_hit(question, answer) for question, answer in zip(
        read_questions(drawn), read_answers(tmp_path / "run"), strict=True))  # fmt: skip
    with pytest.raises(InvalidInputError, match="made of several"):
        open_model(f"replay:{tmp_path / 'run'}", format_name="json")
