"""
The paper's language: ``Click(x, y)`` and ``Type("text")``; the other verbs are ours.
"""

from __future__ import annotations

from typing import Final

from surefoot.forms.driver.actions import (
    Action,
    Button,
    Click,
    Finish,
    NextPage,
    Press,
    Scroll,
    Submit,
    Type,
    Upload,
)
from surefoot.forms.driver.language import ActionLanguage, Parameter, Verb, call

__all__ = ["PAPER", "write"]

X: Final = Parameter("x")
Y: Final = Parameter("y")
ACROSS: Final = Parameter("dx")
DOWN: Final = Parameter("dy")
TEXT: Final = Parameter("text", "text")
BUTTON: Final = Parameter("button", "text", "left")
COUNT: Final = Parameter("count", default=1.0)


def write(action: Action) -> str:
    """
    Return an action as a call.

    >>> write(Click(10, 20)), write(Type("a")), write(NextPage())
    ('Click(10, 20)', 'Type("a")', 'NextPage()')
    """
    match action:
        case Click(x, y, "left", 1):
            written = call("Click", x, y)
        case Click(x, y, button, count):
            written = call("Click", x, y, button, float(count))
        case Type(text):
            written = call("Type", text)
        case Press(keys):
            written = call("Press", keys)
        case Scroll(dx, dy, x, y):
            place = () if x is None or y is None else (x, y)
            written = call("ScrollAt" if place else "Scroll", *place, dx, dy)
        case Upload(x, y, file):
            written = call("Upload", x, y, file)
        case Finish(message):
            written = call("Finish", message)
        case NextPage() | Submit():
            written = call(type(action).__name__)
    return written


def _click(x: float, y: float, button: Button, count: float) -> Click:
    return Click(x, y, button, int(count) if count.is_integer() else 0)


PAPER: Final = ActionLanguage(
    name="paper",
    version=1,
    summary="Click(x, y) and Type(text), as FormFactory's paper writes them",
    verbs=(
        Verb("Click", (X, Y, BUTTON, COUNT), _click, "click at a point"),
        Verb("DoubleClick", (X, Y), lambda x, y: Click(x, y, count=2), "click twice"),
        Verb("RightClick", (X, Y), lambda x, y: Click(x, y, "right"), "click the right button"),
        Verb("Type", (TEXT,), Type, "type where the focus is"),
        Verb("Press", (Parameter("keys", "text"),), Press, 'press keys, such as "Control+a"'),
        Verb("Scroll", (ACROSS, DOWN), Scroll, "turn the wheel by pixels"),
        Verb(
            "ScrollAt",
            (X, Y, ACROSS, DOWN),
            lambda x, y, dx, dy: Scroll(dx, dy, x, y),
            "turn the wheel over a point",
        ),
        Verb(
            "Upload",
            (X, Y, Parameter("file", "text")),
            Upload,
            "click at a point, and choose a file in the dialog that opens",
        ),
        Verb("NextPage", (), NextPage, "go to the form's next page"),
        Verb("Submit", (), Submit, "hand the form in"),
        Verb("Finish", (Parameter("message", "text", ""),), Finish, "stop, without handing in"),
    ),
    write=write,
)
