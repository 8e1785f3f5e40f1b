"""
What models that see the picture reply: lines that begin with a name, or what is wrong with them.

Nothing is guessed: a line that is missing, that comes twice, or whose value is none of those
asked for makes the whole reply unreadable.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from surefoot.core.instruction import Specificity

LEVELS: Final[tuple[Specificity, ...]] = ("high", "medium", "low")
_NONE: Final = "none"
_NUMBERS: Final = re.compile("[0-9]{1,6}(?: {0,3}, {0,3}[0-9]{1,6})*")
_ENDS: Final = " \t*_`."


class JudgedPhrase(msgspec.Struct, frozen=True):
    """
    Hold what a judge said of an instruction.

    ``fits`` are the numbers of the elements that it fits leniently (the loose matches),
    ``others`` whether something without a number does, ``means`` the one that is meant, None
    for none, and ``relative`` whether it says only where the element is, seen from another.
    """

    fits: tuple[int, ...]
    others: bool
    means: int | None
    relative: bool


class CuedPhrase(msgspec.Struct, frozen=True):
    """Hold a visual cue, and the instruction that it was put into."""

    cue: str
    instruction: str


def read_fields(reply: str, names: Sequence[str]) -> dict[str, str] | str:
    r"""
    Return the values of a reply's lines by their names, or what is wrong with it.

    Letter case, the order of lines, and signs of emphasis and lists around a name do not count;
    lines without a name are left alone.

    >>> read_fields("Sure!\n**Seen:** yes", ["seen"])
    {'seen': 'yes'}
    >>> read_fields("seen: yes\nseen: no", ["seen"])
    "the line 'seen' 2 times"
    """
    found = [
        (name.casefold(), value.strip()) for name, value in _line(tuple(names)).findall(reply)
    ]
    line_names = [name for name, _ in found]
    for name in names:
        if line_names.count(name) != 1:
            return f"the line '{name}' {line_names.count(name)} times"
    return dict(found)


@functools.lru_cache(maxsize=16)
def _line(names: tuple[str, ...]) -> re.Pattern[str]:
    one = "|".join(map(re.escape, names))
    return re.compile(
        rf"^[ \t*_`#>-]{{0,20}}({one})[*_`]{{0,4}}[ \t]{{0,4}}[:\uff1a][*_`]{{0,4}}[ \t]*(\S.*)$",
        re.MULTILINE | re.IGNORECASE,
    )


def read_written(reply: str) -> dict[Specificity, str] | str:
    r"""
    Return a writer's instruction at each level, "" where it said none, or what is wrong.

    >>> read_written("high: Click the red 'X'\nmedium: Click the red one\nlow: none")
    {'high': "Click the red 'X'", 'medium': 'Click the red one', 'low': ''}
    """
    found = read_fields(reply, LEVELS)
    if isinstance(found, str):
        return found
    return {level: _words(found[level]) for level in LEVELS}


def read_cue(reply: str) -> CuedPhrase | str:
    r"""
    Return a cue and the instruction with it, or what is wrong with the reply.

    >>> read_cue("cue: it is green\ninstruction: Click the green one below 'Total'")
    CuedPhrase(cue='it is green', instruction="Click the green one below 'Total'")
    """
    found = read_fields(reply, ("cue", "instruction"))
    if isinstance(found, str):
        return found
    cued = CuedPhrase(_words(found["cue"]), _words(found["instruction"]))
    return cued if cued.cue and cued.instruction else "no cue"


def read_judged(reply: str, count: int) -> JudgedPhrase | str:
    r"""
    Return what a judge said of ``count`` numbered elements, or what is wrong with the reply.

    What is meant has to be among what fits, and every number has to be one of the picture's.

    >>> read_judged("fits: 3, 1\nothers: no\nmeans: 3\nrelative: no", 4)
    JudgedPhrase(fits=(1, 3), others=False, means=3, relative=False)
    >>> read_judged("fits: all\nothers: no\nmeans: 3\nrelative: no", 4)
    "'all' where numbers fit"
    """
    found = read_fields(reply, ("fits", "others", "means", "relative"))
    if isinstance(found, str):
        return found
    fits, means = (_numbers(found[name]) for name in ("fits", "means"))
    others, relative = (_yes(found[name]) for name in ("others", "relative"))
    if fits is None:
        return f"{found['fits'][:40]!r} where numbers fit"
    if means is None or len(means) > 1:
        return f"{found['means'][:40]!r} where one number is meant"
    if others is None or relative is None:
        return "neither yes nor no"
    if not all(1 <= number <= count for number in fits):
        return f"a number that is none of 1 to {count}"
    if not set(means) <= set(fits):
        return "what is meant is not among what fits"
    return JudgedPhrase(tuple(sorted(set(fits))), others, next(iter(means), None), relative)


def read_answer(reply: str, name: str) -> bool | str:
    """
    Return whether a model says yes, to whether a cue is "seen" or a screen "dull".

    What is wrong with another reply is returned in words.

    >>> read_answer("seen: Yes.", "seen"), read_answer("seen: probably", "seen")
    (True, 'neither yes nor no')
    """
    found = read_fields(reply, (name,))
    if isinstance(found, str):
        return found
    verdict = _yes(found[name])
    return "neither yes nor no" if verdict is None else verdict


def _words(value: str) -> str:
    """Return a value on one line, "" for none."""
    words = " ".join(value.split())
    return "" if words.strip(_ENDS).casefold() == _NONE else words


def _yes(value: str) -> bool | None:
    return {"yes": True, "no": False}.get(value.strip(_ENDS).casefold())


def _numbers(value: str) -> list[int] | None:
    digits = value.strip(_ENDS)
    if digits.casefold() == _NONE:
        return []
    return [int(part) for part in digits.split(",")] if _NUMBERS.fullmatch(digits) else None
