"""
Questions with pictures that a model of random weights is asked, all at once.
"""

from __future__ import annotations

import asyncio
import io

import msgspec
import numpy as np
from PIL import Image

from surefoot.core.canonical import sha256
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Question
from surefoot.models.model import Model


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


async def answers(
    model: Model, questions: list[tuple[Question, bytes]], *, close: bool = True
) -> list[Answer]:
    """Ask all at once."""
    try:
        return list(await asyncio.gather(*(model.answer(*one) for one in questions)))
    finally:
        if close:
            await model.close()
