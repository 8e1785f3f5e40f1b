"""
Values of a report's tables: the words that are shown, and the numbers behind them.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from surefoot.phrasing.words import (
    amount_words,
    change_words,
    ends_words,
    p_words,
    unit_factor,
    unit_sign,
)
from surefoot.score.stats.intervals import Interval


class Number(msgspec.Struct, frozen=True):
    """
    Hold a number with all its digits, in the unit in which it is shown.

    ``part`` tells it from the other numbers of one value, as "low" does.
    """

    number: float | None
    unit: str = ""
    part: str = ""


class Value(msgspec.Struct, frozen=True):
    """Hold the words of one value in a table, and the numbers that they stand for."""

    words: str
    numbers: tuple[Number, ...]

    def __str__(self) -> str:
        return self.words


Shown: TypeAlias = str | Value


def number(value: float | None, digits: str = ",", unit: str = "") -> Value:
    """
    Write a number as a format says, "" for none; a unit stands behind it.

    >>> number(12.345, ".1f", "px")
    Value(words='12.3 px', numbers=(Number(number=12.345, unit='px', part=''),))
    """
    words = "" if value is None else f"{value:{digits}}{f' {unit}' * bool(unit)}"
    return Value(words, (Number(value, unit),))


def count(value: int | None) -> Value:
    """
    Write how many there are, "" for none known.

    >>> str(count(1200))
    '1,200'
    """
    return number(value)


def amount(value: float | None, unit: str, *, bare: bool = False) -> Value:
    """
    Write a number as ``amount_words`` does; ``bare`` where the head of the table has the unit.

    >>> amount(0.825, "share")
    Value(words='82.5 %', numbers=(Number(number=82.5, unit='%', part=''),))
    """
    words = amount_words(value, unit, bare=bare)
    return Value(words, (_number(value, unit, "" if bare else _unit(unit)),))


def change(value: float | None, unit: str) -> Value:
    """
    Write a signed change as ``change_words`` does.

    >>> str(change(-0.095, "share"))
    '-9.5 points'
    """
    return Value(change_words(value, unit), (_number(value, unit, _unit(unit, signed=True)),))


def ends(interval: Interval | None, unit: str = "share", *, signed: bool = False) -> Value:
    """
    Write the ends of an interval as ``ends_words`` does.

    >>> [part.number for part in ends(Interval(-0.5, 0.25, ""), signed=True).numbers]
    [-50.0, 25.0]
    """
    return Value(
        ends_words(interval, unit, signed=signed),
        _ends(interval, unit, _unit(unit, signed=signed)),
    )


def p_value(p: float | None) -> Value:
    """
    Write a p-value as ``p_words`` does, "" for none.

    >>> p_value(0.00001)
    Value(words='p < 0.001', numbers=(Number(number=1e-05, unit='', part=''),))
    """
    return Value("" if p is None else p_words(p), (Number(p),))


def measured(words: str, value: float | None, interval: Interval | None, unit: str) -> Value:
    """
    Hold words that tell a number and its interval under a head that has the unit.

    >>> value = measured("50.0 [25.0 to 75.0]", 0.5, Interval(0.25, 0.75, ""), "share")
    >>> [(part.part, part.number) for part in value.numbers]
    [('', 50.0), ('low', 25.0), ('high', 75.0)]
    """
    return Value(words, (_number(value, unit, ""), *_ends(interval, unit, "")))


def _ends(interval: Interval | None, unit: str, shown: str) -> tuple[Number, ...]:
    low, high = (interval.low, interval.high) if interval else (None, None)
    return _number(low, unit, shown, "low"), _number(high, unit, shown, "high")


def _number(value: float | None, unit: str, shown: str, part: str = "") -> Number:
    return Number(None if value is None else value * unit_factor(unit), shown, part)


def _unit(unit: str, *, signed: bool = False) -> str:
    return "points" if signed and unit == "share" else unit_sign(unit).strip()
