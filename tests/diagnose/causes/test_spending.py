"""
The level of the tests on fresh questions: spent over causes and tries, never more than all of it.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.diagnose.causes.profile import compare_slice
from surefoot.diagnose.causes.spending import LEVEL, TESTS, Spending, is_same_cause
from surefoot.diagnose.causes.table import slice_of
from surefoot.diagnose.findings import Weakness
from surefoot.diagnose.search.arms import Arm, ArmResult
from tests.diagnose.causes.test_confirming import answers


def measured() -> list[ArmResult]:
    """Return answers whose targets are small where they are far down as well, but for one."""
    made = []
    for at, one in enumerate(answers((1.0, 0.0), begin=0)):
        side = one.arm.measures["side"]
        measures = {"side": side, "y": 700.0 if side < 26 or at == 0 else 100.0, "x": 10.0 * at}
        made.append(ArmResult(Arm(one.arm.question, (), 1.0, measures), one.answer, 1))
    return made


def named(key: str) -> Weakness:
    """Return a slice as a finding."""
    return compare_slice(measured(), slice_of(key), 0.001, "m", 100)


def told(name: str) -> Weakness:
    """Return a confusion as a finding."""
    one = named("side<26")
    compared = msgspec.structs.replace(one.comparison, contrast="confusion", varies=name)
    return msgspec.structs.replace(one, comparison=compared)


def test_all_parts_are_at_most_the_whole() -> None:
    """However many causes are tested, and as often as can be, the parts stay within the level."""
    parts = [Spending.level(cause, test) for cause in range(40) for test in range(TESTS + 3)]

    assert sum(parts) <= LEVEL
    assert sum(parts) == pytest.approx(0.75 * LEVEL)


def test_other_bounds_are_the_same_cause() -> None:
    """A cause under another bound, or by another name for its questions, spends its own part."""
    spending, known = Spending(), measured()

    spent = [spending.spend(named(key), known) for key in ("side<26", "side<30", "y>=500")]

    assert spent == [(0.0125, 1), (0.00625, 2), (0.0, 2)]
    assert spending.is_spent(named("y>=400"), known)
    assert spending.spend(named("x>=300"), known) == (0.00625, 1)


def test_a_confusion_is_known_by_its_name() -> None:
    """Wherever a confusion is made it is one cause, and no slice is the same as it."""
    assert is_same_cause(told("landmark"), told("landmark"), [])
    assert not is_same_cause(told("landmark"), told("left-right"), [])
    assert not is_same_cause(told("landmark"), named("side<26"), measured())
