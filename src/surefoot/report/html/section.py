"""
Sections of a report, whatever it reports on: figures, each beside a table of its numbers.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.report.html.gallery import Card

__all__ = ["Chapter", "Figure", "Section", "Table"]

Chapter: TypeAlias = Literal["fell", "where", "sure", "shown", "measured"]


_NUMBER: Final = re.compile(r"(?:p [<=] )?[-+[(]?\d")
# What a spreadsheet would run, signed numbers aside.
_FORMULA: Final = re.compile(r"[=@\t\r]|[-+](?!\d+(?:[.,]\d+)*(?: |$))")


class Table(msgspec.Struct, frozen=True):
    """Hold a table as words, the first column naming the row."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def numeric(self) -> tuple[bool, ...]:
        """
        Tell for each column whether it has numbers, so that it is read from its right side.

        >>> Table(("a", "b", "c"), (("x", "3 of 4", "not 4"), ("y", "none", ""))).numeric
        (False, True, False)
        """
        columns = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.head)
        return tuple(any(map(_NUMBER.match, column)) for column in columns)

    @property
    def csv(self) -> str:
        r"""
        Write the table as CSV (RFC 4180), each value as the report shows it.

        What a spreadsheet would run as a formula gets a quote before it.

        >>> Table(("role", "rate, %"), (("link, plain", "98.0"),)).csv
        'role,"rate, %"\r\n"link, plain",98.0\r\n'
        """
        written = io.StringIO(newline="")
        rows = ([_tame(value) for value in row] for row in (self.head, *self.rows))
        csv.writer(written).writerows(rows)
        return written.getvalue()


def _tame(value: str) -> str:
    return f"'{value}" if _FORMULA.match(value) else value


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
    (class of the style sheet, meaning).
    """

    id: str
    title: str
    lead: str
    figures: tuple[Figure, ...]
    cards: tuple[Card, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    chapter: Chapter = "where"
