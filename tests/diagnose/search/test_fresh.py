"""
Fresh questions: new ones, on both sides of a cause, about other elements first.
"""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from surefoot.core.geometry import Point
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Answer
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.diagnose.search.arms import Arm, ArmResult, Subject
from surefoot.diagnose.search.fresh import Wanted, changed_arms, fresh_arms
from surefoot.diagnose.search.pool import BenchPictures, BenchPool, open_pool
from surefoot.refer.scene.scenes import Scenes
from surefoot.run.folders.folder import read_questions, read_screens
from surefoot_studies.planted import FAULTS, PlantedQuestion

SMALL = Wanted(
    inside=lambda arm: arm.measures["side"] < 22,
    outside=lambda arm: arm.measures["side"] >= 22,
    hopeful=lambda arm: arm.measures["side"] < 22,
    size=True,
)
COUNTED = Wanted(
    inside=lambda arm: arm.question.instruction.expression.ordinal is not None,
    outside=lambda arm: arm.question.instruction.expression.ordinal is None,
    hopeful=lambda _: True,
)


FAINT = Wanted(
    inside=lambda arm: arm.measures["contrast"] < 3,
    outside=lambda arm: arm.measures["contrast"] >= 3,
    hopeful=lambda _: True,
    light=True,
)
LIGHT = Wanted(
    inside=lambda arm: "theme:light" in arm.features,
    outside=lambda arm: "theme:light" not in arm.features,
    hopeful=lambda _: True,
    light=True,
)


@pytest.fixture(scope="module")
def faint(bench: Path, tmp_path_factory: pytest.TempPathFactory) -> BenchPool:
    """Return the drawn pages with nine tenths of white over them."""
    own = tmp_path_factory.mktemp("faint")
    pictures = BenchPictures(bench, own)

    def bleached(screen: Screen) -> Screen:
        pixels = pixels_of(ObjectStore(bench).get(screen.image))
        file = io.BytesIO()
        Image.fromarray((230 + pixels // 10).astype(np.uint8)).save(file, "PNG")
        return msgspec.structs.replace(screen, image=pictures.put(file.getvalue()))

    screens = {screen.id: bleached(screen) for screen in read_screens(bench)}
    questions = [
        msgspec.structs.replace(question, image=screens[question.screen].image)
        for question in read_questions(bench)
    ]
    return BenchPool(questions, Scenes(screens.values(), pictures.get), pictures, most=12)


def missed(arm: Arm) -> ArmResult:
    """Return an arm whose answer misses."""
    return ArmResult(arm, Answer(arm.question.id, "", Point(639.0, 1.0)), 1)


def test_both_sides_are_drawn_and_nothing_is_asked_again(bench: Path) -> None:
    """So many are drawn within and without, none was asked, and most are of other elements."""
    pool = open_pool(bench, bench, seed=0, most=12)
    used = {arm.question.id for subject in pool.subjects() for arm in pool.arms(subject)[:3]}

    found = fresh_arms(pool, [SMALL], used, count=6, seed=0)

    assert sum(map(SMALL.inside, found)) == sum(map(SMALL.outside, found)) == 6
    assert not used & {arm.question.id for arm in found}
    known = {subject.pair for subject in pool.subjects()}
    assert all(arm.question.pair not in known for arm in found)


def test_one_thing_is_changed(bench: Path) -> None:
    """Other words of the same element where they differ, else the same words drawn larger."""
    pool = open_pool(bench, bench, seed=0, most=12)
    (subject, *_) = [one for one in pool.subjects() if one.target == "a2"]
    arms = pool.arms(subject)
    (counted, *_) = [arm for arm in arms if COUNTED.inside(arm)]

    (worded,) = changed_arms(pool, [(subject, missed(counted))], COUNTED)
    (larger,) = changed_arms(pool, [(subject, missed(arms[0]))], SMALL)

    assert worded.question.screen == counted.question.screen
    assert worded.question.pair == subject.pair
    assert larger.question.instruction == arms[0].question.instruction
    assert larger.question.width == 2 * arms[0].question.width
    assert larger.question.truth.width == 2 * arms[0].question.truth.width


def test_another_view_in_the_same_words_comes_before_a_drawn_picture(bench: Path) -> None:
    """What fails in one view is asked in the same words in another, and no picture is made."""
    pool = open_pool(bench, bench, seed=0, most=0)
    subject = pool.subjects()[0]
    (arm, *_) = pool.arms(subject)
    moved = msgspec.structs.replace(arm.question, id="other", screen="another view")
    words = msgspec.structs.replace(arm.question.instruction, text="in other words")
    far = msgspec.structs.replace(moved, id="far", instruction=words)

    class Views(BenchPool):
        """Give the same words in two views, and others in the second."""

        def arms(self, _: Subject) -> tuple[Arm, ...]:
            """Return the three of them."""
            return (arm, *(msgspec.structs.replace(arm, question=one) for one in (far, moved)))

        def changed(self, *_: object) -> None:
            """Fail, since nothing has to be drawn."""
            raise AssertionError

    want = Wanted(
        inside=lambda one: one.question.screen == arm.question.screen,
        outside=lambda one: one.question.screen != arm.question.screen,
        hopeful=lambda _: True,
        size=True,
    )
    views = Views([], pool.scenes, pool.pictures)

    (changed,) = changed_arms(views, [(subject, missed(arm))], want)

    assert changed.question.id == "other"


def test_a_target_is_drawn_with_more_contrast(faint: BenchPool) -> None:
    """The same words of the same view on a picture that differs at the target alone, clearly."""
    (subject, *_) = [one for one in faint.subjects() if one.target == "a2"]
    arm = faint.arms(subject)[0]
    (clear,) = changed_arms(faint, [(subject, missed(arm))], FAINT)

    before, after = (pixels_of(faint.pictures.get(one.question.image)) for one in (arm, clear))
    rows, columns, _ = np.nonzero(before != after)
    box = arm.question.truth
    assert box.left - 2 <= columns.min() <= columns.max() < box.right + 2
    assert box.top - 2 <= rows.min() <= rows.max() < box.bottom + 2
    assert clear.question.instruction == arm.question.instruction
    assert (clear.question.truth, clear.question.cell) == (box, arm.question.cell)
    fault = FAULTS["low-contrast"]
    scene = faint.scenes.scene(subject.screen)
    told = [
        PlantedQuestion(one.question, pixels, scene, scene.place["a2"])
        for one, pixels in ((arm, before), (clear, after))
    ]
    assert [fault.holds(one) for one in told] == [True, False]


def test_a_light_page_is_drawn_dark(bench: Path) -> None:
    """Where the theme is the cause the whole picture is inverted, and nothing moves."""
    pool = open_pool(bench, bench, seed=0, most=12)
    subject = pool.subjects()[0]
    arm = pool.arms(subject)[0]
    (dark,) = changed_arms(pool, [(subject, missed(arm))], LIGHT)

    before, after = (pixels_of(pool.pictures.get(one.question.image)) for one in (arm, dark))
    assert before.min(axis=2).tolist() == (255 - after.max(axis=2)).tolist()
    assert dark.question.truth == arm.question.truth
