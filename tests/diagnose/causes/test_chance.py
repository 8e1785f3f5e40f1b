"""
What a model's own misses elsewhere would be called, and which modes are more than that.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Refusal
from surefoot.core.seeds import random_source
from surefoot.diagnose.causes.chance import usual_modes
from surefoot.diagnose.search.arms import Arm, ArmResult
from surefoot.diagnose.search.pool import BenchPool, open_pool
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.scene.geometry import distances


def others(pool: BenchPool, arm: Arm) -> list[int]:
    """Return the places of the other controls, the nearest first."""
    scene = pool.scenes.scene(arm.question.screen)
    place = scene.place[arm.question.instruction.target]
    found = np.flatnonzero(scene.thing & scene.plain & ~scene.kin(place))
    return sorted(found, key=lambda at: float(distances(scene.boxes, scene.boxes[place])[at]))


def clicked(pool: BenchPool, arm: Arm, place: int) -> ArmResult:
    """Return an arm whose answer is the middle of an element."""
    middle = pool.scenes.scene(arm.question.screen).elements[place].box.center
    return ArmResult(arm, Answer(arm.question.id, "", middle), 0)


@pytest.fixture(scope="module")
def pool(bench: Path) -> BenchPool:
    """Return the pages with their instructions."""
    return open_pool(bench, bench, seed=0, most=24)


def test_causeless_misses_have_no_mode(pool: BenchPool) -> None:
    """A model that misses onto what is near, whatever is said, has no mode that tells."""
    draw = random_source(0, "near")
    missed = [
        clicked(pool, arm, others(pool, arm)[draw.randrange(3)])
        for subject in pool.subjects()
        for arm in pool.arms(subject)
    ]

    found = usual_modes(missed, pool.scenes, 0)

    assert sum(found.expected.values()) == pytest.approx(len(missed))
    assert found.telling == ()


def test_clicks_on_what_is_quoted_are_a_mode(pool: BenchPool) -> None:
    """A model that takes the landmark, and else any control, is told by its matches of text."""
    draw = random_source(0, "any")
    missed = []
    for subject in pool.subjects():
        for arm in pool.arms(subject):
            scene = pool.scenes.scene(arm.question.screen)
            mark = arm.question.instruction.expression.landmark
            there = None if mark is None else landmark_place(scene, mark)
            away = draw.choice(others(pool, arm))
            missed.append(clicked(pool, arm, away if there is None else there))

    found = usual_modes(missed, pool.scenes, 0)

    assert "text-matching bias" in found.telling


def test_replies_without_a_place_have_no_chance(pool: BenchPool) -> None:
    """A refusal is no click, so none stands for it, and it tells what it is."""
    arm = pool.arms(pool.subjects()[0])[0]
    refused = Answer(arm.question.id, "", Refusal("no"))

    found = usual_modes([ArmResult(arm, refused, 0)], pool.scenes, 0)

    assert (found.expected, found.telling) == ({}, ("refused",))


def test_the_only_element_is_held_against_any_control(pool: BenchPool) -> None:
    """Without misses of other elements the clicks are on the other controls of the screen."""
    arm = pool.arms(pool.subjects()[0])[0]

    found = usual_modes([ArmResult(arm, Answer("", "", Point(639.0, 1.0)), 0)], pool.scenes, 0)

    assert sum(found.expected.values()) == pytest.approx(1)
