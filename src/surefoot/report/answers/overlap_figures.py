"""
Histograms of IoU as inline SVG, with and without their peaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from surefoot.report.html.figures import (
    PHONE_WIDTH,
    break_lines,
    draw_svg,
    draw_twice,
    write_lines,
)
from surefoot.score.boxes import Histogram

_PANEL: Final = 380.0
_HEIGHT: Final = 130.0
_LEFT: Final = 130.0
_GAP: Final = 40.0
_ROW: Final = 185.0
_LINE: Final = 16.0  # from one line of words to the next
_PANELS: Final = ("all replies", "without the peaks at 0 and 1")


def histogram_figure(rows: Sequence[tuple[str, Histogram]], *, title: str) -> str:
    """
    Draw IoUs, one row a mask: on the left with the peaks at 0 and 1, on the right without.

    On a phone one panel stands below the other.

    >>> svg = histogram_figure([("static", Histogram(5, 1, (0.0, 0.5, 1.0), (2, 3)))], title="t")
    >>> svg.count("<rect"), "static" in svg
    (12, True)
    """
    description = "; ".join(
        f"{name}: {found.zeros} at 0, {found.ones} at 1, between them {list(found.counts)}"
        for name, found in rows
    )

    def draw(*, phone: bool) -> str:
        width, height, body = (_panels_below if phone else _panels_beside)(rows)
        return draw_svg(width, height, title, description, body)

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
