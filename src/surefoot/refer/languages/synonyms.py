"""
English words that people use for what the table of English has one word for.

Only words that mean the same to everybody: no word that could stand for two roles ("box",
"entry"), and none that points without a side ("next to", "near", "beside", "by").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from surefoot.core.instruction import Colour, Direction, Function, Place, Shape, Size, State
from surefoot.refer.languages.tables import ENGLISH

CLICKS: Final = ("click", "press", "tap", "choose", "hit", "push", "select", "pick", "activate")
_MORE_NOUNS: Final[Mapping[str, tuple[str, ...]]] = {
    "alertdialog": ("alert box",),
    "banner": ("page header", "top bar"),
    "checkbox": ("check box", "tick box", "tickbox"),
    "combobox": (
        "dropdown", "dropdown menu", "drop-down menu", "dropdown list", "drop-down list",
        "combo box", "combobox", "select box",
    ),
    "complementary": ("side bar",),
    "contentinfo": ("page footer",),
    "control": ("item", "element", "widget"),
    "dialog": ("dialog box", "dialogue", "popup", "pop-up"),
    "img": ("image",),
    "link": ("hyperlink",),
    "listbox": ("listbox",),
    "menubar": ("menubar",),
    "menuitem": ("menu entry", "menu option"),
    "navigation": ("navigation bar", "navigation menu", "nav bar"),
    "radio": ("radio", "radio option"),
    "searchbox": ("search box", "search bar", "search input"),
    "section": ("sections",),
    "spinbutton": ("number input", "spin button", "spin box"),
    "switch": ("toggle", "toggle switch"),
    "textbox": ("text field", "text box", "textbox", "input", "input field", "text input"),
    "toolbar": ("tool bar",),
}  # fmt: skip
NOUNS: Final[Mapping[str, str]] = {
    **{
        word: role
        for role, noun in ENGLISH.nouns.items()
        for word in (*noun.forms.values(), *noun.counted.values())
    },
    **{word: role for role, words in _MORE_NOUNS.items() for word in words},
}
_SIZES: Final[Mapping[str, Size]] = {
    "largest": "largest", "biggest": "largest", "smallest": "smallest", "tiniest": "smallest",
}  # fmt: skip
_STATES: Final[Mapping[str, State]] = {
    "checked": "checked", "ticked": "checked", "unchecked": "unchecked", "unticked": "unchecked",
    "selected": "selected", "pressed": "pressed", "expanded": "expanded",
    "collapsed": "collapsed", "empty": "empty", "blank": "empty",
}  # fmt: skip
_COLOURS: Final[Mapping[str, Colour]] = {
    "black": "black", "white": "white", "grey": "grey", "gray": "grey", "red": "red",
    "orange": "orange", "yellow": "yellow", "green": "green", "blue": "blue",
    "purple": "purple", "pink": "pink", "brown": "brown",
}  # fmt: skip
_SHAPES: Final[Mapping[str, Shape]] = {
    "square": "square",
    "round": "round",
    "wide": "wide",
    "tall": "tall",
}
# The part of an expression and its value, by the adjective.
ADJECTIVES: Final[Mapping[str, tuple[str, str]]] = {
    **{word: ("size", value) for word, value in _SIZES.items()},
    **{word: ("state", value) for word, value in _STATES.items()},
    **{word: ("colour", value) for word, value in _COLOURS.items()},
    **{word: ("shape", value) for word, value in _SHAPES.items()},
}
# Patterns of words; Q stands for what is quoted.
FUNCTIONS: Final[Mapping[Function, str]] = {
    "turn on": r"(?:that|which|to) (?:(?:turn|switch)s? Q on|(?:turn|switch)s? on Q|enables? Q"
    r"|(?:turn|switche)s Q on|(?:turn|switche)s on Q)",
    "turn off": r"(?:that|which|to) (?:(?:turn|switch)s? Q off|(?:turn|switch)s? off Q|disables? Q"
    r"|(?:turn|switche)s Q off|(?:turn|switche)s off Q)",
    "enter": r"(?:where you (?:can )?|to |for )(?:enter|type|fill in|entering|typing) Q",
    "choose": r"(?:where you (?:can )?|to |for )(?:choose|select|pick|choosing|selecting) Q",
    "open": r"(?:that|which|to) opens? Q",
    "go to": r"(?:that|which|to) (?:(?:goes|leads|go) to|takes? you to) Q",
    "show": r"(?:that|which|to) (?:shows?|displays?) Q",
    "adjust": r"(?:that|which|to|for) (?:adjusts?|adjusting|changes?|changing|sets?|setting) Q",
    "close": r"for closing|to close|that closes",
    "search": r"for searching|to search|that searches",
}
DIRECTIONS: Final[Mapping[Direction, str]] = {
    "above": r"above",
    "below": r"(?:below|beneath|underneath)",
    "left of": r"(?:(?:to|on) the left(?: side)? of|left of)",
    "right of": r"(?:(?:to|on) the right(?: side)? of|right of)",
}
PLACES: Final[Mapping[Place, str]] = {
    "top left": r"in the (?:top|upper)[ -]left(?:[ -]hand)?(?: corner)?",
    "top right": r"in the (?:top|upper)[ -]right(?:[ -]hand)?(?: corner)?",
    "bottom left": r"in the (?:bottom|lower)[ -]left(?:[ -]hand)?(?: corner)?",
    "bottom right": r"in the (?:bottom|lower)[ -]right(?:[ -]hand)?(?: corner)?",
    "top": r"at the (?:very )?top",
    "bottom": r"at the (?:very )?bottom",
    "left": r"(?:on|at) the left(?:[ -]hand)?(?: side)?",
    "right": r"(?:on|at) the right(?:[ -]hand)?(?: side)?",
    "center": r"in the (?:middle|center|centre)",
}
