"""
The paper's eight visual themes, as style sheets for pages that nobody prepared for them.

A theme is drawn in nested levels: its colours, then its fonts, its shapes, its spacing.
What a style sheet cannot know (a text on a picture, a colour set by the page where no
theme rule reaches) is mended by the contrast edit that follows each sheet.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from importlib.resources import files

from surefoot.core.edit import AddStyle, Edit, EnforceContrast
from surefoot.core.perturbation import Perturbation
from surefoot.core.screen import Screen
from surefoot.core.seeds import random_source
from surefoot.perturb.themes import MINIMUM_CONTRAST, Theme, ThemePalette, load_themes, written_on

__all__ = [
    "CYBERPUNK",
    "DARK_MODE",
    "GLASSMORPHISM",
    "LEVELS",
    "MODERN_MINIMAL",
    "NEOBRUTALISM",
    "NEUMORPHISM",
    "PASTEL_DREAM",
    "RETRO_VIBRANT",
    "STYLE",
    "THEMES",
    "draw_style",
    "draw_theme",
    "font_families",
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

_SHEETS = {"colours": "colours", "fonts": "fonts", "shapes": "shapes", "full": "spacing"}
_MONOSPACED = "Mono"
_SERIF = "Serif"


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


def _themed(theme: str, summary: str) -> Perturbation:
    return Perturbation(
        name=f"style-{theme}",
        version=1,
        summary=summary,
        levels=LEVELS,
        default="full",
        draw=functools.partial(draw_theme, theme),
    )


STYLE = Perturbation(
    name="style",
    version=1,
    summary="one of the eight themes, drawn by the seed",
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
