"""
Changes as data: what a perturbation returns and capture applies.

An edit knows neither browser nor seed; the same list applied to the same page gives the
same pixels, and leaving an edit out of the list reverses it.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

__all__ = ["AddStyle", "Edit", "EnforceContrast", "Reorder", "ScaleText", "Zoom"]


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


Edit: TypeAlias = AddStyle | EnforceContrast | Reorder | ScaleText | Zoom
