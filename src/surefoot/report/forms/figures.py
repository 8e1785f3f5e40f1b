"""
Lines of rates over a count as inline SVG: how scores fall as forms grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

import msgspec

__all__ = ["RateCurve", "line_plot"]

_LEFT: Final = 64.0
_TOP: Final = 14.0
_WIDE: Final = 560.0
_TALL: Final = 240.0
_LEGEND: Final = 190.0
# Apart for most readers with a colour deficiency; each line has a mark of its own besides.
_COLOURS: Final = ("#1f5fbf", "#c25100", "#12805c", "#8a3ea8", "#66707d", "#b3261e")
_MARKS: Final = ("circle", "square", "diamond")


class RateCurve(msgspec.Struct, frozen=True):
    """Hold one line: its name and its points (x, rate, low, high), rates in [0, 1]."""

    name: str
    points: tuple[tuple[float, float, float, float], ...]


def line_plot(lines: Sequence[RateCurve], *, title: str, axis: str) -> str:
    """
    Draw rates against a count, each with its interval as a thin whisker.

    >>> curve = RateCurve("ocr", ((4, 0.5, 0.2, 0.8),))
    >>> svg = line_plot([curve], title="By fields", axis="fields")
    >>> svg.startswith("<svg") and "ocr: 4 fields 50 %" in svg
    True
    """
    counts = [point[0] for line in lines for point in line.points] or [0.0]
    low, high = min(counts), max(counts)
    body = [*_grid(low, high, axis)]
    for index, line in enumerate(lines):
        body.append(_drawn(line, index, (low, high)))
    described = "; ".join(
        f"{line.name}: " + ", ".join(f"{x:g} {axis} {100 * y:.0f} %" for x, y, _, _ in line.points)
        for line in lines
    )
    width, height = _LEFT + _WIDE + _LEGEND, _TOP + _TALL + 50
    return (
        f'<svg role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'style="max-width:{width:.0f}px" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><desc>{escape(described)}</desc>{''.join(body)}</svg>"
    )


def _grid(low: float, high: float, axis: str) -> list[str]:
    parts = []
    for quarter in range(5):
        y = _y(quarter / 4)
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_LEFT + _WIDE}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick" x="{_LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">'
            f"{25 * quarter} %</text>"
        )
    step = max(1, round((high - low) / 8))
    count = low
    while count <= high:
        parts.append(
            f'<text class="tick" x="{_x(count, (low, high)):.1f}" y="{_TOP + _TALL + 18}" '
            f'text-anchor="middle">{count:g}</text>'
        )
        count += step
    parts.append(
        f'<text class="tick" x="{_LEFT + _WIDE / 2}" y="{_TOP + _TALL + 38}" '
        f'text-anchor="middle">{escape(axis)}</text>'
    )
    return parts


def _drawn(line: RateCurve, index: int, reach: tuple[float, float]) -> str:
    colour = _COLOURS[index % len(_COLOURS)]
    parts = []
    for count, rate, low, high in line.points:
        x = _x(count, reach) + 3 * index
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_y(low):.1f}" y2="{_y(high):.1f}" '
            f'stroke="{colour}" stroke-opacity="0.45"/>' + _mark(x, _y(rate), index, colour)
        )
    path = " ".join(
        f"{_x(count, reach) + 3 * index:.1f},{_y(rate):.1f}" for count, rate, _, _ in line.points
    )
    at = _TOP + 14 + 24 * index
    return (
        f'<polyline class="line" points="{path}" stroke="{colour}"/>{"".join(parts)}'
        f"{_mark(_LEFT + _WIDE + 28, at - 4, index, colour)}"
        f'<text x="{_LEFT + _WIDE + 40}" y="{at}">{escape(line.name)}</text>'
    )


def _mark(x: float, y: float, index: int, colour: str) -> str:
    shape = _MARKS[index % len(_MARKS)]
    if shape == "circle":
        return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'
    turned = f' transform="rotate(45 {x:.1f} {y:.1f})"' if shape == "diamond" else ""
    return (
        f'<rect class="dot" x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9" '
        f'fill="{colour}"{turned}/>'
    )


def _x(count: float, reach: tuple[float, float]) -> float:
    low, high = reach
    return _LEFT + 14 + (_WIDE - 44) * ((count - low) / (high - low) if high > low else 0.5)


def _y(rate: float) -> float:
    return _TOP + _TALL * (1 - rate)
