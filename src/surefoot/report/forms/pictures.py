"""
Filled-in forms, drawn on: which field is right, wrong, missing, or should have been left alone.

Beside the picture stands a margin with numbered notes: what was expected and what is there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, Literal, TypeAlias

import msgspec
from PIL import Image, ImageChops

from surefoot.core.geometry import Box
from surefoot.core.pictures import opened
from surefoot.core.store import ObjectStore
from surefoot.forms.driver.episode import LeftPage
from surefoot.forms.scoring.fields import FieldScore
from surefoot.report.html.gallery import InstructionLine, Pane, embed_image
from surefoot.run.forms.units import FormResult
from surefoot.run.forms.words import FieldWords

State: TypeAlias = Literal["right", "kept", "wrong", "missing", "extra", ""]
KEYS: Final[tuple[tuple[State, str], ...]] = (
    ("right", "right"),
    ("kept", "right, but never handed in"),
    ("wrong", "wrong"),
    ("missing", "missing"),
    ("extra", "filled in though it should be left alone"),
)
_AROUND: Final = 24.0
_NOTICED: Final = [0] * 4 + [255] * 252  # differences from the background that count
_MARGIN: Final = 372.0
_COLUMNS: Final = 46  # letters of a note's line; a wide one counts twice
_LINES: Final = 2
_STEP: Final = 18.0
_WIDEST: Final = 1100
_USUAL: Final = 760.0  # a wider picture is shown smaller, so its notes are written larger
_LARGEST: Final = 1.3


class _Note(msgspec.Struct, frozen=True):
    """Hold one numbered note: its lines, and how high the control lies that it is about."""

    number: int
    state: State
    lines: tuple[str, ...]
    y: float


class _Marked(msgspec.Struct, frozen=True):
    box: Box
    state: State
    score: FieldScore
    words: FieldWords


def state_of(score: FieldScore, found: str) -> State:
    """
    Return what a picture says of a field that held ``found`` at the end; "" for nothing.

    >>> from surefoot.forms.specification import Kind
    >>> state_of(FieldScore("a", Kind.STRING, 0, asked=True), "")
    'missing'
    """
    if not score.asked:
        return "extra" if score.collateral else ""
    if score.submitted:
        return "right"
    if score.in_field:
        return "kept"
    return "wrong" if found else "missing"


def draw_form(result: FormResult, store: ObjectStore) -> tuple[Pane, ...]:
    """
    Draw every page that was left, as it was left, with marks and notes.

    Marks lie where the controls lay in that picture; what they say is the verdict at the end.
    """
    words = {word.field: word for word in result.words}
    scores = {field.field: field for field in result.score.fields}
    total = len({field.page for field in result.score.fields})
    panes = []
    for left in result.filled:
        marked = [
            _Marked(
                field.box,
                state_of(scores[field.id], field_words.found),
                scores[field.id],
                field_words,
            )
            for field in left.fields
            if field.id in scores
            for field_words in (words.get(field.id, FieldWords(field.id, field.id)),)
        ]
        panes.append(_pane(left, marked, words, store.get(left.image), total))
    return tuple(panes)


def _pane(
    left: LeftPage,
    marked: Sequence[_Marked],
    words: dict[str, FieldWords],
    png: bytes,
    total: int,
) -> Pane:
    picture = opened(png)
    view = _view(picture, marked)
    notes = list(_notes(marked, words))
    tall = max(view.height, _bottom(notes, view) - view.top)
    text = _verdict(marked)
    name = f"page {left.page + 1} of {total}"
    place = f'x="{view.left:.0f}" y="{view.top:.0f}" width="{view.width:.0f}"'
    svg = (
        f'<svg role="img" aria-label="{escape(f"{name}: {text}")}" viewBox="{view.left:.0f} '
        f'{view.top:.0f} {view.width + _MARGIN * _size(view):.0f} {tall:.0f}">'
        f'<image href="{embed_image(picture, view, width=_WIDEST)}" {place} '
        f'height="{view.height:.0f}"/>'
        f"{''.join(map(_frame, marked))}{_margin(notes, marked, view)}</svg>"
    )
    right = all(mark.state in {"right", ""} for mark in marked)
    return Pane(name, svg, text, right, tuple(_lines(marked)), "fields")


def _view(picture: Image.Image, marked: Sequence[_Marked]) -> Box:
    """Return the part of the picture that is not all background, with something around it."""
    whole = Box(0.0, 0.0, float(picture.width), float(picture.height))
    corner = picture.getpixel((0, picture.height - 1))
    empty = Image.new("RGB", picture.size, corner)
    differing = ImageChops.difference(picture, empty).convert("L").point(_NOTICED)
    found = differing.getbbox()
    parts = [mark.box for mark in marked] + ([Box(*map(float, found))] if found else [])
    if not parts:
        return whole
    left, top, right, bottom = Box.around(parts).as_tuple()
    wide = Box(left - _AROUND, top - _AROUND, right + _AROUND, bottom + _AROUND)
    part = wide.intersection(whole) or whole
    return Box(*(float(round(side)) for side in part.as_tuple()))


def _frame(mark: _Marked) -> str:
    if not mark.state:
        return ""
    left, top, right, bottom = mark.box.as_tuple()
    return (
        f'<rect class="field {mark.state}" x="{left - 2:.1f}" y="{top - 2:.1f}" '
        f'width="{right - left + 4:.1f}" height="{bottom - top + 4:.1f}" rx="4"/>'
    )


def _notes(marked: Iterable[_Marked], words: dict[str, FieldWords]) -> Iterable[_Note]:
    number = 0
    for mark in sorted(marked, key=lambda item: (item.box.top, item.box.left)):
        if mark.state in {"right", "kept", ""}:
            continue
        number += 1
        lines = [*_note(mark), *_strays(mark, words)]
        yield _Note(number, mark.state, tuple(lines), mark.box.top)


def _note(mark: _Marked) -> list[str]:
    found = _wrapped(f"is: {mark.words.found}") if mark.words.found else []
    if mark.state == "extra":
        return [*found, "should have been left alone"]
    return [*(found or ["is empty"]), *_wrapped(f"should be: {mark.words.expected}")]


def _strays(mark: _Marked, words: dict[str, FieldWords]) -> list[str]:
    names = [words[item].label for item in mark.score.found_in if item in words]
    return _wrapped(f"its value stands in: {', '.join(names)}") if names else []


def _margin(notes: Sequence[_Note], marked: Sequence[_Marked], view: Box) -> str:
    """Write the notes beside the picture, each as near its control as those above leave it."""
    ordered = [
        item
        for item in sorted(marked, key=lambda entry: (entry.box.top, entry.box.left))
        if item.state not in {"right", "kept", ""}
    ]
    size, parts = _size(view), []
    for note, mark, top in zip(notes, ordered, _tops(notes, view), strict=True):
        parts.append(_badge(note, mark.box.right, mark.box.top, size))
        parts.append(_badge(note, view.right + 22 * size, top + 2, size))
        parts += [
            f'<text class="note" style="font-size:{14 * size:.1f}px" '
            f'x="{view.right + 42 * size:.0f}" y="{top + (6 + at * _STEP) * size:.0f}">'
            f"{escape(line)}</text>"
            for at, line in enumerate(note.lines)
        ]
    return "".join(parts)


def _size(view: Box) -> float:
    return min(_LARGEST, max(1.0, view.width / _USUAL))


def _tops(notes: Sequence[_Note], view: Box) -> list[float]:
    size, free = _size(view), view.top + 14
    tops = []
    for note in notes:
        tops.append(max(free, note.y + 8))
        free = tops[-1] + (len(note.lines) * _STEP + 8) * size
    return tops


def _bottom(notes: Sequence[_Note], view: Box) -> float:
    tops = _tops(notes, view)
    return tops[-1] + (len(notes[-1].lines) * _STEP + 6) * _size(view) if notes else view.bottom


def _badge(note: _Note, x: float, y: float, size: float) -> str:
    return (
        f'<g class="badge {note.state}"><circle cx="{x:.0f}" cy="{y:.0f}" r="{11 * size:.0f}"/>'
        f'<text x="{x:.0f}" y="{y + 4.5 * size:.0f}" text-anchor="middle" '
        f'style="font-size:{12 * size:.1f}px">{note.number}</text></g>'
    )


def _lines(marked: Iterable[_Marked]) -> Iterable[InstructionLine]:
    for mark in marked:
        if mark.state:
            note = "; ".join(_note(mark)) if mark.state in {"wrong", "extra"} else ""
            note = note or f"{dict(KEYS)[mark.state]}; {mark.words.expected}"
            yield InstructionLine(mark.words.label, note, mark.state == "right")


def _verdict(marked: Iterable[_Marked]) -> str:
    states = [mark.state for mark in marked]
    counts = [(states.count(state), state) for state, _ in KEYS]
    names = {"kept": "right but not handed in", "extra": "filled in needlessly"}
    parts = [f"{count} {names.get(state, state)}" for count, state in counts if count]
    return ", ".join(parts) or "nothing to fill in"


def _wrapped(text: str) -> list[str]:
    """Break a text into at most two lines, cut where it is longer; wide letters count twice."""
    lines, line, used = [], "", 0
    for word in _pieces(" ".join(text.split())):
        width = sum(map(_columns, word))
        if used + width > _COLUMNS and line:
            lines.append(line.rstrip())
            line, used = "", 0
        line, used = line + word, used + width
    lines.append(line.rstrip())
    if len(lines) > _LINES:
        return [*lines[: _LINES - 1], f"{lines[_LINES - 1]}\N{HORIZONTAL ELLIPSIS}"]
    return lines


def _pieces(text: str) -> list[str]:
    """Split a text where a line may end: after a space or a wide letter, or when too long."""
    pieces = [""]
    for letter in text:
        pieces[-1] += letter
        full = sum(map(_columns, pieces[-1])) >= _COLUMNS - 1
        if letter == " " or full or _columns(letter) == 2:  # noqa: PLR2004 - a wide letter
            pieces.append("")
    return [piece for piece in pieces if piece]


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1
