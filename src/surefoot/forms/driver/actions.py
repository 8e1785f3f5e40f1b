"""
What an agent may do to a form: point, drag, type, press, scroll, upload, turn the page, submit.
"""

from __future__ import annotations

import math
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError

Button: TypeAlias = Literal["left", "middle", "right"]
BUTTONS: Final = ("left", "middle", "right")
LONGEST_WAIT: Final = 30.0
MODIFIERS: Final = ("Alt", "Control", "ControlOrMeta", "Meta", "Shift")
KEYS: Final = frozenset(
    {
        *MODIFIERS,
        *(f"F{number}" for number in range(1, 13)),
        *(f"Digit{number}" for number in range(10)),
        *(f"Key{letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        *("ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp"),
        *("Backquote", "Backslash", "Backspace", "BracketLeft", "BracketRight", "CapsLock"),
        *("Comma", "Delete", "End", "Enter", "Equal", "Escape", "Home", "Insert", "Minus"),
        *("PageDown", "PageUp", "Period", "Quote", "Semicolon", "Slash", "Space", "Tab"),
    }
)


class Click(msgspec.Struct, frozen=True, omit_defaults=True, tag="click"):
    """
    Click at a point in pixels of the screenshot; ``count`` 2 is a double click, 3 a triple.

    ``content`` is what the agent says it clicks on, where its language has a place for that.
    """

    x: float
    y: float
    button: Button = "left"
    count: int = 1
    content: str = ""

    def __post_init__(self) -> None:
        _check_finite(self.x, self.y)
        if self.button not in BUTTONS or self.count not in {1, 2, 3}:
            raise InvalidInputError(
                f"one of the buttons {', '.join(BUTTONS)}, once to three times",
                found=f"{self.button[:20]!r}, {self.count} times",
            )


class Move(msgspec.Struct, frozen=True, tag="move"):
    """Move the pointer to a point, with whatever button is held down."""

    x: float
    y: float

    def __post_init__(self) -> None:
        _check_finite(self.x, self.y)


class MouseDown(msgspec.Struct, frozen=True, omit_defaults=True, tag="mouse-down"):
    """Press a button down at a point, and hold it."""

    x: float
    y: float
    button: Button = "left"

    def __post_init__(self) -> None:
        _check_finite(self.x, self.y)
        _check_button(self.button)


class MouseUp(msgspec.Struct, frozen=True, omit_defaults=True, tag="mouse-up"):
    """Let a button go at a point."""

    x: float
    y: float
    button: Button = "left"

    def __post_init__(self) -> None:
        _check_finite(self.x, self.y)
        _check_button(self.button)


class Drag(msgspec.Struct, frozen=True, tag="drag"):
    """Press the left button down at a point, and let it go at another."""

    x: float
    y: float
    to_x: float
    to_y: float

    def __post_init__(self) -> None:
        _check_finite(self.x, self.y, self.to_x, self.to_y)


class Type(msgspec.Struct, frozen=True, tag="type"):
    """Type a text where the focus is; a line break is the Enter key, a tab the Tab key."""

    text: str


class Press(msgspec.Struct, frozen=True, tag="press"):
    """
    Press one key or several at once, such as "Enter" or "Control+a".

    Names are those of the browser's KeyboardEvent, or a single character. Raises
    InvalidInputError for a name that no key bears.
    """

    keys: str

    def __post_init__(self) -> None:
        names = key_names(self.keys)
        wrong = [name for name in names if name not in KEYS and len(name) != 1]
        wrong += [name for name in names[:-1] if name not in MODIFIERS]
        if wrong or not names:
            raise InvalidInputError(
                "the name of a key, or modifiers and a key",
                found=repr(self.keys[:40]),
                remedy='write it like "Enter", "a" or "Control+a"',
            )


class KeyDown(msgspec.Struct, frozen=True, tag="key-down"):
    """Press one key down, and hold it until KeyUp or the end; names as in Press."""

    key: str

    def __post_init__(self) -> None:
        _check_key(self.key)


class KeyUp(msgspec.Struct, frozen=True, tag="key-up"):
    """Let one key go; names as in Press."""

    key: str

    def __post_init__(self) -> None:
        _check_key(self.key)


class Wait(msgspec.Struct, frozen=True, tag="wait"):
    """Do nothing for a while, half a minute at most."""

    seconds: float

    def __post_init__(self) -> None:
        if not 0 <= self.seconds <= LONGEST_WAIT:
            raise InvalidInputError(
                f"0 to {LONGEST_WAIT:g} seconds to wait", found=f"{self.seconds:g}"
            )


class Scroll(msgspec.Struct, frozen=True, omit_defaults=True, tag="scroll"):
    """
    Turn the wheel by pixels of the screenshot, positive to the right and down.

    ``x`` and ``y`` say where; without them the pointer stays where it is.
    """

    dx: float
    dy: float
    x: float | None = None
    y: float | None = None

    def __post_init__(self) -> None:
        _check_finite(self.dx, self.dy, self.x or 0.0, self.y or 0.0)
        if (self.x is None) != (self.y is None):
            raise InvalidInputError("both x and y, or neither", found=f"{self.x} and {self.y}")


class Upload(msgspec.Struct, frozen=True, tag="upload"):
    """Click at a point, and give the file chooser that opens a file of the run's folder."""

    x: float
    y: float
    file: str

    def __post_init__(self) -> None:
        _check_finite(self.x, self.y)


class NextPage(msgspec.Struct, frozen=True, tag="next-page"):
    """Press the page's button that leads on."""


class Submit(msgspec.Struct, frozen=True, tag="submit"):
    """Press the page's button that hands the form in."""


class Finish(msgspec.Struct, frozen=True, omit_defaults=True, tag="finish"):
    """End the episode without handing anything in; ``message`` says why."""

    message: str = ""


Action: TypeAlias = (
    Click
    | Move
    | MouseDown
    | MouseUp
    | Drag
    | Type
    | Press
    | KeyDown
    | KeyUp
    | Scroll
    | Upload
    | Wait
    | NextPage
    | Submit
    | Finish
)


def key_names(keys: str) -> tuple[str, ...]:
    """
    Split a combination at its plus signs; the last key may itself be a plus sign.

    >>> key_names("Control+Shift+a"), key_names("Control++"), key_names("+")
    (('Control', 'Shift', 'a'), ('Control', '+'), ('+',))
    """
    if keys.endswith("++"):
        return (*keys[:-2].split("+"), "+")
    return ("+",) if keys == "+" else tuple(keys.split("+"))


def _check_finite(*numbers: float) -> None:
    if not all(math.isfinite(number) for number in numbers):
        raise InvalidInputError("finite coordinates", found=str(numbers))


def _check_button(button: str) -> None:
    if button not in BUTTONS:
        raise InvalidInputError(
            f"one of the buttons {', '.join(BUTTONS)}", found=repr(button[:20])
        )


def _check_key(key: str) -> None:
    if key not in KEYS and len(key) != 1:
        raise InvalidInputError(
            "the name of one key", found=repr(key[:40]), remedy='write it like "Enter" or "Shift"'
        )
