"""
A folder as a model of `surefoot run`: requests one by one, answered together.
"""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from surefoot.core.canonical import sha256
from surefoot.core.errors import ModelError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Choice, Question
from surefoot.models import Options, open_model
from surefoot.models.model import Model

pytest.importorskip("torch")


def picture(seed: int, size: tuple[int, int]) -> bytes:
    """Return a PNG of noise."""
    draw = np.random.default_rng(seed)
    shown = Image.fromarray(draw.integers(0, 255, (size[1], size[0], 3), dtype=np.uint8))
    file = io.BytesIO()
    shown.save(file, "PNG")
    return file.getvalue()


def asked(count: int) -> list[tuple[Question, bytes]]:
    """Return questions about places and options, with pictures of several sizes."""
    found = []
    for at in range(count):
        size = (120 + 40 * (at % 3), 90)
        image = picture(at, size)
        words = Instruction(f"Press {at}", "en", "direct", "high", Expression(), "")
        question = Question(
            f"q{at}", f"q{at}", "site", Cell("original", "direct"), f"s{at}", sha256(image),
            *size, words, Box(0, 0, 9, 9),
        )  # fmt: skip
        if at % 2:
            question = msgspec.structs.replace(
                question, asks="option", options=tuple("ABCD"), answers=("A",)
            )
        found.append((question, image))
    return found


async def answers(model: Model, questions: list[tuple[Question, bytes]]) -> list[Answer]:
    """Ask all at once."""
    try:
        return list(await asyncio.gather(*(model.answer(*one) for one in questions)))
    finally:
        await model.close()


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_questions_are_answered_as_each_alone(
    folders: dict[str, Path], temperature: float
) -> None:
    """Eight in a batch or one by one: the same replies, letters' probabilities among them."""

    def model(concurrency: int) -> Model:
        options = Options(
            concurrency=concurrency, max_tokens=6, temperature=temperature, device="cpu"
        )
        return open_model(f"hf:{folders['qwen3_vl']}", options=options)

    together = asyncio.run(answers(model(8), asked(10)))
    alone = asyncio.run(answers(model(1), asked(10)))

    assert [item.raw for item in together] == [item.raw for item in alone]
    assert [item.usage for item in together] == [item.usage for item in alone]
    for one, other in zip(together, alone, strict=True):
        assert one.probabilities == pytest.approx(other.probabilities, abs=1e-4)


def test_speed_and_memory_are_told(folders: dict[str, Path]) -> None:
    """After a run a person knows device, dtype, seconds, tokens and memory."""
    model = open_model(f"hf:{folders['qwen2_vl']}", options=Options(max_tokens=3, device="cpu"))
    assert model.notes() == []

    async def ask() -> list[str]:
        await model.answer(*asked(1)[0])
        return model.notes()

    [note] = asyncio.run(ask())
    for part in ("on cpu in float32", "s a question", "tokens a second", "GB of memory"):
        assert part in note


def test_a_bad_picture_fails_its_question_alone(folders: dict[str, Path]) -> None:
    """What is no picture is told of; the model goes on answering others."""
    model = open_model(f"hf:{folders['qwen3_vl']}", options=Options(max_tokens=3, device="cpu"))
    [(good, image)] = asked(1)

    async def ask() -> Answer:
        with pytest.raises(ModelError) as raised:
            await model.answer(good, b"no picture")
        assert raised.value.reason == "bad-image"
        return await model.answer(good, image)

    assert not isinstance(asyncio.run(ask()).parsed, Choice)


def test_another_event_loop_can_ask_again(folders: dict[str, Path]) -> None:
    """A model that was asked in one loop answers in the next, as in a notebook."""
    model = open_model(f"hf:{folders['qwen3_vl']}", options=Options(max_tokens=3, device="cpu"))
    first, second = (asyncio.run(answers(model, asked(2))) for _ in range(2))
    assert [item.raw for item in first] == [item.raw for item in second]
