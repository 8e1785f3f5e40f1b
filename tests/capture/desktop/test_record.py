"""
Real programs become screens whose boxes, names and states are those in the picture.
"""

from __future__ import annotations

import io

import pytest
from PIL import Image

from surefoot.capture.captured import Capture
from surefoot.capture.desktop.record import luminance, record
from surefoot.capture.desktop.spelling import Gray, find_words, lettering_of
from surefoot.capture.desktop.steps import recipe_of_command
from surefoot.capture.settings import Settings
from surefoot.capture.sources import list_addresses, record_still
from surefoot.core.geometry import Box
from surefoot.core.screen import Element
from surefoot.refer.generate.generate import direct, targets

pytestmark = pytest.mark.desktop


def captured(name: str, settings: Settings | None = None) -> Capture:
    """Capture one of the recipes that come along."""
    (address,) = list_addresses(f"desktop:demo/{name}")
    return record_still(address, settings or Settings())


def by_name(found: Capture, role: str) -> dict[str, Element]:
    """Return the elements of a role by their names."""
    return {element.name: element for element in found.screen.elements if element.role == role}


def test_calculator_of_qt() -> None:
    """Every digit of a Qt calculator is a button that a click reaches and a name spells."""
    found = captured("kcalc")
    buttons = by_name(found, "button")

    assert (found.screen.platform, found.screen.toolkit, found.screen.site) == (
        "desktop",
        "Qt5",
        "kcalc",
    )
    assert set("0123456789") <= set(buttons)
    assert all(buttons[digit].hit and buttons[digit].name_boxes for digit in "0123456789")
    assert buttons["7"].box.top == buttons["8"].box.top
    assert buttons["7"].box.right <= buttons["8"].box.left
    assert Image.open(io.BytesIO(found.png)).size == (1280, 800)


@pytest.mark.long
def test_open_menu_of_gtk() -> None:
    """The steps of a recipe open a menu, whose items lie above the editor that they cover."""
    found = captured("mousepad-file-menu")
    items = by_name(found, "menuitem")

    assert items["Save As..."].hit
    assert "disabled" in items["Save"].states
    assert items["Save As..."].parent == items["File"].id
    (editor,) = by_name(found, "textbox").values()
    assert editor.text == "Milk, bread"
    assert 0.5 < editor.visible_fraction < 1


@pytest.mark.long
def test_dialog_of_gtk() -> None:
    """A dialog's fields bear their labels, and instructions are found for its buttons."""
    found = captured("mousepad-replace")
    fields = by_name(found, "combobox")

    assert fields["Search for:"].name_from == "label"
    assert fields["Search for:"].name_boxes
    wanted = {target.name for target in targets(found.screen)}
    assert {"Help", "Close", "Match case"} <= wanted
    close = by_name(found, "button")["Close"]
    expression = direct(found.screen, close.id)
    assert getattr(expression, "name", "") == "Close"


def test_language_and_size_are_those_asked_for() -> None:
    """A program speaks the language of the settings and fills the screen of their size."""
    settings = Settings(width=800, height=500, locale="fr-FR")
    found = record(recipe_of_command("mousepad"), "desktop:mousepad", settings)
    (window,) = (element for element in found.screen.elements if element.role == "window")

    assert "Fichier" in by_name(found, "menuitem")
    assert by_name(found, "menuitem")["Fichier"].name_boxes
    assert window.box == Box(0, 0, 800, 500)
    assert Image.open(io.BytesIO(found.png)).size == (800, 500)


def test_two_captures_are_the_same() -> None:
    """Captured twice, a program gives the same elements and the same picture."""
    first, second = captured("galculator"), captured("galculator")

    assert first.screen == second.screen
    assert first.png == second.png


def misplaced(found: Capture, gray: Gray) -> list[str]:
    """Return the elements whose words are not in their boxes."""
    lettering = lettering_of(found.screen.toolkit, "en-US")
    return [
        element.name
        for element in found.screen.elements
        if element.name_from == "content"
        and element.name_boxes
        and find_words(gray, element.box, element.name, lettering) is None
        and not element.box.contains(Box.around(element.name_boxes).center)
    ]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "toolkit", "least"),
    [
        ("pcmanfm", "GTK2", 12),
        ("speedcrunch", "Qt5", 5),
        ("thunar-view-menu", "GTK3", 12),
        *(
            pytest.param(*program, marks=pytest.mark.long)
            for program in (
                ("calc", "VCL", 40),
                ("featherpad-edit-menu", "Qt5", 10),
                ("gedit", "GTK3", 3),
                ("lxterminal", "GTK3", 4),
                ("qalculate", "GTK3", 60),
                ("writer", "VCL", 50),
                ("xarchiver", "GTK3", 6),
            )
        ),
    ],
)
def test_programs_of_all_toolkits(name: str, toolkit: str, least: int) -> None:
    """Each program gives enough controls to ask for, and no words outside their boxes."""
    found = captured(name)

    assert found.screen.toolkit == toolkit
    assert len(targets(found.screen)) >= least
    assert misplaced(found, luminance(found.png)) == []
