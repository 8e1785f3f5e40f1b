"""
Changes of a captured picture that need no interface: its pixels, size and what lies over it.

The registry of perturbations finds them here, under this folder's name.
"""

from __future__ import annotations

from surefoot.perturb.image.catalog import (
    BACKGROUND,
    BANNER,
    BLUR,
    CURSOR,
    CUT,
    DARK,
    DEUTERANOPIA,
    GAMMA,
    GREY,
    JPEG,
    LETTERBOX,
    NOISE,
    POPUP,
    PROTANOPIA,
    RESIZE,
    STRETCH,
    TRITANOPIA,
)

__all__ = [
    "BACKGROUND",
    "BANNER",
    "BLUR",
    "CURSOR",
    "CUT",
    "DARK",
    "DEUTERANOPIA",
    "GAMMA",
    "GREY",
    "JPEG",
    "LETTERBOX",
    "NOISE",
    "POPUP",
    "PROTANOPIA",
    "RESIZE",
    "STRETCH",
    "TRITANOPIA",
]
