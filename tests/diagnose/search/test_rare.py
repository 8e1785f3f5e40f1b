"""
Questions of what few have: each feature gets answers enough, and what only one site has none.
"""

from __future__ import annotations

from collections import Counter

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.diagnose.search.arms import Arm
from surefoot.diagnose.search.rare import rare_arms


def arm(number: int) -> Arm:
    """Return one of twenty arms a site: all are common, two a site rare, one site's all local."""
    site = number // 20
    features = ["common"]
    features += ["rare"] * (number % 10 == 0) + ["local"] * (site == 0)
    question = Question(
        f"q{number:03}", f"e{number // 5}", f"s{site}", Cell("original", "direct"), "v", "", 9, 9,
        Instruction("x", "en", "direct", "high", Expression(name="x"), "t"), Box(0, 0, 9, 9),
    )  # fmt: skip
    return Arm(question, tuple(features), 1.0)


ARMS = [arm(number) for number in range(300)]


def test_what_few_have_is_asked_on_all_its_sites() -> None:
    """A feature of thirty questions gets twelve answers, sites in turn, none of a common one."""
    asked = [ARMS[number] for number in range(1, 21)]

    found = rare_arms([one for one in ARMS if one not in asked], asked, most=100, seed=0)

    having = Counter(feature for one in (*asked, *found) for feature in one.features)
    assert having["rare"] == 12
    assert len({one.question.cluster for one in found}) == len(found) == 10


def test_no_more_is_asked_than_is_allowed() -> None:
    """The most is kept to, and nothing is asked where every feature has answers enough."""
    assert len(rare_arms(ARMS, [], most=5, seed=0)) == 5
    assert rare_arms(ARMS[1:], ARMS, most=5, seed=0) == []
