"""
The eight themes as data: palettes, fonts, shapes and spacing read from themes.toml.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Literal

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.perturb.colour import Colour, contrast, parse_colour

__all__ = ["MINIMUM_CONTRAST", "Theme", "ThemePalette", "ink_on", "load_themes", "written_on"]

MINIMUM_CONTRAST = 4.5  # WCAG 2.2, success criterion 1.4.3, for text of any size

SurfaceName = Literal[
    "page", "surface", "bar", "field", "primary", "secondary", "positive", "caution", "danger"
]


class ThemePalette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Name the colours of one look, as #rrggbb or #rrggbbaa.

    ``image`` is a linear gradient over the page: its direction, then opaque stops.
    """

    page: str
    text: str
    surface: str
    bar: str
    field: str
    line: str
    edge: str
    primary: str
    secondary: str
    positive: str
    caution: str
    danger: str
    link: str
    hint: str
    image: tuple[str, ...] = ()
    scheme: Literal["light", "dark"] = "light"
    light: str = "#00000000"
    shade: str = "#00000000"
    glow: str = "#00000000"

    def backdrops(self, surface: SurfaceName) -> tuple[Colour, ...]:
        """Return the opaque colours that a surface can show, one for each stop below it."""
        stops = self.image[1:] or (self.page,)
        if surface == "page":
            return tuple(parse_colour(stop) for stop in stops)
        own = parse_colour(getattr(self, surface))
        below = [parse_colour(stop) for stop in stops]
        # A control lies on the page, or on a pane that lies on the page.
        pane = parse_colour(self.surface)
        below += [pane.over(stop) for stop in below]
        return tuple(own.over(each) for each in below)


class Theme(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """
    Hold one theme: palettes and (heading, body) font pairs to draw from, and its forms.

    ``shapes`` and ``spacing`` map names of the style sheets' custom properties to values.
    """

    heading_weight: str
    control_weight: str
    fonts: tuple[tuple[str, str], ...]
    palettes: tuple[ThemePalette, ...]
    shapes: Mapping[str, str]
    spacing: Mapping[str, str]


@functools.cache
def load_themes() -> dict[str, Theme]:
    """Read themes.toml; raises InvalidInputError where it is malformed."""
    text = files("surefoot.perturb").joinpath("themes.toml").read_text(encoding="utf-8")
    try:
        return msgspec.convert(tomllib.loads(text), dict[str, Theme])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InvalidInputError("themes.toml to hold themes", found=error) from error


def ink_on(palette: ThemePalette, surface: SurfaceName) -> str:
    """
    Return the colour to write in on a surface.

    It is the first of the palette's text, its page, black and white that reads on every
    colour the surface can show, else the best of them.

    >>> ink_on(load_themes()["dark-mode"].palettes[0], "page")
    '#e8e8e8'
    """
    inks = (palette.text, palette.page, "#000000", "#ffffff")
    backdrops = palette.backdrops(surface)
    scores = [min(contrast(parse_colour(ink), each) for each in backdrops) for ink in inks]
    for ink, score in zip(inks, scores, strict=True):
        if score >= MINIMUM_CONTRAST:
            return ink
    return inks[scores.index(max(scores))]


def written_on(palette: ThemePalette) -> dict[str, str]:
    """
    Return for each surface the colour that is written on it.

    >>> sorted(written_on(load_themes()["dark-mode"].palettes[0]))[:3]
    ['bar', 'caution', 'danger']
    """
    surfaces: tuple[SurfaceName, ...] = (
        "page",
        "surface",
        "bar",
        "field",
        "primary",
        "secondary",
        "positive",
        "caution",
        "danger",
    )
    return {surface: ink_on(palette, surface) for surface in surfaces}
