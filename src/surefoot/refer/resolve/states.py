"""
What state an element is in, as it was captured.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.core.instruction import State
from surefoot.refer.scene.geometry import Mask, Reading
from surefoot.refer.scene.names import spoken
from surefoot.refer.scene.scene import Scene

__all__ = ["in_state", "is_in_state"]

CHECKABLE: Final = frozenset({
    "checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch",
})  # fmt: skip
FILLABLE: Final = frozenset({"searchbox", "spinbutton", "textbox"})
# What looks chosen may be called selected or pressed, whichever of these it is.
CHOSEN: Final = frozenset({"checked", "pressed", "selected"})


def in_state(scene: Scene, state: State, reading: Reading) -> Mask:
    """Tell which elements are in a state."""
    key = ("state", state, reading)
    if key not in scene.masks:
        places = range(len(scene.elements))
        found = [is_in_state(scene, each, state, reading) for each in places]
        scene.masks[key] = np.array(found, dtype=bool)
    return scene.masks[key]


def is_in_state(scene: Scene, place: int, state: State, reading: Reading) -> bool:
    """Tell whether one element (by its place) is in a state."""
    role, states = scene.elements[place].role, set(scene.elements[place].states)
    lenient = reading == "lenient"
    match state:
        case "checked":
            wanted = {"checked", "mixed"} if lenient else {"checked"}
            return role in CHECKABLE and bool(states & wanted)
        case "unchecked":
            unwanted = {"checked"} if lenient else {"checked", "mixed"}
            return role in CHECKABLE and not states & unwanted
        case "empty":
            return role in FILLABLE and _is_empty(scene, place, reading)
        case "selected" | "pressed" if lenient:
            return bool(states & CHOSEN)
        case _:
            return state in states


def _is_empty(scene: Scene, place: int, reading: Reading) -> bool:
    attributes = scene.elements[place].attributes
    text = scene.texts[place]
    if reading == "lenient":
        return text in ("", spoken(attributes.get("placeholder", "")))
    # What is typed into a password field is drawn as dots and recorded as nothing.
    hidden = attributes.get("type") == "password"
    return not hidden and not any(scene.texts[each] for each in (place, *scene.below(place)))
