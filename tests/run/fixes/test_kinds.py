"""
Each fix applies where a control could gain from it, and no name is given twice.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from surefoot.core.edit import RaiseContrast, Relabel, Restyle
from surefoot.core.geometry import Box
from surefoot.run.fixes.kinds import FIXES, fixes_of
from surefoot.run.fixes.rules import ControlFacts

GOOD: Final = ControlFacts(
    element="a",
    role="button",
    words="Orders",
    shown=True,
    worded=True,
    box=Box(0, 0, 60, 60),
    side=60.0,
    gap=30.0,
    font=16.0,
    contrast=15.0,
    icon=False,
)


def control(**more: Any) -> ControlFacts:  # noqa: ANN401
    """Return a control without any fault but those named."""
    return msgspec.structs.replace(GOOD, **more)


WORDLESS: Final = {"shown": False, "worded": False, "icon": True}


@pytest.mark.parametrize(
    ("fault", "kinds"),
    [
        ({}, []),
        ({"side": 20.0}, ["size"]),
        ({"contrast": 2.0}, ["contrast"]),
        ({"contrast": None, "gap": None}, []),
        ({"gap": 2.0}, ["spacing"]),
        ({"font": 11.0}, ["text"]),
        (WORDLESS, ["label"]),
        ({"words": "Go", "section": "Search orders"}, ["rename"]),
        ({"words": "Go"}, []),
        ({"unaskable": "ambiguous-strict", "section": "Bills", "side": 20.0}, ["rename"]),
        ({**WORDLESS, "words": "", "pictured": "search", "unaskable": "no-name"}, ["label"]),
        ({**WORDLESS, "words": "", "unaskable": "no-name"}, []),
        ({"unaskable": "not-hit", "side": 20.0}, []),
        ({"side": 20.0, "contrast": 2.0}, ["size", "contrast"]),
        (
            {"side": 20.0, "contrast": 2.0, "rules": ("small", "low-contrast")},
            ["size", "contrast", "size-and-contrast"],
        ),
        (
            {**WORDLESS, "side": 20.0, "rules": ("icon-alone", "small")},
            ["label", "size", "label-and-size"],
        ),
        (
            {"words": "Go", "section": "Bills", "side": 20.0, "rules": ("small", "ambiguous")},
            ["size", "rename"],
        ),
    ],
)
def test_fixes_fit_their_faults(fault: dict[str, Any], kinds: list[str]) -> None:
    """A control has the fixes of its faults; what has no name of its own, those that name it."""
    one = control(**fault)

    assert [kind.name for kind in fixes_of(one, [one])] == kinds


def test_no_name_is_given_twice() -> None:
    """A new name that another control has, or would get as well, is none."""
    unnamed = {**WORDLESS, "words": "", "pictured": "search", "unaskable": "no-name"}
    one, twin = control(**unnamed), control(element="b", **unnamed)
    named = control(element="c", words="Search")

    assert [kind.name for kind in fixes_of(one, [one])] == ["label"]
    assert fixes_of(one, [one, twin]) == ()
    assert fixes_of(one, [one, named]) == ()


def test_edits_are_of_the_control_alone() -> None:
    """Each edit is of the control that a fix is for, and a new name is what it shows."""
    one = control(words="Go", section="Search orders", pictured="search")
    made = [(kind, edit) for kind in FIXES for edit in kind.edits(one)]
    for kind, edit in made:
        match edit:
            case Relabel(element, text):
                assert (element, bool(text)) == ("a", True)
                assert kind.words(one) in ("", text)
            case RaiseContrast(elements, _) | Restyle(elements, _):
                assert elements == ("a",)
