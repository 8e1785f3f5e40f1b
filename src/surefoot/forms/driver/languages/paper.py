"""
The paper's language: ``Click(x, y)`` and ``Type("text")``; the other verbs are ours.

The lines that its published prompts ask for are read too: ``[x,y] content`` clicks and types,
``[figure][x,y][click][content]`` clicks on what its content names. Either says of the click
what it is at, and so names a choice also where the click misses it.
"""

from __future__ import annotations

import re
from typing import Final

from surefoot.forms.driver.actions import (
    Action,
    Button,
    Click,
    Drag,
    Finish,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    NextPage,
    Press,
    Scroll,
    Submit,
    Type,
    Upload,
    Wait,
)
from surefoot.forms.driver.calls import quoted
from surefoot.forms.driver.language import ActionLanguage, Parameter, Verb, call

X: Final = Parameter("x")
Y: Final = Parameter("y")
ACROSS: Final = Parameter("dx")
DOWN: Final = Parameter("dy")
TEXT: Final = Parameter("text", "text")
BUTTON: Final = Parameter("button", "text", "left")
COUNT: Final = Parameter("count", default=1.0)
CONTENT: Final = Parameter("content", "text", "")
LINE: Final = re.compile(
    r"[ \t]*(?:[-*>][ \t]+|\d{1,3}[.):][ \t]+)?`?"
    r"(?:\[[^\[\]\n]{1,60}\][ \t]*(?=\[[^\[\]]*\][ \t]*\[))?"
    r"\[[ \t]*(?P<x>-?\d{1,9}(?:\.\d{0,9})?)[ \t]*,[ \t]*(?P<y>-?\d{1,9}(?:\.\d{0,9})?)[ \t]*\]"
    r"(?:[ \t]*\[(?P<verb>[A-Za-z_]{1,20})\][ \t]*(?:\[(?P<told>[^\n]*)\])?|(?P<content>[^\n]*?))"
    r"`?[ \t]*\r?"
)
CLICKING: Final = frozenset({"click", "select", "check", "tick", "choose"})
TYPING: Final = frozenset({"type", "fill", "input", "text", "write", "enter"})


def write(action: Action) -> str:
    """
    Return an action as a call.

    >>> write(Click(10, 20)), write(Type("a")), write(NextPage())
    ('Click(10, 20)', 'Type("a")', 'NextPage()')
    """
    match action:
        case Click(x, y, "left", 1, ""):
            written = call("Click", x, y)
        case Click(x, y, button, count, content):
            written = call("Click", x, y, button, float(count), *((content,) if content else ()))
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
        case _:
            written = _moved(action)
    return written


def _moved(action: Move | MouseDown | MouseUp | Drag | KeyDown | KeyUp | Wait) -> str:
    """Write what moves, holds or waits."""
    match action:
        case Move(x, y):
            written = call("Move", x, y)
        case MouseDown(x, y, button) | MouseUp(x, y, button):
            written = call(type(action).__name__, x, y, button)
        case Drag(x, y, to_x, to_y):
            written = call("Drag", x, y, to_x, to_y)
        case KeyDown(key) | KeyUp(key):
            written = call(type(action).__name__, key)
        case Wait(seconds):
            written = call("Wait", seconds)
    return written


def lines_as_calls(reply: str) -> str:
    """
    Write the lines of the paper's prompts as calls, and leave all others as they are.

    >>> lines_as_calls("[10, 20] Ann")
    'Click(10, 20, content="Ann"); Type("Ann")'
    >>> lines_as_calls("[A15_3][706,1409][click][Student Loans]")
    'Click(706, 1409, content="Student Loans")'
    """
    return "\n".join(map(_as_calls, reply.split("\n")))


def _as_calls(line: str) -> str:
    found = LINE.fullmatch(line)
    if found is None:
        return line
    content = (found["told"] if found["verb"] else found["content"]) or ""
    content = content.strip()
    verb = (found["verb"] or ("type" if content else "click")).strip().casefold()
    click = f"Click({found['x']}, {found['y']}"
    click += f", content={quoted(content)})" if content else ")"
    if verb in CLICKING:
        return click
    return f"{click}; Type({quoted(content)})" if verb in TYPING else f"{verb}()"


def _click(x: float, y: float, button: Button, count: float, content: str) -> Click:
    return Click(x, y, button, int(count) if count.is_integer() else 0, content)


PAPER: Final = ActionLanguage(
    name="paper",
    version=2,
    summary="Click(x, y) and Type(text), as FormFactory's paper writes them, or its lines",
    verbs=(
        Verb("Click", (X, Y, BUTTON, COUNT, CONTENT), _click, "click at a point"),
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
        Verb("Move", (X, Y), Move, "move the pointer to a point", told=False),
        Verb("MouseDown", (X, Y, BUTTON), MouseDown, "press a button down", told=False),
        Verb("MouseUp", (X, Y, BUTTON), MouseUp, "let it go", told=False),
        Verb("Drag", (X, Y, Parameter("to_x"), Parameter("to_y")), Drag, "drag", told=False),
        Verb("KeyDown", (Parameter("key", "text"),), KeyDown, "press a key down", told=False),
        Verb("KeyUp", (Parameter("key", "text"),), KeyUp, "let it go", told=False),
        Verb("Wait", (Parameter("seconds", default=1.0),), Wait, "wait", told=False),
        Verb("NextPage", (), NextPage, "go to the form's next page"),
        Verb("Submit", (), Submit, "hand the form in"),
        Verb("Finish", (Parameter("message", "text", ""),), Finish, "stop, without handing in"),
    ),
    write=write,
    prepare=lines_as_calls,
)
