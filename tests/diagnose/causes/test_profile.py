"""
The profile's tests: their size under no effect, and what they are compared with.
"""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Question
from surefoot.core.screen import Screen
from surefoot.diagnose.causes.confusions import CONFUSIONS, ConfusionEvidence
from surefoot.diagnose.causes.profile import profile, weakness_names, weaknesses
from surefoot.diagnose.findings import Weakness
from surefoot.diagnose.search.arms import Arm, ArmResult
from surefoot.refer.scene.scenes import Scenes

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"
    b"\x1f\x15\xc4\x89\x00\x00\x00\nIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00"
    b"\x00\x00IEND\xaeB`\x82"
)
SCENES = Scenes([Screen("s", "p", "x", "i", 100, 100, 1.0, "web", "en", ())], lambda _: PNG)


def answered(number: int, page: str, features: tuple[str, ...], *, missed: bool) -> ArmResult:
    """Return an answer with features on a page."""
    instruction = Instruction("x", "en", "direct", "high", Expression(name="x"), "t")
    question = Question(
        f"q{number}", f"{page} {number % 3}", page, Cell("original", "direct"), "s", "i", 100,
        100, instruction, Box(0, 0, 10, 10),
    )  # fmt: skip
    draw = np.random.default_rng(number)  # misses lie anywhere, else they were off by a step
    place = Point(*draw.uniform(11, 99, 2).tolist()) if missed else Point(5.0, 5.0)
    return ArmResult(Arm(question, features, 1.0), Answer(question.id, "", place), 1)


def drawn(rates: tuple[float, float], *, seed: int, pages: int = 20) -> list[ArmResult]:
    """Draw 30 answers a page, half with a feature, with a failure rate for each half."""
    random = np.random.default_rng(seed)
    made = []
    for page in range(pages):
        shift = random.normal(0, 0.15)
        for number in range(30):
            has = number % 2
            missed = random.random() < rates[has] + shift
            features = ("direction:left of", "words:no") if has else ("words:no",)
            made.append(answered(30 * page + number, f"p{page}", features, missed=missed))
    return made


def test_no_effect_is_seldom_called_one() -> None:
    """Where a feature does nothing, the test's p is under 0.05 about one time in twenty."""
    values = [
        profile(drawn((0.4, 0.4), seed=index), SCENES, "ocr").weaknesses for index in range(40)
    ]
    ps = [
        weakness.comparison.p
        for found in values
        for weakness in found
        if weakness.comparison.value.endswith("direction:left of")
    ]

    assert len(ps) == 40
    assert sum(p < 0.05 for p in ps) <= 6


def test_an_effect_is_named_and_measured() -> None:
    """A feature that doubles the failures is named, with its interval around the truth."""
    found = profile(drawn((0.3, 0.6), seed=1), SCENES, "ocr").weaknesses

    named = [weakness for weakness in found if weakness.named]
    assert [weakness.comparison.value for weakness in named] == ["direction:left of"]
    interval = named[0].comparison.interval
    assert interval is not None
    assert interval.low < 0.3 < interval.high
    assert named[0].n_with == named[0].n_without == 300
    assert weakness_names(found) == ("fails more often with instructions that say 'left of'",)


def test_what_always_comes_is_left_out() -> None:
    """A feature that every answer has can be compared with nothing."""
    found = profile(drawn((0.3, 0.6), seed=1), SCENES, "ocr").weaknesses

    assert "words:no" not in {weakness.comparison.value for weakness in found}


def test_a_companion_is_not_named() -> None:
    """A feature that only comes along with the cause is shown, and not named."""
    random = np.random.default_rng(5)
    made = []
    for number in range(800):
        cause, other = random.random() < 0.5, random.random()
        companion = other < (0.8 if cause else 0.2)
        features = [name for name, has in (("cause", cause), ("companion", companion)) if has]
        missed = bool(random.random() < (0.8 if cause else 0.1))
        made.append(answered(number, f"p{number % 25}", tuple(features), missed=missed))

    found = {
        weakness.comparison.value: weakness for weakness in profile(made, SCENES, "ocr").weaknesses
    }

    assert found["cause"].named
    assert not found["companion"].named
    assert (found["companion"].comparison.change or 0.0) > 0.2


def test_sites_that_agree_leave_doubt() -> None:
    """A feature that decides everything on every site has the exact bound over the sites."""
    made = [
        answered(4 * site + at, f"s{site}", ("cause",) if at % 2 else (), missed=bool(at % 2))
        for site in range(12)
        for at in range(4)
    ]

    (found,) = (
        weakness
        for weakness in profile(made, SCENES, "ocr").weaknesses
        if weakness.comparison.contrast == "feature"
    )

    assert found.named
    assert found.comparison.change == 1.0
    assert found.comparison.interval is not None
    assert found.comparison.interval.low == pytest.approx(1 - 2 * (1 - 0.025 ** (1 / 12)))
    assert found.comparison.p == 0.001


def confused(share_within: float, share_without: float) -> Weakness:
    """
    Return what is said first of a model that takes landmarks, mostly those like the target.

    The shares are of answers within and without: of each the rest are hits.
    """
    random = np.random.default_rng(1)
    (landmark,) = (one for one in CONFUSIONS if one.name == "landmark")
    made, evidence = [], []
    for number in range(400):
        like = number % 2
        shown = bool(random.random() < (share_within if like else share_without))
        features = ("landmark-like",) if like else ()
        answer = answered(number, f"p{number // 16}", features, missed=shown)
        made.append(answer)
        question = answer.arm.question
        evidence.append(ConfusionEvidence(question.id, question.cluster, shown, shown, 0.1))
    return weaknesses(made, {landmark: evidence}, "ocr").weaknesses[0]


def test_a_confusion_is_said_with_where_it_is_made() -> None:
    """Landmarks that are taken where they are of the target's role are told with that."""
    found = confused(0.6, 0.02)

    assert found.named
    assert found.words == (
        "takes the landmark for the target, with a landmark of the target's own role"
    )
    assert found.comparison.value == "landmark & landmark-like"
    assert found.n_with == 200


def test_a_confusion_that_is_made_anywhere_has_no_place() -> None:
    """Landmarks that are taken whatever they are like are told without any more."""
    found = confused(0.4, 0.4)

    assert found.named
    assert found.words == "takes the landmark for the target"


def test_one_site_names_nothing() -> None:
    """A feature that decides everything on the only site is no weakness: others may differ."""
    made = [
        answered(at, "s", ("cause",) if at % 2 else (), missed=bool(at % 2)) for at in range(60)
    ]

    assert weakness_names(profile(made, SCENES, "ocr").weaknesses) == ()


def test_nothing_answered_is_no_profile() -> None:
    """Without answers nothing is named, and nothing breaks."""
    assert not any(weakness.named for weakness in profile([], SCENES, "ocr").weaknesses)
