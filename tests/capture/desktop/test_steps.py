"""
Recipes are read, checked and carried out on elements.
"""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.desktop.steps import (
    Recipe,
    Step,
    do_step,
    find_element,
    load_recipe,
    paths_named,
    recipe_of_command,
)
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element

SAVE = Element("n1", "button", Box(10, 20, 30, 40), name="Save", visible_fraction=1.0)
AGAIN = Element("n2", "button", Box(50, 20, 70, 40), name="Save", visible_fraction=1.0)
HIDDEN = Element("n0", "button", Box(0, 0, 1, 1), name="Save", visible_fraction=0.0)


class FakeSession:
    """Note what xdotool is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def xdotool(self, *arguments: str) -> str:
        """Note the arguments."""
        self.asked.append(arguments)
        return ""


def carried_out(step: Step) -> list[tuple[str, ...]]:
    """Return what a step asks of xdotool."""
    session: Any = FakeSession()
    do_step(session, step, [HIDDEN, SAVE, AGAIN])
    asked: list[tuple[str, ...]] = session.asked
    return asked


def test_recipe_is_read() -> None:
    """A recipe's command, page, files and steps come back as written."""
    text = b"""
    command = "mousepad 'my notes.txt'"
    page = "mousepad/menu"
    files = { "my notes.txt" = "Milk" }
    [[steps]]
    do = "click"
    role = "menuitem"
    name = "File"
    """

    recipe = load_recipe(text, "x.toml")

    assert recipe.argv == ("mousepad", "my notes.txt")
    assert recipe.program == "mousepad"
    assert recipe.steps == (Step("click", role="menuitem", name="File"),)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe",
        b"command = 3\npage = 'x'",
        b"command = 'a'\npage = ''",
        b"command = ''\npage = 'x'",
        b"command = \"a 'b\"\npage = 'x'",
        b"command = 'a'\npage = 'x'\nsteps = [{ do = 'dance' }]",
        b"command = 'a'\npage = 'x'\nsteps = [{ do = 'click' }]",
        b"command = 'a'\npage = 'x'\nsteps = [{ do = 'key' }]",
        b"command = 'a'\npage = 'x'\nsteps = [{ do = 'click', name = 'x', number = 0 }]",
        b"command = 'a'\npage = 'x'\nfiles = { '/etc/passwd' = '' }",
        b"command = 'a'\npage = 'x'\nfiles = { '../x' = '' }",
        b"command = 'a'\npage = 'x'\nextra = 1",
    ],
)
def test_malformed_recipes_are_refused(text: bytes) -> None:
    """Whatever is wrong with a recipe is the user's error, said in its words."""
    with pytest.raises(InvalidInputError):
        load_recipe(text, "x.toml")


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(text: bytes) -> None:
    """Arbitrary bytes are a recipe or the user's error."""
    with contextlib.suppress(InvalidInputError):
        assert isinstance(load_recipe(text, "x.toml"), Recipe)


@pytest.mark.parametrize("command", ["", "   ", "a 'b"])
def test_no_command_is_refused(command: str) -> None:
    """An empty command, or one that no shell could split, is refused."""
    with pytest.raises(InvalidInputError):
        recipe_of_command(command)


@pytest.mark.parametrize(
    ("step", "asked"),
    [
        (Step("click", name="Save"), [("mousemove", "20", "30"), ("click", "1")]),
        (Step("click", name="Save", number=2), [("mousemove", "60", "30"), ("click", "1")]),
        (Step("right-click", role="button"), [("mousemove", "20", "30"), ("click", "3")]),
        (Step("key", keys="ctrl+f F3"), [("key", "--clearmodifiers", "ctrl+f", "F3")]),
        (Step("type", text="a b"), [("type", "--delay", "20", "a b")]),
        (Step("wait-for", role="button"), []),
    ],
)
def test_steps_become_input(step: Step, asked: list[tuple[str, ...]]) -> None:
    """Each step moves, clicks and types as it says, on visible elements alone."""
    assert carried_out(step) == asked


def test_double_click_is_two_clicks() -> None:
    """A double click repeats the click."""
    assert carried_out(Step("double-click", name="Save"))[-1][:3] == ("click", "--repeat", "2")


def test_absent_element_fails_the_step() -> None:
    """A step on an element that is not there is the capture's failure."""
    with pytest.raises(CaptureError) as caught:
        carried_out(Step("click", name="Open"))

    assert caught.value.reason == "step-failed"
    assert find_element([HIDDEN], Step("click", name="Save")) is None


def test_paths_are_told_from_words() -> None:
    """Only absolute paths that exist are files that a command names."""
    assert paths_named(("cat", "/", "/no/such/file", "README.md")) == ("/",)
