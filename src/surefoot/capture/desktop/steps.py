"""
Recipes: a program, its files, and the steps that bring it to the state to be captured.

A recipe is a TOML file of its own::

    command = "mousepad notes.txt"
    page = "mousepad/file-menu"

    [files]
    "notes.txt" = "Milk, bread"

    [[steps]]
    do = "click"
    role = "menuitem"
    name = "File"
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final, Literal

import msgspec

from surefoot.capture.desktop.session import Session
from surefoot.core.errors import CaptureError, InvalidInputError, plain_words
from surefoot.core.screen import Element

MOST_STEPS: Final = 50
BUTTONS: Final = {"click": "1", "right-click": "3"}
TYPING_MS: Final = "20"


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Say one thing to do.

    "click", "double-click", "right-click" and "wait-for" name an element by its role and
    its name, and by its number, counted from 1 in the tree, where there are several;
    "key" presses keys as xdotool spells them ("ctrl+f"), "type" types a text.
    """

    do: Literal["click", "double-click", "right-click", "key", "type", "wait-for"]
    role: str = ""
    name: str = ""
    number: int = 1
    keys: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        needed = {"key": self.keys, "type": self.text}.get(self.do, self.role or self.name)
        if not needed or self.number < 1:
            raise InvalidInputError(
                "a step with keys, a text, or the role or the name of an element",
                found=str(self),
            )


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Name a program with its arguments, and how to reach the state to be captured.

    ``page`` is the program and the state ("kcalc/settings-menu"), ``files`` are texts by
    their path in the program's home folder, where a path that ends in "/" is a folder.
    """

    command: str
    page: str
    steps: tuple[Step, ...] = ()
    files: dict[str, str] = {}

    def __post_init__(self) -> None:
        try:
            argv = shlex.split(self.command)
        except ValueError as error:
            raise InvalidInputError("a command line", found=f"'{self.command}'") from error
        if not argv or not self.page.strip() or len(self.steps) > MOST_STEPS:
            raise InvalidInputError(
                f"a command, a page and at most {MOST_STEPS} steps",
                found=f"'{self.command}', '{self.page}' and {len(self.steps)} steps",
            )
        for path in self.files:
            parts = PurePosixPath(path).parts
            if not parts or PurePosixPath(path).is_absolute() or ".." in parts:
                raise InvalidInputError("a path in the home folder", found=f"'{path}'")

    @property
    def argv(self) -> tuple[str, ...]:
        """Return the command as a list of arguments."""
        return tuple(shlex.split(self.command))

    @property
    def program(self) -> str:
        """Return the program's name without its folder."""
        return Path(self.argv[0]).name


def recipe_of_command(command: str) -> Recipe:
    """
    Return the recipe of a command without steps; its page is the command without folders.

    Raises InvalidInputError for a command that a shell could not split.

    >>> recipe_of_command("mousepad /usr/share/common-licenses/BSD").page
    'mousepad BSD'
    """
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise InvalidInputError("a command line", found=f"'{command}'") from error
    words = [Path(item).name or item for item in argv]
    return Recipe(command, " ".join(words))


def load_recipe(text: bytes, name: str) -> Recipe:
    """Read a recipe; raises InvalidInputError where it is none."""
    try:
        return msgspec.toml.decode(text, type=Recipe)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(
            "a recipe as docs/desktop.md describes it", found=f"{name}: {plain_words(error)}"
        ) from error


def find_element(elements: Sequence[Element], step: Step) -> Element | None:
    """
    Return the element that a step names, None where there is none.

    >>> from surefoot.core.geometry import Box
    >>> menu = Element("n0", "menuitem", Box(0, 0, 9, 9), name="File", visible_fraction=1.0)
    >>> find_element([menu], Step("click", role="menuitem", name="File")) is menu
    True
    """
    fitting = [
        element
        for element in elements
        if element.visible_fraction > 0
        and step.role in {"", element.role}
        and step.name in {"", element.name, element.text}
    ]
    return fitting[step.number - 1] if len(fitting) >= step.number else None


def do_step(session: Session, step: Step, elements: Sequence[Element]) -> None:
    """Do one step on what is there; raises CaptureError where its element is not."""
    if step.do == "key":
        session.xdotool("key", "--clearmodifiers", *step.keys.split())
        return
    if step.do == "type":
        session.xdotool("type", "--delay", TYPING_MS, step.text)
        return
    found = find_element(elements, step)
    if found is None:
        raise CaptureError(
            "step-failed",
            expected=f"{step.role or 'an element'} '{step.name}' to {step.do}",
            found=f"{len(elements)} elements without it",
        )
    if step.do == "wait-for":
        return
    center = found.box.center
    session.xdotool("mousemove", str(round(center.x)), str(round(center.y)))
    times = ("--repeat", "2", "--delay", "80") if step.do == "double-click" else ()
    session.xdotool("click", *times, BUTTONS.get(step.do, "1"))


def paths_named(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the absolute paths of files that a command names."""
    return tuple(item for item in argv if item.startswith("/") and Path(item).exists())
