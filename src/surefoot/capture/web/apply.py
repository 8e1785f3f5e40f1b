"""
Apply edits to a loaded page, in the order of their list.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Final

import msgspec

from surefoot.capture.web.shoot import ViewScale
from surefoot.capture.web.world import World
from surefoot.core.edit import (
    AddStyle,
    Edit,
    EnforceContrast,
    Hide,
    PictureEdit,
    Reorder,
    ScaleText,
    Zoom,
)
from surefoot.core.errors import CaptureError

__all__ = ["apply_edits"]

RESIZE_S: Final = 3.0
POLL_S: Final = 0.005


class _Outcome(msgspec.Struct, frozen=True):
    error: str = ""


class _Size(msgspec.Struct, frozen=True):
    width: float
    height: float


def apply_edits(world: World, edits: Sequence[Edit], view: ViewScale) -> ViewScale:
    """
    Apply every edit and return the view of the result.

    Raises CaptureError "edit-failed" for an edit that names an unknown element or group, or
    that changes nothing it was meant to.
    """
    for edit in edits:
        if isinstance(edit, Zoom):
            view = _zoom(world, view, edit)
        else:
            _apply(world, edit)
    return view


def _apply(world: World, edit: Edit) -> None:
    match edit:
        case AddStyle(css, top_only):
            outcome = world.call(_Outcome, "addStyle", css, top_only)
        case EnforceContrast(minimum):
            _check(1 <= minimum <= 21, edit, "a ratio between 1 and 21")  # noqa: PLR2004
            outcome = world.call(_Outcome, "enforceContrast", minimum)
        case ScaleText(factor, floor):
            _check(0 < factor < math.inf, edit, "a factor above 0")
            outcome = world.call(_Outcome, "scaleText", factor, floor)
        case Reorder(group, order):
            outcome = world.call(_Outcome, "reorder", group, order)
        case Hide(elements):
            outcome = world.call(_Outcome, "hide", elements)
        case _ if isinstance(edit, PictureEdit):
            outcome = _Outcome("an edit of the picture, which is applied to a captured screen")
        case _:
            outcome = _Outcome("an edit of a kind that pages do not know")
    _check(not outcome.error, edit, "an edit that fits the page", outcome.error)


def _check(holds: bool, edit: Edit, expected: str, found: str = "") -> None:  # noqa: FBT001
    if not holds:
        raise CaptureError("edit-failed", expected=expected, found=found or str(edit)[:200])


def _zoom(world: World, view: ViewScale, edit: Zoom) -> ViewScale:
    """Zoom as a person does, after loading: what has been seen keeps its identity."""
    _check(0 < edit.factor < math.inf, edit, "a factor above 0")
    zoomed = view.zoom(edit.factor)
    wanted = _Size(max(1, round(zoomed.width)), max(1, round(zoomed.height)))
    world.session.send(
        "Emulation.setDeviceMetricsOverride",
        {
            "width": wanted.width,
            "height": wanted.height,
            "deviceScaleFactor": zoomed.scale,
            "mobile": False,
        },
    )
    deadline = time.monotonic() + RESIZE_S
    while world.call(_Size, "size") != wanted:
        _check(time.monotonic() < deadline, edit, "a viewport that follows the zoom")
        time.sleep(POLL_S)
    return zoomed
