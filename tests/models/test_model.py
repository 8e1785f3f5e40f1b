"""
A model's answer: prompt, reply, parse.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from surefoot.core.canonical import canonical_json
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Question, Unparsed, Usage
from surefoot.models.model import Model, Reply, Request
from surefoot.models.opening import FORMATS


class Parrot:
    """Say one thing and remember the requests."""

    name = "parrot"
    speaks = "json"

    def __init__(self, text: str) -> None:
        self.text = text
        self.seen: list[Request] = []

    def identity(self) -> dict[str, object]:
        """Return what it says."""
        return {"text": self.text}

    async def reply(self, request: Request) -> Reply:
        """Say it."""
        self.seen.append(request)
        return Reply(self.text, Usage(prompt_tokens=3))

    async def close(self) -> None:
        """Do nothing."""


def test_an_answer_holds_raw_text_parse_and_usage(
    ask_for: Callable[..., Question], png: bytes
) -> None:
    """The reply is kept as it came, read in the format, with its usage."""
    parrot = Parrot('{"x": 5, "y": 6}')
    answer = asyncio.run(Model(parrot, FORMATS.get("json")).answer(ask_for(), png))
    assert answer == Answer("q1", parrot.text, Point(5, 6), Usage(prompt_tokens=3))
    assert "Click the 'Save' button" in parrot.seen[0].messages.user
    assert parrot.seen[0].max_tokens == 128


def test_lone_surrogates_do_not_poison_the_record(
    ask_for: Callable[..., Question], png: bytes
) -> None:
    """A reply that no file can hold becomes one that can."""
    answer = asyncio.run(Model(Parrot("\ud800 no"), FORMATS.get("json")).answer(ask_for(), png))
    assert answer.raw == "? no"
    assert isinstance(answer.parsed, Unparsed)
    assert canonical_json(answer)


def test_identity_tells_format_and_responder() -> None:
    """Another format or another responder is another identity."""
    first = Model(Parrot("a"), FORMATS.get("json"))
    assert first.identity() == Model(Parrot("a"), FORMATS.get("json")).identity()
    assert first.identity() != Model(Parrot("b"), FORMATS.get("json")).identity()
    assert first.identity() != Model(Parrot("a"), FORMATS.get("gta1")).identity()
