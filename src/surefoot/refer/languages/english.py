"""
English: its words and its templates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from surefoot.refer.languages.phrases import Language, Noun

__all__ = ["ENGLISH", "in_digits", "nth"]

# The words for what can be acted on. A word stands for one role, so that it can be read back.
TARGETS: Final[Mapping[str, str]] = {
    "button": "button",
    "checkbox": "checkbox",
    "combobox": "drop-down",
    "link": "link",
    "menuitem": "menu item",
    "radio": "radio button",
    "searchbox": "search field",
    "slider": "slider",
    "spinbutton": "number field",
    "switch": "switch",
    "tab": "tab",
    "textbox": "field",
}
# Containers, and what else a landmark can be.
OTHERS: Final[Mapping[str, str]] = {
    "alert": "alert",
    "alertdialog": "alert dialog",
    "application": "application",
    "article": "article",
    "banner": "header",
    "cell": "cell",
    "columnheader": "column header",
    "complementary": "sidebar",
    "contentinfo": "footer",
    "dialog": "dialog",
    "document": "document",
    "feed": "feed",
    "figure": "figure",
    "form": "form",
    "grid": "grid",
    "gridcell": "grid cell",
    "group": "group",
    "heading": "heading",
    "icon": "icon",
    "img": "picture",
    "list": "list",
    "listbox": "list box",
    "listitem": "list item",
    "main": "main area",
    "menu": "menu",
    "menubar": "menu bar",
    "menuitemcheckbox": "checkable menu item",
    "menuitemradio": "menu item with a radio mark",
    "navigation": "navigation",
    "option": "option",
    "panel": "panel",
    "progressbar": "progress bar",
    "radiogroup": "radio group",
    "region": "region",
    "row": "row",
    "rowheader": "row header",
    "search": "search area",
    "section": "section",
    "status": "status",
    "statusbar": "status bar",
    "table": "table",
    "tablist": "tab list",
    "tabpanel": "tab panel",
    "term": "term",
    "text": "text",
    "toolbar": "toolbar",
    "tree": "tree",
    "treegrid": "tree grid",
    "treeitem": "tree item",
    "window": "window",
}
COUNTS: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth", "eleventh", "twelfth",
)  # fmt: skip
ENDINGS: Final[Mapping[int, str]] = {1: "st", 2: "nd", 3: "rd"}
TEENS: Final = (11, 12, 13)


def nth(count: int) -> str:
    """
    Return the word for a place in a count from 1.

    >>> nth(3), nth(12), nth(21), nth(113)
    ('third', 'twelfth', '21st', '113th')
    """
    return COUNTS[count - 1] if count <= len(COUNTS) else in_digits(count)


def in_digits(count: int) -> str:
    """
    Return the place in a count in digits.

    >>> in_digits(2), in_digits(11), in_digits(21)
    ('2nd', '11th', '21st')
    """
    ending = "th" if count % 100 in TEENS else ENDINGS.get(count % 10, "th")
    return f"{count}{ending}"


def _from_start(count: int, _gender: str, _case: str) -> str:
    return nth(count)


def _from_end(count: int, _gender: str, _case: str) -> str:
    return "last" if count == 1 else f"{nth(count)}-to-last"


def _nouns() -> dict[str, Noun]:
    nouns = {role: Noun({"": word}) for role, word in {**TARGETS, **OTHERS}.items()}
    return {**nouns, "control": Noun({"": "control"}, counted={"": "item"})}


ENGLISH: Final = Language(
    parts=(
        "article",
        "nth",
        "size",
        "state",
        "colour",
        "shape",
        "name",
        "content",
        "noun",
        "beginning",
        "text",
        "label",
        "function",
        "counting",
        "container",
        "region",
        "relation",
    ),
    joiner=" ",
    article={"": "the"},
    nouns=_nouns(),
    actions={
        "click": "click {target}",
        "type": "type {value} in {target}",
        "select": "select {value} in {target}",
    },
    fronted="in {container}, {said}",
    sizes={"largest": {"": "largest"}, "smallest": {"": "smallest"}},
    states={
        "checked": {"": "checked"},
        "unchecked": {"": "unchecked"},
        "selected": {"": "selected"},
        "pressed": {"": "pressed"},
        "expanded": {"": "expanded"},
        "collapsed": {"": "collapsed"},
        "empty": {"": "empty"},
    },
    colours={
        "black": {"": "black"},
        "white": {"": "white"},
        "grey": {"": "grey"},
        "red": {"": "red"},
        "orange": {"": "orange"},
        "yellow": {"": "yellow"},
        "green": {"": "green"},
        "blue": {"": "blue"},
        "purple": {"": "purple"},
        "pink": {"": "pink"},
        "brown": {"": "brown"},
    },
    shapes={"square": {"": "square"}, "wide": {"": "wide"}, "tall": {"": "tall"}},
    contents={"icon": {"": "icon"}, "text": {"": "text"}},
    name="{name}",
    beginning="that begins with {name}",
    text="with {text}",
    label="labelled {name}",
    functions={
        "turn on": "that turns {name} on",
        "turn off": "that turns {name} off",
        "enter": "where you enter {name}",
        "choose": "where you choose {name}",
        "open": "that opens {name}",
        "go to": "that goes to {name}",
        "show": "that shows {name}",
        "adjust": "that adjusts {name}",
        "close": "for closing",
        "search": "for searching",
    },
    directions={
        "above": "directly above {landmark}",
        "below": "directly below {landmark}",
        "left of": "directly to the left of {landmark}",
        "right of": "directly to the right of {landmark}",
    },
    relations={"nearest": "nearest to {landmark}", "between": "between {landmark} and {second}"},
    containers={
        "": "in {container}",
        "list": "in {container}",
        "row": "in {container}",
        "column": "in {container}",
        "grid": "of {container}",
    },
    places={
        "top": {"screen": "at the top of the screen", "window": "at the top of the window"},
        "bottom": {
            "screen": "at the bottom of the screen",
            "window": "at the bottom of the window",
        },
        "left": {
            "screen": "on the left side of the screen",
            "window": "on the left side of the window",
        },
        "right": {
            "screen": "on the right side of the screen",
            "window": "on the right side of the window",
        },
        "center": {
            "screen": "in the middle of the screen",
            "window": "in the middle of the window",
        },
        "top left": {
            "screen": "in the top left corner of the screen",
            "window": "in the top left corner of the window",
        },
        "top right": {
            "screen": "in the top right corner of the screen",
            "window": "in the top right corner of the window",
        },
        "bottom left": {
            "screen": "in the bottom left corner of the screen",
            "window": "in the bottom left corner of the window",
        },
        "bottom right": {
            "screen": "in the bottom right corner of the screen",
            "window": "in the bottom right corner of the window",
        },
    },
    counting={
        "list": ("", ""),
        "row": ("from the left", "from the right"),
        "column": ("from the top", "from the bottom"),
        "grid": ("in the {row} row", "in the {row} row"),
    },
    from_start=_from_start,
    from_end=_from_end,
)
