"""
What an element is and what it says: its role, its name, its text and its label.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.core.screen import INTERACTIVE_ROLES
from surefoot.refer.resolve.relations import beside, gaps, text_unit
from surefoot.refer.scene.geometry import DIRECTIONS, Mask, Reading
from surefoot.refer.scene.names import alike, begins, key_of, spoken
from surefoot.refer.scene.roles import TARGETS, could_mean
from surefoot.refer.scene.scene import Scene

FIELDS: Final = frozenset({
    "checkbox", "combobox", "listbox", "radio", "searchbox", "slider", "spinbutton", "switch",
    "textbox",
})  # fmt: skip
LABELLED: Final = frozenset({"aria-labelledby", "label"})
LABEL_LINES: Final = 2.0


def of_role(scene: Scene, role: str, name: str, reading: Reading) -> Mask:
    """
    Tell which elements a role's word could stand for.

    Leniently, bare text that reads like the ``name`` of a link could be taken for one.
    """
    key = ("role", role, name if role == "link" else "", reading)
    if key not in scene.masks:
        lenient = reading == "lenient"
        wanted = _meant(role, reading)
        roles = [{own, drawn} if lenient else {own} for own, drawn in scene.roles]
        mask = np.array([bool(item & wanted) for item in roles], dtype=bool)
        if lenient and role == "link" and name:
            mask |= _bare(scene, name)
        scene.masks[key] = mask
    return scene.masks[key]


def _meant(role: str, reading: Reading) -> frozenset[str]:
    if role == "control":
        return TARGETS if reading == "strict" else INTERACTIVE_ROLES
    return frozenset({role}) if reading == "strict" else could_mean(role)


def _bare(scene: Scene, name: str) -> Mask:
    wanted = key_of(name)
    pairs = zip(scene.elements, scene.texts, strict=True)
    found = [element.role == "text" and key_of(text) == wanted for element, text in pairs]
    return np.array(found, dtype=bool)


def of_name(scene: Scene, name: str, reading: Reading, *, cut: bool) -> Mask:
    """Tell which elements bear a name, or one that it begins where it is cut."""
    key = ("name", name, cut, reading)
    if key not in scene.masks:
        wanted = spoken(name)
        found = [begins(item, wanted) if cut else item == wanted for item in scene.names]
        if reading == "lenient":
            known = zip(found, scene.labels, strict=True)
            found = [same or any(alike(item, wanted) for item in all_) for same, all_ in known]
        scene.masks[key] = np.array(found, dtype=bool)
    return scene.masks[key]


def of_text(scene: Scene, text: str, reading: Reading) -> Mask:
    """Tell which elements show a text, or show words and bear it as their name."""
    key = ("text", text, reading)
    if key not in scene.masks:
        wanted = spoken(text)
        pairs = list(zip(scene.texts, scene.names, strict=True))
        found = [bool(seen) and wanted in (seen, name) for seen, name in pairs]
        if reading == "lenient":
            loose = (
                bool(seen) and (alike(seen, wanted) or alike(name, wanted)) for seen, name in pairs
            )
            found = [item or other for item, other in zip(found, loose, strict=True)]
        scene.masks[key] = np.array(found, dtype=bool)
    return scene.masks[key]


def of_label(scene: Scene, label: str, reading: Reading) -> Mask:
    """
    Tell which fields a label belongs to.

    Leniently also those that are called or hint so, and those within two lines of a text
    that reads alike.
    """
    key = ("label", label, reading)
    if key not in scene.masks:
        fields = np.array([element.role in FIELDS for element in scene.elements], dtype=bool)
        labels = _labelled(scene, label) if reading == "strict" else _could_label(scene, label)
        scene.masks[key] = fields & labels
    return scene.masks[key]


def _labelled(scene: Scene, label: str) -> Mask:
    wanted = spoken(label)
    pairs = zip(scene.elements, scene.names, strict=True)
    return np.array(
        [element.name_from in LABELLED and name == wanted for element, name in pairs], dtype=bool
    )


def _could_label(scene: Scene, label: str) -> Mask:
    hints = (spoken(element.attributes.get("placeholder", "")) for element in scene.elements)
    known = zip(scene.names, hints, strict=True)
    mask = np.array([any(alike(word, label) for word in words) for words in known], dtype=bool)
    for place, text in enumerate(scene.texts):
        if scene.glimpsed[place] and alike(text, label):
            mask |= _near(scene, place)
    return mask


def _near(scene: Scene, place: int) -> Mask:
    key = ("near", place)
    if key not in scene.masks:
        reach = LABEL_LINES * text_unit(scene.elements[place])
        sides = [beside(scene, direction, place, "lenient") for direction in DIRECTIONS]
        around: Mask = np.logical_or.reduce(sides)
        scene.masks[key] = around & (np.min(gaps(scene, place), axis=0) <= reach)
    return scene.masks[key]
