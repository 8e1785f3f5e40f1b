"""
Figures as inline SVG: forest plots of changes, plots of levels, heat maps of rates.

Every figure carries a title and a description for screen readers, uses the page's colours
through CSS classes, and stands beside a table with the same numbers; it is never the only
place where a number can be read.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final, Literal

import msgspec

__all__ = [
    "Axis",
    "HeatCell",
    "IntervalRow",
    "StackedRow",
    "draw_svg",
    "forest_plot",
    "heat_map",
    "level_plot",
    "stacked_bars",
]

_ROW = 30.0
_LABEL = 250.0
_LABEL_MOST = 430.0
_LETTER = 7.0  # what a letter of a label takes on average
_PLOT = 430.0
_FIGURE = 250.0
_GRID = 780.0  # all columns of a grid together


class IntervalRow(msgspec.Struct, frozen=True):
    """
    Hold one number with its interval, None where it has none.

    ``over`` says what the interval rests on, as in "6 sites", and ``note`` what else is to be
    known of it. Only a change that is ``clear``, thus more than chance, is drawn filled and
    coloured.
    """

    label: str
    value: float
    interval: tuple[float, float] | None
    over: str = ""
    note: str = ""
    clear: bool = False


class _Frame(msgspec.Struct, frozen=True):
    """Hold where a plot begins, right of its labels, and the values at both of its ends."""

    left: float
    low: float
    high: float


class Axis(msgspec.Struct, frozen=True):
    """Name what an axis measures; ``worse`` is the side of zero that is a loss."""

    words: str = "change of the hit rate, percentage points"
    worse: Literal["left", "right"] = "left"


CHANGE: Final = Axis()


class StackedRow(msgspec.Struct, frozen=True):
    """Hold the counts of one row's parts, and a note to be written behind its bar."""

    label: str
    counts: tuple[int, ...]
    note: str = ""


class HeatCell(msgspec.Struct, frozen=True):
    """Hold one rate in [0, 1] (None where nothing was asked) and the words that go with it."""

    rate: float | None
    caption: str


def forest_plot(rows: Sequence[IntervalRow], *, title: str, axis: Axis = CHANGE) -> str:
    """
    Draw changes with their intervals around a line at zero.

    >>> svg = forest_plot([IntervalRow("zoom", -9.5, (-14.0, -5.0))], title="Change")
    >>> svg.startswith("<svg") and "-9.5 [-14.0, -5.0]" in svg
    True
    """
    below, above = ("loss", "gain") if axis.worse == "left" else ("gain", "loss")
    tones = ["open" if not row.clear else below if row.value < 0 else above for row in rows]
    widest = max((abs(end) for row in rows for end in _ends(row)), default=1.0)
    reach = max(5.0, math.ceil(widest / 5) * 5.0)
    return _interval_plot(rows, tones, (-reach, reach), ("+.4g", "+.1f"), title, axis.words)


def level_plot(rows: Sequence[IntervalRow], *, title: str, axis: Axis, top: float = 0.0) -> str:
    """
    Draw numbers of 0 or more with their intervals on an axis from 0 to ``top`` at least.

    >>> rows = [IntervalRow("direct", 0.2, (0.1, 0.3))]
    >>> "0.20 [0.10, 0.30]" in level_plot(rows, title="t", axis=Axis("diagonals"))
    True
    """
    reach = max(top, _round_up(max((end for row in rows for end in _ends(row)), default=0.0)))
    tones = ["level"] * len(rows)
    return _interval_plot(rows, tones, (0.0, reach), (".3g", ".2f"), title, axis.words)


def stacked_bars(rows: Sequence[StackedRow], parts: Sequence[str], *, title: str) -> str:
    """
    Draw how a whole is made up, a bar a row: each part's share of the row's sum, and its count.

    A part is drawn in the class ``part-N``, N being its place in ``parts``; those that no row
    has are left out of the key.

    >>> svg = stacked_bars([StackedRow("ocr", (3, 1), "4 of 9")], ["left", "right"], title="t")
    >>> "left 3, right 1" in svg and 'class="part-1"' in svg
    True
    """
    left = _label_width(row.label for row in rows)
    shown = [at for at in range(len(parts)) if any(row.counts[at] for row in rows)]
    body, x, y = [], left, 6.0
    for at in shown:
        wide = 28 + _LETTER * len(parts[at])
        if x + wide > left + _PLOT + _FIGURE and x > left:
            x, y = left, y + 22
        body.append(
            f'<g class="part-{at}"><rect x="{x:.1f}" y="{y:.1f}" width="13" height="13"/>'
            f'<text x="{x + 18:.1f}" y="{y + 11:.1f}">{escape(parts[at])}</text></g>'
        )
        x += wide
    top = y + 30
    for index, row in enumerate(rows):
        y, x, total = top + index * _ROW, left, sum(row.counts) or 1
        body.append(
            f'<text class="label" x="{left - 12}" y="{y + 15}" text-anchor="end">'
            f"<title>{escape(row.label)}</title>{escape(_shortened(row.label, left))}</text>"
        )
        for at in shown:
            wide = _PLOT * row.counts[at] / total
            if wide:
                number = f"{row.counts[at]:,}"
                fits = wide > _LETTER * len(number) + 6
                middle = f"{x + wide / 2:.1f}"
                inside = f'<text x="{middle}" y="{y + 15}" text-anchor="middle">{number}</text>'
                body.append(
                    f'<g class="part-{at}"><title>{escape(parts[at])}: {number}</title>'
                    f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="21"/>'
                    f"{inside * fits}</g>"
                )
            x += wide
        body.append(
            f'<text class="figure" x="{left + _PLOT + 10}" y="{y + 15}">{escape(row.note)}</text>'
        )
    described = "; ".join(
        f"{row.label}: " + ", ".join(f"{parts[at]} {row.counts[at]:,}" for at in shown)
        for row in rows
    )
    height = top + _ROW * len(rows)
    return draw_svg(left + _PLOT + _FIGURE, height, title, described, "".join(body))


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], HeatCell],
    *,
    title: str,
    absent: str = "",
) -> str:
    """
    Draw rates by (row, column); the colour runs from the page's low to its high tone.

    A cell that is not there bears the words ``absent``.

    >>> "92 %" in heat_map(["a"], ["b"], {("a", "b"): HeatCell(0.92, "92 %")}, title="Hit rate")
    True
    """
    wide = min(150.0, _GRID / max(1, len(columns)))
    left = _label_width(rows)
    heads = [_in_lines(name, wide) for name in columns]
    tallest = max(map(len, heads), default=1)
    body = [
        f'<text class="label" x="{left + (index + 0.5) * wide:.1f}" '
        f'y="{16 * (1 + at + tallest - len(head))}" text-anchor="middle">'
        f"<title>{escape(columns[index])}</title>{escape(line)}</text>"
        for index, head in enumerate(heads)
        for at, line in enumerate(head)
    ]
    described = []
    for index, name in enumerate(rows):
        top = 10 + 16 * tallest + index * 34.0
        line = [cells.get((name, column), HeatCell(None, absent)) for column in columns]
        body.append(
            f'<text class="label" x="{left - 10}" y="{top + 21:.1f}" text-anchor="end">'
            f"<title>{escape(name)}</title>{escape(_shortened(name, left))}</text>"
        )
        body += [_heat_cell(cell, left + at * wide, top, wide - 3) for at, cell in enumerate(line)]
        told = (f"{c} {cell.caption}" for c, cell in zip(columns, line, strict=True))
        described.append(f"{name}: {', '.join(told)}")
    width, height = left + wide * len(columns) + 8, 14 + 16 * tallest + 34.0 * len(rows)
    return draw_svg(width, height, title, "; ".join(described), "".join(body))


def _ends(row: IntervalRow) -> tuple[float, ...]:
    return (row.value, *(row.interval or ()))


def _round_up(value: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at least the value; 1 for zero."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value * (1 - 1e-12))


def _label_width(labels: Iterable[str]) -> float:
    wanted = max((_LETTER * len(label) + 20 for label in labels), default=0.0)
    return min(max(_LABEL, wanted), _LABEL_MOST)


def _in_lines(label: str, width: float) -> list[str]:
    """Break a label over lines where it has commas or spaces, and cut what is still too long."""
    lines: list[str] = []
    for word in label.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _LETTER * len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return [_shortened(line, width + 20) for line in lines] or [""]


def _shortened(label: str, width: float) -> str:
    letters = int((width - 20) / _LETTER)
    return label if len(label) <= letters else f"{label[: letters - 1]}\N{HORIZONTAL ELLIPSIS}"


def _x(value: float, frame: _Frame) -> float:
    return frame.left + (value - frame.low) / (frame.high - frame.low) * _PLOT


def _axis(frame: _Frame, height: float, words: str, digits: str) -> str:
    step = (frame.high - frame.low) / 4
    parts = []
    for index in range(5):
        value = frame.low + index * step
        x = _x(value, frame)
        line = "zero" if value == 0 else "grid"
        parts.append(f'<line class="{line}" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{height - 36}"/>')
        parts.append(
            f'<text class="tick" x="{x:.1f}" y="{height - 20}" text-anchor="middle">'
            f"{value:{digits}}</text>"
        )
    parts.append(
        f'<text class="tick" x="{frame.left + _PLOT / 2}" y="{height - 4}" text-anchor="middle">'
        f"{escape(words)}</text>"
    )
    return "".join(parts)


def _interval_plot(
    rows: Sequence[IntervalRow],
    tones: Sequence[str],
    reach: tuple[float, float],
    digits: tuple[str, str],
    title: str,
    words: str,
) -> str:
    """Draw a mark and a whisker for each row, in a tone; ``digits`` are of axis and numbers."""
    height = _ROW * len(rows) + 46
    frame = _Frame(_label_width(row.label for row in rows), *reach)
    body, described = [_axis(frame, height, words, digits[0])], []
    for index, (row, tone) in enumerate(zip(rows, tones, strict=True)):
        low, high, at = (
            _x(value, frame) for value in (*(row.interval or (row.value, row.value)), row.value)
        )
        ends = ", ".join(f"{end:{digits[1]}}" for end in row.interval or ())
        over = f", {row.over}" if row.over else ""
        figures = f"{row.value:{digits[1]}} {f'[{ends}]{over}' if ends else '(no interval)'}"
        y = 18 + index * _ROW
        body.append(
            f'<g class="{tone}"><title>{escape(f"{row.label} {figures} {row.note}")}</title>'
            f'<text class="label" x="{frame.left - 12}" y="{y + 5}" text-anchor="end">'
            f"{escape(_shortened(row.label, frame.left))}</text>"
            f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'
            f'<rect class="mark" x="{at - 5:.1f}" y="{y - 5}" width="10" height="10"/>'
            f'<text class="figure" x="{frame.left + _PLOT + 10}" y="{y + 5}">{figures}</text></g>'
        )
        described.append(f"{row.label}: {figures}")
    width = frame.left + _PLOT + _FIGURE
    return draw_svg(width, height, title, "; ".join(described), "".join(body))


def _heat_cell(cell: HeatCell, x: float, y: float, wide: float) -> str:
    rate = 0.0 if cell.rate is None else cell.rate
    tone = "absent" if cell.rate is None else "dark" if rate > 0.55 else "light"  # noqa: PLR2004 - where white text reads better
    return (
        f'<g class="heat {tone}"><rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="31" '
        f'fill-opacity="{0.08 + 0.92 * rate:.3f}"/>'
        f'<text x="{x + wide / 2:.1f}" y="{y + 20:.1f}" text-anchor="middle">'
        f"{escape(cell.caption)}</text></g>"
    )


def draw_svg(width: float, height: float, title: str, description: str, body: str) -> str:
    """Return a drawing with a title and a description for screen readers."""
    return (
        f'<svg role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'style="max-width:{width:.0f}px" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{body}</svg>"
    )
