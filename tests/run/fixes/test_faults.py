"""
Faults are measured where a control was asked for, and counted as they were.
"""

from __future__ import annotations

from typing import Any

import pytest

from surefoot.run.fixes.faults import FaultCount, count_faults, faults_of, worst_of
from tests.run.fixes.test_asking import question
from tests.run.fixes.test_kinds import FAINT, WORDLESS, control


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        ({}, ()),
        (WORDLESS, ("label",)),
        ({"shown": False}, ("label",)),
        ({"shown": False, "part": "Orders"}, ()),
        ({"shown": False, "part": "Orders", "words": "Orders: sort"}, ("name",)),
        ({"shown": False, "part": "Orders", "role": "textbox"}, ("label",)),
        ({"part": "Orders", "words": "Orders: sort"}, ()),
        ({"shown": False, "role": "textbox"}, ("label",)),
        ({"role": "textbox"}, ()),
        ({"side": 23.9}, ("size",)),
        ({"side": 24.0}, ()),
        (FAINT, ("contrast",)),
        ({"contrast": 4.6}, ()),
        ({**WORDLESS, **FAINT, "side": 9.0}, ("label", "size", "contrast")),
    ],
)
def test_faults_are_those_that_a_control_has(
    fault: dict[str, Any], found: tuple[str, ...]
) -> None:
    """A control has the faults that it was given, in their order, and no other."""
    assert faults_of(control(**fault)) == found


def test_the_worst_of_several_screens_counts() -> None:
    """Each measure is the worst on the screens that it was missed on, not on the original."""
    original = control(side=10.0, words="Orders")
    seen = [
        control(side=30.0, contrast=None, gap=None, font=11.0, rules=("low-contrast",)),
        control(side=20.0, contrast=3.0, gap=None, shown=False, part="Order", rules=("small",)),
    ]

    worst = worst_of(original, seen)

    assert (worst.side, worst.contrast, worst.gap, worst.font) == (20.0, 3.0, None, 11.0)
    assert (worst.shown, worst.words, worst.part) == (False, "Orders", "Order")
    assert worst.rules == ("small", "low-contrast")
    assert worst_of(original, []) == original


def test_questions_are_counted_by_their_faults() -> None:
    """Each question counts once, with the faults that its control has on its screen."""
    seen = {
        ("page", "original"): {
            "a": control(side=20.0),
            "b": control(),
            "c": control(side=20.0, **FAINT),
        },
        ("page", "zoom"): {"a": control(side=14.0, **FAINT), "b": control(side=20.0)},
    }
    asked = [question(name) for name in "abc"] + [question(name, "zoom") for name in "abc"]

    found = count_faults(asked, ["a original", "b original", "a zoom"], seen)

    assert found == (
        FaultCount(("size",), 2, 1),
        FaultCount(("size", "contrast"), 2, 1),
        FaultCount((), 1, 1),
    )
