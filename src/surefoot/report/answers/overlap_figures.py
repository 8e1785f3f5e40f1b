"""
Figures of IoU as inline SVG: histograms with and without their peaks, and threshold curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from surefoot.report.html.figures import draw_svg
from surefoot.score.boxes import Histogram

__all__ = ["histogram_figure", "threshold_figure"]

_PANEL: Final = 380.0
_HEIGHT: Final = 130.0
_LEFT: Final = 130.0
_GAP: Final = 40.0
_ROW: Final = 185.0
_LINE: Final = 16.0  # what labels of curves stand apart at least


def histogram_figure(rows: Sequence[tuple[str, Histogram]], *, title: str) -> str:
    """
    Draw IoUs, one row a mask: on the left with the peaks at 0 and 1, on the right without.

    >>> svg = histogram_figure([("static", Histogram(5, 1, (0.0, 0.5, 1.0), (2, 3)))], title="t")
    >>> svg.count("<rect"), "static" in svg
    (6, True)
    """
    body = []
    for index, (name, found) in enumerate(rows):
        top = 26 + index * _ROW
        body.append(
            f'<text class="label" x="{_LEFT - 12}" y="{top + _HEIGHT / 2:.1f}" '
            f'text-anchor="end">{escape(name)}</text>'
        )
        ends = ["0", *(f"{edge:.2f}" for edge in found.edges[1:]), "1"]
        body.append(_bars([found.zeros, *found.counts, found.ones], ends, _LEFT, top))
        body.append(_bars(found.counts, ends[1:-1], _LEFT + _PANEL + _GAP, top))
    said = "; ".join(
        f"{name}: {found.zeros} at 0, {found.ones} at 1, between them {list(found.counts)}"
        for name, found in rows
    )
    heads = (("all replies", _LEFT), ("without the peaks at 0 and 1", _LEFT + _PANEL + _GAP))
    body += [f'<text class="tick" x="{x}" y="14">{words}</text>' for words, x in heads]
    return draw_svg(
        _LEFT + 2 * _PANEL + _GAP + 10, 26 + _ROW * len(rows), title, said, "".join(body)
    )


def threshold_figure(
    curves: Sequence[tuple[str, Sequence[float]]], thresholds: Sequence[float], *, title: str
) -> str:
    """
    Draw, one line a mask, the share of replies whose IoU reaches each threshold.

    >>> "static" in threshold_figure([("static", (0.9, 0.2))], (0.25, 0.75), title="t")
    True
    """
    wide, tall = 560.0, 240.0
    body = [_frame(_LEFT, 14, wide, tall), _words(wide, tall)]
    places = sorted((14 + tall * (1 - shares[-1]), name) for name, shares in curves)
    label_at: dict[str, float] = {}
    last = 0.0
    for y, name in places:
        last = label_at[name] = max(y, last + _LINE)
    for index, (name, shares) in enumerate(curves):
        points = " ".join(
            f"{_LEFT + wide * at:.1f},{14 + tall * (1 - share):.1f}"
            for at, share in zip(thresholds, shares, strict=True)
        )
        dash = f"{12 - 2 * (index % 5)} {3 * (index % 5)}" if index else "none"
        body.append(
            f'<g class="level"><title>{escape(name)}</title><polyline class="whisker" '
            f'points="{points}" style="fill:none;stroke-dasharray:{dash}"/>'
            f'<text class="label" x="{_LEFT + wide + 8}" y="{label_at[name] + 4:.1f}">'
            f"{escape(name)}</text></g>"
        )
    said = "; ".join(
        f"{name}: " + ", ".join(f"{share:.2f}" for share in shares) for name, shares in curves
    )
    bottom = max([14 + tall, *label_at.values()])
    return draw_svg(_LEFT + wide + 190, bottom + 46, title, said, "".join(body))


def _bars(counts: Sequence[int], ends: Sequence[str], left: float, top: float) -> str:
    most = max([*counts, 1])
    wide = _PANEL / len(counts)
    drawn = [
        f'<rect class="mark" x="{left + index * wide + 1:.1f}" '
        f'y="{top + _HEIGHT * (1 - count / most):.1f}" width="{wide - 2:.1f}" '
        f'height="{_HEIGHT * count / most:.1f}"><title>{count}, up to {end}</title></rect>'
        for index, (count, end) in enumerate(zip(counts, ends, strict=True))
    ]
    base = top + _HEIGHT
    marks = (
        f'<line class="zero" x1="{left}" x2="{left + _PANEL}" y1="{base}" y2="{base}"/>'
        f'<text class="tick" x="{left}" y="{base + 15}">IoU 0</text>'
        f'<text class="tick" x="{left + _PANEL}" y="{base + 15}" text-anchor="end">IoU 1</text>'
        f'<text class="tick" x="{left + _PANEL / 2}" y="{base + 15}" text-anchor="middle">'
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


def _words(wide: float, tall: float) -> str:
    return (
        f'<text class="tick" x="{_LEFT + wide / 2}" y="{tall + 48}" text-anchor="middle">'
        "least IoU that counts</text>"
    )
