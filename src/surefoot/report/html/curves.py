"""
Shares along an axis as inline SVG: a line for each thing that is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

import msgspec

from surefoot.report.html.figures import (
    PHONE_WIDTH,
    break_lines,
    draw_svg,
    draw_twice,
    write_lines,
)

_LEFT: Final = 130.0
_TOP: Final = 14.0
_SIZE: Final = (560.0, 240.0)  # how wide and how high the curves are drawn
_NAMES: Final = 190.0  # what the names of curves have beside them
_TICKS: Final = 48.0  # what the numbers of an axis have at its left
_LINE: Final = 16.0  # what labels of curves stand apart at least


class Curve(msgspec.Struct, frozen=True):
    """
    Hold a line through (number, share), in the order of the numbers.

    ``marks`` are further such points, which are drawn singly: what a line was smoothed from.
    ``intervals`` are (number, low, high), drawn upright through the line.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    marks: tuple[tuple[float, float], ...] = ()
    intervals: tuple[tuple[float, float, float], ...] = ()


class _Frame(msgspec.Struct, frozen=True):
    """Hold where the curves are drawn, and the numbers at both ends of the axis."""

    left: float
    wide: float
    tall: float
    low: float
    high: float

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        number, share = point
        along = (number - self.low) / ((self.high - self.low) or 1)
        return self.left + self.wide * along, _TOP + self.tall * (1 - share)


def curve_plot(curves: Sequence[Curve], ticks: Sequence[float], *, title: str, words: str) -> str:
    """
    Draw shares over an axis from the first to the last of ``ticks``, which ``words`` name.

    The names stand beside their lines, on a phone below them in a key.

    >>> "static" in curve_plot([Curve("static", ((0, 0.9), (1, 0.2)))], (0, 1), title="t",
    ...                        words="IoU")
    True
    """
    description = "; ".join(
        f"{curve.name}: " + ", ".join(f"{100 * share:.0f} %" for _, share in curve.points)
        for curve in curves
    )

    def draw(*, phone: bool) -> str:
        wide, tall = (PHONE_WIDTH - _TICKS - 8, _SIZE[1]) if phone else _SIZE
        frame = _Frame(_TICKS if phone else _LEFT, wide, tall, ticks[0], ticks[-1])
        names, bottom = (
            _names_below(curves, _TOP + tall + 58)
            if phone
            else _names_beside(curves, frame.left + wide + 8, tall)
        )
        grouped = (
            f'<g class="level"><title>{escape(curve.name)}</title>{_line(curve, index, frame)}'
            f"{written}</g>"
            for index, (curve, written) in enumerate(zip(curves, names, strict=True))
        )
        width = PHONE_WIDTH if phone else frame.left + wide + _NAMES
        height = max(_TOP + tall + 46, bottom + 6)
        body = _axes(frame, ticks, words) + "".join(grouped)
        return draw_svg(width, height, title, description, body)

    return draw_twice(draw)


def _line(curve: Curve, index: int, frame: _Frame) -> str:
    points = " ".join("{:.1f},{:.1f}".format(*frame.place(point)) for point in curve.points)
    marks = "".join(_mark(frame.place(point), index) for point in curve.marks)
    marks += "".join(_upright(interval, index, frame) for interval in curve.intervals)
    return f'<polyline class="whisker" points="{points}" style="{_stroke(index)}"/>{marks}'


def _upright(interval: tuple[float, float, float], index: int, frame: _Frame) -> str:
    """Draw an interval; those of further lines a little further to the right."""
    number, low, high = interval
    x, top = frame.place((number, high))
    bottom = frame.place((number, low))[1]
    x += 5 * index
    ends = "".join(f"M{x - 4:.1f} {y:.1f}h8" for y in (top, bottom))
    return f'<path class="interval" d="M{x:.1f} {top:.1f}V{bottom:.1f}{ends}"/>'


def _stroke(index: int) -> str:
    """Return the look of a line by which it is told from the others."""
    dash = f"{12 - 2 * (index % 5)} {3 * (index % 5)}" if index else "none"
    return f"fill:none;stroke-dasharray:{dash}"


def _mark(place: tuple[float, float], index: int) -> str:
    """Draw a point so that it is told from those of other lines: round or square, full or not."""
    x, y = place
    hollow = ' style="fill-opacity:0.45"' if index % 2 else ""
    if index // 2 % 2:
        square = f'x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"'
        return f'<rect class="mark" {square}{hollow}/>'
    return f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="4"{hollow}/>'


def _names_beside(curves: Sequence[Curve], x: float, tall: float) -> tuple[list[str], float]:
    """Write the name of each curve where it ends, none on another; also return the last end."""
    names = [break_lines(curve.name, _NAMES - 12) for curve in curves]
    ends = [1 - curve.points[-1][1] for curve in curves]
    written, end = [""] * len(names), 0.0
    for at in sorted(range(len(names)), key=lambda at: (ends[at], curves[at].name)):
        top = max(_TOP + tall * ends[at] - _LINE / 2, end)
        written[at], end = write_lines(names[at], x, top, "label")
    return written, end


def _names_below(curves: Sequence[Curve], y: float) -> tuple[list[str], float]:
    """Write the name of each curve behind a piece of it, one below the other, from ``y`` on."""
    written = []
    for index, curve in enumerate(curves):
        piece = (
            f'<line class="whisker" x1="0" x2="52" y1="{y + 8:.1f}" y2="{y + 8:.1f}" '
            f'style="{_stroke(index)}"/>'
        )
        drawn, y = write_lines(break_lines(curve.name, PHONE_WIDTH - 64), 60, y, "label")
        written.append(piece + drawn)
    return written, y


def _axes(frame: _Frame, ticks: Sequence[float], words: str) -> str:
    left, wide, tall = frame.left, frame.wide, frame.tall
    parts = []
    for tick in ticks:
        x, line = frame.place((tick, 0))[0], "zero" if tick == ticks[0] else "grid"
        parts.append(
            f'<line class="{line}" x1="{x}" x2="{x}" y1="{_TOP}" y2="{_TOP + tall}"/>'
            f'<text class="tick" x="{x}" y="{_TOP + tall + 16}" text-anchor="middle">'
            f"{tick:g}</text>"
        )
    for step in range(5):
        y, line = _TOP + tall * (1 - step / 4), "grid" if step else "zero"
        parts.append(
            f'<line class="{line}" x1="{left}" x2="{left + wide}" y1="{y}" y2="{y}"/>'
            f'<text class="tick" x="{left - 8}" y="{y + 4}" text-anchor="end">{25 * step} %</text>'
        )
    return (
        f'{"".join(parts)}<text class="tick" x="{left + wide / 2}" y="{tall + 52}" '
        f'text-anchor="middle">{escape(words)}</text>'
    )
