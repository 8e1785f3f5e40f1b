"""
Measures: numbers about a question, held to what the drawn page says.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.diagnose.features.vocabulary import MEASURES
from surefoot.diagnose.search.arms import Arm
from surefoot.diagnose.search.pool import BenchPool, open_pool


@pytest.fixture(scope="module")
def pool(bench: Path) -> BenchPool:
    """Return the pool of the drawn benchmark, its own questions alone."""
    return open_pool(bench, bench, seed=0, most=0)


def first(pool: BenchPool, target: str) -> Arm:
    """Return the question about one element of the first page."""
    subject = next(item for item in pool.subjects() if item.target == target)
    return pool.arms(subject)[0]


def test_a_link_is_measured_as_it_was_drawn(pool: BenchPool) -> None:
    """The third link lies 20 px from its neighbours, 158 px from the left, black on white."""
    arm = first(pool, "a2")

    found = arm.measures
    assert found["words"] == len(arm.question.instruction.text.split())
    assert (found["width"], found["height"], found["side"]) == (44.0, 20.0, 20.0)
    assert (found["x"], found["y"], found["nearest"]) == (180.0, 360.0, 20.0)
    assert found["x-share"] == pytest.approx(100 * 180 / 640)
    assert (found["name"], found["rivals-count"], found["twins"]) == (4.0, 4.0, 4.0)
    assert found["contrast"] == pytest.approx(21.0)
    assert found["brightness"] == pytest.approx(100.0)


def test_a_plain_icon_has_the_contrast_of_its_ground(pool: BenchPool) -> None:
    """A dark blue square on white has WCAG's ratio of the two colours, about 10."""
    found = first(pool, "r1").measures

    blue = [(part / 255) ** 2.2 for part in (0x20, 0x40, 0x80)]
    luminance = 0.2126 * blue[0] + 0.7152 * blue[1] + 0.0722 * blue[2]
    assert found["contrast"] == pytest.approx(1.05 / (luminance + 0.05), rel=1e-6)


def test_words_are_held_against_the_screen(pool: BenchPool) -> None:
    """What an instruction says of its target and of others is counted, and how long it is."""
    arm = first(pool, "a2")
    text, found = arm.question.instruction.text, arm.measures

    assert text == "Click the 'Team' link"
    assert (found["quote"], found["longest-word"]) == (4.0, 6.0)
    assert found["said-of-target"] == 25.0, "one word of four stands there"
    assert found["others-said"] == 0.0


def test_every_measure_has_words(pool: BenchPool) -> None:
    """Whatever is measured can be said, from a bound on and below it."""
    for subject in pool.subjects():
        for arm in pool.arms(subject):
            assert arm.measures.keys() <= MEASURES.keys()
    for measure in MEASURES.values():
        assert "7" in measure.least.format("7")
        assert "7" in measure.below.format("7")
