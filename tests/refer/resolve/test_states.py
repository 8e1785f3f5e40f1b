"""
States: which elements are checked, chosen, open or empty, in both readings.
"""

from __future__ import annotations

from typing import Any

import pytest

from surefoot.core.geometry import Box
from surefoot.core.instruction import State
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.states import in_state
from surefoot.refer.scene.scene import Scene


def both(state: State, role: str, *states: str, **more: object) -> str:
    """Tell how a state fits: "strict", "lenient" (only so) or "no"."""
    parts: dict[str, Any] = {"states": states, **more}
    element = Element("a", role, Box(0, 0, 9, 9), **parts)
    scene = Scene(Screen("s", "p", "x", "", 99, 99, 1.0, "web", "en", (element,)))
    strict, lenient = (
        bool(in_state(scene, state, literal)[0]) for literal in ("strict", "lenient")
    )
    assert lenient or not strict
    return "strict" if strict else "lenient" if lenient else "no"


@pytest.mark.parametrize(
    ("state", "role", "states", "expected"),
    [
        ("checked", "checkbox", ["checked"], "strict"),
        ("checked", "radio", ["mixed"], "lenient"),
        ("checked", "switch", [], "no"),
        ("checked", "button", ["checked"], "no"),
        ("unchecked", "menuitemradio", [], "strict"),
        ("unchecked", "checkbox", ["mixed"], "lenient"),
        ("unchecked", "checkbox", ["checked"], "no"),
        ("unchecked", "button", [], "no"),
        ("selected", "tab", ["selected"], "strict"),
        ("selected", "radio", ["checked"], "lenient"),
        ("pressed", "tab", ["selected"], "lenient"),
        ("pressed", "button", ["pressed"], "strict"),
        ("expanded", "button", ["expanded"], "strict"),
        ("expanded", "button", ["collapsed"], "no"),
        ("collapsed", "combobox", ["collapsed", "required"], "strict"),
        ("collapsed", "combobox", [], "no"),
    ],
)
def test_states(state: State, role: str, states: list[str], expected: str) -> None:
    """Each state takes its roles and states, and what looks like it leniently."""
    assert both(state, role, *states) == expected


@pytest.mark.parametrize(
    ("role", "text", "attributes", "expected"),
    [
        ("textbox", "", {}, "strict"),
        ("textbox", "Ann", {}, "no"),
        ("textbox", "Your name", {"placeholder": "Your  name"}, "lenient"),
        ("searchbox", "Ann", {"placeholder": "Your name"}, "no"),
        ("textbox", "", {"type": "password"}, "lenient"),
        ("combobox", "", {}, "no"),
    ],
)
def test_empty(role: str, text: str, attributes: dict[str, str], expected: str) -> None:
    """A field without text is empty; a hint makes it so leniently, and hidden text may."""
    assert both("empty", role, text=text, attributes=attributes) == expected
