"""
A change of a live form: of every page of it, of its zoom, or of the pictures taken of it.
"""

from __future__ import annotations

import msgspec

from surefoot.core.edit import AddStyle, EnforceContrast, Filter, PageEdit, ScaleText, Zoom
from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import ORIGINAL, parse_variant
from surefoot.core.pictures import pixels_of
from surefoot.core.screen import Screen
from surefoot.perturb.image.filters import filtered
from surefoot.perturb.pixels import spell_png


class FormChange(msgspec.Struct, frozen=True):
    """
    Say what is done to a form that is looked at.

    ``edits`` are made on each of its pages, as often as one is loaded; ``filters`` change
    each picture; a ``zoom`` shows fewer CSS pixels in as many of the picture.
    """

    edits: tuple[PageEdit, ...] = ()
    filters: tuple[Filter, ...] = ()
    zoom: float = 1.0

    def picture(self, png: bytes) -> bytes:
        """Return a picture (PNG) with the filters applied, in their order."""
        if not self.filters:
            return png
        pixels = pixels_of(png)
        for item in self.filters:
            pixels = filtered(pixels, item)
        return spell_png(pixels)


def read_change(name: str, form: str = "", seed: int = 0) -> FormChange:
    """
    Read a variant as a change of a form (by its id); the seed draws what a theme leaves open.

    Raises UnknownNameError for what is no variant, and InvalidInputError for one that moves
    fields to other places than their form has them, or draws over them.

    >>> read_change("zoom:1.5+jpeg:30").zoom, read_change("original")
    (1.5, FormChange(edits=(), filters=(), zoom=1.0))
    """
    blank = Screen(
        "form", f"form/{form}", "form:", "", 1280, 800, 1.0, "web", "en", (), variant=ORIGINAL
    )
    variant = parse_variant(name)
    moving = [part.perturbation for part in variant.parts if part.perturbation == "shuffle"]
    edits: list[PageEdit] = []
    filters: list[Filter] = []
    zoom = 1.0
    for edit in variant.edits(blank, seed):
        match edit:
            case Zoom(factor):
                zoom *= factor
            case Filter():
                filters.append(edit)
            case AddStyle() | EnforceContrast() | ScaleText():
                edits.append(edit)
            case _:
                moving.append(type(edit).__name__.lower())
    if moving:
        raise InvalidInputError(
            "a change that leaves a form's fields where and as they are",
            found=f"'{name}', which does not ({', '.join(moving)})",
            remedy="choose a theme, a zoom, a text size or a filter of the picture",
        )
    return FormChange(tuple(edits), tuple(filters), zoom)
