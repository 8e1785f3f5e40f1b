"""
Figures as inline SVG: forest plots of changes, plots of levels, heat maps of rates.

Every figure carries a title and a description for screen readers, uses the page's colours
through CSS classes, and stands beside a table with the same numbers; it is never the only
place where a number can be read.

Each is drawn twice, with its labels beside the marks for a desk and above them for a phone;
the style sheet shows the one that fits. Words that have no room in a line go on in the next:
nothing is cut.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Final, Literal

import msgspec

from surefoot.phrasing.words import end_words

_ROW = 30.0
_LABEL = 250.0
_LABEL_MOST = 430.0
_LINE = 16.0  # from one line of words to the next
_LETTER = 7.5  # what a letter takes on average
_CAPITAL = 9.5
_FULL_WIDTH = 13.0  # what a Chinese, Japanese or Korean letter takes
_PLOT = 430.0
_FIGURE = 250.0
_GRID = 780.0  # all columns of a grid together
_CELL = 150.0  # the widest column of a grid
PHONE_WIDTH: Final = 350.0  # all of a drawing that is made for a phone
_DARK = 0.85  # the rate over which white reads better on its colour than black
_EDGE = 26.0  # half of what the outermost number of an axis takes


class IntervalRow(msgspec.Struct, frozen=True):
    """
    Hold one number with its interval, None where it has none.

    ``over`` says what the interval rests on, as in "6 sites", and ``note`` what else is to be
    known of it. Only a change that is ``clear``, thus more than chance, is drawn filled and
    coloured; so is a level unless it is ``faint``. ``marks`` are the numbers of others, each
    with its place in the names that a level plot is given.
    """

    label: str
    value: float
    interval: tuple[float, float] | None
    over: str = ""
    note: str = ""
    clear: bool = False
    faint: bool = False
    marks: tuple[tuple[int, float], ...] = ()


class _Frame(msgspec.Struct, frozen=True):
    """Hold where a plot begins, how wide it is, and the values at both of its ends."""

    left: float
    width: float
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

    >>> drawn = forest_plot([IntervalRow("zoom", -9.5, (-14.0, -5.0))], title="Change")
    >>> drawn.count("<svg"), "-9.5 [-14.0, -5.0]" in drawn
    (2, True)
    """
    below, above = ("loss", "gain") if axis.worse == "left" else ("gain", "loss")
    tones = ["open" if not row.clear else below if row.value < 0 else above for row in rows]
    widest = max((abs(end) for row in rows for end in _ends(row)), default=1.0)
    reach = max(5.0, math.ceil(widest / 5) * 5.0)
    return _interval_plot(rows, tones, (-reach, reach), ("+.4g", "+.1f"), title, axis.words)


def level_plot(
    rows: Sequence[IntervalRow],
    *,
    title: str,
    axis: Axis,
    top: float = 0.0,
    digits: int = 2,
    names: Sequence[str] = (),
) -> str:
    """
    Draw numbers of 0 or more with their intervals on an axis from 0 to ``top`` at least.

    ``digits`` are those behind the point of what is written beside a mark, ``names`` those of
    the rows' further marks.

    >>> rows = [IntervalRow("direct", 0.2, (0.1, 0.3))]
    >>> "0.20 [0.10, 0.30]" in level_plot(rows, title="t", axis=Axis("diagonals"))
    True
    """
    reach = max(top, _round_up(max((end for row in rows for end in _ends(row)), default=0.0)))
    tones = ["open" if row.faint else "level" for row in rows]
    written = (".3g", f".{digits}f")
    return _interval_plot(rows, tones, (0.0, reach), written, title, axis.words, names)


def stacked_bars(rows: Sequence[StackedRow], parts: Sequence[str], *, title: str) -> str:
    """
    Draw how a whole is made up, a bar a row: each part's share of the row's sum, and its count.

    A part is drawn in the class ``part-N``, N being its place in ``parts``; those that no row
    has are left out of the key.

    >>> drawn = stacked_bars([StackedRow("ocr", (3, 1), "4 of 9")], ["left", "right"], title="t")
    >>> "left 3, right 1" in drawn and 'class="part-1"' in drawn
    True
    """
    shown = [at for at in range(len(parts)) if any(row.counts[at] for row in rows)]
    described = "; ".join(
        f"{row.label}: " + ", ".join(f"{parts[at]} {row.counts[at]:,}" for at in shown)
        for row in rows
    )

    def draw(*, phone: bool) -> str:
        left, plot, width = _columns(
            (row.label for row in rows), (row.note for row in rows), phone=phone
        )
        body, y = _key(parts, shown, 0.0 if phone else left, width)
        for row in rows:
            words, middle, y = _row_words(row.label, row.note, y, (left, plot), phone=phone)
            body += [words, _bar(row, parts, shown, (left, middle - 10, plot))]
        return draw_svg(width, y, title, described, "".join(body))

    return draw_twice(draw)


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

    A cell that is not there bears the words ``absent``. Columns that have no room beside each
    other go on below.

    >>> "92 %" in heat_map(["a"], ["b"], {("a", "b"): HeatCell(0.92, "92 %")}, title="Hit rate")
    True
    """
    whole = {
        (row, column): cells.get((row, column), HeatCell(None, absent))
        for row in rows
        for column in columns
    }
    described = "; ".join(
        f"{row}: " + ", ".join(f"{column} {whole[row, column].caption}" for column in columns)
        for row in rows
    )

    def draw(*, phone: bool) -> str:
        width, height, body = (_heat_list if phone else _heat_grid)(rows, columns, whole)
        return draw_svg(width, height, title, described, body)

    return draw_twice(draw)


def draw_svg(width: float, height: float, title: str, description: str, body: str) -> str:
    """Return a drawing with a title and a description for screen readers."""
    return (
        f'<svg role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'style="max-width:{width:.0f}px" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{body}</svg>"
    )


def draw_twice(draw: Callable[..., str]) -> str:
    """Draw for a desk and for a phone; the style sheet shows one of both."""
    return (
        f'<div><div class="on-desk">{draw(phone=False)}</div>'
        f'<div class="on-phone">{draw(phone=True)}</div></div>'
    )


def _ends(row: IntervalRow) -> tuple[float, ...]:
    return (row.value, *(row.interval or ()))


def _round_up(value: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at least the value; 1 for zero."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value * (1 - 1e-12))


def _letter(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return _FULL_WIDTH
    return _CAPITAL if letter.isupper() else _LETTER


def _length(words: str) -> float:
    """Return how wide words are drawn at most, in the units of the drawing."""
    return sum(map(_letter, words))


def _longest(texts: Iterable[str]) -> float:
    return max(map(_length, texts), default=0.0)


def break_lines(words: str, width: float) -> list[str]:
    """
    Break words over lines at spaces, and within a word that is wider than a line.

    >>> break_lines("found on a phone", 70)
    ['found on', 'a phone']
    """
    lines = [""]
    for word in words.split():
        joined = f"{lines[-1]} {word}".lstrip()
        if _length(joined) <= width:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and _length(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return lines if lines[0] else []


def write_lines(
    lines: Iterable[str], x: float, y: float, kind: str, anchor: str = "start"
) -> tuple[str, float]:
    """Write lines below ``y``; also return where they end."""
    drawn = []
    for line in lines:
        y += _LINE
        drawn.append(
            f'<text class="{kind}" x="{x:.1f}" y="{y - 4:.1f}" text-anchor="{anchor}">'
            f"{escape(line)}</text>"
        )
    return "".join(drawn), y


def _columns(
    labels: Iterable[str], notes: Iterable[str], *, phone: bool
) -> tuple[float, float, float]:
    """Return where a plot begins, how wide it is, and how wide the whole drawing is."""
    if phone:
        return _EDGE, PHONE_WIDTH - 2 * _EDGE, PHONE_WIDTH
    left = min(max(_LABEL, _longest(labels) + 20), _LABEL_MOST)
    return left, _PLOT, left + _PLOT + max(_FIGURE, _longest(notes) + 20)


def _row_words(
    label: str, note: str, y: float, plot: tuple[float, float], *, phone: bool
) -> tuple[str, float, float]:
    """
    Write a row's label and note, at both sides of its plot or above it.

    Also return the middle of the plot and the end of the row.
    """
    left, wide = plot
    if phone:
        name, y = write_lines(break_lines(label, PHONE_WIDTH), 0, y + 4, "label")
        words, y = write_lines(break_lines(note, PHONE_WIDTH) if note else (), 0, y, "figure")
        return name + words, y + 12, y + 26
    lines = break_lines(label, left - 20)
    high = max(_ROW, _LINE * len(lines) + 10)
    middle = y + high / 2
    name, _ = write_lines(lines, left - 12, middle - _LINE * len(lines) / 2, "label", "end")
    words, _ = write_lines([note] if note else (), left + wide + 10, middle - _LINE / 2, "figure")
    return name + words, middle, y + high


def _key(
    parts: Sequence[str], shown: Iterable[int], left: float, right: float
) -> tuple[list[str], float]:
    """Draw the key of a figure's parts between two edges; also return where it ends."""
    body, x, y = [], left, 6.0
    for at in shown:
        wide = 28 + _length(parts[at])
        if x + wide > right and x > left:
            x, y = left, y + 22
        body.append(
            f'<g class="part-{at}"><rect x="{x:.1f}" y="{y:.1f}" width="13" height="13"/>'
            f'<text x="{x + 18:.1f}" y="{y + 11:.1f}">{escape(parts[at])}</text></g>'
        )
        x += wide
    return body, y + 26


def _bar(
    row: StackedRow, parts: Sequence[str], shown: Iterable[int], place: tuple[float, float, float]
) -> str:
    x, y, whole = place
    drawn = []
    for at in shown:
        wide = whole * row.counts[at] / (sum(row.counts) or 1)
        if wide:
            number = f"{row.counts[at]:,}"
            middle = f'x="{x + wide / 2:.1f}" y="{y + 15:.1f}"'
            inside = f'<text {middle} text-anchor="middle">{number}</text>'
            drawn.append(
                f'<g class="part-{at}"><title>{escape(parts[at])}: {number}</title>'
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="21"/>'
                f"{inside * (wide > _length(number) + 6)}</g>"
            )
        x += wide
    return "".join(drawn)


def _x(value: float, frame: _Frame) -> float:
    return frame.left + (value - frame.low) / (frame.high - frame.low) * frame.width


def _mark(at: int, x: float, y: float) -> str:
    """Draw the mark of one of several others, told apart by its form as well as its colour."""
    forms = (
        f"M{x:.1f} {y - 11:.1f}v22",
        f"M{x - 5:.1f} {y - 11:.1f}h10M{x:.1f} {y - 11:.1f}v22M{x - 5:.1f} {y + 11:.1f}h10",
        f"M{x:.1f} {y - 7:.1f}l6 7l-6 7l-6 -7z",
        f"M{x - 6:.1f} {y + 6:.1f}l6 -12l6 12z",
    )
    return f'<path class="scale-{min(at, len(forms) - 1)}" d="{forms[min(at, len(forms) - 1)]}"/>'


def _mark_key(names: Sequence[str], left: float, right: float) -> tuple[str, float]:
    """Draw the key of further marks between two edges; also return where it ends."""
    body, x, y = [], left, 12.0
    for at, name in enumerate(names):
        wide = 30 + _length(name)
        if x + wide > right and x > left:
            x, y = left, y + 26
        written = f'<text x="{x + 18:.1f}" y="{y + 5:.1f}">{escape(name)}</text>'
        body.append(_mark(at, x + 7, y) + written)
        x += wide
    return "".join(body), y + 20


def _axis(
    frame: _Frame, height: float, words: str, digits: str, *, top: float = 4.0
) -> tuple[str, float]:
    """Draw an axis below a plot so high; also return where its words end."""
    step = (frame.high - frame.low) / 4
    parts = []
    for index in range(5):
        value = frame.low + index * step
        x = _x(value, frame)
        line = "zero" if value == 0 else "grid"
        parts.append(
            f'<line class="{line}" x1="{x:.1f}" x2="{x:.1f}" y1="{top:g}" y2="{height:.1f}"/>'
        )
        parts.append(
            f'<text class="tick" x="{x:.1f}" y="{height + 16:.1f}" text-anchor="middle">'
            f"{format(value, digits) if value else 0}</text>"
        )
    lines = break_lines(words, max(frame.width, PHONE_WIDTH) - 4)
    middle = frame.left + frame.width / 2
    drawn, end = write_lines(lines, middle, height + 24, "tick", "middle")
    return "".join([*parts, drawn]), end


def _interval_plot(
    rows: Sequence[IntervalRow],
    tones: Sequence[str],
    reach: tuple[float, float],
    digits: tuple[str, str],
    title: str,
    words: str,
    names: Sequence[str] = (),
) -> str:
    """Draw a mark and a whisker for each row, in a tone; ``digits`` are of axis and numbers."""
    figures = [_figures(row, digits[1]) for row in rows]
    drawn_rows = list(zip(rows, tones, figures, strict=True))
    beside = [", ".join(f"{names[at]} {end:{digits[1]}}" for at, end in row.marks) for row in rows]
    described = "; ".join(
        f"{row.label}: {figure}{f' ({marks})' * bool(marks)}"
        for (row, _, figure), marks in zip(drawn_rows, beside, strict=True)
    )

    def draw(*, phone: bool) -> str:
        left, plot, width = _columns((row.label for row in rows), figures, phone=phone)
        frame = _Frame(left, plot, *reach)
        key, begin = _mark_key(names, 0.0 if phone else left, width) if names else ("", 4.0)
        body, y = [key], begin
        for row, tone, figure in drawn_rows:
            written, middle, y = _row_words(row.label, figure, y, (left, plot), phone=phone)
            low, high = (_x(end, frame) for end in row.interval or (row.value, row.value))
            body.append(
                f'<g class="{tone}"><title>{escape(f"{row.label} {figure} {row.note}")}</title>'
                f'{written}<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" '
                f'y1="{middle:.1f}" y2="{middle:.1f}"/><rect class="mark" '
                f'x="{_x(row.value, frame) - 5:.1f}" y="{middle - 5:.1f}" '
                'width="10" height="10"/></g>'
            )
            body += [_mark(at, _x(end, frame), middle) for at, end in row.marks]
        axis, height = _axis(frame, y, words, digits[0], top=begin)
        return draw_svg(width, height + 4, title, described, "".join([axis, *body]))

    return draw_twice(draw)


def _figures(row: IntervalRow, digits: str) -> str:
    signed, behind = digits.startswith("+"), int(digits.strip("+.f"))
    ends = ", ".join(end_words(end, behind, signed=signed) for end in row.interval or ())
    over = f", {row.over}" if row.over else ""
    return f"{row.value:{digits}} {f'[{ends}]{over}' if ends else '(no interval)'}"


def _heat_grid(
    rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[str, str], HeatCell]
) -> tuple[float, float, str]:
    """Draw a table of cells; return its width, its height and the drawing."""
    words = [word for text in columns for word in text.split()]
    words += [word for cell in cells.values() for word in cell.caption.split(" ")]
    least = min(_CELL, _longest(words) + 10)
    beside = max(1, min(len(columns), int(_GRID / least)))
    wide = min(_CELL, _GRID / beside)
    left, *_ = _columns(rows, (), phone=False)
    body, y = [], 0.0
    for start in range(0, len(columns), beside):
        band = columns[start : start + beside]
        heads = [break_lines(name, wide - 6) for name in band]
        tallest = max(map(len, heads))
        for at, head in enumerate(heads):
            x, top = left + (at + 0.5) * wide, y + _LINE * (tallest - len(head))
            body.append(write_lines(head, x, top, "label", "middle")[0])
        y += _LINE * tallest + 8
        for name in rows:
            label = break_lines(name, left - 20)
            captions = [break_lines(cells[name, column].caption, wide - 8) for column in band]
            high = _LINE * max(map(len, (label, *captions))) + 15
            middle = y + (high - _LINE * len(label)) / 2
            body.append(write_lines(label, left - 10, middle, "label", "end")[0])
            for at, (column, lines) in enumerate(zip(band, captions, strict=True)):
                x, top = left + at * wide, y + (high - _LINE * len(lines)) / 2
                drawn, _ = write_lines(lines, x + (wide - 3) / 2, top, "caption", "middle")
                body.append(_heat_cell(cells[name, column], (x, y, wide - 3, high), drawn))
            y += high + 3
        y += 10
    return left + wide * beside + 8, y, "".join(body)


def _heat_list(
    rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[str, str], HeatCell]
) -> tuple[float, float, str]:
    """Draw cells below each other, each with its column's name; return as ``_heat_grid``."""
    body, y = [], 0.0
    for name in rows:
        drawn, y = write_lines(break_lines(name, PHONE_WIDTH), 0, y + 4, "label")
        body.append(drawn)
        y += 3
        for column in columns:
            cell = cells[name, column]
            caption = break_lines(cell.caption, PHONE_WIDTH / 2 - 16)
            names = break_lines(column, PHONE_WIDTH - 24 - _longest(caption))
            high = _LINE * max(len(caption), len(names)) + 8
            written = write_lines(names, 8, y + 3, "column")[0]
            written += write_lines(caption, PHONE_WIDTH - 8, y + 3, "caption", "end")[0]
            body.append(_heat_cell(cell, (0.0, y, PHONE_WIDTH, high), written))
            y += high + 3
    return PHONE_WIDTH, y + 4, "".join(body)


def _heat_cell(cell: HeatCell, place: tuple[float, float, float, float], words: str) -> str:
    rate = 0.0 if cell.rate is None else cell.rate
    tone = "absent" if cell.rate is None else "dark" if rate > _DARK else "light"
    x, y, wide, high = place
    return (
        f'<g class="heat {tone}"><rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" '
        f'height="{high:.1f}" fill-opacity="{0.08 + 0.92 * rate:.3f}"/>{words}</g>'
    )
