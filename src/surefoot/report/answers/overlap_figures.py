"""
Figures of IoU as inline SVG: histograms with and without their peaks, and threshold curves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from surefoot.report.html.figures import (
    PHONE_WIDTH,
    break_lines,
    draw_svg,
    draw_twice,
    write_lines,
)
from surefoot.score.boxes import Histogram

__all__ = ["histogram_figure", "threshold_figure"]

_PANEL: Final = 380.0
_HEIGHT: Final = 130.0
_LEFT: Final = 130.0
_GAP: Final = 40.0
_ROW: Final = 185.0
_LINE: Final = 16.0  # what labels of curves stand apart at least
_CURVES: Final = (560.0, 240.0)  # how wide and how high the curves are drawn
_NAMES: Final = 190.0  # what the names of curves have beside them
_TICKS: Final = 48.0  # what the numbers of an axis have at its left
_PANELS: Final = ("all replies", "without the peaks at 0 and 1")


def histogram_figure(rows: Sequence[tuple[str, Histogram]], *, title: str) -> str:
    """
    Draw IoUs, one row a mask: on the left with the peaks at 0 and 1, on the right without.

    On a phone one panel stands below the other.

    >>> svg = histogram_figure([("static", Histogram(5, 1, (0.0, 0.5, 1.0), (2, 3)))], title="t")
    >>> svg.count("<rect"), "static" in svg
    (12, True)
    """
    said = "; ".join(
        f"{name}: {found.zeros} at 0, {found.ones} at 1, between them {list(found.counts)}"
        for name, found in rows
    )

    def draw(*, phone: bool) -> str:
        width, height, body = (_panels_below if phone else _panels_beside)(rows)
        return draw_svg(width, height, title, said, body)

    return draw_twice(draw)


def threshold_figure(
    curves: Sequence[tuple[str, Sequence[float]]], thresholds: Sequence[float], *, title: str
) -> str:
    """
    Draw, one line a mask, the share of replies whose IoU reaches each threshold.

    The names stand beside their lines, on a phone below them in a key.

    >>> "static" in threshold_figure([("static", (0.9, 0.2))], (0.25, 0.75), title="t")
    True
    """
    said = "; ".join(
        f"{name}: " + ", ".join(f"{share:.2f}" for share in shares) for name, shares in curves
    )

    def draw(*, phone: bool) -> str:
        wide, tall = (PHONE_WIDTH - _TICKS - 8, _CURVES[1]) if phone else _CURVES
        left = _TICKS if phone else _LEFT
        lines = [
            _curve(shares, thresholds, index, (left, wide, tall))
            for index, (_, shares) in enumerate(curves)
        ]
        names, bottom = (
            _key_of_curves(curves, 14 + tall + 58)
            if phone
            else _names_beside(curves, left + wide + 8, tall)
        )
        grouped = (
            f'<g class="level"><title>{escape(name)}</title>{line}{written}</g>'
            for (name, _), line, written in zip(curves, lines, names, strict=True)
        )
        axes = _frame(left, 14, wide, tall) + _words(left + wide / 2, tall)
        width = PHONE_WIDTH if phone else left + wide + _NAMES
        height = max(14 + tall + 46, bottom + 6)
        return draw_svg(width, height, title, said, axes + "".join(grouped))

    return draw_twice(draw)


def _panels_beside(rows: Iterable[tuple[str, Histogram]]) -> tuple[float, float, str]:
    """Draw both panels of a mask in one row; return the width, the height and the drawing."""
    seconds = _LEFT + _PANEL + _GAP
    heads = zip(_PANELS, (_LEFT, seconds), strict=True)
    body = [write_lines([words], x, 2, "tick")[0] for words, x in heads]
    top = 26.0
    for name, found in rows:
        label = break_lines(name, _LEFT - 16)
        middle = top + (_HEIGHT - _LINE * len(label)) / 2
        body.append(write_lines(label, _LEFT - 12, middle, "label", "end")[0])
        whole, inner = _both(found)
        body += [_bars(*whole, _LEFT, top), _bars(*inner, seconds, top)]
        top += _ROW
    return seconds + _PANEL + 10, top, "".join(body)


def _panels_below(rows: Iterable[tuple[str, Histogram]]) -> tuple[float, float, str]:
    """Draw both panels of a mask below its name; return as ``_panels_beside``."""
    body, y = [], 0.0
    for name, found in rows:
        drawn, y = write_lines(break_lines(name, PHONE_WIDTH), 0, y, "label")
        body.append(drawn)
        for head, (counts, ends) in zip(_PANELS, _both(found), strict=True):
            drawn, y = write_lines([head], 0, y, "tick")
            body += [drawn, _bars(counts, ends, 0, y + 4, PHONE_WIDTH)]
            y += _HEIGHT + 30
        y += 12
    return PHONE_WIDTH, y, "".join(body)


def _both(found: Histogram) -> tuple[tuple[list[int], list[str]], tuple[list[int], list[str]]]:
    """Return the counts and the upper ends of their bins, with the peaks and without."""
    ends = ["0", *(f"{edge:.2f}" for edge in found.edges[1:]), "1"]
    counts = list(found.counts)
    return ([found.zeros, *counts, found.ones], ends), (counts, ends[1:-1])


def _curve(
    shares: Sequence[float],
    thresholds: Sequence[float],
    index: int,
    place: tuple[float, float, float],
) -> str:
    left, wide, tall = place
    points = " ".join(
        f"{left + wide * at:.1f},{14 + tall * (1 - share):.1f}"
        for at, share in zip(thresholds, shares, strict=True)
    )
    return f'<polyline class="whisker" points="{points}" style="{_stroke(index)}"/>'


def _stroke(index: int) -> str:
    """Return the look of a line by which it is told from the others."""
    dash = f"{12 - 2 * (index % 5)} {3 * (index % 5)}" if index else "none"
    return f"fill:none;stroke-dasharray:{dash}"


def _names_beside(
    curves: Sequence[tuple[str, Sequence[float]]], x: float, tall: float
) -> tuple[list[str], float]:
    """Write the name of each curve where it ends, none on another; also return the last end."""
    names = [break_lines(name, _NAMES - 12) for name, _ in curves]
    written, end = [""] * len(names), 0.0
    for at in sorted(range(len(names)), key=lambda at: (1 - curves[at][1][-1], curves[at][0])):
        middle = 14 + tall * (1 - curves[at][1][-1])
        top = max(middle - _LINE / 2, end)
        written[at], end = write_lines(names[at], x, top, "label")
    return written, end


def _key_of_curves(
    curves: Sequence[tuple[str, Sequence[float]]], y: float
) -> tuple[list[str], float]:
    """Write the name of each curve behind a piece of it, one below the other, from ``y`` on."""
    written = []
    for index, (name, _) in enumerate(curves):
        piece = (
            f'<line class="whisker" x1="0" x2="52" y1="{y + 8:.1f}" y2="{y + 8:.1f}" '
            f'style="{_stroke(index)}"/>'
        )
        drawn, y = write_lines(break_lines(name, PHONE_WIDTH - 64), 60, y, "label")
        written.append(piece + drawn)
    return written, y


def _bars(
    counts: Sequence[int],
    ends: Sequence[str],
    left: float,
    top: float,
    panel: float = _PANEL,
) -> str:
    most = max([*counts, 1])
    wide = panel / len(counts)
    drawn = [
        f'<rect class="mark" x="{left + index * wide + 1:.1f}" '
        f'y="{top + _HEIGHT * (1 - count / most):.1f}" width="{wide - 2:.1f}" '
        f'height="{_HEIGHT * count / most:.1f}"><title>{count}, up to {end}</title></rect>'
        for index, (count, end) in enumerate(zip(counts, ends, strict=True))
    ]
    base = top + _HEIGHT
    marks = (
        f'<line class="zero" x1="{left}" x2="{left + panel}" y1="{base}" y2="{base}"/>'
        f'<text class="tick" x="{left}" y="{base + 15}">IoU 0</text>'
        f'<text class="tick" x="{left + panel}" y="{base + 15}" text-anchor="end">IoU 1</text>'
        f'<text class="tick" x="{left + panel / 2}" y="{base + 15}" text-anchor="middle">'
        f"highest bar: {most if any(counts) else 0}</text>"
    )
    return f'<g class="level">{"".join(drawn)}</g>{marks}'


def _frame(left: float, top: float, wide: float, tall: float) -> str:
    parts = []
    for step in range(5):
        x, y = left + wide * step / 4, top + tall * step / 4
        line = "zero" if step == 0 else "grid"
        low = "zero" if step == 4 else "grid"  # noqa: PLR2004 - the last of the five lines
        parts.append(f'<line class="{line}" x1="{x}" x2="{x}" y1="{top}" y2="{top + tall}"/>')
        parts.append(f'<line class="{low}" x1="{left}" x2="{left + wide}" y1="{y}" y2="{y}"/>')
        parts.append(
            f'<text class="tick" x="{x}" y="{top + tall + 16}" text-anchor="middle">'
            f"{step / 4:g}</text>"
            f'<text class="tick" x="{left - 8}" y="{y + 4}" text-anchor="end">'
            f"{100 - 25 * step} %</text>"
        )
    return "".join(parts)


def _words(middle: float, tall: float) -> str:
    return (
        f'<text class="tick" x="{middle}" y="{tall + 48}" text-anchor="middle">'
        "least IoU that counts</text>"
    )
