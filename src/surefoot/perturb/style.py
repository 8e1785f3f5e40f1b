"""
The paper's eight visual themes, as style sheets for pages that nobody prepared for them.

A theme is drawn in nested levels: its colours, then its fonts, its shapes, its spacing.
What a style sheet cannot know (a text on a picture, a colour set by the page where no
theme rule reaches) is mended by the contrast edit that follows each sheet.

Palettes, fonts, shapes and spacing are data, in themes.toml.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Literal

import msgspec

from surefoot.core.edit import AddStyle, Edit, EnforceContrast
from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import Perturbation
from surefoot.core.screen import Screen
from surefoot.core.seeds import random_source
from surefoot.perturb.colour import Colour, contrast, parse_colour

MINIMUM_CONTRAST = 4.5  # WCAG 2.2, success criterion 1.4.3, for text of any size

SurfaceName = Literal[
    "page", "surface", "bar", "field", "primary", "secondary", "positive", "caution", "danger"
]
LEVELS = {"colours": 0.25, "fonts": 0.5, "shapes": 0.75, "full": 1.0}

THEMES = (
    "neobrutalism",
    "glassmorphism",
    "neumorphism",
    "modern-minimal",
    "retro-vibrant",
    "dark-mode",
    "pastel-dream",
    "cyberpunk",
)

# What is changed of a theme, up to each level; all of it goes without saying.
_CHANGED = {
    "colours": " (colours)",
    "fonts": " (colours, fonts)",
    "shapes": " (colours, fonts, shapes)",
    "full": "",
}
_SHEETS = {"colours": "colours", "fonts": "fonts", "shapes": "shapes", "full": "spacing"}
_MONOSPACED = "Mono"
_SERIF = "Serif"


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
        return tuple(own.over(colour) for colour in below)


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
    scores = [min(contrast(parse_colour(ink), backdrop) for backdrop in backdrops) for ink in inks]
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


def draw_style(screen: Screen, seed: int, level: str) -> tuple[Edit, ...]:
    """Draw one of the eight themes by the seed, then draw that theme."""
    theme = random_source(seed, "theme").choice(THEMES)
    return draw_theme(theme, screen, seed, level)


def draw_theme(theme: str, _screen: Screen, seed: int, level: str) -> tuple[Edit, ...]:
    """
    Draw a palette and a pair of fonts by the seed, the same at every level.

    >>> from surefoot.perturb.check import PROBE
    >>> sheet, contrast = draw_theme("dark-mode", PROBE, 1, "colours")
    >>> contrast
    EnforceContrast(minimum=4.5)
    """
    data = load_themes()[theme]
    random = random_source(seed, "look", theme)
    palette = random.choice(data.palettes)
    fonts = random.choice(data.fonts)
    properties = _properties(data, palette, fonts)
    css = _root_rule(properties) + "".join(map(_sheet, _sheets_up_to(level)))
    return AddStyle(css), EnforceContrast(MINIMUM_CONTRAST)


def font_families() -> tuple[str, ...]:
    """Return every font family that a theme may ask for, sorted."""
    pairs = [pair for theme in load_themes().values() for pair in theme.fonts]
    return tuple(sorted({family for pair in pairs for family in pair}))


def _sheets_up_to(level: str) -> Iterable[str]:
    labels = list(LEVELS)
    return [_SHEETS[label] for label in labels[: labels.index(level) + 1]]


@functools.cache
def _sheet(name: str) -> str:
    path = files("surefoot.perturb").joinpath("css", f"{name}.css")
    return path.read_text(encoding="utf-8")


def _properties(theme: Theme, palette: ThemePalette, fonts: tuple[str, str]) -> dict[str, str]:
    colours = {
        name: getattr(palette, name)
        for name in palette.__struct_fields__
        if name not in {"image", "scheme"}
    }
    inks = {f"on-{surface}": ink for surface, ink in written_on(palette).items()}
    gradient = f"linear-gradient({', '.join(palette.image)})" if palette.image else "none"
    heading, body = fonts
    return {
        **colours,
        **inks,
        "page-image": gradient,
        "scheme": palette.scheme,
        "stripe": "color-mix(in srgb, currentcolor 6%, transparent)",
        "heading-font": _stack(heading),
        "body-font": _stack(body),
        "heading-weight": theme.heading_weight,
        "control-weight": theme.control_weight,
        **theme.shapes,
        **theme.spacing,
    }


def _root_rule(properties: Mapping[str, str]) -> str:
    lines = (f"    --surefoot-{name}: {value};\n" for name, value in properties.items())
    return "@layer surefoot {\n  :root {\n" + "".join(lines) + "  }\n}\n"


def _stack(family: str) -> str:
    if _MONOSPACED in family:
        generic = "monospace"
    elif _SERIF in family:
        generic = "serif"
    else:
        generic = "sans-serif"
    return f'"{family}", {generic}'


def _titles(name: str) -> dict[str, str]:
    return {level: f"{name}{changed}" for level, changed in _CHANGED.items()}


def _themed(theme: str, summary: str) -> Perturbation:
    return Perturbation(
        name=f"style-{theme}",
        version=2,
        summary=summary,
        titles=_titles(f"{theme.replace('-', ' ')} theme"),
        levels=LEVELS,
        default="full",
        draw=functools.partial(draw_theme, theme),
    )


STYLE = Perturbation(
    name="style",
    version=2,
    summary="one of the eight themes, drawn by the seed",
    titles=_titles("theme"),
    levels=LEVELS,
    default="full",
    draw=draw_style,
)

NEOBRUTALISM = _themed("neobrutalism", "loud flat colours, thick black frames, hard shadows")
GLASSMORPHISM = _themed("glassmorphism", "translucent panes over a soft gradient")
NEUMORPHISM = _themed("neumorphism", "one soft colour, forms pressed out by light and shade")
MODERN_MINIMAL = _themed("modern-minimal", "white space, hairlines, one accent")
RETRO_VIBRANT = _themed("retro-vibrant", "warm colours, heavy headings, bevelled keys")
DARK_MODE = _themed("dark-mode", "light text on near-black")
PASTEL_DREAM = _themed("pastel-dream", "pale pinks, mints and lilacs, round and soft")
CYBERPUNK = _themed("cyberpunk", "neon lines that glow on black, cut corners, monospaced")
