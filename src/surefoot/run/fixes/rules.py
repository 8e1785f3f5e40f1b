"""
What can be said of a product's controls without any model: by rules, the same every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels, pixels_of
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.refer.generate.generate import LEAST_VISIBLE, candidates, direct
from surefoot.refer.resolve.rejection import REASONS, Rejection
from surefoot.refer.scene.icons import icons_of
from surefoot.refer.scene.legible import contrast_in
from surefoot.refer.scene.names import key_of, sayable, spoken
from surefoot.refer.scene.scene import Scene
from surefoot.run.folders.folder import read_screens

# What each rule says of a control, the gravest first.
RULES: Final[Mapping[str, str]] = {
    "unlabelled": "it has no name at all",
    "covered": "something lies over its middle, and takes the click",
    "ambiguous": "another control has the same name",
    "look-alike": "another control with another name has the same picture",
    "icon-alone": "its name cannot be seen: it shows a picture, or nothing, in place of words",
    "small": "it is less than 24 px wide or high",
    "low-contrast": "its words or its icon hardly stand out from what is behind",
}
LEAST_PX: Final = 24.0  # CSS pixels: WCAG 2.2, success criterion 2.5.8
LEAST_CONTRAST: Final = 4.5  # WCAG 2.2, 1.4.3
LEAST_LARGE: Final = 3.0  # 1.4.3 for large text, and 1.4.11 for icons
LARGE_PX: Final = 24.0
# Letters under 12 pixels of the picture are painted up to an eighth fainter than their colour.
BLENDED: Final = 0.87
BLENDED_PX: Final = 12.0
ICON_ROLES: Final = frozenset({"button", "link", "menuitem", "tab"})
SAME_PX: Final = 1.0  # by which the sides of two pictures that look alike may differ
SAME_SHADE: Final = 6.0  # of 255: their mean difference
SAME_INK: Final = 0.3  # of what the one drawn with more ink differs from its ground by
_IN_TEXT: Final = frozenset({"paragraph", "text"})  # 2.5.8 spares links within sentences


class ControlFacts(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what rules and fixes look at in one control.

    ``words`` is what it is called, "" for nothing that can be said, ``shown`` whether the screen
    spells that, and ``worded`` whether it shows any words, which a sign alone is not. ``part``
    are those that it shows, where its name has them and is not spelled whole. ``side`` is its
    shorter side, ``gap`` the way to the nearest other control and ``font`` the size of its words,
    in CSS pixels; ``contrast`` is that of its words, or of its ``icon``, as painted. None is
    where nothing is. ``section`` is the heading above it, ``pictured`` what its icon shows,
    ``unaskable`` why it cannot be asked for by its name, "" where it can. ``rules`` are those
    that it breaks.
    """

    element: str
    role: str
    words: str
    shown: bool
    worded: bool
    box: Box
    side: float
    gap: float | None
    font: float
    contrast: float | None
    icon: bool
    section: str = ""
    pictured: str = ""
    unaskable: str = ""
    part: str = ""
    rules: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return how people name the control."""
        return f"{self.role} '{self.words}'" if self.words else f"{self.role} without a name"

    def measure(self, rule: str) -> str:
        """Say what was measured for a rule, in a few words."""
        measures = {
            "small": f"{self.side:.0f} px",
            "low-contrast": f"{self.contrast or 0:.1f} : 1",
            "ambiguous": f"'{self.words}'",
            "icon-alone": f"'{self.words}'",
        }
        return measures.get(rule, "")


class SiteFinding(msgspec.Struct, frozen=True):
    """Hold one rule that a control of a page breaks, and the control's facts."""

    rule: str
    page: str
    control: ControlFacts


def control_facts(screen: Screen, pixels: Pixels) -> tuple[ControlFacts, ...]:
    """
    Return the facts of each control that the picture shows and that is not disabled.

    ``pixels`` is the screen's picture, height x width x 3.
    """
    scene = Scene(screen, pixels)
    shown = [
        element.id
        for element in candidates(scene)
        if element.visible_fraction >= LEAST_VISIBLE
        and "disabled" not in element.states
        and element.box.intersection(screen.bounds) is not None
    ]
    found = [_measured(scene, element, shown) for element in shown]
    twins = set(_twins(found, pixels))
    return tuple(
        msgspec.structs.replace(facts, rules=tuple(_broken(scene, facts, twins)))
        for facts in found
    )


def site_facts(folder: Path) -> dict[str, tuple[ControlFacts, ...]]:
    """Return the facts of the controls of each page of a folder SCREENS, by the page's name."""
    store = ObjectStore(folder)
    return {
        screen.page: control_facts(screen, pixels_of(store.get(screen.image)))
        for screen in sorted(read_screens(folder), key=lambda one: one.page)
    }


def broken_rules(facts: Mapping[str, Iterable[ControlFacts]]) -> tuple[SiteFinding, ...]:
    """Return what is found, from facts by page: by rule, page and place."""
    return tuple(
        SiteFinding(rule, page, control)
        for rule in RULES
        for page in sorted(facts)
        for control in facts[page]
        if rule in control.rules
    )


def _measured(scene: Scene, element_id: str, shown: Iterable[str]) -> ControlFacts:
    place = scene.place[element_id]
    element, scale = scene.elements[place], scene.screen.scale
    box = element.box
    kin = scene.kin(place)
    others = (scene.elements[scene.place[other]] for other in shown)
    gaps = [_gap(box, item.box) for item in others if not kin[scene.place[item.id]]]
    texted = bool(element.text_boxes)
    icon = not texted and element.role in ICON_ROLES
    contrast = None
    if texted:
        contrast = scene.legibility(place, shown=True).contrast
    elif icon and scene.pixels is not None:
        contrast = contrast_in(_part(scene.pixels, box))
    reason = direct(scene, element_id, hidden_names=True)
    heading = next(scene.headings(place), None)
    named = scene.names[place] if sayable(scene.names[place]) else ""
    return ControlFacts(
        element=element_id,
        role=element.role,
        words=named,
        shown=bool(element.name_boxes),
        worded=texted and _has_words(element.text),
        box=box,
        side=min(box.width, box.height) / scale,
        gap=min(gaps) / scale if gaps else None,
        font=element.font_px / scale,
        contrast=contrast,
        icon=icon,
        pictured=min(icons_of(scene, place), default="") if icon else "",
        section="" if heading is None else scene.names[heading],
        unaskable=reason.reason if isinstance(reason, Rejection) else "",
        part=part_shown(named, element.text) if texted and not element.name_boxes else "",
    )


def part_shown(name: str, text: str) -> str:
    """
    Return the words that are shown if they stand so in a name, "" otherwise.

    >>> part_shown("Price: activate to sort", "Price"), part_shown("Account menu", "A")
    ('Price', '')
    """
    whole, shown = key_of(name).words, key_of(text).words
    more = len(whole) - len(shown)
    if more < 0 or not sayable(text):
        return ""
    within = any(whole[at : at + len(shown)] == shown for at in range(more + 1))
    return spoken(text) if within else ""


def unaskable_words(reason: str) -> str:
    """
    Say why a control cannot be asked for.

    >>> unaskable_words("no-name")
    'the element has no name that can be said'
    """
    return REASONS.get(reason, reason)


def _broken(scene: Scene, one: ControlFacts, twins: set[str]) -> Iterator[str]:
    element = scene.elements[scene.place[one.element]]
    above = scene.place.get(element.parent)
    inline = element.role == "link" and above is not None
    large = one.icon or one.font >= LARGE_PX
    thin = not one.icon and element.font_px < BLENDED_PX
    least = (LEAST_LARGE if large else LEAST_CONTRAST) * (BLENDED if thin else 1)
    broken = {
        "unlabelled": not one.words,
        "covered": one.unaskable == "not-hit",
        "ambiguous": one.unaskable.startswith("ambiguous"),
        "look-alike": one.element in twins,
        "icon-alone": bool(one.words) and not (one.shown or one.worded),
        "small": one.side < LEAST_PX
        and not (inline and above is not None and scene.elements[above].role in _IN_TEXT),
        "low-contrast": one.contrast is not None and one.contrast < least,
    }
    return (rule for rule in RULES if broken[rule])


def _has_words(text: str) -> bool:
    """Tell words from signs alone; what is drawn as text and not recorded is taken for words."""
    return not text or any(mark.isalnum() for mark in text)


def _gap(box: Box, other: Box) -> float:
    across = max(other.left - box.right, box.left - other.right, 0.0)
    along = max(other.top - box.bottom, box.top - other.bottom, 0.0)
    return float(np.hypot(across, along))


def _part(pixels: Pixels, box: Box) -> Pixels:
    left, top, right, bottom = (max(0, round(end)) for end in box.as_tuple())
    return pixels[top:bottom, left:right]


def _twins(found: Iterable[ControlFacts], pixels: Pixels) -> Iterator[str]:
    """Yield controls without words that look like another one of another name."""
    icons = [(facts, _part(pixels, facts.box)) for facts in found if facts.icon]
    for facts, mine in icons:
        for other, theirs in icons:
            if other is facts or other.words == facts.words or not mine.size:
                continue
            sides = [abs(a - b) for a, b in zip(mine.shape, theirs.shape, strict=True)]
            if max(sides) > SAME_PX:
                continue
            high, wide = (min(a, b) for a, b in zip(mine.shape[:2], theirs.shape[:2], strict=True))
            if _alike(mine[:high, :wide], theirs[:high, :wide]) and contrast_in(mine) > 1:
                yield facts.element
                break


def _alike(one: Pixels, other: Pixels) -> bool:
    """Tell whether two pictures of one size differ little, and little of what is drawn in them."""
    apart = np.abs(one.astype(float) - other.astype(float))
    # Thin icons are for the most part ground, which all of them share.
    return bool(
        apart.mean() <= SAME_SHADE and apart.sum() <= SAME_INK * max(_ink(one), _ink(other))
    )


def _ink(pixels: Pixels) -> float:
    ground = np.median(pixels.reshape(-1, pixels.shape[-1]), axis=0)
    return float(np.abs(pixels - ground).sum())
