"""
``surefoot run`` through makers' own protocols, and through families' notations.

A server on loopback replies as each is documented to: with its limits first, then with its calls,
at the place that the picture's button has in the space that the family counts in.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from PIL import Image

from surefoot.core.canonical import sha256
from surefoot.core.errors import ExitCode
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Answer, Question
from surefoot.models.checking.screens import draw_screens
from surefoot.models.opening import FORMATS
from surefoot.run.folders.folder import read_answers, read_questions

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep, Step

Surefoot = Callable[..., Any]
KEY: Final = "a-very-secret-key-0123456789"


class Family(NamedTuple):
    """
    Say how a family is named and how it speaks.

    ``says`` writes a place, x and y in the format's space, in the family's notation; ``wraps``
    makes a reply's body of it; ``limits`` are the bodies and statuses that it begins with.
    """

    spec: str
    form: str
    says: Callable[[int, int], Any]
    wraps: Callable[[Any], dict[str, object]]
    limits: tuple[tuple[int, Mapping[str, object]], ...]
    cost: float


def as_message(block: object) -> dict[str, object]:
    """Return a message of Anthropic's with one block."""
    used = {"input_tokens": 1000, "output_tokens": 10}
    return {"type": "message", "content": [block], "stop_reason": "tool_use", "usage": used}


def as_candidate(part: object) -> dict[str, object]:
    """Return a reply of Google's with one part."""
    counts = {"promptTokenCount": 1000, "candidatesTokenCount": 10}
    first = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
    return {"candidates": [first], "usageMetadata": counts}


def as_completion(text: object) -> dict[str, object]:
    """Return a chat completion."""
    used = {"prompt_tokens": 1000, "completion_tokens": 10, "cost": 0.001}
    return {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": used}


def member(x: int, y: int) -> dict[str, object]:
    """Return a click as Claude calls the toolset."""
    return {
        "type": "tool_use", "id": "toolu_1", "toolset_name": "computer", "name": "left_click",
        "input": {"coordinate": [x, y]},
    }  # fmt: skip


def action(x: int, y: int) -> dict[str, object]:
    """Return a click as Claude called the older tool."""
    given = {"action": "left_click", "coordinate": [x, y]}
    return {"type": "tool_use", "id": "toolu_1", "name": "computer", "input": given}


def function(x: int, y: int) -> dict[str, object]:
    """Return a click as Gemini calls it."""
    return {"functionCall": {"name": "click", "args": {"y": y, "x": x, "intent": "It is asked."}}}


OVERLOADED: Final = {
    "type": "error",
    "error": {"type": "overloaded_error", "message": "Overloaded"},
}
LIMITED: Final = {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down"}}
DELAY: Final = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.05s"}
QUOTA: Final = {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [DELAY]}}
BUSY: Final = {"error": {"message": "Rate limit reached", "type": "requests"}}
FAMILIES: Final = {
    "Claude with today's tool": Family(
        "anthropic:claude-opus-5-5", "claude-computer", member, as_message,
        ((429, LIMITED), (529, OVERLOADED)), 1000 * 4e-6 + 10 * 20e-6,
    ),
    "Claude with the older tool": Family(
        "anthropic:claude-haiku-4-5", "claude-computer-1568", action, as_message,
        ((529, OVERLOADED),), 1000 * 1e-6 + 10 * 5e-6,
    ),
    "Gemini with the tool": Family(
        "google:gemini-3.5-flash", "gemini-computer", function, as_candidate,
        ((429, QUOTA),), 1000 * 1.5e-6 + 10 * 9e-6,
    ),
    "Gemini in JSON": Family(
        "google:gemini-3.5-flash", "",
        lambda x, y: {"text": json.dumps({"point": [y, x], "label": "it"})}, as_candidate,
        (), 1000 * 1.5e-6 + 10 * 9e-6,
    ),
    "GLM-V": Family(
        "openai:GLM-4.6V", "",
        lambda x, y: f"<|begin_of_box|>[[{x},{y},{x},{y}]]<|end_of_box|>", as_completion,
        ((429, BUSY),), 0.001,
    ),
    "Seed": Family(
        "openai:doubao-seed-1-6-vision", "", lambda x, y: f"<point>{x} {y}</point>",
        as_completion, ((429, BUSY),), 0.001,
    ),
    "CogAgent": Family(
        "openai:cogagent-9b-20241220", "",
        lambda x, y: f"Grounded Operation: CLICK(box=[[{x:03},{y:03},{x:03},{y:03}]])",
        as_completion, ((429, BUSY),), 0.001,
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a key into the environment, under a name of its own."""
    monkeypatch.setenv("SOME_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


class Seeing:
    """See the button that a request asks for, by its picture and its words."""

    def __init__(self, questions: list[Question]) -> None:
        sizes = [(question.width, question.height) for question in questions]
        checked = [question for question, _ in draw_screens(sizes)]
        self.checked = len(checked)
        self.by_words = {question.instruction.text: question for question in checked}
        self.by_image: dict[tuple[str, str], Question] = {}
        for question in questions:
            self.by_image.setdefault((question.image, question.instruction.text), question)

    def find(self, body: dict[str, Any]) -> tuple[Question, tuple[int, int]]:
        """Return the question that a body asks, and the size of the picture that it shows."""
        sent = json.dumps(body)
        image = next(self.pictures(body))
        with Image.open(io.BytesIO(image)) as opened:
            size = opened.size
        for (sha, words), question in self.by_image.items():
            if sha == sha256(image) and json.dumps(words)[1:-1] in sent:
                return question, size
        return next(asked for words, asked in self.by_words.items() if words in sent), size

    def pictures(self, part: object) -> Iterator[bytes]:
        """Yield the pictures anywhere in a body, however its protocol spells them."""
        if isinstance(part, dict):
            for name, value in part.items():
                if name == "data" and isinstance(value, str):
                    yield base64.b64decode(value)
                elif name == "url":
                    yield base64.b64decode(value.partition("base64,")[2])
                else:
                    yield from self.pictures(value)
        elif isinstance(part, list):
            for item in part:
                yield from self.pictures(item)


def play(server: FakeServer, step: MakeStep, family: Family, bench: Path, form: str) -> int:
    """
    Let the server fail as the family's limits say, and then point at what is asked for.

    Returns how many screens the self-check draws.
    """
    seeing = Seeing(list(read_questions(bench)))
    limits = list(family.limits)
    space = FORMATS.get(form).space

    def choose(body: dict[str, Any]) -> Step:
        if limits:
            status, said = limits.pop(0)
            return step(json.dumps(said).encode(), status=status, headers={"retry-after": "0.05"})
        question, (wide, tall) = seeing.find(body)
        middle = question.truth.center
        if space.resize:
            assert (wide, tall) == space.shown(question.width, question.height)
        across, down = space.from_image(middle, width=question.width, height=question.height)
        said = family.wraps(family.says(round(across), round(down)))
        return step(json.dumps(said).encode())

    server.choose = choose
    return seeing.checked


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_a_run_is_answered_in_the_documented_shapes(
    surefoot: Surefoot, server: FakeServer, step: MakeStep, drawn: Path, tmp_path: Path, name: str
) -> None:
    """The self-check passes, limits are waited out, every click is read, and no key is kept."""
    family = FAMILIES[name]
    form = family.form or {
        "Gemini in JSON": "gemini", "GLM-V": "glm-v", "Seed": "seed", "CogAgent": "cogagent",
    }[name]  # fmt: skip
    checked = play(server, step, family, drawn, form)
    out = tmp_path / "run"
    chosen = ("--format", family.form) if family.form else ()
    spec = f"{family.spec}@{server.base}"
    ended = surefoot("run", drawn, "--model", spec, *chosen, "--key-variable", "SOME_KEY",
                     "--out", out)  # fmt: skip

    assert ended.code == ExitCode.FINE, ended.err
    assert len(server.bodies) == checked + 36 + len(family.limits)
    answers: dict[str, Answer] = {one.question: one for one in read_answers(out)}
    direct = [one for one in read_questions(drawn) if one.cell.instruction == "direct"]
    assert all(one.truth.contains(place_of(answers[one.id])) for one in direct)
    assert all(one.usage.cost == pytest.approx(family.cost) for one in answers.values())
    assert any(KEY in value for headers in server.headers for value in headers.values())
    kept = [file for file in out.rglob("*") if file.is_file()]
    assert not any(KEY.encode() in file.read_bytes() for file in kept)
    assert KEY not in ended.out + ended.err


def place_of(answer: Answer) -> Point:
    """Return the point that was clicked."""
    place = answer.parsed.center if isinstance(answer.parsed, Box) else answer.parsed
    assert isinstance(place, Point), answer
    return place


def test_a_tool_that_counts_otherwise_is_stopped(
    surefoot: Surefoot, server: FakeServer, step: MakeStep, drawn: Path, tmp_path: Path
) -> None:
    """Thousandths in calls of a tool that counts pixels end the run before its first question."""
    family = FAMILIES["Claude with today's tool"]
    checked = play(server, step, family, drawn, "gemini-computer")
    spec = f"{family.spec}@{server.base}"
    ended = surefoot(
        "run", drawn, "--model", spec, "--format", family.form, "--out", tmp_path / "r"
    )

    assert ended.code != ExitCode.FINE
    assert "0-1000" in ended.err
    assert len(server.bodies) == checked + len(family.limits)


def test_a_tool_needs_who_offers_it(surefoot: Surefoot, drawn: Path, tmp_path: Path) -> None:
    """A computer tool through a protocol that has none is refused, with those that have it."""
    ended = surefoot("run", drawn, "--model", "openai:m@http://127.0.0.1:9/v1",
                     "--format", "claude-computer", "--out", tmp_path / "run")  # fmt: skip

    assert ended.code == ExitCode.USER_ERROR
    assert "anthropic:NAME or google:NAME or openai-responses:NAME" in ended.err
