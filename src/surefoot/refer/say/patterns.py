"""
Every sentence pattern of a language with examples, for a native reader to check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle, islice, pairwise
from typing import Any, Final, TypeAlias, get_args

import msgspec

from surefoot.core.errors import UnknownNameError
from surefoot.core.instruction import (
    Action,
    Colour,
    Content,
    Expression,
    Function,
    Ordinal,
    Place,
    Region,
    Shape,
    Size,
    State,
)
from surefoot.refer.languages.phrases import Forms
from surefoot.refer.languages.tables import WRITTEN, codes
from surefoot.refer.resolve.wellformed import LABELLED
from surefoot.refer.say.realise import realise
from surefoot.refer.scene.roles import TARGETS

EXAMPLES: Final = 10
ROLES: Final = tuple(sorted(TARGETS))
Asked: TypeAlias = tuple[Expression, Action]


class SentencePattern(msgspec.Struct, frozen=True):
    """Hold the sentences that one way of pointing at a target makes."""

    name: str
    examples: tuple[str, ...]


class LanguagePatterns(msgspec.Struct, frozen=True):
    """Hold a language's patterns, and its words with the forms that they agree in."""

    language: str
    title: str
    patterns: tuple[SentencePattern, ...]
    words: dict[str, dict[str, Forms]]


def languages(language: str = "") -> tuple[LanguagePatterns, ...]:
    """
    Return the sentence patterns of a language, or of every one that instructions can be in.

    Raises UnknownNameError for a language without a table.

    >>> [found.title for found in languages("fr")]
    ['français']
    """
    return tuple(map(patterns_of, [language] if language else codes()))


def patterns_of(code: str) -> LanguagePatterns:
    """
    Return all sentence patterns of a language with ten examples each, or as many as differ.

    Raises UnknownNameError for a language without a table.

    >>> patterns_of("en").patterns[0].examples[0]
    "Click the 'Save' button"
    """
    written = WRITTEN.get(code)
    language = written.language
    names = example_names(code)
    found = tuple(
        SentencePattern(name, tuple(_examples(asked, code)))
        for name, asked in _asked(names).items()
    )
    nouns = {role: noun.forms for role, noun in language.nouns.items()}
    looks: Mapping[str, Mapping[Any, Forms]] = {
        "sizes": language.sizes,
        "states": language.states,
        "colours": language.colours,
        "shapes": language.shapes,
        "contents": language.contents,
        "agreeing": language.agreeing,
    }
    words = {"nouns": nouns, **{name: dict(forms) for name, forms in looks.items() if forms}}
    return LanguagePatterns(code, written.table.title, found, words)


def example_names(code: str) -> tuple[str, ...]:
    """
    Return names of controls as interfaces in a language have them, to make examples of.

    >>> example_names("en")[:2]
    ('Save', 'Delete')
    """
    return WRITTEN.get(code).table.names


def _examples(asked: Iterable[Asked], code: str) -> Iterator[str]:
    sentences: dict[str, None] = {}
    for expression, action in islice(asked, 6 * EXAMPLES):
        value = "" if action == "click" else "7"
        try:
            sentences.setdefault(realise(expression, action, value, language=code))
        except UnknownNameError:  # the table has no words for it
            continue
    yield from islice(sentences, EXAMPLES)


def _asked(names: tuple[str, ...]) -> dict[str, Iterator[Asked]]:
    """Return what is asked for by each pattern: over roles, names and values, without end."""
    roles = ("button", "link", "checkbox", "tab", "textbox", "menuitem", "combobox", "radio")

    def over(*parts: Iterable[Mapping[str, Any]], action: Action = "click") -> Iterator[Asked]:
        for given in zip(*map(cycle, map(list, parts)), strict=False):
            every = {key: value for part in given for key, value in part.items()}
            yield Expression(**every), action

    named = [{"name": name} for name in names]
    role = [{"role": item} for item in roles]
    marks = [
        Expression(role=item, name=name)
        for item, name in zip(roles[1:] + roles[:1], names, strict=False)
    ]
    marks.insert(1, Expression(text=names[2]))
    held = [
        {"container": Expression(role=item, name=name)}
        for item, name in zip(
            ("section", "toolbar", "dialog", "row", "form", "navigation", "table"),
            names,
            strict=False,
        )
    ]
    counted = [
        {"ordinal": Ordinal(position, order)}
        for position in (1, 2, 3, -1)
        for order in ("list", "row", "column")
    ] + [{"ordinal": Ordinal(2, "grid", 3)}]
    asked = {
        "direct": over(role, named),
        "name alone": over(named),
        "type": over([{"role": "textbox"}, {"role": "searchbox"}], named, action="type"),
        "select": over([{"role": "combobox"}], named, action="select"),
        "beginning of a name": over(role, [{**name, "name_cut": True} for name in named]),
        "text": over(role, [{"text": name} for name in names]),
        "label": over(
            [{"role": item} for item in ROLES if item in LABELLED],
            [{"label": name} for name in names],
        ),
        "container": over(role, held),
        "region": over(role, [
            {"region": Region(place, of)}
            for place in get_args(Place) for of in ("screen", "window")
        ]),
        "counting": over(role, counted),
        "counting in a container": over(role, counted, held),
        "between": over(
            role,
            [
                {"relation": "between", "landmark": expression, "second": other}
                for expression, other in pairwise(marks)
            ],
        ),
        "nearest": over(role, [{"relation": "nearest", "landmark": mark} for mark in marks]),
    }  # fmt: skip
    for direction in ("above", "below", "left of", "right of"):
        turns = [{"direction": direction, "landmark": mark} for mark in marks]
        asked[direction] = over(role, turns)
        asked[f"{direction}, in a container"] = over(role, turns, held)
    looks: dict[str, Iterable[str]] = {
        "size": get_args(Size),
        "state": get_args(State),
        "colour": get_args(Colour),
        "shape": get_args(Shape),
        "content": get_args(Content),
        "ink": get_args(Colour),
        "outline": get_args(Colour),
        "icon": WRITTEN.get("en").table.icons,
    }
    for part, values in looks.items():
        given = [{part: value} for value in values if value]
        asked[part] = over(role[:7], given)
    for function in filter(None, get_args(Function)):
        asked[f"function: {function}"] = over(role, [{"function": function}], named)
    return asked
