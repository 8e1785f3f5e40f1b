"""
Apply edits of the picture to a captured screen, without a browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import msgspec

from surefoot.core.canonical import digest, sha256
from surefoot.core.edit import (
    Crop,
    Edit,
    Filter,
    Letterbox,
    Mask,
    Notice,
    PageEdit,
    Paste,
    PictureEdit,
    Pointer,
    Resize,
)
from surefoot.core.screen import Screen
from surefoot.perturb.image.filters import filtered
from surefoot.perturb.image.notice import draw_notice
from surefoot.perturb.image.pointer import draw_pointer
from surefoot.perturb.image.sizes import resized
from surefoot.perturb.masks.paint import mask
from surefoot.perturb.pixels import Pixels, read_pixels, spell_png
from surefoot.perturb.views import background, crop

__all__ = ["change", "change_picture", "split_edits"]


def change_picture(
    screen: Screen, png: bytes, edits: Sequence[PictureEdit], *, variant: str
) -> tuple[Screen, bytes]:
    """
    Apply edits to a screen's picture in their order, and carry along what is known of it.

    Returns the screen, under the variant's name and with the edits behind those it had, and
    its picture as PNG. Raises InvalidInputError for bytes that are not the screen's picture
    and for an edit that does not fit it.
    """
    pixels = read_pixels(png, (screen.width, screen.height))
    # A whole number where a length is meant is spelled as one that was read back.
    spelt = msgspec.convert(msgspec.to_builtins(tuple(edits)), tuple[PictureEdit, ...])
    changed = screen
    for edit in spelt:
        changed, pixels = change(changed, pixels, edit)
    spelled = spell_png(pixels)
    found = msgspec.structs.replace(
        changed,
        id=digest([screen.id, variant, spelt])[:16],
        image=sha256(spelled),
        variant=variant,
        edits=(*screen.edits, *spelt),
    )
    return found, spelled


def change(screen: Screen, pixels: Pixels, edit: PictureEdit) -> tuple[Screen, Pixels]:
    """
    Apply one edit to a screen and its decoded picture (height x width x 3).

    The screen's size and elements follow; its id, image and list of edits do not. Raises
    InvalidInputError for an edit that does not fit.

    >>> import numpy as np
    >>> shown = Screen("s", "p", "x", "", 4, 2, 1.0, "web", "en", ())
    >>> small, pixels = change(shown, np.zeros((2, 4, 3), np.uint8), Resize(0.5, 0.5))
    >>> (small.width, small.height, small.scale), pixels.shape
    ((2, 1, 0.5), (1, 2, 3))
    """
    match edit:
        case Filter():
            return screen, filtered(pixels, edit)
        case Mask():
            return mask(screen, pixels, edit)
        case Resize() | Letterbox():
            return resized(screen, pixels, edit)
        case Pointer():
            return draw_pointer(screen, pixels, edit)
        case Notice():
            return draw_notice(screen, pixels, edit)
        case Crop() | Paste():
            return _view(screen, pixels, edit)
        case _:
            assert_never(edit)


def split_edits(edits: Sequence[Edit]) -> tuple[tuple[PageEdit, ...], tuple[PictureEdit, ...]]:
    """
    Part the edits of a page from those of a picture, which come after it is captured.

    >>> from surefoot.core.edit import Zoom
    >>> split_edits([Filter("blur", 2.0), Zoom(1.5)])[0]
    (Zoom(factor=1.5),)
    """
    page = tuple(each for each in edits if isinstance(each, PageEdit))
    return page, tuple(each for each in edits if isinstance(each, PictureEdit))


def _view(screen: Screen, pixels: Pixels, edit: Crop | Paste) -> tuple[Screen, Pixels]:
    png = spell_png(pixels)
    view, spelled = (
        crop(screen, png, edit) if isinstance(edit, Crop) else background(screen, png, edit)
    )
    return view, read_pixels(spelled, (view.width, view.height))
