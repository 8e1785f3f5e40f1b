"""
Screens that are drawn for the self-check: one known target each, in sizes that differ.

Readings of a number differ only between sizes: a thousandth of a 1280-pixel width is not a pixel,
and a server's limits on pictures change some of them alone. So beside twelve screens of usual
sizes there are some of the benchmark's own.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Iterable
from typing import Final, NamedTuple

from surefoot.core.canonical import sha256
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question


class CheckScreen(NamedTuple):
    """Say what a screen shows: its size, its target's middle as shares of it, and its label."""

    width: int
    height: int
    across: float
    down: float
    label: str


# Large screens are many, since only they tell a server that shrinks pictures.
LAYOUT: Final = tuple(
    CheckScreen(*row)
    for row in (
        (2560, 1440, 0.92, 0.92, "Save"),
        (2560, 1440, 0.08, 0.90, "Open"),
        (2560, 1440, 0.70, 0.30, "Print"),
        (2560, 1440, 0.50, 0.60, "Send"),
        (1440, 2560, 0.85, 0.75, "Search"),
        (1920, 1080, 0.92, 0.10, "Close"),
        (1920, 1080, 0.30, 0.92, "Help"),
        (1920, 1080, 0.75, 0.55, "Share"),
        (1280, 800, 0.50, 0.50, "Start"),
        (1280, 800, 0.90, 0.80, "Reply"),
        (640, 480, 0.12, 0.12, "Login"),
        (390, 844, 0.70, 0.85, "Next"),
    )
)
# On a benchmark's smallest, middle and largest picture; no two targets at the same place, and
# labels that no interface has.
OWN: Final = (
    ((0.88, 0.84, "Alpha"), (0.14, 0.78, "Bravo"), (0.66, 0.18, "Charlie"), (0.91, 0.47, "Delta")),
    ((0.83, 0.88, "Echo"), (0.18, 0.83, "Golf"), (0.61, 0.24, "Hotel"), (0.87, 0.52, "India")),
    ((0.90, 0.87, "Kilo"), (0.11, 0.86, "Lima"), (0.72, 0.14, "Mike"), (0.86, 0.42, "Oscar")),
)
SMALLEST_SIDE: Final = 64  # pixels: on less no target can be seen
LARGEST_AREA: Final = 70_000_000
MOST_SLENDER: Final = 40  # of a long side to a short one
LARGEST_TEXT: Final = 28.0  # pixels, as interfaces have it
BACKGROUND, BAR, BUTTON, WHITE = "#f3f4f6", "#d9dde3", "#1d4ed8", "#ffffff"


def telling_sizes(sizes: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """
    Return the smallest, the middle and the largest of a benchmark's sizes, by area.

    Sizes on which no target could be seen, or that take too much memory, are left out.

    >>> telling_sizes([(390, 844), (1280, 800), (1280, 720), (3840, 2160), (9, 9)])
    ((390, 844), (1280, 800), (3840, 2160))
    """
    usable = sorted(
        {size for size in sizes if _is_usable(*size)}, key=lambda size: (size[0] * size[1], size)
    )
    if not usable:
        return ()
    return tuple(dict.fromkeys((usable[0], usable[len(usable) // 2], usable[-1])))


def _is_usable(width: int, height: int) -> bool:
    short, long_side = sorted((width, height))
    return (
        short >= SMALLEST_SIDE
        and short * long_side <= LARGEST_AREA
        and long_side <= MOST_SLENDER * short
    )


def layout_of(sizes: Iterable[tuple[int, int]] = ()) -> tuple[CheckScreen, ...]:
    """Return the screens that are drawn: the usual ones, and four of each of some own sizes."""
    own = [
        CheckScreen(width, height, *place)
        for (width, height), places in zip(telling_sizes(sizes), OWN, strict=False)
        for place in places
    ]
    return (*LAYOUT, *own)


def target_box(width: int, height: int, across: float, down: float) -> Box:
    """
    Return the target's box: 14% x 8% of the screen around a centre, kept inside.

    >>> target_box(1000, 500, 0.5, 0.5)
    Box(left=430.0, top=230.0, right=570.0, bottom=270.0)
    """
    wide, tall = float(round(0.14 * width)), float(round(0.08 * height))
    left = min(max(round(across * width - wide / 2), 0), width - wide)
    top = min(max(round(down * height - tall / 2), 0), height - tall)
    return Box(float(left), float(top), left + wide, top + tall)


def draw_screens(
    sizes: Iterable[tuple[int, int]] = (), *, reasoning: bool = False
) -> tuple[tuple[Question, bytes], ...]:
    """
    Return each screen's question and its PNG bytes; the same ones every time.

    ``sizes`` are those of a benchmark's pictures, of which three are drawn as well.
    """
    cell = Cell("original", "direct", reasoning)
    return tuple(
        _drawn(f"self-check-{number:02}", screen, cell)
        for number, screen in enumerate(layout_of(sizes), start=1)
    )


def _drawn(name: str, screen: CheckScreen, cell: Cell) -> tuple[Question, bytes]:
    width, height, across, down, label = screen
    truth = target_box(width, height, across, down)
    image = _draw(width, height, truth, label)
    question = Question(
        id=name,
        pair=name,
        cluster=name,
        cell=cell,
        screen=name,
        image=sha256(image),
        width=width,
        height=height,
        instruction=Instruction(
            text=f"Click the '{label}' button",
            language="en",
            kind="direct",
            specificity="high",
            expression=Expression(role="button", name=label),
            target="target",
        ),
        truth=truth,
        role="button",
    )
    return question, image


@functools.lru_cache(maxsize=64)  # more than one check draws
def _draw(width: int, height: int, truth: Box, label: str) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (width, height), BACKGROUND)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, width, height // 30), fill=BAR)
    pen.rounded_rectangle(truth.as_tuple(), radius=6, fill=BUTTON)
    size = min((truth.bottom - truth.top) * 0.5, LARGEST_TEXT)
    font = ImageFont.load_default(size)
    middle = truth.center
    pen.text((middle.x, middle.y), label, fill=WHITE, font=font, anchor="mm")
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=6)
    return file.getvalue()
