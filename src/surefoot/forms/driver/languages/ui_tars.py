"""
UI-TARS: "Action: click(start_box='(x,y)')", with thoughts before it or none.

The action space is that of UI-TARS-1.5 on computers, whose points come as a box, with or
without box tokens, or as a point element; files, pages and handing in are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Unparsed
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
from surefoot.forms.driver.calls import Argument, Call, quoted, read_calls, spelled
from surefoot.forms.driver.language import ActionLanguage
from surefoot.forms.driver.tools import SCROLLED, WAYS, key_name

Named: TypeAlias = Mapping[str, Argument]

PAUSE: Final = 5.0
THOUGHT: Final = re.compile(r"[^\w\n]{0,9}Thought\s{0,9}[:\uff1a]", re.IGNORECASE)
ACTION: Final = re.compile(r"[^\w\n]{0,9}Action\s{0,9}[:\uff1a][ \t]*", re.IGNORECASE)
# A text whose own apostrophes bear no backslash, on a line of its own.
TEXT: Final = re.compile(
    r"(?P<verb>type|finished|call_user)\(content=(?P<q>['\"])(?P<text>.*)(?P=q)\)"
)
BARE: Final = re.compile(r"(?<!\\)['\"]")
NUMBERS: Final = re.compile(r"-?\d{1,12}(?:\.\d{0,20})?(?:[eE]-?\d{1,3})?")
POINT: Final = 2
BOX: Final = 4


def read(reply: str) -> tuple[Action | Unparsed, ...]:
    r"""
    Return the actions of a reply, those behind "Action:" where it has that mark.

    >>> read("Thought: the name.\nAction: click(start_box='<|box_start|>(84,54)<|box_end|>')")
    (Click(x=84.0, y=54.0, button='left', count=1, content=''),)
    >>> read("Action: type(content='it's\\n')"), read("Action: hotkey(key='ctrl a')")
    ((Type(text="it's\n"),), (Press(keys='Control+a'),))
    """
    found = read_calls(_behind_mark(reply), NAMES)
    return tuple(_action(item) if isinstance(item, Call) else item for item in found)


def write(action: Action) -> str:
    """
    Return an action as a call.

    >>> write(Click(10, 20)), write(Press("Control+a"))
    ("click(start_box='(10,20)')", 'hotkey(key="Control a")')
    """
    match action:
        case Click(x, y, button, count, content):
            name = {("left", 2): "left_double", ("right", 1): "right_single"}.get((button, count))
            more = "" if name or (button, count) == ("left", 1) else f", button={quoted(button)}"
            more += f", count={count}" if more else ""
            more += f", content={quoted(content)}" if content else ""
            return f"{name or 'click'}(start_box={_box(x, y)}{more})"
        case Type(text):
            return f"type(content={quoted(text)})"
        case Press(keys):
            return f"hotkey(key={quoted(' '.join(key_names(keys)))})"
        case Scroll(dx, dy, x, y):
            place = "" if x is None or y is None else f"start_box={_box(x, y)}, "
            return f"scroll({place}dx={spelled(dx)}, dy={spelled(dy)})"
        case Upload(x, y, file):
            return f"upload(start_box={_box(x, y)}, file={quoted(file)})"
        case NextPage():
            return "next_page()"
        case Submit():
            return "submit_form()"
        case Finish(message):
            return f"finished(content={quoted(message)})"
        case _:
            return _moving(action)


def _moving(action: Move | MouseDown | MouseUp | Drag | KeyDown | KeyUp | Wait) -> str:
    match action:
        case Move(x, y):
            return f"hover(start_box={_box(x, y)})"
        case MouseDown(x, y, button) | MouseUp(x, y, button):
            name = "mouse_down" if isinstance(action, MouseDown) else "mouse_up"
            return f"{name}(start_box={_box(x, y)}, button={quoted(button)})"
        case Drag(x, y, to_x, to_y):
            return f"drag(start_box={_box(x, y)}, end_box={_box(to_x, to_y)})"
        case KeyDown(key) | KeyUp(key):
            return f"{'press' if isinstance(action, KeyDown) else 'release'}(key={quoted(key)})"
        case Wait(seconds):
            return f"wait(seconds={spelled(seconds)})"


def _box(x: float, y: float) -> str:
    return f"'({spelled(x)},{spelled(y)})'"


def _behind_mark(reply: str) -> str:
    """Blank out the thoughts before each "Action:", so that lines keep their numbers."""
    marked = any(ACTION.match(line) for line in reply.splitlines())
    kept, reading = [], not marked
    for line in reply.split("\n"):
        rest = line
        if THOUGHT.match(line):
            reading = not marked
        elif mark := ACTION.match(line):
            reading, rest = True, line[mark.end() :]
        kept.append(_quoted_again(rest) if reading else "")
    return "\n".join(kept)


def _quoted_again(line: str) -> str:
    """Put a backslash before the quotes within a text that holds bare ones."""
    found = TEXT.fullmatch(line.strip().strip("`").rstrip(";. "))
    if found is None or not BARE.search(found["text"]):
        return line
    text = BARE.sub(lambda quote: "\\" + quote[0], found["text"])
    return f"{found['verb']}(content={found['q']}{text}{found['q']})"


def _action(found: Call) -> Action | Unparsed:
    usual = _USUAL.get(found.name, ("start_box", "end_box"))
    given = {**dict(zip(usual, found.positional, strict=False)), **found.named}
    try:
        return _BUILD[found.name](given)
    except InvalidInputError as error:
        return Unparsed(f"line {found.line}: {error}")


def _point(given: Named, *names: str) -> tuple[float, float]:
    """Return a point, or the centre of a box."""
    for name in names or ("start_box", "start_point", "point", "box"):
        value = given.get(name)
        if isinstance(value, str):
            numbers = [float(item) for item in NUMBERS.findall(value)]
            if len(numbers) == POINT:
                return numbers[0], numbers[1]
            if len(numbers) == BOX:
                return (numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2
            raise InvalidInputError("a point of two numbers", found=repr(value[:60]))
    raise InvalidInputError("a point", found="none")


def _text(given: Named, name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise InvalidInputError(f"a text as {name}", found=f"{value:g}")
    return value


def _keys(given: Named) -> str:
    """Read keys with spaces between, as the model writes them, or with plus signs."""
    said = _text(given, "key")
    names = said.split() if said.strip() else [said]
    if len(names) == 1 and len(names[0]) > 1:
        names = list(key_names(names[0]))
    return "+".join(map(key_name, names))


def _clicked(given: Named, button: Button, count: int) -> Click:
    chosen = _text(given, "button") or button
    often = given.get("count", float(count))
    times = int(often) if isinstance(often, float) and often.is_integer() else 0
    return Click(*_point(given), chosen, times, _text(given, "content"))  # type: ignore[arg-type]


def _scrolled(given: Named) -> Scroll:
    across, down = WAYS.get(_text(given, "direction").casefold(), (0, 0))
    far = [given.get("dx", SCROLLED * across), given.get("dy", SCROLLED * down)]
    if not all(isinstance(item, float) for item in far) or (
        "dx" not in given and not across + down
    ):
        raise InvalidInputError("a direction to scroll in", found=repr(dict(given))[:60])
    dx, dy = (float(item) for item in far)
    if any(name in given for name in ("start_box", "start_point", "point")):
        return Scroll(dx, dy, *_point(given))
    return Scroll(dx, dy)


def _waited(given: Named) -> Wait:
    seconds = given.get("seconds", PAUSE)
    if isinstance(seconds, str):
        raise InvalidInputError("seconds to wait", found=repr(seconds[:20]))
    return Wait(seconds)


def _held(action: type[MouseDown | MouseUp]) -> Callable[[Named], Action]:
    return lambda given: action(*_point(given), _text(given, "button") or "left")  # type: ignore[arg-type]


def _dragged(given: Named) -> Drag:
    return Drag(*_point(given), *_point(given, "end_box", "end_point"))


_USUAL: Final = {
    **dict.fromkeys(("type", "finished", "call_user"), ("content",)),
    **dict.fromkeys(("hotkey", "press", "release", "keydown", "keyup"), ("key",)),
    "wait": ("seconds",),
    "upload": ("start_box", "file"),
    "scroll": ("start_box", "direction"),
}
_BUILD: Final[Mapping[str, Callable[[Named], Action]]] = {
    **dict.fromkeys(
        ("click", "left_single", "left_click", "tap", "select"),
        lambda given: _clicked(given, "left", 1),
    ),
    **dict.fromkeys(("left_double", "double_click"), lambda given: _clicked(given, "left", 2)),
    **dict.fromkeys(("right_single", "right_click"), lambda given: _clicked(given, "right", 1)),
    "hover": lambda given: Move(*_point(given)),
    **dict.fromkeys(("drag", "select_text"), _dragged),
    "mouse_down": _held(MouseDown),
    "mouse_up": _held(MouseUp),
    "type": lambda given: Type(_text(given, "content")),
    "hotkey": lambda given: Press(_keys(given)),
    **dict.fromkeys(("press", "keydown"), lambda given: KeyDown(key_name(_text(given, "key")))),
    **dict.fromkeys(("release", "keyup"), lambda given: KeyUp(key_name(_text(given, "key")))),
    "scroll": _scrolled,
    "wait": _waited,
    "upload": lambda given: Upload(*_point(given), _text(given, "file")),
    "next_page": lambda _: NextPage(),
    "submit_form": lambda _: Submit(),
    **dict.fromkeys(("finished", "call_user"), lambda given: Finish(_text(given, "content"))),
}
NAMES: Final = frozenset(_BUILD)
UI_TARS: Final = ActionLanguage(
    name="ui-tars",
    version=1,
    summary="UI-TARS: Action: click(start_box='(x,y)'), type(content='text')",
    verbs=(),
    write=write,
    reads=read,
    manner="Write what you think, if anything, on a line that begins with Thought: and after it "
    "the calls, each on a line that begins with Action:",
    lines=(
        "click(start_box='(x,y)')",
        "left_double(start_box='(x,y)'): click twice",
        "right_single(start_box='(x,y)'): click the right button",
        "drag(start_box='(x1,y1)', end_box='(x2,y2)')",
        "type(content='text'): type where the focus is; \\n at its end presses Enter",
        "hotkey(key='ctrl a'): press keys",
        "scroll(start_box='(x,y)', direction='down'): or up, left, right",
        "wait(): wait for 5 seconds",
        "upload(start_box='(x,y)', file='name'): choose a file in the dialog that a click opens",
        "next_page(): go to the form's next page",
        "submit_form(): hand the form in",
        "finished(content='why'): stop without handing in",
    ),
)
