"""
Changes as data: what a perturbation returns, and what then applies it.

Capture applies the edits of a page to the page; those of a picture, `Crop` and `Paste`, are
applied by ``perturb.views`` to a screen that was captured. An edit knows neither browser
nor seed; the same list applied to the same page gives the same pixels, and leaving an edit
out of the list reverses it.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

__all__ = [
    "AddStyle",
    "Crop",
    "Edit",
    "EnforceContrast",
    "Paste",
    "Reorder",
    "ScaleText",
    "Zoom",
]


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


Edit: TypeAlias = AddStyle | Crop | EnforceContrast | Paste | Reorder | ScaleText | Zoom
