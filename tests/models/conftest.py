"""
Questions and images that the tests of models share.
"""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from surefoot.core.canonical import sha256
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question

AskFor = Callable[..., Question]

REPLIES: Final = Path(__file__).parent / "formats" / "replies.toml"


class Notation:
    """Write places as a family does: its first documented reply, with other numbers in it."""

    def __init__(self, name: str) -> None:
        rows = tomllib.loads(REPLIES.read_text("utf-8"))[name]
        row = next(row for row in rows if "place" in row)
        self.reply: str = row["reply"]
        self.place: list[float] = row["place"]

    def __call__(self, x: float, y: float) -> str:
        """Return the reply that points at a place, or at a box of no size there."""
        numbers = [x, y] * (len(self.place) // 2)
        for order in (range(len(self.place)), [1, 0], [1, 0, 3, 2]):
            own = [self.place[at] for at in order if at < len(self.place)]
            pattern = r"([^\d.]+?)".join(rf"(?<![\d.]){number:g}0?(?![\d.])" for number in own)
            found = re.search(pattern, self.reply)
            if found:
                new = [f"{numbers[at]:.10g}" for at in order]
                between = (*found.groups(), "")
                text = "".join(part for pair in zip(new, between, strict=True) for part in pair)
                return self.reply[: found.start()] + text + self.reply[found.end() :]
        raise AssertionError(self.reply)


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


@pytest.fixture(scope="session")
def notation_of() -> Callable[[str], Notation]:
    """Return the notation of a format, by its name."""
    return Notation
