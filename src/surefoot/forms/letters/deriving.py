"""
Spell values so that a reader has to work them out, and can come to one result only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from random import Random
from typing import Final

from surefoot.forms.instance import Value
from surefoot.forms.letters.surfaces import Surface, days_apart, in_words, short, spoken_date
from surefoot.forms.specification import Field, Kind
from surefoot.forms.values.dates import read_date

__all__ = ["derived"]

_DOZENS: Final = {"6": "half a dozen", "12": "a dozen", "24": "two dozen", "36": "three dozen"}
_ROUND: Final = 100
_WEEKS: Final = (2, 3, 4, 6)
_YEAR: Final = 12
_FEWEST_LEFT, _MOST_LEFT = 3, 4  # options of which all but one may be ruled out


def derived(
    field: Field, value: Value, random: Random, taken: Collection[str] = ()
) -> Surface | None:
    """
    Return a phrase that a value follows from, or None where none is sound.

    It stands by itself: no other field's value is needed to work it out, and none of the
    values ``taken`` by other fields is named in it.
    """
    if isinstance(value, tuple):
        return _several(field, value)
    make = _MAKERS.get(field.kind)
    if make is None or not isinstance(value, str):
        return None
    phrases = [each for each in make(field, value, random) if not _named(each) & set(taken)]
    return Surface(random.choice(phrases), "derived") if phrases else None


def _named(phrase: str) -> set[str]:
    """Return the figures of a phrase, and the day in ISO 8601 where it ends in one."""
    figures = {each.replace(",", "") for each in re.findall(r"\d[\d,]*(?:\.\d+)?", phrase)}
    day = read_date(re.sub(r".*(?:after|before) ", "", phrase))
    tripled = {"3"} if phrase.startswith("three times") else set()
    return figures | tripled | ({day} if day else set())


def _several(field: Field, value: tuple[str, ...]) -> Surface | None:
    """Say "all four of them", or "all but" the only one left out."""
    labels = {each.value: each.label["en"].split(" - ")[0] for each in field.options}
    left = [label for each, label in labels.items() if each not in value]
    if not left:
        return Surface(f"all {in_words(len(value))} of them", "derived")
    return Surface(f"all but {left[0]}", "derived") if len(left) == 1 else None


def _amounts(field: Field, value: str, random: Random) -> Iterator[str]:
    """Yield a number as dozens, a half, a double, or a round number and a remainder."""
    number = Decimal(value)
    if not number:
        return
    if field.fill == "number.year":
        yield random.choice((f"the year after {number - 1}", f"the year before {number + 1}"))
        return
    if value in _DOZENS and field.fill == "number.count":
        yield _DOZENS[value]
        return
    yield f"half of {number * 2:,f}"
    if number == int(number):
        yield from _of_whole(int(number))
        return
    step = Decimal(random.randint(2, 9)) / 10
    yield f"{step} less than {number + step:,f}"


def _of_whole(number: int) -> Iterator[str]:
    if number % 2 == 0 and number > 2 * 2:
        yield f"twice {number // 2:,}"
    if number % 3 == 0 and number > 3 * 3:
        yield f"three times {number // 3:,}"
    over = number % _ROUND
    if number > _ROUND and over:
        yield f"{over} more than {number - over:,}"


def _days(_: Field, value: str, random: Random) -> Iterator[str]:
    """Yield a day as weeks or days away from another one."""
    weeks, days = random.choice(_WEEKS), random.randint(2, 9)
    for count, unit, length in ((weeks, "weeks", 7), (days, "days", 1)):
        for way, sign in (("after", -1), ("before", 1)):
            anchor = days_apart(value, sign * count * length)
            yield f"{in_words(count)} {unit} {way} {spoken_date(anchor, random)}"


def _choices(field: Field, value: str, random: Random) -> Iterator[str]:
    option = field.option(value)
    label = "" if option is None else option.label["en"]
    yield from _within(label, random)
    yield from _at(label, random)
    yield from _lasting(label)
    if _FEWEST_LEFT <= len(field.options) <= _MOST_LEFT:
        names = [short(each) for each in field.options if each.value != value]
        yield f"neither {' nor '.join(random.sample(names, len(names)))}"
    if value == "both":
        others = [each.label["en"].lower() for each in field.options if each.value != value]
        yield f"{' and '.join(others)} alike"


def _within(label: str, random: Random) -> Iterator[str]:
    """Yield an amount of dollars in the range of a label such as "30,000 to 59,999"."""
    found = re.fullmatch(r"(Below |Under )?(\d[\d,]+)(?: to (\d[\d,]+)| or more)?", label)
    if found is None:
        return
    limit = int(found[2].replace(",", ""))
    low, high = (limit // 2, limit - 1) if found[1] else (limit, limit * 3 // 2)
    high = int(found[3].replace(",", "")) if found[3] else high
    amount = random.randint(low // _ROUND + 1, high // _ROUND) * _ROUND
    yield f"{amount:,} dollars"


def _at(label: str, random: Random) -> Iterator[str]:
    """Yield a time of day within the hours of a label, written as the label does."""
    hours = [int(each) for each in re.findall(r"(\d{1,2}):\d\d", label)]
    halves = re.findall(r"[AP]M", label)
    if not hours:
        return
    minutes = random.choice((15, 30, 45))
    hour = hours[0] - 2 if "(before" in label else hours[0] + ("(after" in label)
    half = f" {halves[0]}" if halves else ""
    yield f"{hour}:{minutes}{half}"


def _lasting(label: str) -> Iterator[str]:
    """Yield months as years, and years as months."""
    found = re.fullmatch(r"(\d+) (month|year)s?", label)
    if found is None:
        return
    count = int(found[1])
    if found[2] == "year" and count * _YEAR < _ROUND:
        yield f"{in_words(count * _YEAR)} months"
    elif count == _YEAR // 2:
        yield "half a year"
    elif count % _YEAR == 0:
        yield f"{in_words(count // _YEAR)} year{'s' if count > _YEAR else ''}"


_MAKERS: Final[Mapping[Kind, Callable[[Field, str, Random], Iterator[str]]]] = {
    Kind.NUMBER: _amounts,
    Kind.DATE: _days,
    Kind.DROP_DOWN: _choices,
    Kind.RADIO: _choices,
}
