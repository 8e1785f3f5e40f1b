"""
Sections of a report, whatever it reports on: figures, each beside a table of its numbers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.phrasing.values import Shown, Value
from surefoot.report.html.gallery import Card

Chapter: TypeAlias = Literal["fell", "where", "sure", "shown", "measured"]


_NUMBER: Final = re.compile(r"(?:p [<=] )?[-+[(]?\d")
# What a spreadsheet would run, signed numbers aside.
_FORMULA: Final = re.compile(r"[=@\t\r]|[-+](?!\d+(?:[.,]\d+)*(?: |$))")


class Column(msgspec.Struct, frozen=True):
    """Hold a column of a saved table: numbers without a format, or words; None for nothing."""

    name: str
    values: tuple[float | str | None, ...]


class Table(msgspec.Struct, frozen=True):
    """Hold a table, the first column naming the row; values are words, or numbers in words."""

    head: tuple[str, ...]
    values: tuple[tuple[Shown, ...], ...]

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """
        Return the rows as they are shown.

        >>> from surefoot.phrasing.values import count
        >>> Table(("a", "n"), (("x", count(1200)),)).rows
        (('x', '1,200'),)
        """
        return tuple(tuple(map(str, row)) for row in self.values)

    @property
    def numeric(self) -> tuple[bool, ...]:
        """
        Tell for each column whether it has numbers, so that it is read from its right side.

        >>> Table(("a", "b", "c"), (("x", "3 of 4", "not 4"), ("y", "none", ""))).numeric
        (False, True, False)
        """
        columns = zip(*self.rows, strict=True) if self.values else ((),) * len(self.head)
        return tuple(any(map(_NUMBER.match, column)) for column in columns)

    @property
    def csv(self) -> str:
        r"""
        Write the table as CSV (RFC 4180), each value as the report shows it.

        What a spreadsheet would run as a formula gets a quote before it.

        >>> Table(("role", "rate, %"), (("link, plain", "98.0"),)).csv
        'role,"rate, %"\r\n"link, plain",98.0\r\n'
        """
        return csv_text((self.head, *self.rows))

    @property
    def columns(self) -> tuple[Column, ...]:
        """
        Return the table as columns of numbers without a format, and of words.

        A value that holds several numbers, as an interval does, has a column for each; the
        unit stands in the name. A word in place of a number is None.

        >>> from surefoot.phrasing.values import amount
        >>> Table(("rate",), ((amount(0.5, "share"),),)).columns
        (Column(name='rate (%)', values=(50.0,)),)
        """
        found: dict[str, Column] = {}
        for at, head in enumerate(self.head):
            for name, values in _columns(head, [row[at] for row in self.values]):
                again = sum(other.partition(" #")[0] == name for other in found)
                own = f"{name} #{again + 1}" if again else name
                found[own] = Column(own, values)
        return tuple(found.values())

    @property
    def numbers_csv(self) -> str:
        r"""
        Write the table's columns as CSV (RFC 4180), numbers with all their digits.

        >>> from surefoot.phrasing.values import amount
        >>> Table(("a", "rate"), (("x", amount(0.5, "share")),)).numbers_csv
        'a,rate (%)\r\nx,50.0\r\n'
        """
        columns = self.columns
        rows = zip(*(column.values for column in columns), strict=True)
        return csv_text(([column.name for column in columns], *rows))


def _columns(
    head: str, values: Sequence[Shown]
) -> Iterator[tuple[str, tuple[float | str | None, ...]]]:
    """Return the columns that values under one head make."""
    numbers_of = [value.numbers if isinstance(value, Value) else () for value in values]
    parts = dict.fromkeys(
        (number.part, number.unit) for numbers in numbers_of for number in numbers
    )
    if not parts:
        yield head, tuple(map(str, values))
    for part, unit in parts:
        own = (
            {(number.part, number.unit): number.number for number in numbers}
            for numbers in numbers_of
        )
        name = ", ".join(filter(None, (head, part)))
        yield f"{name} ({unit})" if unit else name, tuple(item.get((part, unit)) for item in own)


def csv_text(rows: Iterable[Iterable[float | str | None]]) -> str:
    r"""
    Write rows as CSV; text that a spreadsheet would run as a formula gets a quote before it.

    >>> csv_text([("item", "words"), (1, "=1+1")])
    "item,words\r\n1,'=1+1\r\n"
    """
    written = io.StringIO(newline="")
    csv.writer(written).writerows([_tame(value) for value in row] for row in rows)
    return written.getvalue()


def _tame(value: float | str | None) -> float | str | None:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


class Figure(msgspec.Struct, frozen=True):
    """Hold a drawing ("" for none), the table of the same numbers, and a note."""

    title: str
    table: Table
    svg: str = ""
    note: str = ""


class Section(msgspec.Struct, frozen=True):
    """
    Hold one section of the report; ``id`` is its anchor.

    ``chapter`` is the reader's question that it answers.

    ``cards`` are pictures below the figures; ``keys`` are the marks that are drawn on them, as
    (class of the style sheet, meaning). ``markup`` is HTML of our own below the figures.
    """

    id: str
    title: str
    lead: str
    figures: tuple[Figure, ...]
    cards: tuple[Card, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    chapter: Chapter = "where"
    markup: str = ""
