"""
Calls of a computer tool as JSON in a model's reply: read into actions, and written.

The dialects differ in names alone, so one reader takes them all: Qwen's ``computer_use`` in
``<tool_call>`` marks, Anthropic's ``computer``, OpenAI's ``computer_call`` and Gemini's named
functions. Nothing is evaluated, and what is no action is counted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Unparsed
from surefoot.core.replies.thoughts import blank_thoughts
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
    key_names,
)

Given: TypeAlias = Mapping[str, Any]
Read: TypeAlias = Action | Unparsed

NOTCH: Final = 100.0  # pixels that a notch of a wheel scrolls by
SCROLLED: Final = 500.0  # pixels where only a direction is said
PAUSE: Final = 2.0  # seconds where none are said
MOST_ACTIONS: Final = 1000
SHOWN: Final = 60
WAYS: Final = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
KEYS: Final = {
    **dict.fromkeys(("ctrl", "control", "control_l", "control_r", "lctrl"), "Control"),
    **dict.fromkeys(("cmd", "command", "meta", "super", "super_l", "win", "windows"), "Meta"),
    **dict.fromkeys(("alt", "option", "alt_l"), "Alt"),
    **dict.fromkeys(("shift", "shift_l", "shift_r"), "Shift"),
    **dict.fromkeys(("enter", "return", "kp_enter"), "Enter"),
    **dict.fromkeys(("esc", "escape"), "Escape"),
    **dict.fromkeys(("backspace", "back_space"), "Backspace"),
    **dict.fromkeys(("del", "delete"), "Delete"),
    **dict.fromkeys(("pagedown", "page_down", "pgdn", "next"), "PageDown"),
    **dict.fromkeys(("pageup", "page_up", "pgup", "prior"), "PageUp"),
    **{f"{before}{way}": f"Arrow{way.title()}" for before in ("", "arrow") for way in WAYS},
    **{name.casefold(): name for name in ("Tab", "Home", "End", "Insert", "Space", "CapsLock")},
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
}


def key_name(name: str) -> str:
    """
    Return the browser's name of a key that a tool may call otherwise.

    >>> key_name("ctrl"), key_name("Return"), key_name("a"), key_name("Digit4")
    ('Control', 'Enter', 'a', 'Digit4')
    """
    return KEYS.get(name.strip().casefold() or name, name) if len(name) > 1 else name


def read_tools(reply: str) -> tuple[Read, ...]:
    """
    Return the actions of all JSON objects of a reply, in order; at most 1,000.

    >>> read_tools('{"action": "left_click", "coordinate": [640, 200]}')
    (Click(x=640.0, y=200.0, button='left', count=1, content=''),)
    >>> read_tools('{"type": "keypress", "keys": ["CTRL", "A"]}')
    (Press(keys='Control+a'),)
    """
    found: list[Read] = []
    for item in _objects(blank_thoughts(reply)):
        if isinstance(item, Unparsed):
            found.append(item)
        else:
            found += _actions(item)
        if len(found) > MOST_ACTIONS:
            return (*found[:MOST_ACTIONS], Unparsed(f"more than {MOST_ACTIONS} actions"))
    return tuple(found) or (Unparsed("no action in the reply"),)


def tool_arguments(action: Action) -> dict[str, object]:
    """
    Return the arguments of a tool for an action, which ``read_tools`` reads back.

    >>> tool_arguments(Type("a"))
    {'action': 'type', 'text': 'a'}
    """
    match action:
        case Click(x, y, button, count, content):
            name = {1: f"{button}_click", 2: "double_click", 3: "triple_click"}[count]
            given: dict[str, object] = {"action": name, "coordinate": [x, y]}
            given |= {"button": button} if count > 1 and button != "left" else {}
            return given | ({"content": content} if content else {})
        case Type(text):
            return {"action": "type", "text": text}
        case Press(keys):
            return {"action": "key", "keys": list(key_names(keys))}
        case Scroll(dx, dy, x, y):
            place = {} if x is None or y is None else {"coordinate": [x, y]}
            return {"action": "scroll", **place, "scroll_x": dx, "scroll_y": dy}
        case Upload(x, y, file):
            return {"action": "upload_file", "coordinate": [x, y], "file": file}
        case NextPage():
            return {"action": "next_page"}
        case Submit():
            return {"action": "submit_form"}
        case Finish(message):
            return {"action": "answer", "text": message}
        case _:
            return _moving(action)


def _moving(
    action: Move | MouseDown | MouseUp | Drag | KeyDown | KeyUp | Wait,
) -> dict[str, object]:
    match action:
        case Move(x, y):
            return {"action": "mouse_move", "coordinate": [x, y]}
        case MouseDown(x, y, button) | MouseUp(x, y, button):
            name = "mouse_down" if isinstance(action, MouseDown) else "mouse_up"
            return {"action": name, "coordinate": [x, y], "button": button}
        case Drag(x, y, to_x, to_y):
            ends = {"start_coordinate": [x, y], "coordinate": [to_x, to_y]}
            return {"action": "left_click_drag", **ends}
        case KeyDown(key) | KeyUp(key):
            name = "key_down" if isinstance(action, KeyDown) else "key_up"
            return {"action": name, "text": key}
        case Wait(seconds):
            return {"action": "wait", "time": seconds}


def _objects(text: str) -> Iterator[Given | Unparsed]:
    """Yield the outermost JSON objects of a text, in lists too, and what was to be one."""
    decoder = json.JSONDecoder()
    at, tries = text.find("{"), 0
    while at >= 0 and tries <= MOST_ACTIONS:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            mark = text.find("}", at)
            yield Unparsed(f"no JSON: {text[at : at + SHOWN]!r}")
            end = mark if mark > 0 else len(text)
        else:
            yield value
        at = text.find("{", end)


def _actions(item: Given) -> Iterator[Read]:
    try:
        given = _arguments(item)
        name = given.get("action", given.get("type", ""))
        build = _NAMED.get(str(name).strip().casefold())
        if build is None:
            yield Unparsed(f"{str(name)[:SHOWN]!r} is no action")
            return
        yield from list(build(given))
    except InvalidInputError as error:
        yield Unparsed(str(error))


def _arguments(item: Given) -> Given:
    """Take a call out of what a server or a dialect wraps it in."""
    for key in ("function", "action", "tool_call", "computer_call"):
        inner = item.get(key)
        if isinstance(inner, Mapping):
            return _arguments(inner)
    for key in ("arguments", "input", "args", "parameters"):
        inner = item.get(key)
        if isinstance(inner, str):
            try:
                inner = json.loads(inner)
            except (ValueError, RecursionError):
                inner = None
        if isinstance(inner, Mapping):
            named = "action" in inner or ("type" in inner and inner["type"] in _NAMED)
            return inner if named else {**inner, "action": item.get("name", "")}
    if "action" not in item and "name" in item:
        return {**item, "action": item["name"]}
    return item


def _number(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInputError(f"a number as {what}", found=repr(value)[:SHOWN])
    number = float(value) if abs(value) < 1e300 else math.inf  # noqa: PLR2004 - fits a float
    if not math.isfinite(number):
        raise InvalidInputError(f"a number as {what}", found=repr(value)[:SHOWN])
    return number


def _point(given: Given, *names: str) -> tuple[float, float]:
    """Return a point: [x, y], a box's centre, or x and y by themselves."""
    for name in names or ("coordinate", "coordinates", "point", "point_2d", "position"):
        value = given.get(name)
        if isinstance(value, Mapping):
            return _number(value.get("x"), "x"), _number(value.get("y"), "y")
        if isinstance(value, Sequence) and not isinstance(value, str):
            numbers = [_number(item, name) for item in value]
            if len(numbers) == 2:  # noqa: PLR2004 - a point
                return numbers[0], numbers[1]
            if len(numbers) == 4:  # noqa: PLR2004 - a box
                return (numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2
            raise InvalidInputError("a point of two numbers", found=f"{len(numbers)}")
    return _number(given.get("x"), "x"), _number(given.get("y"), "y")


def _has_point(given: Given) -> bool:
    return any(name in given for name in ("coordinate", "coordinates", "point", "x"))


def _text(given: Given, *names: str) -> str:
    for name in names:
        value = given.get(name)
        if isinstance(value, str):
            return _whole(value)
    raise InvalidInputError(f"a text as {names[0]}", found="none")


def _whole(text: str) -> str:
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise InvalidInputError("a text of whole letters", found="half a letter") from None


def _said(given: Given) -> str:
    """Return what a click is said to be at, where there is anything."""
    value = given.get("content", "")
    return _whole(value) if isinstance(value, str) else ""


def _button(given: Given, usual: str) -> Button:
    value = str(given.get("button", usual)).casefold()
    return {"wheel": "middle", "middle": "middle", "right": "right"}.get(value, "left")  # type: ignore[return-value]


def _clicks(button: str, count: int) -> Callable[[Given], list[Action]]:
    def build(given: Given) -> list[Action]:
        x, y = _point(given)
        return [Click(x, y, _button(given, button), count, _said(given))]

    return build


def _keys(given: Given) -> list[Action]:
    value = given.get("keys", given.get("text", given.get("key")))
    if isinstance(value, str):
        names = list(key_names(value))
    elif isinstance(value, Sequence) and all(isinstance(item, str) for item in value):
        names = list(value)
        if len(names) == 1 and len(names[0]) > 1:
            names = list(key_names(names[0]))
    else:
        raise InvalidInputError("keys", found=repr(value)[:SHOWN])
    named = list(map(key_name, names))
    if named != names and len(named[-1]) == 1:  # "CTRL", "A" means the key, not the letter
        named[-1] = named[-1].lower()
    return [Press("+".join(named))]


def _typed(given: Given) -> list[Action]:
    return [Type(_text(given, "text", "content", "value"))]


def _typed_at(given: Given) -> list[Action]:
    """Click, empty the field unless told otherwise, type, and press Enter where it is asked."""
    x, y = _point(given)
    clear = [Press("Control+a")] if given.get("clear_before_typing", True) else []
    after = [Press("Enter")] if given.get("press_enter", False) else []
    return [Click(x, y), *clear, *_typed(given), *after]


def _scrolled(given: Given) -> list[Action]:
    dx = dy = 0.0
    way = given.get("scroll_direction", given.get("direction"))
    if isinstance(way, str) and way.casefold() in WAYS:
        across, down = WAYS[way.casefold()]
        if "magnitude" in given:
            far = _number(given["magnitude"], "magnitude")
        elif "scroll_amount" in given:
            far = NOTCH * _number(given["scroll_amount"], "scroll_amount")
        else:
            far = SCROLLED
        dx, dy = far * across, far * down
    elif "pixels" in given:
        far = -_number(given["pixels"], "pixels")
        dx, dy = (far, 0.0) if given.get("action") == "hscroll" else (0.0, far)
    else:
        dx = _number(given.get("scroll_x", 0), "scroll_x")
        dy = _number(given.get("scroll_y", 0), "scroll_y")
    x, y = _point(given) if _has_point(given) else (None, None)
    return [Scroll(dx, dy, x, y)]


def _dragged(given: Given) -> list[Action]:
    path = given.get("path")
    if isinstance(path, Sequence) and not isinstance(path, str) and len(path) > 1:
        ends = {"first": path[0], "last": path[-1]}
        return [Drag(*_point(ends, "first"), *_point(ends, "last"))]
    if "destination_x" in given:
        there = {"x": given.get("destination_x"), "y": given.get("destination_y")}
        return [Drag(*_point(given), *_point(there))]
    if "start_coordinate" not in given:
        raise InvalidInputError("where the drag begins", found="only its end")
    return [Drag(*_point(given, "start_coordinate"), *_point(given))]


def _waited(given: Given) -> list[Action]:
    for name in ("time", "duration", "seconds"):
        if name in given:
            return [Wait(_number(given[name], name))]
    return [Wait(PAUSE)]


def _ended(given: Given) -> list[Action]:
    said = [given.get(name) for name in ("text", "content", "message", "status")]
    return [Finish(next((_whole(item) for item in said if isinstance(item, str)), ""))]


def _button_held(action: type[MouseDown | MouseUp]) -> Callable[[Given], list[Action]]:
    return lambda given: [action(*_point(given), _button(given, "left"))]


def _key_held(action: type[KeyDown | KeyUp]) -> Callable[[Given], list[Action]]:
    return lambda given: [action(key_name(_text(given, "text", "key")))]


_NAMED: Final[Mapping[str, Callable[[Given], list[Action]]]] = {
    **dict.fromkeys(("click", "left_click", "click_at", "tap", "left_single"), _clicks("left", 1)),
    **dict.fromkeys(("right_click", "right_single"), _clicks("right", 1)),
    "middle_click": _clicks("middle", 1),
    **dict.fromkeys(("double_click", "left_double"), _clicks("left", 2)),
    "triple_click": _clicks("left", 3),
    **dict.fromkeys(
        ("mouse_move", "move", "hover", "hover_at"), lambda given: [Move(*_point(given))]
    ),
    **dict.fromkeys(("left_click_drag", "drag", "drag_and_drop"), _dragged),
    **dict.fromkeys(("mouse_down", "left_mouse_down"), _button_held(MouseDown)),
    **dict.fromkeys(("mouse_up", "left_mouse_up"), _button_held(MouseUp)),
    **dict.fromkeys(("key", "keypress", "hold_key", "hotkey", "press", "key_combination"), _keys),
    "key_down": _key_held(KeyDown),
    "key_up": _key_held(KeyUp),
    **dict.fromkeys(("type", "write", "input_text"), _typed),
    "type_text_at": _typed_at,
    **dict.fromkeys(("scroll", "hscroll", "scroll_at", "scroll_document"), _scrolled),
    **dict.fromkeys(("wait", "sleep", "wait_5_seconds"), _waited),
    # To look once more is what the next turn brings anyway.
    **dict.fromkeys(("screenshot", "cursor_position", "zoom"), lambda _: [Wait(0.0)]),
    "upload_file": lambda given: [Upload(*_point(given), _text(given, "file", "text"))],
    "next_page": lambda _: [NextPage()],
    **dict.fromkeys(("submit_form", "submit"), lambda _: [Submit()]),
    **dict.fromkeys(("terminate", "answer", "finished", "done", "call_user"), _ended),
}
