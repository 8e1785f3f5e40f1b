"""
Confusions: named for the mistake, and not for what misses do without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Question
from surefoot.diagnose.causes.profile import profile
from surefoot.diagnose.search.arms import ArmResult
from surefoot.diagnose.search.pool import BenchPool, open_pool
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.scene.scene import Scene

Clicker = Callable[[Scene, Question, np.random.Generator], Point]


@pytest.fixture(scope="module")
def pool(bench: Path) -> BenchPool:
    """Return the pool of the drawn benchmark."""
    return open_pool(bench, bench, seed=0, most=24)


def nearest(scene: Scene, question: Question, random: np.random.Generator) -> Point:
    """Miss three questions in ten, whatever they say, and then hit the nearest control."""
    place = scene.place[question.instruction.target]
    apart = np.hypot(*(scene.centres - scene.centres[place]).T)
    others = scene.thing & scene.plain & ~scene.kin(place)
    missed = random.random() < 0.3
    at = int(np.argmin(np.where(others, apart, np.inf))) if missed else place
    return scene.elements[at].box.center


def wild(scene: Scene, _: Question, random: np.random.Generator) -> Point:
    """Click anywhere."""
    return Point(
        float(random.uniform(0, scene.screen.width)), float(random.uniform(0, scene.screen.height))
    )


def noisy(scene: Scene, question: Question, random: np.random.Generator) -> Point:
    """Hit, but for one question in five, which ends on any control."""
    controls = np.flatnonzero(scene.thing & scene.plain)
    place = scene.place[question.instruction.target]
    at = int(random.choice(controls)) if random.random() < 0.2 else place
    return scene.elements[at].box.center


def perfect(scene: Scene, question: Question, _: np.random.Generator) -> Point:
    """Hit."""
    return scene.elements[scene.place[question.instruction.target]].box.center


def on_landmark(scene: Scene, question: Question, random: np.random.Generator) -> Point:
    """Take the landmark for the target half of the time, and else be noisy."""
    landmark = question.instruction.expression.landmark
    there = None if landmark is None else landmark_place(scene, landmark)
    if there is None or random.random() < 0.5:
        return noisy(scene, question, random)
    return scene.elements[there].box.center


def named(pool: BenchPool, click: Clicker, *, seed: int = 0) -> list[str]:
    """Return the confusions that are named of a model that was asked everything."""

    def answers() -> Iterator[ArmResult]:
        random = np.random.default_rng(seed)
        for subject in pool.subjects():
            for arm in pool.arms(subject):
                point = click(pool.scenes.scene(arm.question.screen), arm.question, random)
                yield ArmResult(arm, Answer(arm.question.id, "", point), 0)

    found = profile(answers(), pool.scenes, "model")
    return [
        weakness.comparison.varies
        for weakness in found.weaknesses
        if weakness.comparison.contrast == "confusion" and weakness.named
    ]


@pytest.mark.parametrize(("click", "most"), [(nearest, 0), (wild, 0), (noisy, 1), (perfect, 0)])
def test_misses_without_a_cause_have_no_name(pool: BenchPool, click: Clicker, most: int) -> None:
    """Near misses, hits and clicks anywhere are no confusion; on any control, 1 in 12 may be."""
    found = [name for seed in range(12) for name in named(pool, click, seed=seed)]
    assert len(found) <= most


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_taken_landmark_has_its_name(pool: BenchPool, seed: int) -> None:
    """A model that clicks on landmarks half of the time is said to, and nothing else is."""
    assert named(pool, on_landmark, seed=seed) == ["landmark"]
