"""
Sections of a report, whatever it reports on: figures, each beside a table of its numbers.
"""

from __future__ import annotations

import msgspec

from surefoot.report.html.gallery import Card

__all__ = ["Figure", "Section", "Table"]


class Table(msgspec.Struct, frozen=True):
    """
    Hold a table as words, the first column naming the row; ``prose`` where it has no numbers.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    prose: bool = False


class Figure(msgspec.Struct, frozen=True):
    """Hold a drawing ("" for none), the table of the same numbers, and a note."""

    title: str
    table: Table
    svg: str = ""
    note: str = ""


class Section(msgspec.Struct, frozen=True):
    """
    Hold one section of the report; ``id`` is its anchor.

    ``cards`` are pictures below the figures; ``keys`` are the marks that are drawn on them, as
    (class of the style sheet, meaning).
    """

    id: str
    title: str
    lead: str
    figures: tuple[Figure, ...]
    cards: tuple[Card, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
