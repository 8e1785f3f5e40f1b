"""
What a person is asked to do, with the logical form that proves it.

What each part of an expression means is defined in ``docs/expressions.md``.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

Action = Literal["click", "type", "select"]
Direction = Literal["above", "below", "left of", "right of"]
Relation = Literal["", "nearest", "between"]
# The eleven basic colour terms of Berlin and Kay.
Colour = Literal[
    "", "black", "white", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink",
    "brown",
]  # fmt: skip
Shape = Literal["", "square", "round", "wide", "tall"]
Size = Literal["", "largest", "smallest"]
Content = Literal["", "icon", "text"]
State = Literal[
    "", "checked", "unchecked", "selected", "pressed", "expanded", "collapsed", "empty"
]
Function = Literal[
    "", "turn on", "turn off", "enter", "choose", "open", "go to", "show", "adjust", "close",
    "search",
]  # fmt: skip
Order = Literal["list", "row", "column", "grid"]
Place = Literal[
    "top", "bottom", "left", "right", "center", "top left", "top right", "bottom left",
    "bottom right",
]  # fmt: skip
InstructionKind = Literal[
    "direct", "relational", "visual", "ordinal", "region", "nearest", "between", "container",
    "label", "functional", "combined", "content", "given",
]  # fmt: skip
Specificity = Literal["high", "medium", "low"]
Identifiers = Literal["name", "name and look", "look alone", "look and place", "place alone"]


class Ordinal(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """
    Count: the element is the so-manieth of its equals, in an order.

    ``position`` counts from 1; a negative one counts from the end, -1 the last. Only in the
    order "grid", where ``position`` counts along the row, is ``row`` given: it counts the
    rows, in the same way.
    """

    position: int
    order: Order
    row: int = 0


class Region(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Name a part of the picture, or of the window that holds the element."""

    place: Place
    of: Literal["screen", "window"] = "screen"


class Expression(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """
    State the logical form of a referring expression; every part that is given must hold.

    ``role`` is an ARIA role, or "control" for anything that can be acted on; of a
    container also "section", which a heading names. ``name`` may be a beginning of the
    accessible name where ``name_cut`` is true. ``ink`` is the colour of its words,
    ``outline`` that of the line around it, ``icon`` what a picture in it shows
    (``refer/scene/icons.tsv``). ``landmark`` is an expression of its own,
    and stands with a ``direction`` (directly there) or with a ``relation`` to it;
    "between" takes a ``second`` landmark. ``container`` holds the element, and an
    ``ordinal`` counts in it. Of ``direction``, ``relation`` "nearest", ``size`` and
    ``ordinal``, which rank those that all other parts fit, at most one is given.
    """

    role: str = ""
    name: str = ""
    name_cut: bool = False
    text: str = ""
    direction: Direction | None = None
    landmark: Expression | None = None
    relation: Relation = ""
    second: Expression | None = None
    colour: Colour = ""
    shape: Shape = ""
    size: Size = ""
    content: Content = ""
    ink: Colour = ""
    outline: Colour = ""
    icon: str = ""
    state: State = ""
    function: Function = ""
    label: str = ""
    container: Expression | None = None
    region: Region | None = None
    ordinal: Ordinal | None = None


# The parts that say how something looks; what is written in it does, too.
LOOKS: Final = ("colour", "shape", "size", "content", "icon", "ink", "outline", "state")


def shows_look(expression: Expression | None) -> bool:
    """
    Tell whether an expression says how something looks: the element, or a landmark beside it.

    >>> shows_look(Expression(direction="above", landmark=Expression(role="link", icon="bell")))
    True
    """
    if expression is None:
        return False
    item = expression
    own = any(getattr(item, look) for look in LOOKS) or bool(item.text and item.role)
    return own or shows_look(item.landmark) or shows_look(item.second)


def identifiers_of(expression: Expression) -> Identifiers:
    """
    Return what an expression identifies by (the seed paper's equation 1): looks, place, both.

    A name is whatever says what it is called or does; a role's word says how it looks.

    >>> identifiers_of(Expression(role="control", region=Region("top")))
    'place alone'
    """
    item, look = expression, shows_look(expression)
    if item.name or item.label or item.function:
        return "name and look" if look else "name"
    placed = any((item.landmark, item.container, item.region, item.ordinal))
    if not placed:
        return "look alone"
    return "look and place" if look or item.role != "control" else "place alone"


class Instruction(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """
    Pair the words with the expression that they realise and the target that satisfies it.

    ``value`` is what to type or select, "" for a click. ``name_visible`` is false where
    the words use a name that cannot be read in the picture. The kind "content" gives what
    stands in a hidden place, or would be entered there, and asks where; "given" is what a data
    set says in words of its own, with no expression to prove it. ``wording`` tells how the
    words were changed after they were realised ("spelling-keyboard", "synonym",
    "paraphrase", "writer", "judged", ...), "" where they were not. ``proof`` names who says that
    the words mean the target where no resolver proves it ("judge NAME"); the expression is empty
    then.
    """

    text: str
    language: str
    kind: InstructionKind
    specificity: Specificity
    expression: Expression
    target: str
    action: Action = "click"
    value: str = ""
    landmark: str = ""
    name_visible: bool = True
    wording: str = ""
    proof: str = ""
