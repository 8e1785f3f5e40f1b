"""
Features: facts about a question and its screen, by name.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.diagnose.search.features import rivals, words_of
from surefoot.diagnose.search.pool import BenchPool, open_pool


@pytest.fixture(scope="module")
def pool(bench: Path) -> BenchPool:
    """Return the pool of the drawn benchmark."""
    return open_pool(bench, bench, seed=0, most=40)


def features_by_text(pool: BenchPool, target: str) -> dict[str, tuple[str, ...]]:
    """Return the features of every instruction about one element of the first page."""
    subject = next(item for item in pool.subjects() if item.target == target)
    return {arm.question.instruction.text: arm.features for arm in pool.arms(subject)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Click the 'Team' link", {"kind:direct", "part:name", "words:words once"}),
        (
            "Click the link directly to the right of 'News'",
            {"direction:right of", "landmark:a control", "landmark-distance:near"},
        ),
        ("Click the third text link from the left", {"order:row", "position:third or later"}),
        ("Click the control between 'Help' and 'News'", {"relation:between"}),
    ],
)
def test_an_instruction_is_described(pool: BenchPool, text: str, expected: set[str]) -> None:
    """What an instruction says is among its features."""
    assert expected <= set(features_by_text(pool, "a2")[text])


def test_a_target_is_described(pool: BenchPool) -> None:
    """Every instruction about an icon tells of its size, its rivals and its look-alikes."""
    expected = {"role:button", "area:medium", "rivals:many"}
    for features in features_by_text(pool, "r1").values():
        assert expected <= set(features)
        assert not any(feature.startswith("view:") for feature in features)


def test_rivals_are_controls_of_the_role(pool: BenchPool) -> None:
    """The icons beside words and the large button are rivals of an icon; links are not."""
    scene = pool.scenes.scene(pool.subjects()[0].screen)
    place = scene.place["r1"]

    found = {scene.elements[at].id for at in rivals(scene, place).nonzero()[0]}

    assert found == {"l0", "l1", "l2", "r0", "r2", "big"}


def test_every_feature_has_words(pool: BenchPool) -> None:
    """No feature is said by its bare code."""
    for subject in pool.subjects()[:4]:
        for arm in pool.arms(subject):
            for name in arm.features:
                assert ":" not in words_of(name)
                assert words_of(name)
