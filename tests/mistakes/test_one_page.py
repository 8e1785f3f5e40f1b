"""
One page, or one site: what is said holds for its elements, and of few of them nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from surefoot.core.geometry import Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Parsed, Question
from surefoot.run.folders.folder import export, read_questions

Surefoot = Callable[..., Any]
Replies = Callable[[Question], Parsed]
ONLY = "of one site; for other pages and sites nothing follows."


@pytest.fixture
def product(drawn: Path, tmp_path: Path) -> Callable[[int], Path]:
    """Return what writes a benchmark of one site with six times as many elements as told."""

    def write(copies: int) -> Path:
        bench = tmp_path / "bench"
        asked = [
            msgspec.structs.replace(
                one, id=f"{one.id} {copy}", pair=f"{one.pair} {copy}", cluster="lone"
            )
            for one in read_questions(drawn)
            for copy in range(copies)
        ]
        with Ledger.open(bench, {"asked": "one site"}):
            export(bench, "bench", {"questions.jsonl": asked, "screens.jsonl": ()}, {})
            (bench / "funnel.json").write_text("{}")
        return bench

    return write


def test_nothing_is_claimed_of_few_elements(
    surefoot: Surefoot,
    product: Callable[[int], Path],
    write_run: Callable[..., Path],
    stumble: Replies,
    tmp_path: Path,
) -> None:
    """Six elements of one site are too few to say anything, whatever their answers are."""
    ended = surefoot("score", write_run(product(1), tmp_path / "run", stumble))

    assert "too few to say, 6 elements where 10 are needed" in ended.out
    assert f"these 6 elements {ONLY}" in ended.out


def test_a_product_gets_what_holds_for_it(
    surefoot: Surefoot,
    product: Callable[[int], Path],
    write_run: Callable[..., Path],
    stumble: Replies,
    tmp_path: Path,
) -> None:
    """Of 30 elements of one site a loss is said, two models are compared, and no more follows."""
    bench = product(5)
    run = write_run(bench, tmp_path / "run", stumble)
    other = write_run(bench, tmp_path / "other", lambda _: Point(1.0, 1.0), name="lost")
    alone, both = surefoot("score", run), surefoot("score", run, other)

    assert "walker falls by " in alone.out
    assert "of the same 30 elements" in alone.out
    assert f"these 30 elements {ONLY}" in alone.out
    assert "walker does better than lost" in both.out
    assert f"these 30 elements {ONLY}" in both.out
