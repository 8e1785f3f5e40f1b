"""
The oracle, the centre, chance and the replay.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.core.geometry import Box, Point, distance_to_polygon
from surefoot.core.question import Answer, Question, Refusal, Unparsed
from surefoot.models.backend import Options
from surefoot.models.opening import open_model

TWO_ANSWERS = b"".join(
    b'{"question":"a","raw":"%s","parsed":["refusal","r"]}\n' % raw for raw in (b"x", b"y")
)
AskFor = Callable[..., Question]


def test_oracle_hits_always(ask_for: AskFor, png: bytes) -> None:
    """The oracle's answer lies in the truth, down to boxes of no area."""
    oracle = open_model("oracle")
    for number, truth in enumerate([Box(0, 0, 64, 40), Box(3.3, 7.7, 3.3, 7.7), Box(1, 2, 9, 3)]):
        answer = asyncio.run(oracle.answer(ask_for(number=number, truth=truth), png))
        assert isinstance(answer.parsed, Point)
        assert truth.contains(answer.parsed, tolerance=0.001)


def test_oracle_knows_polygons_and_refusals(ask_for: AskFor, png: bytes) -> None:
    """In a hook, whose box has its middle outside, it clicks inside; it declines what is not."""
    oracle = open_model("oracle")
    hook = [(0, 0), (40, 0), (40, 4), (4, 4), (4, 30), (0, 30)]
    corners = tuple(Point(*map(float, item)) for item in hook)
    bent = msgspec.structs.replace(ask_for(truth=Box(0, 0, 40, 30)), polygon=corners)
    clicked = asyncio.run(oracle.answer(bent, png)).parsed
    assert isinstance(clicked, Point)
    assert distance_to_polygon(clicked, corners) == 0.0
    absent = msgspec.structs.replace(ask_for(), answerable=False)
    assert isinstance(asyncio.run(oracle.answer(absent, png)).parsed, Refusal)


def test_center_is_the_middle(ask_for: AskFor, png: bytes) -> None:
    """The centre model clicks the middle of the image."""
    assert asyncio.run(open_model("center").answer(ask_for(), png)).parsed == Point(32, 20)


def test_random_is_even_and_repeatable(ask_for: AskFor, png: bytes) -> None:
    """Clicks depend on seed and question alone, and spread evenly over the image."""

    async def clicks(seed: int) -> list[Point]:
        model = open_model("random", options=Options(seed=seed))
        answers = [await model.answer(ask_for(number=index), png) for index in range(400)]
        return [answer.parsed for answer in answers if isinstance(answer.parsed, Point)]

    first = asyncio.run(clicks(1))
    assert first == asyncio.run(clicks(1))
    assert first != asyncio.run(clicks(2))
    assert len(first) == 400
    # The mean of 400 even draws has a standard error of width / sqrt(12 * 400).
    assert abs(sum(point.x for point in first) / 400 - 32) < 4 * 64 / math.sqrt(4800)
    assert abs(sum(point.y for point in first) / 400 - 20) < 4 * 40 / math.sqrt(4800)


@pytest.mark.parametrize(
    "spec", ["oracle:x", "center:x", "random:7", "ocr:x", "replay", "replay:"]
)
def test_malformed_specs_are_refused(spec: str) -> None:
    """A rest where none belongs, or none where one does, is the user's mistake."""
    with pytest.raises(InvalidInputError):
        open_model(spec, format_name="json")


def test_replay_gives_the_recorded_replies(tmp_path: Path, ask_for: AskFor, png: bytes) -> None:
    """Replies come back by question id and are parsed anew; others are a ModelError."""
    lines = [Answer("q1", "(28,28)", Unparsed("old parser")), Answer("q2", "?", Unparsed("?"))]
    (tmp_path / "answers.jsonl").write_bytes(b"\n".join(map(canonical_json, lines)) + b"\n")
    plan = {"model": {"name": "gta1-7b", "format": {"name": "gta1", "version": 1}}, "other": 1}
    (tmp_path / "plan.json").write_bytes(canonical_json(plan))
    model = open_model(f"replay:{tmp_path}")
    assert model.name == "gta1-7b"
    assert model.format.name == "gta1"
    answer = asyncio.run(model.answer(ask_for(size=(56, 56)), png))
    assert answer == Answer("q1", "(28,28)", Point(28, 28))
    with pytest.raises(ModelError, match="question q3") as error:
        asyncio.run(model.answer(ask_for(number=3), png))
    assert error.value.reason == "no-reply"


@pytest.mark.parametrize(
    "content",
    [
        b"not json\n",
        b'{"question":"a"}\n',
        TWO_ANSWERS,
        b"\xff\xfe\n",
    ],
)
def test_replay_refuses_bad_records(tmp_path: Path, content: bytes) -> None:
    """Malformed lines and two answers to one question are named."""
    (tmp_path / "answers.jsonl").write_bytes(content)
    with pytest.raises(InvalidInputError, match=r"answers\.jsonl|one answer"):
        open_model(f"replay:{tmp_path}", format_name="json")


def test_replay_of_nothing(tmp_path: Path) -> None:
    """A folder without answers is the user's mistake."""
    with pytest.raises(InvalidInputError, match=r"replay:RUN"):
        open_model(f"replay:{tmp_path}", format_name="json")
