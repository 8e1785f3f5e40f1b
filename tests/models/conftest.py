"""
Questions and images that the tests of models share.
"""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image

from surefoot.core.canonical import sha256
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question

AskFor = Callable[..., Question]


@pytest.fixture
def png() -> bytes:
    """Return a small PNG."""
    file = io.BytesIO()
    Image.new("RGB", (64, 40), "white").save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def picture() -> Callable[[int, int], bytes]:
    """Return a maker of white PNGs of a size."""

    def make(width: int, height: int) -> bytes:
        file = io.BytesIO()
        Image.new("RGB", (width, height), "white").save(file, "PNG")
        return file.getvalue()

    return make


@pytest.fixture
def ask_for(png: bytes) -> AskFor:
    """Return a maker of questions about the small PNG."""

    def make(
        text: str = "Click the 'Save' button",
        *,
        number: int = 1,
        language: str = "en",
        image: bytes = png,
        size: tuple[int, int] = (64, 40),
        truth: Box | None = None,
    ) -> Question:
        instruction = Instruction(text, language, "direct", "high", Expression(), "e1")
        return Question(
            id=f"q{number}",
            pair="p",
            cluster="c",
            cell=Cell("original", "direct"),
            screen="s",
            image=sha256(image),
            width=size[0],
            height=size[1],
            instruction=instruction,
            truth=truth or Box(10, 10, 30, 20),
        )

    return make
