"""
Milder views: half the change of a crop or of a window's scale, to find how little it takes.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.core.edit import Crop, Paste
from surefoot.core.errors import InvalidInputError
from surefoot.core.screen import Screen
from surefoot.perturb.desktops.desktop import work_area
from surefoot.perturb.views import background, crop

LEAST_INSET_PX: Final = 16
LEAST_SCALING: Final = 0.05


def milder_edit(screen: Screen, edit: Crop | Paste) -> Crop | Paste | None:
    """
    Return an edit that changes a screen half as much, None where it changes little already.

    A crop leaves half of what it took from each side; a window comes halfway to its own
    scale, at the same corner or as near to it as it fits.

    >>> shown = Screen("s", "p", "x", "", 100, 80, 1.0, "web", "en", ())
    >>> milder_edit(shown, Crop(40, 0, 100, 80))
    Crop(left=20, top=0, right=100, bottom=80)
    """
    if isinstance(edit, Paste):
        if abs(1.0 - edit.scale) < LEAST_SCALING:
            return None
        return _scaled(screen, edit, round((1.0 + edit.scale) / 2, 3))
    insets = (edit.left, edit.top, screen.width - edit.right, screen.height - edit.bottom)
    if max(insets) < LEAST_INSET_PX:
        return None
    left, top, right, bottom = (inset // 2 for inset in insets)
    return Crop(left, top, screen.width - right, screen.height - bottom)


def _scaled(screen: Screen, edit: Paste, scale: float) -> Paste:
    """Return a window at another scale, moved where it would leave the desktop's work area."""
    work = work_area(edit.background, edit.width, edit.height)
    right = int(work.right) - round(screen.width * scale)
    bottom = int(work.bottom) - round(screen.height * scale)
    return msgspec.structs.replace(
        edit, scale=scale, left=min(edit.left, right), top=min(edit.top, bottom)
    )


def milder_view(screen: Screen, png: bytes, view: Screen) -> tuple[Screen, bytes] | None:
    """
    Return a view of a screen that changes it half as much, and its picture.

    ``view`` was made of the screen by a crop or a paste, its last edit. None where no
    milder one exists: for other edits, small ones, and windows that do not fit.
    """
    edit = view.edits[-1] if view.edits else None
    if not isinstance(edit, Crop | Paste):
        return None
    halved = milder_edit(screen, edit)
    if halved is None:
        return None
    if isinstance(halved, Crop):
        return crop(screen, png, halved, variant=view.variant)
    try:
        return background(screen, png, halved, variant=view.variant)
    except InvalidInputError:
        return None
