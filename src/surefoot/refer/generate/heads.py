"""
What a target can be called before anything is said of where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final, get_args

import msgspec

from surefoot.core.instruction import Expression, Function, Shape, State
from surefoot.core.screen import TYPED_ROLES
from surefoot.refer.resolve.looks import colour_of, ink_of, outlines_of
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.wellformed import NAMELESS_FUNCTIONS
from surefoot.refer.scene.icons import icons_of
from surefoot.refer.scene.names import cut_name, key_of, sayable
from surefoot.refer.scene.scene import Scene

CONTROL: Final = "control"
# What people say that a control shows: nobody calls a menu item of words a "text menu item".
_CONTENTS: Final[dict[str, tuple[str, ...]]] = {
    "button": ("icon",), "link": ("icon", "text"), "menuitem": ("icon",), "tab": ("icon",),
}  # fmt: skip
# The states that can be seen in a picture, by role.
_SEEN: Final[dict[State, frozenset[str]]] = {
    "checked": frozenset({"checkbox", "radio", "switch"}),
    "unchecked": frozenset({"checkbox", "radio", "switch"}),
    "selected": frozenset({"tab"}),
    "pressed": frozenset({"button"}),
    "expanded": frozenset({"combobox"}),
    "empty": TYPED_ROLES,
}
# What is drawn as a frame around others, and as a blank one around none.
_FRAMES: Final = frozenset({"grid", "list", "listbox", "log", "table", "tree", "treegrid"})
# First words of names that give an order instead of naming something.
_ORDERS: Final = frozenset({
    "accept", "add", "agree", "apply", "ask", "back", "browse", "buy", "cancel", "change",
    "check", "choose", "clear", "click", "close", "contact", "continue", "copy", "create",
    "delete", "edit", "enter", "export", "filter", "find", "forgot", "get", "go", "hide",
    "import", "insert", "join", "keep", "learn", "load", "log", "login", "logout", "more",
    "new", "next", "no", "open", "paste", "pick", "please", "prev", "previous", "print",
    "read", "register", "remember", "remove", "reply", "reset", "return", "save", "search",
    "see", "select", "send", "set", "share", "show", "sign", "skip", "sort", "start", "submit",
    "subscribe", "switch", "toggle", "try", "turn", "type", "undo", "update", "upload", "use",
    "view", "visit", "write", "yes", "your",
})  # fmt: skip
# What is round spans its box as a square does, and nobody calls it one.
_SAID_SHAPES: Final[tuple[Shape, ...]] = ("round", "wide", "tall")
FILLED: Final = 0.5
# Thin lines of these are around everything.
_COMMON_LINES: Final = frozenset({"grey", "white"})
# Looks that are said of what is called by its name, too.
_BESIDE_NAMES: Final = ("state", "colour", "ink", "outline", "icon")


def heads(scene: Scene, target: int, *, hidden_names: bool = False) -> tuple[Expression, ...]:
    """
    Return what fits a target (by its place) strictly, without a place, whether alone or not.

    First its role, and "control"; then what it is called, what it does and whose field it
    is, where its name can be read (or ``hidden_names`` are asked for); then what it looks
    like and its state, alone and two of these together.
    """
    role = scene.elements[target].role
    plain = [Expression(role=role), Expression(role=CONTROL)]
    given = [
        *plain,
        *_named(scene, target, hidden_names=hidden_names),
        *_acting(scene, target),
        *_written(scene, target),
        *(expression for base in plain for expression in _looking(base, looks(scene, target))),
    ]
    return tuple(
        dict.fromkeys(
            expression for expression in given if fits(scene, expression, "strict")[target]
        )
    )


def looks(scene: Scene, target: int) -> dict[str, str]:
    """Return the parts that say what a target looks like, and its state."""
    role = scene.elements[target].role
    states = (state for state in _SEEN if role in _SEEN[state])
    found = {
        "state": _first(
            scene,
            target,
            "state",
            (state for state in states if state != "empty" or not _shows_blank_frame(scene)),
        ),
        "content": _first(scene, target, "content", _CONTENTS.get(role, ())),
        "colour": colour_of(scene, target),
        "shape": _first(scene, target, "shape", _SAID_SHAPES if _is_filled(scene, target) else ()),
        "icon": min(icons_of(scene, target), default=""),
        "ink": min(ink_of(scene, target), default=""),
        "outline": min(outlines_of(scene, target) - _COMMON_LINES, default=""),
    }
    return {part: value for part, value in found.items() if value}


def _is_filled(scene: Scene, target: int) -> bool:
    """Tell whether a target has a form to the eye: words alone have none."""
    figure = scene.figure(target)
    return figure is not None and figure.inked >= FILLED * figure.pixels


def _shows_blank_frame(scene: Scene) -> bool:
    """Tell whether a list or a table without anything in it looks like an empty field."""
    return any(
        element.role in _FRAMES
        and scene.glimpsed[place]
        and not any(scene.glimpsed[below] for below in scene.below(place))
        for place, element in enumerate(scene.elements)
    )


def _first(scene: Scene, target: int, part: str, values: Iterator[str] | tuple[str, ...]) -> str:
    role = scene.elements[target].role
    for value in values:
        parts: dict[str, Any] = {part: value}
        if fits(scene, Expression(role=role, **parts), "strict")[target]:
            return value
    return ""


def _looking(base: Expression, found: dict[str, str]) -> Iterator[Expression]:
    """Yield one look, and two; without a role only what has a noun of its own, an icon."""
    for parts in (*combinations(found.items(), 1), *combinations(found.items(), 2)):
        if {("content", "text"), "ink"} <= {*parts, *dict(parts)}:
            continue  # "text" twice
        if base.role != CONTROL or ("content", "icon") in parts:
            yield msgspec.structs.replace(base, **dict(parts))


def _named(scene: Scene, target: int, *, hidden_names: bool) -> Iterator[Expression]:
    role, name = scene.elements[target].role, scene.names[target]
    if not sayable(name) or not (hidden_names or scene.legibility(target).readable):
        return
    shown_name = cut_name(name)
    if shown_name and shown_name != name:
        yield Expression(role=role, name=shown_name, name_cut=True)
    if shown_name != name:
        return
    whole = Expression(role=role, name=name)
    called = [whole, Expression(role=role, label=name)]
    if _is_noun(role, name):
        called += [
            msgspec.structs.replace(whole, function=function)
            for function in get_args(Function)[1:]
            if function not in NAMELESS_FUNCTIONS
        ]
    yield from called
    for part, value in looks(scene, target).items():
        if part in _BESIDE_NAMES or value == "round":
            yield from (
                msgspec.structs.replace(expression, **{part: value}) for expression in called
            )


def _written(scene: Scene, target: int) -> Iterator[Expression]:
    """Yield what can be read in a control that is not what it is called."""
    role, shown = scene.elements[target].role, scene.texts[target]
    other = key_of(shown) != key_of(scene.names[target]) and cut_name(shown) == shown
    if sayable(shown) and other and scene.legibility(target, shown=True).readable:
        yield Expression(role=role, text=shown)


def _is_noun(role: str, name: str) -> bool:
    """Tell whether one may speak of going to, or entering, what a name says."""
    words = key_of(name).words
    return role != "searchbox" and name[-1] not in ":?!" and words[0] not in _ORDERS


def _acting(scene: Scene, target: int) -> Iterator[Expression]:
    role = scene.elements[target].role
    return (Expression(role=role, function=function) for function in sorted(NAMELESS_FUNCTIONS))
