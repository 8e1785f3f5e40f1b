"""
What blind clicks would be called, against every choice made by hand.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Refusal
from surefoot.diagnose.causes.chance import blind_modes
from surefoot.diagnose.search.arms import ArmResult
from surefoot.diagnose.search.pool import open_pool
from surefoot.failures.classify import classify
from surefoot.failures.modes import FailureMode


def test_chance_is_what_all_other_controls_would_be_called(bench: Path) -> None:
    """Drawn clicks come near to all clicks on other controls, scaled to the misses."""
    pool = open_pool(bench, bench, seed=0, most=24)
    missed = [
        ArmResult(arm, Answer(arm.question.id, "", Point(639.0, 1.0)), 0)
        for subject in pool.subjects()[:8]
        for arm in pool.arms(subject)
    ]
    whole: dict[FailureMode, float] = {}
    for miss in missed:
        scene = pool.scenes.scene(miss.arm.question.screen)
        target = miss.arm.question.instruction.target
        others = [
            element
            for element in scene.elements
            if element.role in ("button", "link") and element.id != target
        ]
        for element in others:
            answer = Answer(miss.arm.question.id, "", element.box.center)
            mode = classify(scene, miss.arm.question, answer).mode
            whole[mode] = whole.get(mode, 0.0) + 1 / len(others)

    found = blind_modes(missed, pool.scenes, 0)

    assert sum(found.values()) == pytest.approx(len(missed))
    for mode, expected in whole.items():
        assert found.get(mode, 0.0) == pytest.approx(expected, abs=0.1 * len(missed))


def test_replies_without_a_place_have_no_chance(bench: Path) -> None:
    """A refusal is no click, so no blind click stands for it."""
    pool = open_pool(bench, bench, seed=0, most=0)
    arm = pool.arms(pool.subjects()[0])[0]
    refused = Answer(arm.question.id, "", Refusal("no"))

    assert blind_modes([msgspec.structs.replace(ArmResult(arm, refused, 0))], pool.scenes, 0) == {}
