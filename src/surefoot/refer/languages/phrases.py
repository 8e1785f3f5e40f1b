"""
How a language says an expression: its words, and the order of whole parts.

A language is one table, which ``tables`` reads from its file.
Its templates take whole parts, so word order, articles, genders and cases are the table's own
business: a part is asked for in a case by the template's field ("{landmark:genitive}"), and an
adjective is looked up by the gender of its noun and the case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import (
    Action,
    Colour,
    Content,
    Direction,
    Function,
    Order,
    Place,
    Relation,
    Shape,
    Size,
    State,
)

# The first pair of which neither sign is in the text is used; a half of each opens, a half closes.
QUOTES: Final = ("''", '""', "\u201c\u201d", "\u00ab\u00bb", "``")
Part: TypeAlias = Literal[
    "article", "nth", "size", "state", "colour", "shape", "name", "content", "noun",
    "beginning", "icon", "ink", "outline", "text", "label", "function", "counting", "container",
    "region", "relation",
]  # fmt: skip
# A word by "gender", "case" or "gender case"; "" is the form for all that is not listed.
Forms: TypeAlias = Mapping[str, str]


class Noun(msgspec.Struct, frozen=True):
    """Hold a noun by its cases, its gender, and the noun to count with where it differs."""

    forms: Forms
    gender: str = ""
    counted: Forms = {}


class Language(msgspec.Struct, frozen=True):
    """
    Hold all words of one language, and its templates.

    ``parts`` is the order of the parts of a reference, which ``joiner`` joins; those that
    an expression does not have are left out. ``nouns`` are by role, the noun of an icon
    that is any control by "icon". ``from_start`` and ``from_end`` say a count in a gender
    and a case. Fields of templates: ``actions`` {target}, {value}; ``fronted`` {container},
    {said}, for a container that would part a reference from its landmark; ``name``,
    ``beginning``, ``label`` and ``functions`` {name}; ``text`` {text}; ``icon`` {icon}, of
    ``icons``; ``ink`` and ``outline`` {colour}, "" where it cannot be said; ``directions`` and
    ``nearest`` {landmark}; ``between`` {landmark}, {second}; ``containers`` {container},
    by the order that counts in it, "" for none; ``counting`` {row}, by the order and
    whether it counts from the start; any of them also ``agreeing`` words by their names, in
    the gender and the case of the noun.

    ``quotes`` are tried in turn. ``elided`` is the article before one of the letters
    ``elides``, joined to its word; ``bare`` stands before what has no noun. A part that
    begins with a comma follows without a joiner, and one that ends with a comma or a space
    loses it at the end of a sentence.
    """

    parts: tuple[Part, ...]
    joiner: str
    article: Forms
    nouns: Mapping[str, Noun]
    actions: Mapping[Action, str]
    fronted: str
    sizes: Mapping[Size, Forms]
    states: Mapping[State, Forms]
    colours: Mapping[Colour, Forms]
    shapes: Mapping[Shape, Forms]
    contents: Mapping[Content, Forms]
    name: str
    beginning: str
    text: str
    label: str
    functions: Mapping[Function, str]
    directions: Mapping[Direction, str]
    relations: Mapping[Relation, str]
    containers: Mapping[Order | Literal[""], str]
    places: Mapping[Place, Mapping[Literal["screen", "window"], str]]
    counting: Mapping[Order, tuple[str, str]]
    from_start: Callable[[int, str, str], str]
    from_end: Callable[[int, str, str], str]
    quotes: tuple[str, ...] = QUOTES
    agreeing: Mapping[str, Forms] = {}
    elided: Forms = {}
    elides: str = ""
    bare: Forms = {}
    icon: str = ""
    ink: str = ""
    outline: str = ""
    icons: Mapping[str, str] = {}

    def gap(self, before: str, after: str) -> str:
        """Return what stands between two parts: the joiner, or nothing."""
        elided = bool(self.elided) and before.endswith(tuple(self.elided.values()))
        return "" if not before or elided or after.startswith(",") else self.joiner

    def article_before(self, word: str, gender: str, case: str) -> str:
        """Return the article of a noun in a gender and a case, before a word."""
        elides = bool(word) and word[0].lower() in self.elides
        return form_of(self.elided if elides else self.article, gender, case)


def form_of(forms: Forms, gender: str = "", case: str = "") -> str:
    """
    Return a word's form for a gender and a case, else for one of them, else the plain one.

    >>> form_of({"": "rot", "f": "rote"}, "f", "dative")
    'rote'
    """
    keys = (f"{gender} {case}".strip(), gender, case, "")
    return next((forms[key] for key in keys if key in forms), "")


def filled(template: str, parts: Mapping[str, Callable[[str], str]]) -> str:
    """
    Fill a template's fields with parts, each said in the case that the field asks for.

    >>> filled("by {thing:dative}", {"thing": "[{}]".format})
    'by [dative]'
    """
    pieces = Formatter().parse(template)
    return "".join(
        literal + (parts[field](case or "") if field is not None else "")
        for literal, field, case, _ in pieces
    )


def agreeing(template: str, language: Language, gender: str, case: str) -> str:
    """Return a template with its agreeing words in a gender and a case."""
    for word, forms in language.agreeing.items():
        template = template.replace(f"{{{word}}}", form_of(forms, gender, case))
    return template


def quoted(text: str, quotes: tuple[str, ...] = QUOTES) -> str:
    r"""
    Put text into quotes that do not occur in it.

    Raises InvalidInputError where every kind of quotes occurs.

    >>> quoted("Save"), quoted("What's new"), quoted("Save", ("\u00ab  \u00bb",))
    ("'Save'", '"What\'s new"', '« Save »')
    """
    for pair in quotes:
        half = len(pair) // 2
        opening, closing = pair[:half], pair[half:]
        if opening.strip() not in text and closing.strip() not in text:
            return f"{opening}{text}{closing}"
    raise InvalidInputError("a text that some kind of quotes can hold", found=text)
