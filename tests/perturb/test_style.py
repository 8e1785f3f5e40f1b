"""
Themes as edits: one sheet that names what it uses, then the contrast.
"""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from collections.abc import Callable

import pytest

from surefoot.core.edit import AddStyle, EnforceContrast
from surefoot.core.perturbation import PERTURBATIONS
from surefoot.core.screen import Screen
from surefoot.perturb.colour import contrast, parse_colour
from surefoot.perturb.style import (
    LEVELS,
    MINIMUM_CONTRAST,
    STYLE,
    THEMES,
    SurfaceName,
    ThemePalette,
    font_families,
    load_themes,
    written_on,
)

NAMES = [f"style-{theme}" for theme in THEMES]
PALETTES = [
    pytest.param(palette, id=f"{name}-{index}")
    for name, theme in load_themes().items()
    for index, palette in enumerate(theme.palettes)
]


def sheet(name: str, screen: Screen, seed: int, level: str = "") -> str:
    """Return the style sheet that a theme adds."""
    added, _ = PERTURBATIONS.get(name).edits(screen, seed, level)
    assert isinstance(added, AddStyle)
    return added.css


@pytest.mark.parametrize("name", NAMES)
def test_a_theme_is_a_sheet_followed_by_the_contrast(
    screen_of: Callable[..., Screen], name: str
) -> None:
    """The contrast of 4.5:1 is enforced after the theme has painted."""
    edits = PERTURBATIONS.get(name).edits(screen_of({}), 3)

    assert isinstance(edits[0], AddStyle)
    assert edits[1:] == (EnforceContrast(4.5),)


@pytest.mark.parametrize("name", NAMES)
def test_levels_add_rules_and_keep_what_was_drawn(
    screen_of: Callable[..., Screen], name: str
) -> None:
    """Each level's sheet begins with the whole sheet of the level before it."""
    sheets = [sheet(name, screen_of({}), 11, level) for level in LEVELS]

    for mild, strong in itertools.pairwise(sheets):
        assert strong.startswith(mild)
        assert len(strong) > len(mild)


@pytest.mark.parametrize("name", NAMES)
def test_every_property_that_is_read_is_set(screen_of: Callable[..., Screen], name: str) -> None:
    """A sheet defines each custom property that it uses."""
    css = sheet(name, screen_of({}), 5)
    read = set(re.findall(r"var\((--[\w-]+)\)", css))
    written = set(re.findall(r"^\s*(--[\w-]+):", css, flags=re.MULTILINE))

    assert read <= written


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_hides_or_moves_anything(screen_of: Callable[..., Screen], name: str) -> None:
    """No sheet sets display, visibility, position, opacity below 1, transforms or filters."""
    css = sheet(name, screen_of({}), 5)
    declared = set(re.findall(r"^\s*([a-z-]+):\s", css, flags=re.MULTILINE))
    forbidden = {"display", "visibility", "position", "transform", "filter", "float", "width"}

    assert not declared & (forbidden | {"height", "text-transform", "content", "z-index"})
    assert re.findall(r"^\s*opacity: (.*);", css, flags=re.MULTILINE) == ["1 !important"]


def test_all_themes_and_looks_are_drawn(screen_of: Callable[..., Screen]) -> None:
    """Over 400 seeds `style` draws the looks of all eight themes."""
    themes = {name: {sheet(name, screen_of({}), seed) for seed in range(60)} for name in NAMES}
    drawn = {sheet("style", screen_of({}), seed) for seed in range(400)}

    assert STYLE.default == "full"
    assert all(len(looks) > 3 for looks in themes.values())
    assert all(drawn & looks for looks in themes.values())


def lowest(palette: ThemePalette, ink: str, surface: SurfaceName) -> float:
    """Return the contrast of an ink on the worst colour that a surface can show."""
    return min(contrast(parse_colour(ink), backdrop) for backdrop in palette.backdrops(surface))


def test_the_eight_themes_of_the_paper_are_there() -> None:
    """The data holds exactly the themes that have a perturbation, each with a choice."""
    assert set(THEMES) == set(load_themes())
    assert len(THEMES) == 8
    assert all(len(theme.palettes) > 1 for theme in load_themes().values())
    assert all(len(theme.fonts) > 1 for theme in load_themes().values())


@pytest.mark.parametrize("palette", PALETTES)
def test_what_is_written_on_each_surface_can_be_read(palette: ThemePalette) -> None:
    """Text on every surface, on every stop of a gradient below it, has 4.5:1."""
    inks = written_on(palette)

    for surface in SurfaceName.__args__:  # type: ignore[attr-defined]
        assert lowest(palette, inks[surface], surface) >= MINIMUM_CONTRAST


@pytest.mark.parametrize("palette", PALETTES)
def test_links_and_hints_can_be_read_where_they_stand(palette: ThemePalette) -> None:
    """Links on page and panes, and placeholders in fields, have 4.5:1."""
    assert lowest(palette, palette.link, "page") >= MINIMUM_CONTRAST
    assert lowest(palette, palette.link, "surface") >= MINIMUM_CONTRAST
    assert lowest(palette, palette.hint, "field") >= MINIMUM_CONTRAST


@pytest.mark.parametrize("palette", PALETTES)
def test_every_colour_is_a_colour(palette: ThemePalette) -> None:
    """All fields that name colours parse, the gradient's stops are opaque."""
    named = {name: getattr(palette, name) for name in palette.__struct_fields__}
    for name in set(named) - {"image", "scheme"}:
        parse_colour(named[name])

    assert all(parse_colour(stop).alpha == 1.0 for stop in palette.image[1:])
    assert parse_colour(palette.page).alpha == 1.0


@pytest.mark.skipif(shutil.which("fc-match") is None, reason="fontconfig is not installed")
@pytest.mark.parametrize("family", [*font_families(), "JetBrains Mono"])
def test_every_font_is_installed(family: str) -> None:
    """fc-match finds each family itself, not a stand-in."""
    found = subprocess.run(
        ["fc-match", "--format", "%{family}", family], capture_output=True, text=True, check=True
    ).stdout

    assert family in re.split(r",\s*", found)
