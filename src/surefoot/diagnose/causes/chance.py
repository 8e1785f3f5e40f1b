"""
What failures would look like without any cause: the modes of blind clicks.

Rules find a reason for most clicks that have none: what lies anywhere on a page is often near
the target, on the other side of a landmark, or of the target's role. So each mode's count
stands beside what a blind choice among the other controls of the same screens would give.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.seeds import random_source
from surefoot.diagnose.search.arms import ArmResult
from surefoot.failures.classify import classify
from surefoot.failures.modes import FailureMode
from surefoot.refer.scene.scenes import Scenes
from surefoot.score.truths import place_of

__all__ = ["blind_modes"]

DRAWS: Final = 4  # blind clicks a failure


def blind_modes(
    failures: Sequence[ArmResult], scenes: Scenes, seed: int
) -> dict[FailureMode, float]:
    """
    Return how many of the failures each mode would have, were their clicks blind.

    Each failure that names a place is judged again with its click on the middle of other
    controls of its screen, drawn by the seed; replies without a place are left out.
    """
    found: Counter[FailureMode] = Counter()
    draws = 0
    for failure in failures:
        question, answer = failure.arm.question, failure.answer
        if answer is None or place_of(answer.parsed) is None:
            continue
        scene = scenes.scene(question.screen)
        place = scene.place[question.instruction.target]
        others = np.flatnonzero(scene.thing & scene.plain & ~scene.kin(place)).tolist()
        draw = random_source(seed, "blind", question.id)
        for control in draw.sample(others, min(DRAWS, len(others))):
            blind = msgspec.structs.replace(answer, parsed=scene.elements[control].box.center)
            found[classify(scene, question, blind).mode] += 1
            draws += 1
    named = sum(
        failure.answer is not None and place_of(failure.answer.parsed) is not None
        for failure in failures
    )
    return {mode: named * count / draws for mode, count in sorted(found.items())}
