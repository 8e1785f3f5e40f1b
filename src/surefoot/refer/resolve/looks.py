"""
What an element looks like: colour, shape, and whether it shows an icon or words.

All of it is read from the pixels; without them nothing fits.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.core.instruction import Colour, Content, Shape
from surefoot.refer.scene.colours import COLOURS, UNCLEAR
from surefoot.refer.scene.details import DrawnDetails
from surefoot.refer.scene.figures import InkFigure
from surefoot.refer.scene.geometry import Mask, Reading
from surefoot.refer.scene.icons import could_show, icons_of
from surefoot.refer.scene.names import sayable
from surefoot.refer.scene.scene import Scene

LEAST_INKED: Final = 0.02
LEAST_FILLED: Final = 0.5
FIELDS: Final = frozenset({"combobox", "listbox", "searchbox", "spinbutton", "textbox"})
STRICT_SHARE: Final = 0.6
STRICT_OTHER: Final = 0.2
LENIENT_SHARE: Final = 0.15
LEAST_SPANNED: Final = 0.8
SQUARE: Final = {"strict": (0.87, 1.15), "lenient": (0.67, 1.5)}
LONGER: Final = {"strict": 3.0, "lenient": 2.0}
ICON_ROLES: Final = frozenset({"button", "link", "menuitem", "tab"})
ICON_PX: Final = {"strict": 96.0, "lenient": 128.0}
LENIENT_SIGNS: Final = 2
LINED: Final = 0.8
LENIENT_LINE: Final = 0.08
# A round form: most figure in the corners, least drawn rim, least figure within.
ROUND: Final = {"strict": (0.05, 0.9, 0.6), "lenient": (0.5, 0.5, 0.0)}


def colour_of(scene: Scene, place: int) -> Colour:
    """Return the colour that an element (by its place) strictly has, or ""."""
    figure = scene.figure(place)
    if figure is None:
        return ""
    least = _least_inked(scene, place)
    return next((colour for colour in COLOURS if _is_colour(figure, colour, least)), "")


def of_colour(scene: Scene, colour: Colour, reading: Reading, among: Mask) -> Mask:
    """Tell which elements among those given have a colour."""
    mask = np.zeros(len(scene.elements), dtype=bool)
    for place in np.flatnonzero(among):
        figure = scene.figure(int(place))
        if figure is not None:
            strict = reading == "strict"
            least = _least_inked(scene, int(place))
            mask[place] = (
                _is_colour(figure, colour, least) if strict else _has_colour(figure, colour)
            )
    return mask


def of_shape(scene: Scene, shape: Shape, reading: Reading, among: Mask) -> Mask:
    """Tell which elements among those given have a shape."""
    mask = np.zeros(len(scene.elements), dtype=bool)
    if scene.pixels is None:
        return mask
    for place in np.flatnonzero(among & _shaped(scene, shape, reading)):
        if shape == "round":
            mask[place] = _is_round(scene.details(int(place)), reading)
            continue
        figure = scene.figure(int(place))
        spans = figure is not None and min(figure.across, figure.along) >= LEAST_SPANNED
        mask[place] = spans or reading == "lenient"
    return mask


def ink_of(scene: Scene, place: int, reading: Reading = "strict") -> frozenset[Colour]:
    """Return the colours that an element's words (by its place) have, or could have."""
    found = scene.details(place)
    if found is None or not sum(found.strokes):
        return frozenset()
    whole, (*strokes, unclear) = sum(found.strokes), found.strokes
    if reading == "lenient":
        return frozenset(
            colour
            for colour, count in zip(COLOURS, strokes, strict=True)
            if count + unclear >= LENIENT_SHARE * whole
        )
    most, *others = sorted(strokes, reverse=True)
    if not found.clear or most < STRICT_SHARE * whole or others[0] > STRICT_OTHER * whole:
        return frozenset()
    return frozenset({COLOURS[strokes.index(most)]})


def outlines_of(scene: Scene, place: int, reading: Reading = "strict") -> frozenset[Colour]:
    """Return the colours that a line around an element (by its place) has, or could have."""
    found = scene.details(place)
    if found is None:
        return frozenset()
    if reading == "strict":
        hollow = found.hollow >= LINED
        lined = [share >= LINED and hollow for share in found.lined[:UNCLEAR]]
    else:
        whole, unclear = sum(found.frame), found.frame[UNCLEAR]
        lined = [count + unclear >= LENIENT_LINE * whole > 0 for count in found.frame[:UNCLEAR]]
    return frozenset(colour for colour, holds in zip(COLOURS, lined, strict=True) if holds)


def with_icon(scene: Scene, icon: str, reading: Reading, among: Mask) -> Mask:
    """Tell which elements among those given show an icon, or a picture that may be it."""
    mask = np.zeros(len(scene.elements), dtype=bool)
    for place in np.flatnonzero(among):
        element = scene.elements[place]
        if reading == "strict":
            figure = scene.figure(int(place))
            mask[place] = (
                icon in icons_of(scene, int(place)) and figure is not None and figure.inked > 0
            )
        elif "icons" in element.attributes:
            mask[place] = could_show(scene, int(place), icon)
        else:
            mask[place] = scene.pixels is not None and _shows_icon(scene, int(place), reading)
    return mask


def _is_round(found: DrawnDetails | None, reading: Reading) -> bool:
    corners, rim, filled = ROUND[reading]
    return (
        found is not None
        and found.corners <= corners
        and found.rim >= rim
        and found.filled >= filled
    )


def of_content(scene: Scene, content: Content, reading: Reading, among: Mask) -> Mask:
    """Tell which elements among those given show an icon, or words."""
    mask = np.zeros(len(scene.elements), dtype=bool)
    if scene.pixels is None:
        return mask
    shows = _shows_icon if content == "icon" else _shows_words
    for place in np.flatnonzero(among):
        mask[place] = shows(scene, int(place), reading)
    return mask


def _least_inked(scene: Scene, place: int) -> float:
    # Nobody calls a field by the colour of its border, or a button by that of thin letters.
    field = scene.elements[place].role in FIELDS
    return LEAST_FILLED if field or scene.texts[place] else LEAST_INKED


def _is_colour(figure: InkFigure, colour: Colour, least: float) -> bool:
    which = COLOURS.index(colour)
    others = [count for place, count in enumerate(figure.inks[:UNCLEAR]) if place != which]
    return (
        figure.inked > 0
        and figure.inked >= least * figure.pixels
        and figure.inks[which] >= STRICT_SHARE * figure.inked
        and max(others) <= STRICT_OTHER * figure.inked
    )


def _has_colour(figure: InkFigure, colour: Colour) -> bool:
    which = COLOURS.index(colour)
    parts = ((figure.inks, figure.inked), (figure.colours, figure.pixels))
    return any(
        whole > 0 and counts[which] + counts[UNCLEAR] >= LENIENT_SHARE * whole
        for counts, whole in parts
    )


def _shaped(scene: Scene, shape: Shape, reading: Reading) -> Mask:
    # What a person sees of a box that reaches out of the picture is its part inside.
    sides = np.array([scene.screen.width, scene.screen.height] * 2, dtype=np.float64)
    seen = np.clip(np.floor(scene.boxes + 0.5), 0.0, sides)
    width, height = (seen[:, 2:] - seen[:, :2]).T
    drawn = (width > 0) & (height > 0)
    if shape in ("square", "round"):
        least, most = SQUARE[reading]
        fits = (width >= least * height) & (width <= most * height)
    elif shape == "wide":
        fits = width >= LONGER[reading] * height
    else:
        fits = height >= LONGER[reading] * width
    found: Mask = drawn & fits
    return found


def _shows_icon(scene: Scene, place: int, reading: Reading) -> bool:
    element = scene.elements[place]
    small = max(element.box.width, element.box.height) <= ICON_PX[reading]
    if element.role not in ICON_ROLES or not small:
        return False
    if reading == "lenient":
        return sum(text.isalnum() for text in scene.texts[place]) <= LENIENT_SIGNS
    if any(scene.texts[item] for item in (place, *scene.below(place))):
        return False
    figure = scene.figure(place)
    return figure is not None and figure.inked > 0


def _shows_words(scene: Scene, place: int, reading: Reading) -> bool:
    inside = list(scene.below(place))
    if reading == "lenient":
        return any(sayable(scene.texts[item]) for item in (place, *inside))
    pictures = any(scene.elements[item].role == "img" for item in inside)
    return sayable(scene.texts[place]) and not pictures
