"""
Themes as edits: one sheet that names what it uses, then the contrast.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import pytest

from surefoot.core.edit import AddStyle, EnforceContrast
from surefoot.core.screen import Screen
from surefoot.perturb.style import LEVELS, STYLE, THEMES
from surefoot.perturb.variants import PERTURBATIONS

NAMES = [f"style-{theme}" for theme in THEMES]


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
