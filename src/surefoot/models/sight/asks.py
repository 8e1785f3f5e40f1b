"""
Read an instruction as a person hears it: action, name, kind of control, direction, landmark.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib import resources
from typing import Literal

import msgspec

from surefoot.core.instruction import Action, Direction

Kind = Literal["field", "choice", "check", "button", "link", "text", "slider", ""]

# Single quotes are also apostrophes: beside a letter they neither open nor close.
QUOTED = re.compile(
    r"“([^”]{1,300})”|\u2018(.{1,300}?)\u2019(?![A-Za-z0-9])|«\s?([^»]{1,300}?)\s?»"
    r"|「([^」]{1,300})」|『([^』]{1,300})』|„([^“”]{1,300})[“”]|\"([^\"]{1,300})\""
    r"|`([^`]{1,300})`|(?<![A-Za-z0-9])'(.{1,300}?)'(?![A-Za-z0-9])"
)
VERBS = r"^\s*(?:(?:click|tap|press|cliquez|on|in|into|sur|the|a|an|le|la|les)\s+)+"
MARK = "\x00{}\x00"
MARKED = re.compile(r"\x00(\d+)\x00")


class Ask(msgspec.Struct, frozen=True):
    """
    Hold what an instruction asks for, "" and None where it does not say.

    ``value`` is what to type or to select; it is not looked for on the screen.
    """

    action: Action
    kind: Kind = ""
    name: str = ""
    value: str = ""
    direction: Direction | None = None
    landmark: str = ""


class LanguageWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold one language's words; ``landmark`` is its side of the direction's words."""

    landmark: Literal["before", "after"]
    type: tuple[str, ...]
    select: tuple[str, ...]
    roles: dict[Kind, tuple[str, ...]]
    directions: dict[Direction, tuple[str, ...]]


def read_ask(text: str, language: str) -> Ask:
    """
    Read an instruction in one of the six languages; an unknown language is read as English.

    >>> ask = read_ask("Type 'bob' into the field below 'Email'", "en")
    >>> ask.kind, ask.name, ask.value, ask.direction, ask.landmark
    ('field', '', 'bob', 'below', 'Email')
    """
    words = lexicon(language)
    quotes: list[str] = []

    def mark(found: re.Match[str]) -> str:
        quotes.append(next(group for group in found.groups() if group is not None).strip())
        return MARK.format(len(quotes) - 1)

    masked = QUOTED.sub(mark, text.replace("\x00", " ")).casefold()
    action = _action(masked, words)
    direction, landmark, clause = _relation(masked, words)
    kind, name, value = _target(clause, action, words)
    if name is None and value is None and landmark is None:
        return Ask(action, kind, _unquoted(clause, words))
    return Ask(
        action,
        kind,
        quotes[name] if name is not None else "",
        quotes[value] if value is not None else "",
        direction if landmark is not None else None,
        quotes[landmark] if landmark is not None else "",
    )


def quoted_names(text: str) -> list[str]:
    """
    Return what stands between quotation marks of any of the languages, in its order.

    >>> quoted_names("Click the item between 'City' and “Zip code”")
    ['City', 'Zip code']
    """
    found = QUOTED.finditer(text)
    return [
        next(group for group in match_.groups() if group is not None).strip() for match_ in found
    ]


@functools.cache
def lexicon(language: str) -> LanguageWords:
    """Return a language's words, English ones for a language that is not known."""
    text = resources.files("surefoot.models.sight").joinpath("lexicon.toml").read_text("utf-8")
    known = msgspec.convert(tomllib.loads(text), dict[str, LanguageWords])
    return known.get(language.partition("-")[0].casefold(), known["en"])


def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Match any phrase, longest first; Latin and Cyrillic words only as whole words."""
    ordered = sorted(phrases, key=len, reverse=True)
    edged = (
        rf"(?<!\w){re.escape(item)}(?!\w)" if _spaced(item) else re.escape(item)
        for item in ordered
    )
    return re.compile("|".join(edged))


def _spaced(phrase: str) -> bool:
    return phrase[-1].isalpha() and ord(phrase[0]) < 0x0500  # noqa: PLR2004 - below: Latin, Cyrillic


def _action(masked: str, words: LanguageWords) -> Action:
    verbs: tuple[tuple[Action, tuple[str, ...]], ...] = (
        ("type", words.type),
        ("select", words.select),
    )
    found = [
        (match.start(), action)
        for action, item in verbs
        if (match := _pattern(item).search(masked))
    ]
    return min(found)[1] if found else "click"


def _relation(masked: str, words: LanguageWords) -> tuple[Direction | None, int | None, str]:
    """Return the direction, the landmark's quote and the clause that is left over."""
    for match in _pattern(
        tuple(item for all_ in words.directions.values() for item in all_)
    ).finditer(masked):
        direction = next(name for name, all_ in words.directions.items() if match[0] in all_)
        if words.landmark == "after":
            quote = MARKED.search(masked, match.end())
            clause = masked[: match.start()]
        else:
            before = list(MARKED.finditer(masked, 0, match.start()))
            quote = before[-1] if before else None
            rest = masked[match.end() :]
            clause = masked[: quote.start()] + " " + rest if quote else rest
        if quote:
            return direction, int(quote[1]), clause
    return None, None, masked


def _target(
    clause: str, action: Action, words: LanguageWords
) -> tuple[Kind, int | None, int | None]:
    """Return the kind, and which quotes are the name and the value."""
    found: list[tuple[int, int, Kind]] = sorted(
        (match.start(), match.end(), kind)
        for kind, phrases in words.roles.items()
        for match in _pattern(phrases).finditer(clause)
    )
    found = [
        item
        for item in found
        if not any(o[0] <= item[0] and item[1] <= o[1] and o[:2] != item[:2] for o in found)
    ]
    marks = list(MARKED.finditer(clause))
    beside = [
        (mark, kind)
        for mark in marks
        for start, end, kind in found
        if (not clause[mark.end() : start].strip() and start >= mark.end())
        or (not clause[end : mark.start()].strip() and end <= mark.start())
    ]
    if beside:
        mark, kind = beside[-1] if action != "click" else beside[0]
        others = [int(match_[1]) for match_ in marks if match_ is not mark]
        return kind, int(mark[1]), others[0] if others and action != "click" else None
    plain: Kind = found[0][2] if found else ""
    if not marks:
        return plain, None, None
    first, last = int(marks[0][1]), int(marks[-1][1])
    if action == "click" or (len(marks) == 1 and not found):
        return plain, first, None
    return plain, (last if len(marks) > 1 else None), first


def _unquoted(clause: str, words: LanguageWords) -> str:
    """Guess a name that is not quoted: what is left without verbs, kinds and articles."""
    known = (*words.type, *words.select, *(item for all_ in words.roles.values() for item in all_))
    left = _pattern(known).sub(" ", clause)
    left = re.sub(VERBS, " ", f"{left} ")
    return " ".join(re.sub(r"[^\w\s&-]", " ", left).split())
