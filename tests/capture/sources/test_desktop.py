"""
Specifications of desktop programs, and what determines their pixels.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.address import Address
from surefoot.capture.settings import Settings
from surefoot.capture.sources import is_still, list_addresses
from surefoot.capture.sources.desktop import DESKTOP, demo_recipes
from surefoot.core.errors import CaptureError, InvalidInputError

RECIPE = "command = 'mousepad'\npage = 'mousepad/empty'\n"


def test_demo_names_many_states_of_many_programs() -> None:
    """The demo has at least ten states of at least eight programs, each under its own page."""
    addresses = list_addresses("desktop:demo")

    assert len(addresses) >= 10
    assert len({address.site for address in addresses}) >= 8
    assert len({address.page for address in addresses}) == len(addresses)
    assert all(list_addresses(address.spec) == (address,) for address in addresses)
    assert all(map(is_still, addresses))


def test_command_is_an_address() -> None:
    """A command is one page, named without folders."""
    assert DESKTOP.addresses("mousepad /usr/share/doc/README") == (
        Address("desktop:mousepad /usr/share/doc/README", "mousepad README", "mousepad"),
    )


def test_recipe_file_is_an_address(tmp_path: Path) -> None:
    """A recipe of one's own is named by its file and takes its page from it."""
    file = tmp_path / "mine.toml"
    file.write_text(RECIPE, encoding="utf-8")

    (found,) = DESKTOP.addresses(str(file))

    assert (found.page, found.site) == ("mousepad/empty", "mousepad")


@pytest.mark.parametrize("rest", ["", "demo/nothing", "missing.toml", "x 'y"])
def test_what_names_nothing_is_refused(rest: str) -> None:
    """No command, an unknown recipe and a missing file are the user's mistakes."""
    with pytest.raises(InvalidInputError):
        DESKTOP.addresses(rest)


@pytest.mark.parametrize("settings", [Settings(scale=2.0), Settings(full_page=True)])
def test_desktops_do_not_scale_or_scroll(settings: Settings) -> None:
    """A scale or a full page that a desktop cannot give is refused before anything starts."""
    (address,) = DESKTOP.addresses("kcalc")

    with pytest.raises(CaptureError) as caught:
        DESKTOP.record(address, settings)
    assert caught.value.reason == "unsupported"


def test_recipe_decides_the_pixels(tmp_path: Path) -> None:
    """Another step in a recipe is another plan; the same recipe the same."""
    file = tmp_path / "mine.toml"
    file.write_text(RECIPE, encoding="utf-8")
    addresses = DESKTOP.addresses(str(file))
    before, again = DESKTOP.identity(addresses), DESKTOP.identity(addresses)
    file.write_text(RECIPE + "[[steps]]\ndo = 'key'\nkeys = 'F1'\n", encoding="utf-8")

    assert before == again
    changed = DESKTOP.identity(addresses).items() ^ before.items()
    assert {name for name, _ in changed} == {"recipe mousepad/empty"}


def test_programs_have_parts_of_their_own() -> None:
    """What determines the pixels of two programs is what determines those of each, joined."""
    one, other = (DESKTOP.addresses(name) for name in ("demo/kcalc", "demo/galculator"))

    both = DESKTOP.identity((*one, *other))

    assert both == DESKTOP.identity(one) | DESKTOP.identity(other)


def test_every_demo_recipe_is_sound() -> None:
    """Each recipe's page begins with a program's name and differs from the others."""
    recipes = demo_recipes()

    assert all("/" in recipe.page for recipe in recipes.values())
    assert all(recipe.argv for recipe in recipes.values())
