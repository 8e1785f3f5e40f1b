"""
What failures would look like without any cause: the modes that the model's own misses would have.

Rules find a reason for most clicks that have none: what lies anywhere on a page is often near
the target, on the other side of a landmark, or alike to words that are quoted. So each mode's
count stands beside what it would be if the model missed here as it misses other elements: each
failure is judged once more with a click that lands as one of those does. A click on a control is
moved to the control that is as near to the target (first, second, ...), any other by the same
step from the target's middle. A mode tells something where it is more frequent than that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
from scipy.special import stdtr

from surefoot.core.geometry import Point
from surefoot.core.seeds import random_source
from surefoot.diagnose.search.arms import ArmResult
from surefoot.failures.classify import classify
from surefoot.failures.landing import control_at
from surefoot.failures.modes import FailureMode
from surefoot.refer.scene.geometry import distances
from surefoot.refer.scene.scene import Scene
from surefoot.refer.scene.scenes import Scenes
from surefoot.score.stats.arrays import Ints
from surefoot.score.truths import place_of

DRAWS: Final = 8  # misses of other elements for each failure
LEAST: Final = 5  # failures of a mode that tells
LEVEL: Final = 0.005  # of one side, as there are a dozen modes


class UsualModes(msgspec.Struct, frozen=True):
    """
    Hold how many failures of each mode are expected, and which modes are more frequent.

    ``telling`` are also the modes of replies that name no place, as no habit gives these.
    """

    expected: dict[FailureMode, float]
    telling: tuple[FailureMode, ...]


class _Landing(msgspec.Struct, frozen=True):
    """Say where a miss lands: on the control of a rank by nearness, or a step away."""

    pair: str
    rank: int
    across: float
    down: float


def usual_modes(failures: Sequence[ArmResult], scenes: Scenes, seed: int) -> UsualModes:
    """
    Return what the failures would be called if they landed as the misses of other elements do.

    Where there are no misses of other elements their clicks are on any other control of the
    screen. Draws are by the seed. Replies without a place are left out of what is expected.
    """
    placed = [
        result
        for result in failures
        if result.answer and place_of(result.answer.parsed) is not None
    ]
    # Screen by screen, since a screen's pixels are not kept for long.
    placed.sort(key=lambda one: (one.arm.question.screen, one.arm.question.id))
    landings = [_landing(result, scenes) for result in placed]
    expected: dict[FailureMode, float] = defaultdict(float)
    beyond: dict[FailureMode, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    shown: dict[FailureMode, int] = defaultdict(int)
    for failure in placed:
        question, answer = failure.arm.question, failure.answer
        assert answer is not None, "it names a place"  # noqa: S101 - says it to the type checker
        scene = scenes.scene(question.screen)
        mode = classify(scene, question, answer).mode
        shown[mode] += 1
        beyond[mode][question.cluster] += 1
        draw = random_source(seed, "landing", question.id)
        others = [landing for landing in landings if landing.pair != question.pair]
        near = _by_nearness(scene, scene.place[question.instruction.target])
        clicks = [
            _moved(scene, near, failure, draw.choice(others))
            if others
            else scene.elements[int(draw.choice(near))].box.center
            for _ in range(DRAWS if others or len(near) else 0)
        ]
        for click in clicks:
            usual = classify(scene, question, msgspec.structs.replace(answer, parsed=click)).mode
            expected[usual] += 1 / len(clicks)
            beyond[usual][question.cluster] -= 1 / len(clicks)
    placeless = {
        classify(scenes.scene(result.arm.question.screen), result.arm.question, result.answer).mode
        for result in failures
        if result.answer and place_of(result.answer.parsed) is None
    }
    sites = len({result.arm.question.cluster for result in placed})
    telling = {
        mode
        for mode, count in shown.items()
        if count >= LEAST and _stands_out(beyond[mode], sites)
    }
    return UsualModes(dict(sorted(expected.items())), tuple(sorted(telling | placeless)))


def _stands_out(by_site: dict[str, float], sites: int) -> bool:
    """Tell whether a sum over sites, 0 where none is given, is above 0 beyond chance (t)."""
    parts = np.array([*by_site.values(), *[0.0] * (sites - len(by_site))])
    if sites < 2 or parts.sum() < 1:  # noqa: PLR2004 - one site has no spread
        return False
    error = float(parts.std(ddof=1)) * sites**0.5
    return error == 0 or float(stdtr(sites - 1, -parts.sum() / error)) < LEVEL


def _by_nearness(scene: Scene, place: int) -> Ints:
    """Return the places of the other controls, the nearest to the target first."""
    others = np.flatnonzero(scene.thing & scene.plain & ~scene.kin(place))
    apart = distances(scene.boxes[others], scene.boxes[place])
    found: Ints = others[np.argsort(apart, kind="stable")]
    return found


def _landing(failure: ArmResult, scenes: Scenes) -> _Landing:
    question = failure.arm.question
    scene = scenes.scene(question.screen)
    click = place_of(failure.answer.parsed) if failure.answer else None
    assert click is not None, "only what names a place is given"  # noqa: S101 - as above
    middle = question.truth.center
    control = control_at(scene, click)
    near = _by_nearness(scene, scene.place[question.instruction.target]).tolist()
    rank = near.index(control) if control in near else -1
    return _Landing(question.pair, rank, click.x - middle.x, click.y - middle.y)


def _moved(scene: Scene, near: Ints, failure: ArmResult, landing: _Landing) -> Point:
    """Return where a click of this failure would be that lands as another one does."""
    if landing.rank >= 0 and len(near):
        return scene.elements[int(near[min(landing.rank, len(near) - 1)])].box.center
    middle = failure.arm.question.truth.center
    return Point(middle.x + landing.across, middle.y + landing.down)
