"""
What a run says of its cost before it asks: counted by hand from the questions.
"""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from surefoot.models import Options
from surefoot.run.asking.run import ask_model
from surefoot.run.asking.spent import ahead_words
from surefoot.run.folders.folder import read_questions


@pytest.mark.parametrize(
    ("backend", "model", "told"),
    [
        ("anthropic", "claude-opus-5-5", "160,000 tokens to read ($0.64 at list prices)"),
        ("openai", "gta1", "160,000 tokens to read, and the replies"),
    ],
)
def test_tokens_and_dollars_are_said_first(
    drawn: Path, backend: str, model: str, told: str
) -> None:
    """A hundred questions on pictures of 1280 x 800 are 160,000 tokens, priced where listed."""
    first = read_questions(drawn)[0]
    asked = [msgspec.structs.replace(first, width=1280, height=800)] * 100
    said = ahead_words(asked, model, {"backend": backend, "base_url": "https://x"})

    assert said.startswith(f"100 questions on 1 picture to ask {model}: about ")
    assert told in said


def test_what_is_left_is_said_and_only_once(drawn: Path, tmp_path: Path) -> None:
    """A run says how much is left to ask; one that is done, or does not look, says nothing."""

    def said(model: str) -> str:
        console = Console(file=io.StringIO(), width=200)
        ask_model(
            drawn, model, tmp_path / model, options=Options(), check=False, keep_going=True,
            console=console,
        )  # fmt: skip
        return str(console.file.getvalue())  # type: ignore[attr-defined]

    count = len(read_questions(drawn))

    assert f"{count} questions on " in said("ocr")
    assert "to ask ocr" not in said("ocr")
    assert "to ask center" not in said("center")
