"""
Data: what a run's own replies become, and what may not be learned.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question
from surefoot.models.opening import FORMATS
from surefoot.run.folders.folder import read_questions
from surefoot.train.data import build_data
from surefoot.train.examples import read_examples
from surefoot.train.layout import LAYOUTS
from surefoot.train.mixture import Draw, Mixture


def build(sources: list[Path], out: Path, **chosen: object) -> Path:
    """Build data in the toy model's format."""
    given = {"mixture": Mixture(), "layout": LAYOUTS.get("trl"), **chosen}
    build_data(sources, out, form=FORMATS.get("tiny"), **given)  # type: ignore[arg-type]
    return out


def test_a_model_keeps_its_own_words(
    clicks: Path, write_run: Callable[..., Path], tmp_path: Path
) -> None:
    """A reply that hits on light ground is learned on dark ground too; where none hits, ours."""

    def reply(question: Question) -> Parsed:
        light = question.cell.variant == "original" and "colour" in question.cell.instruction
        return question.truth.center if light else Point(0, 0)

    run = write_run(clicks, tmp_path / "run", reply, raw="mine (1, 2)")
    data = build([clicks, run], tmp_path / "data")
    asked = read_questions(clicks)
    hits = sum(one.cell == asked[0].cell.__class__("original", "colour") for one in asked)
    by_source: dict[str, list[str]] = {}
    for example in read_examples(data):
        key = f"{example.source} {example.question.cell.instruction}"
        by_source.setdefault(key, []).append(example.completion)
    assert by_source["run colour"] == ["mine (1, 2)"] * hits
    assert by_source["bench colour"] == ["mine (1, 2)"] * 2 * hits
    assert all(one.startswith("<tool_call>") for one in by_source["bench both"])


def test_twice_written_data_are_the_same_bytes(clicks: Path, tmp_path: Path) -> None:
    """The same plan gives the same examples and the same parquet."""
    names = ("examples.jsonl", "trl/train.parquet")
    first, second = (build([clicks], tmp_path / name) for name in "ab")
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_a_picture_that_will_be_scored_is_refused(clicks: Path, tmp_path: Path) -> None:
    """The benchmark's own pictures are named as leaks."""
    with pytest.raises(InvalidInputError, match="which will be scored") as caught:
        build([clicks], tmp_path / "data", against=[clicks])
    assert "drawn/click-0000" in str(caught.value)


def test_a_mixture_is_exact_or_an_error(clicks: Path, tmp_path: Path) -> None:
    """Counts are met by condition; a draw that finds too few says how many there are."""
    mixture = Mixture((Draw(count=7, variants=("dark-*",)), Draw(count=5, variants=("original",))))
    examples = read_examples(build([clicks], tmp_path / "data", mixture=mixture))
    variants = [one.question.cell.variant for one in examples]
    assert (variants.count("dark-ground"), variants.count("original")) == (7, 5)
    assert len({one.id for one in examples}) == 12
    many = Mixture((Draw(count=1000, variants=("dark-ground",)),))
    with pytest.raises(InvalidInputError, match="1,000 examples for draw 1"):
        build([clicks], tmp_path / "more", mixture=many)
