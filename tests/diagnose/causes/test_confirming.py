"""
The confirming round: what fresh questions bear out is said, and nothing else.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Question, Refusal
from surefoot.core.seeds import random_source
from surefoot.diagnose.causes.confirming import confirmation, wanted_for
from surefoot.diagnose.causes.profile import compare_slice
from surefoot.diagnose.causes.table import slice_of
from surefoot.diagnose.findings import Weakness
from surefoot.diagnose.search.arms import Arm, ArmResult
from surefoot.diagnose.summary import confirmed_words
from surefoot.refer.scene.scenes import Scenes

NO_SCENES = Scenes((), lambda _: b"")
SMALL = "side<26"


def asked(number: int, *, side: float, missed: bool, sites: int = 10) -> ArmResult:
    """Return one question about a target of a size, on one of ten sites."""
    instruction = Instruction("Click it", "en", "direct", "high", Expression(role="button"), "e")
    question = Question(
        str(number), f"p{number}", f"s{number % sites}", Cell("original", "direct"), "v", "",
        100, 100, instruction, Box(0.0, 0.0, 10.0, 10.0),
    )  # fmt: skip
    place = Point(90.0, 90.0) if missed else Point(5.0, 5.0)
    arm = Arm(question, (), 1.0, {"side": side})
    return ArmResult(arm, Answer(question.id, "", place), 1)


def answers(rates: tuple[float, float], *, begin: int) -> list[ArmResult]:
    """Return forty answers, half of small targets, that fail by their sizes' rates."""
    draw = random_source(0, "fresh", str(begin))
    return [
        asked(begin + at, side=20.0 if at % 2 else 40.0, missed=draw.random() < rates[at % 2 == 0])
        for at in range(40)
    ]


def named() -> Weakness:
    """Return that small targets fail, as a search may have found it."""
    return compare_slice(answers((1.0, 0.0), begin=0), slice_of(SMALL), 0.001, "m", 100)


@pytest.mark.parametrize(("rates", "held"), [((0.9, 0.1), True), ((0.4, 0.4), False)])
def test_only_what_holds_on_fresh_questions_is_confirmed(
    rates: tuple[float, float], held: bool
) -> None:
    """A slice that fails more often again is confirmed, and one that does not is dropped."""
    found = named()
    wanted = wanted_for(found, [found], NO_SCENES)

    told = confirmation(found, wanted, answers(rates, begin=100), (), NO_SCENES)

    assert (told.inside, told.outside) == (20, 20)
    assert told.held is held


def test_what_is_in_another_cause_is_not_held_against() -> None:
    """Questions of another named slice count neither within nor without."""
    small, wide = (
        named(),
        compare_slice(answers((1.0, 0.0), begin=0), slice_of("side>=30"), 0.001, "m", 100),
    )
    wanted = wanted_for(small, [small, wide], NO_SCENES)

    told = confirmation(small, wanted, answers((0.9, 0.1), begin=100), (), NO_SCENES)

    assert (told.inside, told.outside) == (20, 0)
    assert not told.held


def test_what_replies_show_is_told_by_the_failures_however_few() -> None:
    """Three failures that are all declined confirm it, and three that are not do not."""
    found = msgspec.structs.replace(
        named(),
        comparison=msgspec.structs.replace(
            named().comparison, contrast="reply", value="refused", varies="refused"
        ),
    )
    wanted = wanted_for(found, [found], NO_SCENES)
    fresh = answers((0.0, 0.0), begin=0)
    missed = [asked(100 + at, side=20.0, missed=True) for at in range(3)]
    declined = [
        msgspec.structs.replace(
            one, answer=Answer(one.arm.question.id, "", Refusal("no such element"))
        )
        for one in missed
    ]

    assert confirmation(found, wanted, [*fresh, *declined], (), NO_SCENES).held
    assert not confirmation(found, wanted, [*fresh, *missed], (), NO_SCENES).held


def test_what_a_change_mends_is_counted() -> None:
    """Of failures asked with one thing changed those that are hit are counted apart."""
    found = named()
    changed = [asked(500, side=40.0, missed=False), asked(501, side=40.0, missed=True)]

    told = confirmation(
        found, wanted_for(found, [found], NO_SCENES), answers((0.9, 0.1), begin=9), changed,
        NO_SCENES,
    )  # fmt: skip

    assert (told.changed, told.mended) == (2, 1)


def on_two_sites(inside: int, outside: int, *, elements: int = 20) -> list[ArmResult]:
    """Return 20 small targets on two sites and 20 others on ten, so many of each missed."""
    small = [asked(at, side=20.0, missed=at < inside, sites=2) for at in range(20)]
    others = [asked(100 + at, side=40.0, missed=at < outside) for at in range(20)]
    arms = [msgspec.structs.replace(one.arm.question, pair=f"p{at % elements}")
            for at, one in enumerate(small)]  # fmt: skip
    return [
        *(
            msgspec.structs.replace(one, arm=msgspec.structs.replace(one.arm, question=question))
            for one, question in zip(small, arms, strict=True)
        ),
        *others,
    ]


def test_a_cause_on_two_sites_holds_on_these() -> None:
    """Of 16 of 20 against 0 of 20 on two sites nothing follows for others, and it is not lost."""
    found = named()
    wanted = wanted_for(found, [found], NO_SCENES)

    told = confirmation(found, wanted, on_two_sites(16, 0), (), NO_SCENES, level=0.0125)

    assert (told.failed_inside, told.failed_outside, told.sites) == (16, 0, 2)
    assert (told.held, told.beyond) == (True, False)
    assert told.p_here < 0.0125


def test_four_elements_are_too_few() -> None:
    """However often they fail, fewer than five elements hold nothing."""
    found = named()
    wanted = wanted_for(found, [found], NO_SCENES)

    told = confirmation(found, wanted, on_two_sites(20, 0, elements=4), (), NO_SCENES)

    assert (told.elements, told.held) == (4, False)


@pytest.mark.parametrize("level", [0.0125, 0.0001])
def test_the_same_evidence_gives_the_same_verdict(level: float) -> None:
    """The verdict follows from the answers and the level, whatever else was tried before."""
    found = named()
    wanted = wanted_for(found, [found], NO_SCENES)
    fresh = on_two_sites(13, 1)

    first = confirmation(found, wanted, fresh, (), NO_SCENES, level=level, tests=1)
    again = confirmation(found, wanted, fresh[::-1], (), NO_SCENES, level=level, tests=2)

    assert first.held is again.held
    assert first.p_here == pytest.approx(again.p_here)
    assert first.held == (first.p_here <= level)


def test_what_shrank_is_told_as_weaker() -> None:
    """A cause of which 95 % failed first and 6 of 20 on fresh questions is much weaker."""
    found = named()
    wanted = wanted_for(found, [found], NO_SCENES)

    weak, strong = (
        msgspec.structs.replace(
            found, confirmed=confirmation(found, wanted, on_two_sites(count, 0), (), NO_SCENES)
        )
        for count in (6, 16)
    )

    assert (weak.is_weaker, strong.is_weaker) == (True, False)
    assert (
        "fresh 6 of 20 failed (30 %), against 0 of 20 others, much weaker than it looked at first"
        in (confirmed_words(weak))
    )
    assert "holds on the 2 sites that have it" in confirmed_words(strong)
    assert "for other sites nothing follows" in confirmed_words(strong)


def test_what_an_earlier_cause_explains_is_no_evidence() -> None:
    """Questions of a slice that is named before are in no later one."""
    small, low = (
        named(),
        compare_slice(answers((1.0, 0.0), begin=0), slice_of("side<30"), 0.1, "m", 1),
    )

    wanted = wanted_for(low, [small, low], NO_SCENES)

    assert not wanted.inside(asked(1, side=20.0, missed=True).arm)
    assert wanted.inside(asked(1, side=28.0, missed=True).arm)


@pytest.mark.long
@pytest.mark.parametrize(
    ("rate", "hard", "sites"), [(0.4, 0.0, 10), (0.1, 0.3, 10), (0.1, 0.5, 4)]
)
def test_the_level_holds_on_fresh_questions(rate: float, hard: float, sites: int) -> None:
    """Without a cause a verdict in favour of one is rare, where elements fail together as well."""
    random = np.random.default_rng(1)
    found = named()
    wanted = wanted_for(found, [found], NO_SCENES)
    held = 0
    for _ in range(300):
        fresh = []
        for element in range(20):
            site, worse = int(random.integers(sites)), hard * (random.random() < 0.3)
            for asking in range(2):
                one = asked(
                    2 * element + asking,
                    side=20.0 if element < 10 else 40.0,
                    missed=random.random() < rate + worse,
                )
                question = msgspec.structs.replace(
                    one.arm.question, pair=f"e{element}", cluster=f"s{site}"
                )
                arm = msgspec.structs.replace(one.arm, question=question)
                fresh.append(msgspec.structs.replace(one, arm=arm))
        held += confirmation(found, wanted, fresh, (), NO_SCENES, level=0.0125).held

    # Of 300 draws at 0.025 (either test) more than 15 are had in less than one case of 100.
    assert held <= 15
