"""
The profile's tests: their size under no effect, and what they are compared with.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from statsmodels.stats.proportion import confint_proportions_2indep

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Question
from surefoot.core.screen import Screen
from surefoot.diagnose.causes.profile import page_test, profile, weakness_names
from surefoot.diagnose.search.arms import Arm, Tried
from surefoot.diagnose.search.scenes import Scenes

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"
    b"\x1f\x15\xc4\x89\x00\x00\x00\nIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00"
    b"\x00\x00IEND\xaeB`\x82"
)
SCENES = Scenes([Screen("s", "p", "x", "i", 100, 100, 1.0, "web", "en", ())], lambda _: PNG)


def answered(number: int, page: str, features: tuple[str, ...], *, missed: bool) -> Tried:
    """Return an answer with features on a page."""
    instruction = Instruction("x", "en", "direct", "high", Expression(name="x"), "t")
    question = Question(
        f"q{number}", "p", page, Cell("original", "direct"), "s", "i", 100, 100, instruction,
        Box(0, 0, 10, 10),
    )  # fmt: skip
    place = Point(50.0, 50.0) if missed else Point(5.0, 5.0)
    return Tried(Arm(question, features, 1.0), Answer(question.id, "", place), 1)


def drawn(rates: tuple[float, float], *, seed: int, pages: int = 20) -> list[Tried]:
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


def test_the_p_is_students() -> None:
    """Far from its floor the p-value is that of another library's t-test, one- and two-sided."""
    values = np.array([0.3, -0.1, 0.2, 0.05, 0.1, -0.2])

    assert page_test(values, sides=2) == pytest.approx(ttest_1samp(values, 0.0).pvalue)
    for each in (values, -values):
        greater = ttest_1samp(each, 0.0, alternative="greater").pvalue
        assert page_test(each, sides=1) == pytest.approx(greater)


def test_few_pages_never_give_much() -> None:
    """However much pages agree, the p-value stays above that of a sign test."""
    assert page_test(np.full(6, 0.9), sides=1) == 1 / 64
    assert page_test(np.full(6, 0.9), sides=2) == 1 / 32


def test_too_little_evidence_gives_one() -> None:
    """One page, or no difference anywhere, tells nothing."""
    assert page_test(np.array([3.0]), sides=1) == 1.0
    assert page_test(np.zeros(9), sides=2) == 1.0


def test_no_effect_is_seldom_called_one() -> None:
    """Where a feature does nothing, the test's p is under 0.05 about one time in twenty."""
    values = [profile(drawn((0.4, 0.4), seed=each), SCENES) for each in range(40)]
    ps = [each.p for found in values for each in found if each.feature == "direction:left of"]

    assert len(ps) == 40
    assert sum(p < 0.05 for p in ps) <= 6


def test_an_effect_is_named_and_measured() -> None:
    """A feature that doubles the failures is named, with its interval around the truth."""
    found = profile(drawn((0.3, 0.6), seed=1), SCENES)

    named = [each for each in found if each.named]
    assert [each.feature for each in named] == ["direction:left of"]
    interval = named[0].interval
    assert interval is not None
    assert interval.low < 0.3 < interval.high
    assert named[0].n_with == named[0].n_without == 300
    assert weakness_names(found) == ("fails more often with instructions that say 'left of'",)


def test_what_always_comes_is_left_out() -> None:
    """A feature that every answer has can be compared with nothing."""
    found = profile(drawn((0.3, 0.6), seed=1), SCENES)

    assert "words:no" not in {each.feature for each in found}


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

    found = {each.feature: each for each in profile(made, SCENES)}

    assert found["cause"].named
    assert not found["companion"].named
    assert (found["companion"].effect or 0.0) > 0.2


def test_pages_that_agree_leave_doubt() -> None:
    """A feature that decides everything on every page has Newcombe's interval over pages."""
    made = [
        answered(4 * page + at, f"p{page}", ("cause",) if at % 2 else (), missed=bool(at % 2))
        for page in range(12)
        for at in range(4)
    ]

    (found,) = (each for each in profile(made, SCENES) if each.kind == "feature")
    low, high = confint_proportions_2indep(12, 12, 0, 12, compare="diff", method="newcomb")

    assert found.effect == 1.0
    assert found.named
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))
    assert found.interval.low < 0.8


def test_nothing_answered_is_no_profile() -> None:
    """Without answers nothing is named, and nothing breaks."""
    assert not any(each.named for each in profile([], SCENES))
