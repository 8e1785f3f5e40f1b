"""
Functions: what acting on an element does, in both readings.
"""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.core.instruction import Function
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.refer.resolve.states import of_function
from surefoot.refer.scene.scene import Scene

FUNCTIONS: tuple[Function, ...] = tuple(argument for argument in get_args(Function) if argument)


def both(function: Function, role: str, name: str = "", **more: object) -> str:
    """Tell how a function fits: "strict", "lenient" (only so) or "no"."""
    parts: dict[str, Any] = {"name": name, **more}
    element = Element("a", role, Box(0, 0, 9, 9), **parts)
    scene = Scene(Screen("s", "p", "x", "", 99, 99, 1.0, "web", "en", (element,)))
    strict, lenient = (
        bool(of_function(scene, function, literal)[0]) for literal in ("strict", "lenient")
    )
    assert lenient or not strict
    return "strict" if strict else "lenient" if lenient else "no"


@pytest.mark.parametrize(
    ("function", "role", "name", "more", "expected"),
    [
        ("turn on", "switch", "", {}, "strict"),
        ("turn on", "switch", "", {"states": ("checked",)}, "lenient"),
        ("turn on", "radio", "", {}, "lenient"),
        ("turn off", "checkbox", "", {"states": ("checked",)}, "strict"),
        ("turn off", "checkbox", "", {}, "lenient"),
        ("enter", "textbox", "", {"attributes": {"editable": "true"}}, "strict"),
        ("enter", "textbox", "", {}, "lenient"),
        ("enter", "combobox", "", {"attributes": {"editable": "true"}}, "lenient"),
        ("choose", "combobox", "", {}, "strict"),
        ("choose", "radiogroup", "", {}, "lenient"),
        ("open", "button", "", {"states": ("collapsed",)}, "strict"),
        ("open", "button", "", {}, "lenient"),
        ("open", "link", "", {"states": ("collapsed",)}, "lenient"),
        ("go to", "link", "", {}, "strict"),
        ("go to", "button", "", {}, "lenient"),
        ("show", "tab", "", {}, "strict"),
        ("show", "menuitem", "", {}, "lenient"),
        ("adjust", "slider", "", {}, "strict"),
        ("adjust", "scrollbar", "", {}, "lenient"),
        ("close", "button", "CLOSE", {}, "strict"),
        ("close", "button", "Close window", {}, "lenient"),
        ("close", "button", "Closest", {}, "no"),
        ("close", "link", "\u00d7", {}, "lenient"),
        ("close", "button", "", {}, "no"),
        ("close", "tab", "Close", {}, "no"),
        ("search", "searchbox", "", {}, "strict"),
        ("search", "button", "search", {}, "strict"),
        ("search", "link", "Find a shop", {}, "lenient"),
        ("search", "textbox", "", {"attributes": {"placeholder": "Search\u2026"}}, "lenient"),
        ("search", "button", "Research", {}, "no"),
        ("search", "text", "Search", {}, "no"),
    ],
)
def test_functions(
    function: Function, role: str, name: str, more: dict[str, Any], expected: str
) -> None:
    """Role, states and words decide, each as the page of definitions says."""
    assert both(function, role, name, **more) == expected


@given(
    st.sampled_from(FUNCTIONS),
    st.sampled_from(sorted(INTERACTIVE_ROLES)),
    st.sampled_from(["", "Close", "dismiss", "Search", "&", "close it"]),
    st.sets(st.sampled_from(["checked", "collapsed", "mixed"])),
    st.booleans(),
)
def test_strict_implies_lenient(
    function: Function, role: str, name: str, states: set[str], typable: bool
) -> None:
    """Whatever a function fits strictly it fits leniently."""
    attributes = {"editable": "true"} if typable else {}
    assert both(function, role, name, states=tuple(states), attributes=attributes)
