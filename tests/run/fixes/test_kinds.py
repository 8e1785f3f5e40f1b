"""
Each fix applies where a control could gain from it, and no name is given twice.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from surefoot.core.edit import RaiseContrast, Relabel, Restyle
from surefoot.core.geometry import Box
from surefoot.run.fixes.kinds import FIXES, fix_named, fixes_of, is_judged
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
FAINT: Final = {"contrast": 2.0, "rules": ("low-contrast",)}


@pytest.mark.parametrize(
    ("fault", "kinds"),
    [
        ({}, []),
        ({"side": 20.0}, ["size"]),
        ({"side": 24.0}, ["size-beyond"]),
        (FAINT, ["contrast"]),
        ({"contrast": 5.0}, ["contrast-beyond"]),
        ({"contrast": None, "gap": None}, []),
        ({"gap": 2.0}, ["spacing"]),
        ({"font": 11.0}, ["text"]),
        (WORDLESS, ["label"]),
        ({"role": "textbox", "shown": False}, ["label"]),
        ({"shown": False}, ["label"]),
        ({"shown": False, "part": "Orders", "words": "Orders: sort"}, ["name"]),
        (
            {"shown": False, "part": "Orders", "words": "Orders: sort", **FAINT},
            ["name", "contrast", "name-and-contrast"],
        ),
        ({"words": "Go", "section": "Search orders"}, ["rename"]),
        ({"words": "Go"}, []),
        ({"unaskable": "ambiguous-strict", "section": "Bills", "side": 20.0}, ["rename"]),
        ({**WORDLESS, "words": "", "pictured": "search", "unaskable": "no-name"}, ["label"]),
        ({**WORDLESS, "words": "", "unaskable": "no-name"}, []),
        ({"unaskable": "not-hit", "side": 20.0}, []),
        ({"side": 20.0, **FAINT}, ["size", "contrast", "size-and-contrast"]),
        ({"side": 30.0, **FAINT}, ["contrast", "size-beyond"]),
        ({**WORDLESS, "side": 20.0}, ["label", "size", "label-and-size"]),
        (
            {**WORDLESS, "side": 20.0, **FAINT},
            [
                *("label", "size", "contrast", "label-and-size", "label-and-contrast"),
                *("size-and-contrast", "label-and-size-and-contrast"),
            ],
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


def test_no_control_lacks_all_words_of_its_name_and_some() -> None:
    """No edits are tried together of which the one is for controls that the other is not for."""
    assert not [one.name for one in FIXES if {"label", "name"} <= set(one.faults)]


@pytest.mark.parametrize(
    ("fault", "edit"),
    [
        (WORDLESS, Relabel("a", "Orders")),
        ({"shown": False}, Relabel("a", "Orders", replaces=True)),
        ({"shown": False, "role": "textbox"}, Relabel("a", "Orders")),
        (
            {"shown": False, "part": "Orders", "words": "Orders: sort"},
            Relabel("a", "Orders", shows=True),
        ),
    ],
)
def test_a_name_and_words_become_the_same(fault: dict[str, Any], edit: Relabel) -> None:
    """A name stands beside an icon or a field or in place of other words, or is what is shown."""
    one = control(**fault)
    (kind,) = fixes_of(one, [one])

    assert kind.edits(one) == (edit,)
    assert kind.words(one) == (edit.text if edit.shows else "")


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


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("label", WORDLESS, {}),
        ("name", {"shown": False, "part": "Orders", "words": "Orders: sort"}, {}),
        ("size", {"side": 20.0}, {"side": 44.0}),
        ("size-beyond", {"side": 30.0}, {"side": 44.0}),
        ("contrast", FAINT, {"contrast": 7.1}),
        ("contrast-beyond", {"contrast": 5.0}, {"contrast": 7.1}),
        ("spacing", {"gap": 2.0}, {"gap": 10.0}),
        ("spacing", {"gap": 2.0}, {"gap": None}),
        ("text", {"font": 11.0}, {"font": 16.0}),
        ("rename", {"words": "Go"}, {"words": "Go to bills"}),
        ("label-and-size", {**WORDLESS, "side": 20.0}, {"side": 20.0}),
        ("size-and-contrast", {"side": 20.0, **FAINT}, {"side": 44.0, **FAINT}),
    ],
)
def test_an_edit_has_an_effect_on_what_it_is_of(
    kind: str, before: dict[str, Any], after: dict[str, Any]
) -> None:
    """An edit took where its own measure changed, not where nothing or another one did."""
    was = control(**before)
    beside = control(**{**before, "role": "link", "section": "Bills"})

    took = fix_named(kind).took
    assert took(was, control(**after))
    assert not took(was, beside)
    assert not took(was, was)


@pytest.mark.parametrize(
    ("kind", "faults", "judged"),
    [
        ("size", ("size",), True),
        ("size", ("size", "contrast"), False),
        ("contrast", ("label", "contrast"), False),
        ("size-and-contrast", ("size", "contrast"), True),
        ("size-and-contrast", ("label", "size", "contrast"), False),
        ("label-and-size-and-contrast", ("label", "size", "contrast"), True),
        ("size-beyond", ("contrast",), True),
        ("text", (), True),
    ],
)
def test_an_edit_is_judged_where_it_is_against_all_faults(
    kind: str, faults: tuple[str, ...], judged: bool
) -> None:
    """A control with a fault that the edit is not against tells nothing of the edit."""
    assert is_judged(kind, faults) == judged
