"""
Figures as inline SVG: a forest plot of changes, and a heat map of rates.

Every figure carries a title and a description for screen readers, uses the page's colours
through CSS classes, and stands beside a table with the same numbers; it is never the only
place where a number can be read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import msgspec

__all__ = ["ForestRow", "HeatCell", "forest_plot", "heat_map"]

_ROW = 30.0
_LABEL = 250.0
_PLOT = 430.0
_FIGURE = 190.0


class ForestRow(msgspec.Struct, frozen=True):
    """Hold one change with its interval, in percentage points; the sign says gain or loss."""

    label: str
    change: float
    low: float
    high: float
    note: str = ""


class HeatCell(msgspec.Struct, frozen=True):
    """Hold one rate in [0, 1] (None where nothing was asked) and the words that go with it."""

    rate: float | None
    caption: str


def forest_plot(rows: Sequence[ForestRow], *, title: str) -> str:
    """
    Draw changes in percentage points with their intervals around a line at zero.

    >>> svg = forest_plot([ForestRow("zoom", -9.5, -14.0, -5.0)], title="Change")
    >>> svg.startswith("<svg") and "zoom" in svg
    True
    """
    reach = _reach(rows)
    height = _ROW * len(rows) + 46
    body = [_axis(reach, height)]
    body += [_forest_row(row, index, reach) for index, row in enumerate(rows)]
    described = "; ".join(
        f"{row.label}: {row.change:+.1f} points, {row.low:+.1f} to {row.high:+.1f}" for row in rows
    )
    return _svg(_LABEL + _PLOT + _FIGURE, height, title, described, "".join(body))


def heat_map(
    rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[HeatCell]], *, title: str
) -> str:
    """
    Draw rates as a grid, row by row; the colour runs from the page's low to its high tone.

    >>> "92 %" in heat_map(["a"], ["b"], [[HeatCell(0.92, "92 %")]], title="Hit rate")
    True
    """
    wide = min(150.0, 560.0 / max(1, len(columns)))
    body = [
        f'<text class="label" x="{_LABEL + (index + 0.5) * wide:.1f}" y="16" '
        f'text-anchor="middle">{escape(name)}</text>'
        for index, name in enumerate(columns)
    ]
    for index, (name, line) in enumerate(zip(rows, cells, strict=True)):
        top = 26 + index * 34.0
        body.append(
            f'<text class="label" x="{_LABEL - 10}" y="{top + 21:.1f}" text-anchor="end">'
            f"{escape(name)}</text>"
        )
        body += [
            _heat_cell(cell, _LABEL + at * wide, top, wide - 3) for at, cell in enumerate(line)
        ]
    described = "; ".join(
        f"{name}: " + ", ".join(f"{c} {x.caption}" for c, x in zip(columns, line, strict=True))
        for name, line in zip(rows, cells, strict=True)
    )
    width = _LABEL + wide * len(columns) + 8
    return _svg(width, 30 + 34.0 * len(rows), title, described, "".join(body))


def _reach(rows: Sequence[ForestRow]) -> float:
    widest = max((max(abs(row.low), abs(row.high), abs(row.change)) for row in rows), default=1.0)
    return max(5.0, math.ceil(widest / 5) * 5.0)


def _x(value: float, reach: float) -> float:
    return _LABEL + (value + reach) / (2 * reach) * _PLOT


def _axis(reach: float, height: float) -> str:
    step = reach / 2
    parts = []
    for index in range(5):
        value = -reach + index * step
        x = _x(value, reach)
        line = "zero" if value == 0 else "grid"
        parts.append(f'<line class="{line}" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{height - 36}"/>')
        parts.append(
            f'<text class="tick" x="{x:.1f}" y="{height - 20}" text-anchor="middle">'
            f"{value:+.4g}</text>"
        )
    middle = _LABEL + _PLOT / 2
    parts.append(
        f'<text class="tick" x="{middle}" y="{height - 4}" text-anchor="middle">'
        "change of the hit rate, percentage points</text>"
    )
    return "".join(parts)


def _forest_row(row: ForestRow, index: int, reach: float) -> str:
    y = 18 + index * _ROW
    tone = "loss" if row.high < 0 else "gain" if row.low > 0 else "open"
    low, high, at = (_x(value, reach) for value in (row.low, row.high, row.change))
    figures = f"{row.change:+.1f} [{row.low:+.1f}, {row.high:+.1f}]"
    return (
        f'<g class="{tone}"><title>{escape(row.label)} {figures} {escape(row.note)}</title>'
        f'<text class="label" x="{_LABEL - 12}" y="{y + 5}" text-anchor="end">'
        f"{escape(row.label)}</text>"
        f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'
        f'<rect class="mark" x="{at - 5:.1f}" y="{y - 5}" width="10" height="10"/>'
        f'<text class="figure" x="{_LABEL + _PLOT + 10}" y="{y + 5}">{figures}</text></g>'
    )


def _heat_cell(cell: HeatCell, x: float, y: float, wide: float) -> str:
    rate = 0.0 if cell.rate is None else cell.rate
    tone = "absent" if cell.rate is None else "dark" if rate > 0.55 else "light"  # noqa: PLR2004 - where white text reads better
    return (
        f'<g class="heat {tone}"><rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="31" '
        f'fill-opacity="{0.08 + 0.92 * rate:.3f}"/>'
        f'<text x="{x + wide / 2:.1f}" y="{y + 20:.1f}" text-anchor="middle">'
        f"{escape(cell.caption)}</text></g>"
    )


def _svg(width: float, height: float, title: str, description: str, body: str) -> str:
    return (
        f'<svg role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'style="max-width:{width:.0f}px" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{body}</svg>"
    )
