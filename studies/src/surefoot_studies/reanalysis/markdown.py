"""
Markdown: a table, and the few ways that numbers are written in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from surefoot.score.stats.intervals import Interval


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""
    Write a table; a bar inside a cell is escaped.

    >>> print(table(["a", "b"], [[1, "x|y"]]))
    | a | b |
    | --- | --- |
    | 1 | x\|y |
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def percent(rate: float) -> str:
    """
    Write a rate as a percentage with one decimal.

    >>> percent(0.1234)
    '12.3 %'
    """
    return f"{100 * rate:.1f} %"


def points(change: float) -> str:
    """
    Write a change of rates in percentage points, with its sign; a rounded zero has none.

    >>> points(-0.0961), points(-0.0001)
    ('-9.6', '0.0')
    """
    return f"{100 * change:+.1f}" if abs(change) >= 0.0005 else "0.0"  # noqa: PLR2004


def interval_points(interval: Interval) -> str:
    """
    Write an interval of a change in percentage points.

    >>> interval_points(Interval(-0.1, 0.05, "wilson"))
    '-10.0 to +5.0'
    """
    return f"{points(interval.low)} to {points(interval.high)}"
