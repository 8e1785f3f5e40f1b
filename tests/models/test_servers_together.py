"""
Whole runs over HTTP against servers that think aloud, cut replies and refuse, in every format.

Behind each stands a perfect model that knows nothing but the picture: it looks for the one blue
button, and writes in the family's notation where that is.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
from PIL import Image, ImageDraw

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.ledger import Ledger
from surefoot.core.question import Cell, Question, Refusal
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.models import Options
from surefoot.models.opening import FORMATS
from surefoot.models.replies.answering import CUT, ENDLESS
from surefoot.models.spaces import UNIT
from surefoot.run.asking.run import ask_model
from surefoot.run.folders.folder import export, read_answers, read_questions
from surefoot.score.hits import is_hit

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep, Step

BLUE: Final = (0x1D, 0x4E, 0xD8)  # of the self-check's targets, too
PLACES: Final = ((1280, 800, 900, 90), (480, 300, 20, 240), (1366, 768, 60, 700))
# A server's texts by a word in the question: "{}" is the right reply, "{other}" another place.
THINKS: Final = {
    "closes": "It may be {other}.\n</think>\n\n{}",
    "opens": "<think>\nNo: {other}\n</think>\n{}",
    "quotes": "{other} was clicked.</think>Not {other}. </think>{}",
    "channels": "<|channel|>analysis<|message|>{other}<|end|><|start|>assistant"
    "<|channel|>final<|message|>{}",
}
ENDLESSLY: Final = "<think>It may be {other}. Let me look again."
CUTS: Final = {"halfway": "{half}", "thinking": "<think>It may be {other}, or", "silent": ""}
REFUSES: Final = ("field", "part", "beside", "filtered")
MAKERS: Final = {
    "claude-computer": "anthropic",
    "claude-computer-1568": "anthropic",
    "gemini-computer": "google",
    "openai-computer": "openai-responses",
}


@pytest.fixture(scope="module")
def blue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a BENCH that asks for a blue button, in each way of a server to answer."""
    folder = tmp_path_factory.mktemp("blue") / "bench"
    screens, questions = [], []
    with Ledger.open(folder, {"kind": "bench", "seed": 0}):
        store = ObjectStore(folder)
        for at, word in enumerate((*THINKS, *CUTS, "endless", *REFUSES)):
            width, height, x, y = PLACES[at % len(PLACES)]
            box = Box.from_xywh(x, y, 80, 28)
            image = Image.new("RGB", (width, height), "#eeeeee")
            ImageDraw.Draw(image).rectangle((x, y, x + 79, y + 27), fill=BLUE)
            file = io.BytesIO()
            image.save(file, "PNG")
            stored = store.put(file.getvalue())
            screens.append(
                Screen(
                    id=word,
                    page=word,
                    source=f"folder:{word}",
                    scale=1.0,
                    platform="web",
                    locale="en-US",
                    elements=(Element("e1", "button", box, name="Blue"),),
                    image=stored,
                    width=width,
                    height=height,
                )
            )
            text = f"Click the blue button ({word})"
            questions.append(
                Question(
                    id=word,
                    pair=f"{word}#e1",
                    cluster=word,
                    cell=Cell("original", "direct"),
                    screen=word,
                    instruction=Instruction(text, "en", "direct", "high", Expression(), "e1"),
                    truth=box,
                    image=stored,
                    width=width,
                    height=height,
                )
            )
        export(folder, "bench", {"screens.jsonl": screens, "questions.jsonl": questions})
    return folder


def middle_of_blue(body: dict[str, Any]) -> tuple[Point, int, int]:
    """Return the middle of the blue button in a request's picture, and the picture's size."""
    found = re.search(r"(?:base64,|\")(iVBOR[^\"]+)", json.dumps(body))
    assert found is not None
    with Image.open(io.BytesIO(base64.b64decode(found[1]))) as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    down, across = np.nonzero(abs(pixels - BLUE).sum(axis=2) < 12)
    middle = Point(
        float(across.min() + across.max() + 1) / 2, float(down.min() + down.max() + 1) / 2
    )
    return middle, pixels.shape[1], pixels.shape[0]


def text_for(word: str, right: str, other: str) -> str:
    """Return the text with which a server answers the question that has a word in it."""
    text = {**THINKS, **CUTS, "endless": ENDLESSLY}.get(word, "{}")
    parts = {"{other}": other, "{half}": right[: len(right) // 2], "{}": right}
    return re.sub(r"\{\w*\}", lambda found: parts[found[0]], text)


def chat(word: str, text: str) -> dict[str, object]:
    """Return a chat completion."""
    messages: dict[str, dict[str, object]] = {
        "field": {"content": None, "refusal": "I cannot."},
        "part": {"content": [{"type": "refusal", "refusal": "I cannot."}]},
        "beside": {"content": text, "refusal": "I cannot."},
        "filtered": {"content": None},
    }
    reasons = {"filtered": "content_filter", **dict.fromkeys(CUTS, "length")}
    message = messages.get(word, {"content": text})
    return {"choices": [{"message": message, "finish_reason": reasons.get(word, "stop")}]}


def message(word: str, text: str) -> dict[str, object]:
    """Return a message of Anthropic's protocol."""
    reasons = {**dict.fromkeys(CUTS, "max_tokens"), **dict.fromkeys(REFUSES, "refusal")}
    parts = [{"type": "text", "text": text}] if word not in REFUSES or word == "beside" else []
    return {"content": parts, "stop_reason": reasons.get(word, "end_turn")}


def generated(word: str, text: str) -> dict[str, object]:
    """Return a reply of Google's protocol."""
    reasons = {**dict.fromkeys(CUTS, "MAX_TOKENS"), **dict.fromkeys(REFUSES, "SAFETY")}
    parts = [{"text": text}] if word not in REFUSES or word == "beside" else []
    reason = reasons.get(word, "STOP")
    return {"candidates": [{"content": {"parts": parts}, "finishReason": reason}]}


def response(word: str, text: str) -> dict[str, object]:
    """Return a reply of OpenAI's Responses protocol."""
    parts = [{"type": "output_text", "text": text}] if word != "part" else []
    if word in REFUSES:
        parts.append({"type": "refusal", "refusal": "I cannot."})
    reason = {"incomplete_details": {"reason": "max_output_tokens"}} if word in CUTS else {}
    return {"output": [{"type": "message", "content": parts}], **reason}


PROTOCOLS: Final[dict[str, Callable[[str, str], dict[str, object]]]] = {
    "openai": chat,
    "anthropic": message,
    "google": generated,
    "openai-responses": response,
}


@pytest.mark.parametrize("name", sorted(FORMATS.entries))
def test_a_perfect_model_hits_all_that_it_answers(
    name: str,
    blue: Path,
    server: FakeServer,
    step: MakeStep,
    notation_of: Callable[[str], Callable[[float, float], str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Thoughts are passed over, replies that were cut are no places, and refusals decline."""
    form, write = FORMATS.get(name), notation_of(name)
    backend = MAKERS.get(name, "openai")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for maker in ("ANTHROPIC", "GEMINI", "OPENAI"):
        monkeypatch.setenv(f"{maker}_API_KEY", "sk-0123456789")

    def choose(body: dict[str, Any]) -> Step:
        middle, width, height = middle_of_blue(body)
        far = Point((middle.x + width / 2) % width, (middle.y + height / 2) % height)
        digits = 4 if form.space == UNIT else 0
        replies = []
        for point in (middle, far):
            x, y = form.space.from_image(point, width=width, height=height)
            replies.append(write(round(x, digits), round(y, digits)))
        other = re.sub(r"(?s)<think>.*?</think>", "", replies[1])
        found = re.search(r"blue button \((\w+)\)", json.dumps(body))
        assert found is not None
        reply = PROTOCOLS[backend](found[1], text_for(found[1], replies[0], other))
        return step(json.dumps(reply).encode())

    server.choose = choose
    outcome = ask_model(
        blue,
        f"{backend}:perfect@{server.base}",
        tmp_path / "run",
        format_name=name,
        options=Options(concurrency=4),
        check=False,
    )
    answers = {answer.question: answer for answer in read_answers(outcome.folder)}
    parsed = {word: answer.parsed for word, answer in answers.items()}
    asked = {question.id: question for question in read_questions(blue)}

    assert {word for word in asked if is_hit(asked[word], answers[word])} == set(THINKS)
    assert {word: parsed[word] for word in CUTS} == dict.fromkeys(CUTS, CUT)
    assert parsed["endless"] == ENDLESS
    assert {word for word in asked if isinstance(parsed[word], Refusal)} == set(REFUSES)
