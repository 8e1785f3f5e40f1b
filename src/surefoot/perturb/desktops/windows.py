"""
Windows of a desktop: a title bar for any, and a second program behind the first.
"""

from __future__ import annotations

import random
from typing import Final

import msgspec
from PIL import Image, ImageDraw, ImageFilter

from surefoot.core.geometry import Box
from surefoot.perturb.desktops.canvas import Canvas
from surefoot.perturb.desktops.icons import draw_icon

LETTER: Final = ("Dear all,", "the workshop moves to the large room on the second floor.",
                 "Please bring your own cup, and tell me by Thursday", "whether you need a seat.",
                 "", "The programme:", "9:30 arrival and coffee", "10:00 first round of talks",
                 "12:15 lunch in the garden", "13:30 walk to the old harbour",
                 "16:00 questions, then goodbye")  # fmt: skip
SHELL: Final = ("$ make -j4", "cc -O2 -c lexer.c", "cc -O2 -c parser.c", "cc -O2 -c emit.c",
                "cc -o kestrel lexer.o parser.o emit.o", "$ ./kestrel --dry-run notes.ks",
                "read 214 lines in 3 ms", "nothing to do", "$ du -sh archive", "1.7G archive",
                "$ _")  # fmt: skip
FOLDERS: Final = ("Archive", "Drawings", "Letters", "Receipts", "Recipes", "Recordings", "Trips",
                  "Maps", "Scores", "Sketches", "Talks", "Tables")  # fmt: skip
ROUND: Final = ("#f2695c", "#f3bd4f", "#5fc454")
BUTTONS: Final = ("Minimise", "Maximise", "Close")


class WindowFrame(msgspec.Struct, frozen=True):
    """Say how windows look: dark or light, and with round buttons on the left or signs."""

    dark: bool
    rounded: bool

    @property
    def ink(self) -> str:
        """Return the colour of writing on a window."""
        return "#e9edf2" if self.dark else "#27303a"

    @property
    def ground(self) -> str:
        """Return the colour of a window's own ground."""
        return "#23282f" if self.dark else "#fbfcfd"

    @property
    def bar(self) -> str:
        """Return the colour of a title bar."""
        return "#323a44" if self.dark else "#dfe4ea"


def draw_frame(canvas: Canvas, frame: WindowFrame, window: Box, bar: int, title: str) -> str:
    """
    Draw a window's shadow, ground and title bar, and return the id of its element.

    ``bar`` is the height of the title bar in pixels. A window that brings its own has 0:
    only its shadow is drawn, and the id is empty.
    """
    _shadow(canvas, window)
    parent = ""
    if bar:
        canvas.fill(window, frame.ground)
        parent = canvas.add("window", title, window)
        strip = Box.from_xywh(window.left, window.top, window.width, bar)
        canvas.fill(strip, frame.bar)
        left, right = _buttons(canvas, frame, strip, parent)
        # In a window narrower than its buttons they leave no room.
        room = Box(left, strip.top, max(left, right), strip.bottom)
        _title(canvas, frame, room, title, parent)
    return parent


def draw_second_window(
    canvas: Canvas, frame: WindowFrame, window: Box, draw: random.Random
) -> None:
    """Draw a window with a program of its own: a letter, a terminal or a folder."""
    title, content = draw.choice(
        (("Letter", _letter), ("Terminal", _terminal), ("Documents", _folder))
    )
    bar = canvas.px(34)
    dark = msgspec.structs.replace(frame, dark=True) if content is _terminal else frame
    parent = draw_frame(canvas, dark, window, bar, title)
    inside = Box(window.left, window.top + bar, window.right, window.bottom)
    if inside.height > 0:
        content(canvas, inside, parent, draw)


def _letter(canvas: Canvas, inside: Box, parent: str, draw: random.Random) -> None:
    canvas.fill(inside, "#ffffff")
    first = draw.randint(0, 3)
    _lines(canvas, inside, parent, (LETTER[first:] + LETTER) * 3, "#2b333d", 17)


def _terminal(canvas: Canvas, inside: Box, parent: str, draw: random.Random) -> None:
    canvas.fill(inside, "#14181d")
    first = draw.randint(0, 3)
    _lines(canvas, inside, parent, (SHELL[first:] + SHELL) * 3, "#b9f0b5", 16)


def _lines(
    canvas: Canvas, inside: Box, parent: str, lines: tuple[str, ...], ink: str, size: float
) -> None:
    top, step, room = inside.top + canvas.px(16), canvas.px(size * 1.6), canvas.px(18)
    for text in lines:
        if top + step > inside.bottom:
            return
        if text and canvas.width_of(text, size) < inside.width - 2 * room:
            words = canvas.write(text, inside.left + room, top, size, ink)
            canvas.add("text", text, words, words=words, parent=parent)
        top += step


def _folder(canvas: Canvas, inside: Box, parent: str, draw: random.Random) -> None:
    canvas.fill(inside, "#ffffff")
    names = draw.sample(FOLDERS, len(FOLDERS))
    size, across, down = canvas.px(64), canvas.px(128), canvas.px(118)
    top = inside.top + canvas.px(20)
    columns = max(1, int(inside.width // across))
    for start in range(0, len(names), columns):
        if top + down > inside.bottom:
            return
        for column, name in enumerate(names[start : start + columns]):
            middle = inside.left + (column + 0.5) * across
            place = Box.from_xywh(round(middle - size / 2), round(top), size, size)
            draw_icon(canvas, "Files", place)
            below = top + size + canvas.px(4)
            words = canvas.write(name, middle, below, 14, "#2b333d", center=True)
            whole = Box.around([place, words])
            canvas.add("button", name, whole, words=words, parent=parent)
        top += down


def _buttons(canvas: Canvas, frame: WindowFrame, strip: Box, parent: str) -> tuple[float, float]:
    """Draw the three buttons of a title bar and return what they leave free of it."""
    side, size = strip.height, round(strip.height * 0.38)
    for place, name in enumerate(reversed(BUTTONS)):
        if frame.rounded:
            left = strip.left + side * (0.3 + 0.62 * place)
            wide = side * 0.62
        else:
            left, wide = strip.right - side * 1.2 * (place + 1), side * 1.2
        middle = round(left + wide / 2)
        icon = Box.from_xywh(middle - size // 2, round(strip.center.y) - size // 2, size, size)
        if frame.rounded:
            canvas.fill(icon, ROUND[place], radius=size / 2)
        else:
            _sign(canvas, name, icon, frame.ink)
        press = Box(round(left), strip.top, round(left + wide), strip.bottom)
        canvas.add("button", name, icon if frame.rounded else press, parent=parent)
    if frame.rounded:
        return strip.left + side * 2.4, strip.right - side * 0.4
    return strip.left + side * 0.4, strip.right - side * 3.8


def _sign(canvas: Canvas, name: str, box: Box, ink: str) -> None:
    if name == "Minimise":
        canvas.shape(box, ink, [(0, 0.56), (1, 0.56), (1, 0.66), (0, 0.66)])
    elif name == "Maximise":
        for side in (Box(0, 0, 1, 0.1), Box(0, 0.9, 1, 1), Box(0, 0, 0.1, 1), Box(0.9, 0, 1, 1)):
            corners = [(side.left, side.top), (side.right, side.top)]
            corners += [(side.right, side.bottom), (side.left, side.bottom)]
            canvas.shape(box, ink, corners)
    else:
        for stroke in (((0.02, 0.1), (0.1, 0.02), (0.98, 0.9), (0.9, 0.98)),
                        ((0.98, 0.1), (0.9, 0.02), (0.02, 0.9), (0.1, 0.98))):  # fmt: skip
            canvas.shape(box, ink, stroke)


def _title(canvas: Canvas, frame: WindowFrame, room: Box, title: str, parent: str) -> None:
    words, size = title, 14.0
    while words and canvas.width_of(words, size) > max(room.width, 0.0):
        words = words[:-2].rstrip("\u2026 ") + "\u2026" if len(words) > 2 else ""  # noqa: PLR2004
    if not words:
        return
    top = room.center.y - canvas.px(size) * 0.6
    center = frame.rounded
    line = canvas.write(
        words, room.center.x if center else room.left, top, size, frame.ink, center=center
    )
    canvas.add("text", words, line, words=line, parent=parent)


def _shadow(canvas: Canvas, window: Box) -> None:
    reach, drop = canvas.px(18), canvas.px(6)
    left, top, right, bottom = (round(side) for side in window.as_tuple())
    size = (right - left + 4 * reach, bottom - top + 4 * reach)
    mask = Image.new("L", size, 0)
    inner = (2 * reach, 2 * reach + drop, size[0] - 2 * reach, size[1] - 2 * reach + drop)
    ImageDraw.Draw(mask).rectangle(inner, fill=110)
    mask = mask.filter(ImageFilter.GaussianBlur(reach / 2))
    canvas.image.paste("#000000", (left - 2 * reach, top - 2 * reach), mask)
