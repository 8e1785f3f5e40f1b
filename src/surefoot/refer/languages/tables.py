"""
Languages, each written in a file that a native reader can correct without knowing any code.

Words that change are written with all that they change to. "кноп[ка|ки|ку]" is one word in the
forms that ``noun_forms`` of the file lists, in that order; "крас<ный>" ends like "ный" under
``endings``, where each form has its ending. A noun is "gender: word", or a table of its ``word``
and of forms that differ from what ``derived`` makes ("in" = "в {prepositional}").
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

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
from surefoot.core.registry import Registry
from surefoot.refer.languages.phrases import Forms, Language, Noun, Part, form_of

_FORMS: Final = re.compile(r"\[([^\[\]]*)\]")
_ENDING: Final = re.compile(r"<([^<>]*)>")


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold how a language counts: words from the first on, then digits as "{n}".

    ``from_end`` takes "{nth}"; "{measure}" is the gender of the noun, or what a template asks
    for ("{row:行}"), else ``measure``: a measure word where the language has no genders.
    "{ending}" of ``digits`` is that of the longest ``digit_endings`` that the count ends with.
    """

    words: tuple[str, ...]
    digits: str
    last: str
    from_end: str
    second_to_last: str = ""
    measure: str = ""
    digit_endings: Mapping[str, str] = {}


class LanguageTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold a language as its file has it; templates are those of ``Language``.

    ``places`` take "{of}", which is the screen or the window. ``names`` are words of interfaces
    for examples.
    """

    code: str
    title: str
    parts: tuple[Part, ...]
    joiner: str
    quotes: tuple[str, ...]
    noun_forms: tuple[str, ...]
    nouns: Mapping[str, str | Mapping[str, str]]
    actions: Mapping[Action, str]
    fronted: str
    sizes: Mapping[Size, str]
    states: Mapping[State, str]
    colours: Mapping[Colour, str]
    shapes: Mapping[Shape, str]
    contents: Mapping[Content, str]
    name: str
    beginning: str
    text: str
    label: str
    functions: Mapping[Function, str]
    directions: Mapping[Direction, str]
    relations: Mapping[Relation, str]
    containers: Mapping[str, str]
    of: Mapping[str, str]
    places: Mapping[Place, str]
    counting: Mapping[Order, tuple[str, str]]
    counts: Counts
    names: tuple[str, ...]
    endings: Mapping[str, Forms] = {}
    derived: Forms = {}
    agreeing: Mapping[str, str] = {}
    article: Forms = {}
    elided: Forms = {}
    elides: str = ""
    bare: Forms = {}
    icon: str = ""
    ink: str = ""
    outline: str = ""
    icons: Mapping[str, str] = {}
    version: int = 1


class WrittenLanguage(msgspec.Struct, frozen=True, dict=True):
    """Hold a language that is written in a file, by its code."""

    name: str
    version: int
    table: LanguageTable

    @functools.cached_property
    def language(self) -> Language:
        """Return what is to be said with; raises InvalidInputError for forms that do not fit."""
        return language_in(self.table)


def forms_of(word: str, names: tuple[str, ...], endings: Mapping[str, Forms]) -> Forms:
    """
    Return a word's forms by their names; raises InvalidInputError where they do not fit.

    >>> forms_of("кноп[ка|ку]", ("", "accusative"), {})
    {'': 'кнопка', 'accusative': 'кнопку'}
    >>> forms_of("vert<->", (), {"-": {"m": "", "f": "e"}})
    {'m': 'vert', 'f': 'verte'}
    """
    listed = [choices.split("|") for choices in _FORMS.findall(word)]
    if any(len(choices) != len(names) for choices in listed):
        raise InvalidInputError(f"{len(names)} forms: {', '.join(names)}", found=f"'{word}'")
    if listed:
        return {
            name: _FORMS.sub(lambda found, at=at: found[1].split("|")[at], word)  # type: ignore[misc]
            for at, name in enumerate(names)
        }
    used: list[str] = _ENDING.findall(word)
    if not used:
        return {"": word}
    unknown = [ending for ending in used if ending not in endings]
    if unknown:
        raise InvalidInputError(f"an ending among {', '.join(endings)}", found=f"'{word}'")
    keys = dict.fromkeys(key for ending in used for key in endings[ending])
    return {key: _ENDING.sub(lambda found, k=key: endings[found[1]][k], word) for key in keys}  # type: ignore[misc]


def language_in(table: LanguageTable) -> Language:
    """Return the language of a table; raises InvalidInputError for forms that do not fit."""

    def word(text: str) -> Forms:
        return forms_of(text, table.noun_forms, table.endings)

    def noun(given: str | Mapping[str, str]) -> Noun:
        own = {"word": given} if isinstance(given, str) else dict(given)
        gender, sign, text = own.pop("word").rpartition(": ")
        counted = own.pop("counted", "")
        forms = {**dict.fromkeys(table.noun_forms, text), **word(text)}
        made = {case: template.format_map(forms) for case, template in table.derived.items()}
        return Noun(
            {**forms, **made, **own}, gender if sign else "", word(counted) if counted else {}
        )

    counts = table.counts
    spelled = tuple(map(word, counts.words))
    digits, last, from_end = word(counts.digits), word(counts.last), word(counts.from_end)
    second = word(counts.second_to_last) if counts.second_to_last else None

    def from_start(count: int, gender: str, case: str) -> str:
        forms = spelled[count - 1] if count <= len(spelled) else digits
        fitting = (end for end in counts.digit_endings if str(count).endswith(end))
        return form_of(forms, gender, case).format(
            n=count,
            measure=gender or case or counts.measure,
            ending=counts.digit_endings.get(max(fitting, key=len, default=""), ""),
        )

    def to_last(count: int, gender: str, case: str) -> str:
        forms = last if count == 1 else second if count == 2 and second else from_end  # noqa: PLR2004
        nth = from_start(count, gender, case)
        return form_of(forms, gender, case).format(
            nth=nth, n=count, measure=gender or case or counts.measure
        )

    return Language(
        parts=table.parts,
        joiner=table.joiner,
        article=table.article,
        nouns={role: noun(given) for role, given in table.nouns.items()},
        actions=table.actions,
        fronted=table.fronted,
        sizes={key: word(text) for key, text in table.sizes.items()},
        states={key: word(text) for key, text in table.states.items()},
        colours={key: word(text) for key, text in table.colours.items()},
        shapes={key: word(text) for key, text in table.shapes.items()},
        contents={key: word(text) for key, text in table.contents.items()},
        name=table.name,
        beginning=table.beginning,
        text=table.text,
        label=table.label,
        functions=table.functions,
        directions=table.directions,
        relations=table.relations,
        containers=table.containers,  # type: ignore[arg-type]
        places={
            place: {of: template.format(of=template_of) for of, template_of in table.of.items()}  # type: ignore[misc]
            for place, template in table.places.items()
        },
        counting=table.counting,
        from_start=from_start,
        from_end=to_last,
        quotes=table.quotes,
        agreeing={key: word(text) for key, text in table.agreeing.items()},
        elided=table.elided,
        elides=table.elides,
        bare=table.bare,
        icon=table.icon,
        ink=table.ink,
        outline=table.outline,
        icons=table.icons,
    )


def read_language(file: Path | Traversable) -> WrittenLanguage:
    """Read a language from its file; raises InvalidInputError for what is none."""
    try:
        table = msgspec.convert(tomllib.loads(file.read_text("utf-8")), LanguageTable)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InvalidInputError(f"{file.name} to hold a language", found=error) from error
    return WrittenLanguage(table.code, table.version, table)


WRITTEN: Final = Registry(
    WrittenLanguage,
    "surefoot.refer.languages",
    what="language",
    suffix=".toml",
    read=read_language,
)
# What reads English as people write it needs its words whatever else is installed.
ENGLISH: Final = read_language(files("surefoot.refer.languages") / "english.toml").language


def codes() -> tuple[str, ...]:
    """
    Return the codes of all languages that instructions can be in, English first.

    >>> "en" in codes()
    True
    """
    return ("en", *(code for code in WRITTEN.entries if code != "en"))


def language_of(code: str) -> Language:
    """
    Return a language by its code; raises UnknownNameError for one that there is not.

    >>> language_of("fr").directions["left of"]
    'juste à gauche {landmark:de}'
    """
    return WRITTEN.get(code).language
