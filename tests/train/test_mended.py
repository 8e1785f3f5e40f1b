"""
What a training came to: runs with a planted mend and a planted damage.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question, Unparsed
from surefoot.train.mended import compare_training, conclusion, table
from surefoot_studies.tiny.bench import write_clicks

WriteRun = Callable[..., Path]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return clicks on forty screens, in three variants."""
    variants = ("original", "dark-ground", "small")
    return write_clicks(
        tmp_path_factory.mktemp("mended") / "bench", seed=5, screens=40, variants=variants
    )


def hitting(shares: dict[str, float]) -> Callable[[Question], Parsed]:
    """Return replies that hit a share of each variant's elements, and are unreadable else."""

    def reply(question: Question) -> Parsed:
        drawn = zlib.crc32(question.pair.encode()) % 1000 / 1000
        hit = drawn < shares[question.cell.variant]
        return question.truth.center if hit else Unparsed("noise")

    return reply


def test_a_mend_and_a_damage_are_named(bench: Path, write_run: WriteRun, tmp_path: Path) -> None:
    """What was planted is found with its size and sign; what did not change is not claimed."""
    before = write_run(
        bench, tmp_path / "b", hitting({"original": 0.9, "dark-ground": 0.0, "small": 0.8})
    )
    after = write_run(
        bench,
        tmp_path / "a",
        hitting({"original": 0.9, "dark-ground": 0.7, "small": 0.5}),
        name="trained",
    )
    found = {one.variant: one for one in compare_training([(before, after)])}

    assert {name: one.verdict for name, one in found.items()} == {
        "original": "unclear",
        "dark-ground": "mended",
        "small": "damaged",
    }
    dark = found["dark-ground"]
    assert dark.low is not None
    assert dark.high is not None
    assert dark.low < 0.7 < dark.high
    assert dark.before == 0
    assert (found["original"].change, found["original"].sites) == (0, 40)
    said = conclusion(tuple(found.values()))
    assert said.startswith("Training mended dark-ground (bench) +")
    assert "; it damaged small (bench) -" in said
    assert table(tuple(found.values())).count("\n") == 4


def test_nothing_mended_is_said(bench: Path, write_run: WriteRun, tmp_path: Path) -> None:
    """The same replies before and after are no mend and no damage; another bench is an error."""
    reply = hitting({"original": 0.9, "dark-ground": 0.3, "small": 0.8})
    before = write_run(bench, tmp_path / "b", reply)
    after = write_run(bench, tmp_path / "a", reply, name="trained")
    found = compare_training([(before, after)])
    assert conclusion(found) == "Training mended nothing; no damage shows."

    other = write_clicks(tmp_path / "other", seed=6, screens=2)
    stranger = write_run(other, tmp_path / "s", lambda _: Point(0, 0))
    with pytest.raises(InvalidInputError, match="the same questions"):
        compare_training([(before, stranger)])
