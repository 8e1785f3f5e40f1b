"""
What is told of a cause: pictures on either side, how many more there are, what to do.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image, ImageColor

from surefoot.core.geometry import Point
from surefoot.core.question import Answer
from surefoot.diagnose.causes.confirming import wanted_for
from surefoot.diagnose.causes.profile import compare_slice
from surefoot.diagnose.causes.table import slice_of
from surefoot.diagnose.classes import MARK, advice_on, class_facts
from surefoot.diagnose.findings import ClassFacts, Weakness
from surefoot.diagnose.search.arms import ArmResult
from surefoot.diagnose.search.pool import BenchPool, open_pool


@pytest.fixture(scope="module")
def pool(bench: Path) -> BenchPool:
    """Return the drawn pages: twelve icons of 24 px and twelve links that are asked about."""
    return open_pool(bench, bench, seed=0, most=8)


def answers(pool: BenchPool) -> list[ArmResult]:
    """Return answers that miss every button and hit every link."""
    return [
        ArmResult(
            arm,
            Answer(
                arm.question.id,
                "",
                Point(639.0, 1.0) if subject.role == "button" else arm.question.truth.center,
            ),
            0,
        )
        for subject in pool.subjects()
        for arm in pool.arms(subject)
    ]


def found(pool: BenchPool, key: str) -> tuple[Weakness, ClassFacts]:
    """Return a slice as a finding, and what is told of it."""
    known = answers(pool)
    weakness = compare_slice(known, slice_of(key), 0.001, "m", 100)
    return weakness, class_facts(
        weakness, wanted_for(weakness, [weakness], pool.scenes), pool, known
    )


def test_examples_are_of_many_pages(pool: BenchPool) -> None:
    """Three failures of the class and three hits outside of it are shown, each of its own page."""
    _, facts = found(pool, "role:button")

    assert [one.hit for one in (*facts.inside, *facts.outside)] == [False] * 3 + [True] * 3
    assert len({one.page for one in facts.inside}) == len({one.page for one in facts.outside}) == 3


def test_a_picture_shows_the_target_in_a_frame(pool: BenchPool) -> None:
    """What is around the target is cut out, and the frame is drawn on it."""
    _, facts = found(pool, "role:button")

    head, _, data = facts.inside[0].picture.partition(",")
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=np.int64)
    near = np.abs(pixels - np.array(ImageColor.getrgb(MARK))).max(axis=2) < 60

    assert head == "data:image/webp;base64"
    assert near.sum() > 40


def test_what_else_is_of_the_class_is_counted(pool: BenchPool) -> None:
    """All buttons but the one of each page that was asked about are more of the class."""
    _, facts = found(pool, "role:button")

    screens = pool.scenes.screens.values()
    buttons = sum(one.role == "button" for screen in screens for one in screen.elements)
    assert facts.more == buttons - 12
    assert facts.of == len(pool.subjects()) + len(pool.strangers())


def test_what_to_do_follows_from_the_class(pool: BenchPool) -> None:
    """Small targets are trained on, zoomed in on, or made larger; each part has its advice."""
    weakness, facts = found(pool, "width<30 & words>=2")

    assert [one.data for one in advice_on(weakness)] == [
        "train on small targets",
        "train on long instructions",
    ]
    assert facts.page == "make them 24 px or more on each side"
    assert facts.to_do.startswith("train on small targets; train on long instructions; or zoom in")


def test_a_mistake_has_an_advice_of_its_own(pool: BenchPool) -> None:
    """Who confuses sides is trained on sides."""
    weakness, _ = found(pool, "role:button")
    compared = msgspec.structs.replace(
        weakness.comparison, contrast="confusion", varies="left-right"
    )

    (told,) = advice_on(msgspec.structs.replace(weakness, comparison=compared))

    assert told.data == "train on pairs of instructions that differ in the direction alone"
