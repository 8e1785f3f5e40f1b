"""
What the formats' readers share: numbers, places made of them, and the mark of an answer.

Model text is hostile until read: it is never evaluated, every pattern runs in linear time,
and a number that no screen has is a reason to say Unparsed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from surefoot.core.question import Refusal, Unparsed

MAX_REPLY_CHARS = 1_000_000
FARTHEST = 1_000_000  # no screen reaches further, in any space
NUMBER = r"[-+]?\d{1,12}(?:\.\d{0,12})?"
COMMA = r"\s{0,9},\s{0,9}"
PAIR = rf"({NUMBER}){COMMA}({NUMBER})"
# Two numbers, which may be named x=... and y=...
NAMED_PAIR = rf"(?:x\s{{0,9}}=\s{{0,9}})?({NUMBER}){COMMA}(?:y\s{{0,9}}=\s{{0,9}})?({NUMBER})"
# A number, by itself or as x=..., y1: "...", whose quote may stay open.
COORDINATE = rf"(?:[xy]\d?[\"']?\s{{0,9}}[=:]\s{{0,9}}[\"']?)?{NUMBER}"
COORDINATES = re.compile(COORDINATE.replace(NUMBER, f"({NUMBER})"))

_WRAPPING = " \t\n\"'\\[](){}<>"  # around numbers that are text

# A line may begin with a code fence, asterisks or other signs before the mark.
LINE_MARK = re.compile(r"^[^\w\n]{0,20}Action\s{0,9}[:\uff1a]", re.MULTILINE)
MARK = re.compile(r"\bAction\s{0,9}[:\uff1a]")


class Place(msgspec.Struct, frozen=True):
    """Hold two numbers (a point) or four (a box) in the space of a format."""

    numbers: tuple[float, ...]


def place_of(values: object) -> Place | Unparsed:
    """
    Check that values are two or four finite numbers that a screen can have.

    A string is a number where it spells one plainly, and may be the whole list; a boolean is
    none. Two pairs are the corners of a box.

    >>> place_of([3, "4.5"]), place_of("[3, 4.5]")
    (Place(numbers=(3.0, 4.5)), Place(numbers=(3.0, 4.5)))
    >>> place_of([1, 2, 3])
    Unparsed(why='3 numbers where 2 or 4 make a place')
    """
    if isinstance(values, str):
        parts = [part.strip(_WRAPPING) for part in re.split(r"[\s,]+", values.strip(_WRAPPING))]
        values = parts if len(parts) > 1 else None
    if not isinstance(values, Sequence):
        return Unparsed("a place that is no list of numbers")
    pairs = [part for part in values if isinstance(part, list) and len(part) in (2, 4)]
    if pairs and len(pairs) == len(values):
        values = [number for pair in pairs for number in pair]
    if len(values) not in (2, 4):
        return Unparsed(f"{len(values)} numbers where 2 or 4 make a place")
    numbers = tuple(_number(value) for value in values)
    if None in numbers:
        return Unparsed("a coordinate that is no number of a screen's size")
    return Place(tuple(number for number in numbers if number is not None))


def _number(value: object) -> float | None:
    if isinstance(value, str):
        value = float(value) if re.fullmatch(NUMBER, value.strip()) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Compared before it is converted: a huge integer fits no float. A NaN fails here too.
    return float(value) if -FARTHEST <= value <= FARTHEST else None


def coordinates_in(text: str) -> list[str]:
    """
    Return the numbers of a text that is made of COORDINATEs, without their names.

    >>> coordinates_in("x1=12, y1=30.5")
    ['12', '30.5']
    """
    return COORDINATES.findall(text)


def listed(signs: str) -> re.Pattern[str]:
    """
    Return the pattern of two or four numbers between an opening and a closing sign.

    >>> listed("()").search("(1, 2) or [3, 4]").groups()
    ('1', '2', None, None)
    """
    opening, closing = map(re.escape, signs)
    return re.compile(rf"{opening}\s{{0,9}}{PAIR}(?:{COMMA}{PAIR})?\s{{0,9}}{closing}")


def place_found(found: re.Match[str] | None, otherwise: str) -> Place | Unparsed:
    """
    Return the place whose numbers are the groups of a match; where there is none, why.

    >>> place_found(listed("[]").search("[3, 4]"), "no [x, y]")
    Place(numbers=(3.0, 4.0))
    """
    if found is None:
        return Unparsed(otherwise)
    return place_of([group for group in found.groups() if group is not None])


PlaceReader: TypeAlias = Callable[[str], Place | Unparsed]
ReplyReader: TypeAlias = Callable[[str], Place | Refusal | Unparsed]


def first_found(pattern: re.Pattern[str], otherwise: str) -> PlaceReader:
    """
    Return a reader that takes the numbers of a pattern's first match, and otherwise says why.

    >>> first_found(re.compile(rf"at {PAIR}"), "no place")("The button is at 502, 37.")
    Place(numbers=(502.0, 37.0))
    """
    return lambda text: place_found(pattern.search(text), otherwise)


def first_listed(signs: str) -> PlaceReader:
    """
    Return a reader that takes the first list of two or four numbers between two signs.

    >>> first_listed("()")("The button is at (502, 37).")
    Place(numbers=(502.0, 37.0))
    >>> first_listed("[]")("(502, 37)")
    Unparsed(why='no [x, y]')
    """
    return first_found(listed(signs), f"no {signs[0]}x, y{signs[1]}")


def between_tags(*names: str) -> PlaceReader:
    """
    Return a reader that takes the first two or four numbers between tags of these names.

    Numbers are parted by blanks, by commas or by both.

    >>> between_tags("point", "bbox")("I click <point>412 30</point>.")
    Place(numbers=(412.0, 30.0))
    """
    between = r"(?:\s{0,9},\s{0,9}|\s{1,9})"
    two = rf"({NUMBER}){between}({NUMBER})"
    numbers = rf"\s{{0,9}}{two}(?:{between}{two})?\s{{0,9}}"
    pattern = re.compile("|".join(f"<{name}>{numbers}</{name}>" for name in names))
    return first_found(pattern, f"no place between <{names[0]}> tags")


def answer_start(text: str) -> int | None:
    r"""
    Return where the words behind the mark "Action:" begin, None where there is no mark.

    The first mark that begins a line counts, and only where none does the first one in a
    line: thoughts may speak of an action, an answer begins with it.

    >>> text = "An Action: is due.\n```Action: click(1, 2)```"
    >>> text[answer_start(text):]
    ' click(1, 2)```'
    """
    mark = LINE_MARK.search(text) or MARK.search(text)
    return mark.end() if mark else None


def writable(text: str) -> str:
    r"""
    Return text with each lone surrogate replaced: JSON can spell them, UTF-8 cannot.

    Where two halves of a letter came in two parts, they are one letter again.

    >>> writable("cut \ud83d"), writable("\ud83d\ude42") == "\U0001f642"
    ('cut ?', True)
    """
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return whole.encode(errors="replace").decode()
