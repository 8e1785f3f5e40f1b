"""
The themes' data: colours that can be read, fonts that are installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from surefoot.perturb.colour import contrast, parse_colour
from surefoot.perturb.style import THEMES, font_families
from surefoot.perturb.themes import (
    MINIMUM_CONTRAST,
    SurfaceName,
    ThemePalette,
    load_themes,
    written_on,
)

PALETTES = [
    pytest.param(palette, id=f"{name}-{index}")
    for name, theme in load_themes().items()
    for index, palette in enumerate(theme.palettes)
]


def lowest(palette: ThemePalette, ink: str, surface: SurfaceName) -> float:
    """Return the contrast of an ink on the worst colour that a surface can show."""
    return min(contrast(parse_colour(ink), each) for each in palette.backdrops(surface))


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
