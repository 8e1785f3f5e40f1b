"""
Changes as data: what a perturbation returns, and what then applies it.

Capture applies the edits of a page to the page; those of a picture are applied, without a
browser, to a screen that was captured, after all of the page. An edit knows neither browser
nor seed; the same list applied to the same page gives the same pixels, and leaving an edit
out of the list reverses it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from surefoot.core.geometry import Box

MaskKind: TypeAlias = Literal[
    "static", "high-contrast", "membrane", "sides", "median", "mode", "inpaint"
]
FilterKind: TypeAlias = Literal[
    "blur", "dark", "deuteranopia", "gamma", "grey", "jpeg", "noise", "protanopia",
    "tritanopia",
]  # fmt: skip


class AddStyle(msgspec.Struct, frozen=True, tag="add-style"):
    """
    Append one style sheet to the document, its shadow roots and same-origin frames.

    With ``top_only`` the sheet goes to the top document alone: what scales a page must not
    scale the pages framed in it once more.
    """

    css: str
    top_only: bool = False


class EnforceContrast(msgspec.Struct, frozen=True, tag="enforce-contrast"):
    """Recolour each text whose contrast with what lies behind it is under the minimum."""

    minimum: float


class ScaleText(msgspec.Struct, frozen=True, tag="scale-text"):
    """
    Multiply every text's font size once; shrinking never goes below ``floor`` CSS pixels.

    Sizes are all read before the first is written, so nested texts are scaled once.
    """

    factor: float
    floor: float = 0.0


class Reorder(msgspec.Struct, frozen=True, tag="reorder"):
    """
    Put the sibling controls of one group into a new order, in place.

    ``order`` lists the ids of the group's elements; the slot that holds the first of them
    on the page receives the first of the list, and so on. Labels travel in their slots.
    """

    group: str
    order: tuple[str, ...]


class Zoom(msgspec.Struct, frozen=True, tag="zoom"):
    """Zoom as a browser does: media queries see a viewport of the size over the factor."""

    factor: float


class Hide(msgspec.Struct, frozen=True, tag="hide"):
    """
    Make elements invisible, by their ids, with all that they hold; nothing moves.

    They cannot be clicked either: what lies behind them is seen and reached.
    """

    elements: tuple[str, ...]


class Restyle(msgspec.Struct, frozen=True, tag="restyle"):
    """
    Give elements, by their ids, declarations of CSS that beat the page's own.

    ``declarations`` are pairs of a property and its value. With a least side or a margin, what
    is laid out within a line of text becomes a box of its own, since it has neither otherwise;
    and parts of a table, which heed no least side, get that side itself.
    """

    elements: tuple[str, ...]
    declarations: tuple[tuple[str, str], ...]


class Relabel(msgspec.Struct, frozen=True, tag="relabel"):
    """
    Have a control, by its id, be called by words that it shows.

    They are put beside its icon, or as a label beside its field; where it ``replaces`` words,
    in their place. What ``shows`` them already gets them as its name alone.
    """

    element: str
    text: str
    replaces: bool = False
    shows: bool = False


class RaiseContrast(msgspec.Struct, frozen=True, tag="raise-contrast"):
    """Recolour the texts and icons of elements, by their ids, whose contrast is too low."""

    elements: tuple[str, ...]
    minimum: float


class Crop(msgspec.Struct, frozen=True, tag="crop"):
    """Cut a part out of the picture; the sides are whole pixels of the image before it."""

    left: int
    top: int
    right: int
    bottom: int


class Paste(msgspec.Struct, frozen=True, tag="paste"):
    """
    Show the picture in a window on a desktop of ``width`` by ``height`` pixels.

    ``background`` names the desktop, and ``pattern`` numbers one drawing of it. ``left`` and
    ``top`` are where the picture's corner comes to lie, ``scale`` is what its size is
    multiplied by. ``bar`` is the height of the title bar above it, 0 without one.
    """

    background: str
    pattern: int
    width: int
    height: int
    left: int
    top: int
    scale: float
    bar: int = 0


class Mask(msgspec.Struct, frozen=True, tag="mask"):
    """
    Paint boxes of the picture over, in pixels of the image before it.

    ``kind`` says with what: "static" is white, "high-contrast" one colour that nothing on
    the picture comes near. The others are of low contrast, from a ring of ``ring`` pixels
    around each box: a smooth fill that follows the ring ("membrane") or one colour a side
    ("sides"), one flat colour ("median", "mode"), or the like of what is around
    ("inpaint").
    """

    boxes: tuple[Box, ...]
    kind: MaskKind
    ring: int = 1


class Filter(msgspec.Struct, frozen=True, tag="filter"):
    """
    Change the picture's pixels and move none of them.

    ``amount`` is, by kind: the standard deviation in pixels ("blur") or in 8-bit steps
    ("noise", drawn from ``seed``), the exponent ("gamma"), the quality from 1 to 95
    ("jpeg"), or a share in [0, 1] of the full effect (all others).
    """

    kind: FilterKind
    amount: float
    seed: int = 0


class Resize(msgspec.Struct, frozen=True, tag="resize"):
    """Multiply the picture's width and height, each rounded to whole pixels."""

    across: float
    down: float


class Letterbox(msgspec.Struct, frozen=True, tag="letterbox"):
    """
    Fit the picture into ``width`` by ``height`` pixels, in the middle of bars of a colour.

    It is enlarged or reduced by one factor to the largest size that fits.
    """

    width: int
    height: int
    colour: str = "#000000"


class Pointer(msgspec.Struct, frozen=True, tag="pointer"):
    """Draw an arrow pointer of ``height`` pixels whose tip is at ``left``, ``top``."""

    left: int
    top: int
    height: int


class Notice(msgspec.Struct, frozen=True, tag="notice"):
    """
    Draw a notification over a box of the picture, in whole pixels, that covers what is there.

    ``shape`` is a "banner" (one line, buttons at its end) or a "popup" (a title, a text,
    buttons below); ``pattern`` numbers its words and colours.
    """

    shape: Literal["banner", "popup"]
    pattern: int
    left: int
    top: int
    right: int
    bottom: int


class Tone(msgspec.Struct, frozen=True, tag="tone"):
    """
    Change the light of one box of the picture, in pixels of the image before it; nothing moves.

    How far each pixel is from the box's median colour is multiplied by ``contrast``; then,
    where ``inverted``, what is light becomes dark, and the other way round, in the same hue.
    """

    box: Box
    contrast: float = 1.0
    inverted: bool = False


ControlEdit: TypeAlias = RaiseContrast | Relabel | Restyle
PageEdit: TypeAlias = AddStyle | ControlEdit | EnforceContrast | Hide | Reorder | ScaleText | Zoom
PictureEdit: TypeAlias = (
    Crop | Filter | Letterbox | Mask | Notice | Paste | Pointer | Resize | Tone
)
Edit: TypeAlias = PageEdit | PictureEdit
