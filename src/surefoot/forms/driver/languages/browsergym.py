"""
BrowserGym's coordinate actions, with ``next_page`` and ``submit_form`` beside them.

Names and parameters follow browsergym-core 0.14, whose set "coord" and whose noop are here
whole; its actions on element ids, tabs and
addresses are no actions here, since an agent sees a picture of one form.
"""

from __future__ import annotations

from typing import Final

from surefoot.forms.driver.actions import (
    Action,
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
from surefoot.forms.driver.language import ActionLanguage, Parameter, Verb, call

X: Final = Parameter("x")
Y: Final = Parameter("y")
ACROSS: Final = Parameter("delta_x")
DOWN: Final = Parameter("delta_y")
BUTTON: Final = Parameter("button", "text", "left")
TEXT: Final = Parameter("text", "text")
KEY: Final = Parameter("key", "text")


def write(action: Action) -> str:
    """
    Return an action as a call.

    >>> write(Click(10, 20, count=2)), write(Type("a"))
    ('mouse_dblclick(10, 20)', 'keyboard_type("a")')
    """
    match action:
        case Click(x, y, button, count):
            name = "mouse_click" if count == 1 else "mouse_dblclick"
            written = call(name, x, y, *(() if button == "left" else (button,)))
        case Type(text):
            written = call("keyboard_type", text)
        case Press(keys):
            written = call("keyboard_press", keys)
        case Scroll(dx, dy, x, y):
            place = () if x is None or y is None else (x, y)
            written = call("scroll_at" if place else "scroll", *place, dx, dy)
        case Upload(x, y, file):
            written = call("mouse_upload_file", x, y, file)
        case Finish(message):
            written = call("report_infeasible", message)
        case NextPage():
            written = call("next_page")
        case Submit():
            written = call("submit_form")
        case _:
            written = _moved(action)
    return written


def _moved(action: Move | MouseDown | MouseUp | Drag | KeyDown | KeyUp | Wait) -> str:
    """Write what moves, holds or waits."""
    match action:
        case Move(x, y):
            written = call("mouse_move", x, y)
        case MouseDown(x, y, button) | MouseUp(x, y, button):
            name = "mouse_down" if isinstance(action, MouseDown) else "mouse_up"
            written = call(name, x, y, *(() if button == "left" else (button,)))
        case Drag(x, y, to_x, to_y):
            written = call("mouse_drag_and_drop", x, y, to_x, to_y)
        case KeyDown(key):
            written = call("keyboard_down", key)
        case KeyUp(key):
            written = call("keyboard_up", key)
        case Wait(seconds):
            written = call("noop", 1000 * seconds)
    return written


BROWSERGYM: Final = ActionLanguage(
    name="browsergym",
    version=2,
    summary="BrowserGym's coordinate actions: mouse_click(x, y), keyboard_type(text)",
    verbs=(
        Verb("mouse_click", (X, Y, BUTTON), Click, "click at a point"),
        Verb(
            "mouse_dblclick",
            (X, Y, BUTTON),
            lambda x, y, button: Click(x, y, button, 2),
            "click twice at a point",
        ),
        Verb("mouse_move", (X, Y), Move, "move the pointer to a point"),
        Verb("mouse_down", (X, Y, BUTTON), MouseDown, "press a button down at a point"),
        Verb("mouse_up", (X, Y, BUTTON), MouseUp, "let it go at a point"),
        Verb(
            "mouse_drag_and_drop",
            tuple(map(Parameter, ("from_x", "from_y", "to_x", "to_y"))),
            Drag,
            "drag from a point to another",
        ),
        Verb("keyboard_down", (KEY,), KeyDown, "press a key down"),
        Verb("keyboard_up", (KEY,), KeyUp, "let it go"),
        Verb(
            "noop",
            (Parameter("wait_ms", default=1000.0),),
            lambda wait_ms: Wait(wait_ms / 1000),
            "wait so many milliseconds",
        ),
        Verb("keyboard_type", (TEXT,), Type, "type where the focus is"),
        Verb("keyboard_insert_text", (TEXT,), Type, "the same as keyboard_type here"),
        Verb("keyboard_press", (KEY,), Press, 'press keys, such as "Control+a"'),
        Verb("scroll", (ACROSS, DOWN), Scroll, "turn the wheel by pixels"),
        Verb(
            "scroll_at",
            (X, Y, ACROSS, DOWN),
            lambda x, y, dx, dy: Scroll(dx, dy, x, y),
            "turn the wheel over a point",
        ),
        Verb(
            "mouse_upload_file",
            (X, Y, Parameter("file", "text")),
            Upload,
            "click at a point, and choose a file in the dialog that opens",
        ),
        Verb("next_page", (), NextPage, "go to the form's next page"),
        Verb("submit_form", (), Submit, "hand the form in"),
        Verb("report_infeasible", (Parameter("reason", "text"),), Finish, "stop, and say why"),
        Verb("send_msg_to_user", (TEXT,), Finish, "stop, with a message"),
    ),
    write=write,
)
