"""
How a page looks: the theme and layout that were asked for, and what a seed moves of them.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.core.errors import UnknownNameError
from surefoot.core.registry import suggest
from surefoot.core.seeds import random_source
from surefoot.forms.rendering import Rendering
from surefoot.forms.specification import Form

if TYPE_CHECKING:
    from jinja2 import Environment


FOLDER: Final = Path(__file__).parent
ACCENTS: Final = (
    "#2457a6",
    "#0f6b5c",
    "#6a3fa0",
    "#a33a1f",
    "#1f6f2e",
    "#9a2a5c",
    "#3d4f63",
    "#7a5200",
)
"""The colours of buttons and marks on a light ground."""

DARK_ACCENTS: Final = (
    "#8ab4f8",
    "#6fd3c0",
    "#c5a3ff",
    "#ffab8a",
    "#8fd694",
    "#f79bc4",
    "#a9bdd4",
    "#f2c76e",
)
"""The same on a dark ground."""

_CORNERS: Final = 4
_SPACINGS: Final = 3


class Look(msgspec.Struct, frozen=True):
    """
    Hold what a page looks like.

    ``accent`` counts ACCENTS; ``corner`` (0 to 3) and ``spacing`` (0 to 2) count steps, from
    square and close to round and roomy.
    """

    theme: str
    layout: str
    accent: int
    corner: int
    spacing: int


def choose_look(
    form: Form, rendering: Rendering, themes: tuple[str, ...], layouts: tuple[str, ...]
) -> Look:
    """
    Return the look that a rendering asks for; its seed moves colour, corners and gaps.

    Raises UnknownNameError for a theme or layout that there is not.
    """
    source = random_source(rendering.seed, rendering.renderer, form.id)
    return Look(
        theme=_one_of(themes, rendering.theme, f"theme of '{rendering.renderer}'"),
        layout=_one_of(layouts, rendering.layout, f"layout of '{rendering.renderer}'"),
        accent=source.randrange(len(ACCENTS)),
        corner=source.randrange(_CORNERS),
        spacing=source.randrange(_SPACINGS),
    )


@functools.cache
def templates() -> Environment:
    """Return the templates of all renderers; what they write is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _one_of(known: tuple[str, ...], name: str, what: str) -> str:
    if name and name not in known:
        raise UnknownNameError(
            f"a known {what}", found=f"'{name}'", remedy=suggest(name, list(known))
        )
    return name or known[0]
