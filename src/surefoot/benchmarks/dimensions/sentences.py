"""
What is asked in each language: one file a language in ``tables/``, apart from all code.

Nothing in a sentence agrees with the words of an interface: a role stands in brackets behind the
name, so that no case, gender or particle depends on it. A native reader corrects a file, and
nothing else has to change.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Direction, Function, Place

WAYS: Final = ("press", "type", "toggle", "choose", "slide", "static")
# What a goal is made of; the first three are the question and what joins claims.
GOALS: Final = (
    "question", "from", "then", "page", "dialog", "menu", "tab", "on", "off", "unfold", "fold",
    "choose", "pick", "enter", "write", "search", "order", "show", "hide", "change", "follow",
)  # fmt: skip
ACTIONS: Final = ("click", "type", "choose", "press", "then")
EFFECTS: Final = (
    "page", "dialog", "menu", "show", "hide", "on", "off", "unfold", "fold", "pick", "order",
)  # fmt: skip
_QUESTION: Final = "question"
_SLOT: Final = re.compile(r"\{(\w+)\}")


class DimensionSentences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold the sentences of one language.

    ``element`` says how an element is called, by {name} and {role}, ``bare`` without the role;
    ``roles`` are the words for roles. ``ael``, ``rel`` and ``wi`` have a question and
    the words of each option, ``wf`` a question for each function, ``goals`` what sequences of
    screens are asked about and of what their goals are made. ``au`` and ``ap`` ask what
    ``actions`` do and which of them have one of ``effects``.
    """

    element: str
    bare: str
    roles: dict[str, str]
    ael: dict[str, str]
    rel: dict[str, str]
    wi: dict[str, str]
    wf: dict[Function, str]
    goals: dict[str, str]
    au: dict[str, str]
    ap: dict[str, str]
    actions: dict[str, str]
    effects: dict[str, str]

    def called(self, name: str, role: str = "") -> str:
        """
        Call an element by its name, and by its role where that is given.

        >>> sentences_of("en").called("Save", "button"), sentences_of("en").called("Save")
        ('"Save" (button)', '"Save"')
        """
        if not role:
            return filled(self.bare, {"name": name})
        return filled(self.element, {"name": name, "role": self.roles[role]})

    def asked(self, dimension: str, key: str = "", **slots: str) -> str:
        """
        Return a question of a dimension, with elements put in.

        >>> sentences_of("fr").asked("wi", element="« OK » (bouton)")
        'Comment utilise-t-on « OK » (bouton) ?'
        """
        pattern: str = getattr(self, dimension)[key or _QUESTION]
        return filled(pattern, slots)

    def option(self, dimension: str, key: str) -> str:
        """Return the words of an option."""
        words: str = getattr(self, dimension)[key]
        return words

    def goal(self, claims: Iterable[tuple[str, Mapping[str, str]]]) -> str:
        """
        Return a goal, by the kinds of its claims with what is put into each, in their order.

        >>> sentences_of("en").goal([("page", {"name": "Tickets"}), ("search", {"value": "rope"})])
        'Open the page "Tickets", then search for "rope"'
        """
        given = list(claims)
        openings = [words["name"] for kind, words in given if kind == "from"]
        sentence = _one_after_another(self.goals, (claim for claim in given if claim[0] != "from"))
        for opening in openings:
            sentence = filled(self.goals["from"], {"name": opening, "goal": sentence})
        return sentence[:1].upper() + sentence[1:]

    def done(self, actions: Iterable[tuple[str, Mapping[str, str]]]) -> str:
        """
        Return actions in their order, by their kinds with what is put into each.

        >>> sentences_of("en").done([("type", {"value": "rope", "element": "it"}),
        ...                          ("press", {"key": "Enter"})])
        'Type "rope" into it, then press the Enter key'
        """
        sentence = _one_after_another(self.actions, actions)
        return sentence[:1].upper() + sentence[1:]

    def effect(self, kind: str, name: str = "") -> str:
        """
        Return an effect of actions.

        >>> sentences_of("en").effect("page", "Tickets")
        'The page "Tickets" opens'
        """
        return filled(self.effects[kind], {"name": name})


def _one_after_another(
    table: Mapping[str, str], parts: Iterable[tuple[str, Mapping[str, str]]]
) -> str:
    sentence = ""
    for kind, words in parts:
        part = filled(table[kind], words)
        sentence = filled(table["then"], {"before": sentence, "after": part}) if sentence else part
    return sentence


def filled(pattern: str, slots: Mapping[str, str]) -> str:
    """
    Put words in once: what looks like a place for words within them stays as it is.

    >>> filled('open "{name}"', {"name": "{x}"})
    'open "{x}"'
    """
    return _SLOT.sub(lambda found: slots[found[1]], pattern)


def slots(pattern: str) -> tuple[str, ...]:
    """
    Return the places for words in a pattern, in their order.

    >>> slots('from "{page}": {goal}')
    ('page', 'goal')
    """
    return tuple(_SLOT.findall(pattern))


def known_languages() -> tuple[str, ...]:
    """Return the languages that have sentences, sorted."""
    folder = resources.files(__package__) / "tables"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir()))


@functools.cache
def sentences_of(language: str) -> DimensionSentences:
    """
    Return the sentences of a language.

    Raises InvalidInputError for one that has none, and for a file that lacks a sentence or
    has other places for words than the English one.
    """
    if language not in known_languages():
        raise InvalidInputError(
            f"a language with sentences, {', '.join(known_languages())}", found=f"'{language}'"
        )
    file = resources.files(__package__) / "tables" / f"{language}.toml"
    try:
        found = msgspec.convert(tomllib.loads(file.read_text("utf-8")), DimensionSentences)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise InvalidInputError(f"a table of sentences in {file}", found=error) from error
    _check(found, language)
    return found


def sentences_digest() -> str:
    """Return the digest of all sentences, for a plan."""
    return digest({language: sentences_of(language) for language in known_languages()})


def _check(found: DimensionSentences, language: str) -> None:
    """Compare a table with the English one: the same keys, the same places for words."""
    if language == "en":
        wanted = {
            "ael": {_QUESTION, *Place.__args__},  # type: ignore[attr-defined]
            "rel": {_QUESTION, *Direction.__args__},  # type: ignore[attr-defined]
            "wi": {_QUESTION, *WAYS},
            "goals": {*GOALS},
            "au": {_QUESTION},
            "ap": {_QUESTION},
            "actions": {*ACTIONS},
            "effects": {*EFFECTS},
        }
        faults = [name for name, keys in wanted.items() if set(getattr(found, name)) != keys]
    else:
        faults = list(_differences(found, sentences_of("en")))
    if faults:
        raise InvalidInputError(
            f"the sentences of '{language}' to have all keys and places for words",
            found=f"others in {', '.join(faults)}",
        )


def _differences(found: DimensionSentences, english: DimensionSentences) -> list[str]:
    own, other = msgspec.to_builtins(found), msgspec.to_builtins(english)
    return [name for name in other if _slots(own[name]) != _slots(other[name])]


def _slots(part: str | dict[str, str]) -> dict[str, list[str]]:
    sentences = {"": part} if isinstance(part, str) else part
    return {key: sorted(slots(words)) for key, words in sentences.items()}
