"""
The twelve drawn screens of the coordinate self-check.

They differ in size and aspect, because readings of a number differ only there: a thousandth
of a 1280-pixel width is not a pixel, and a shrunk image is shrunk by its area.
"""

from __future__ import annotations

import io

from PIL import Image, ImageDraw, ImageFont

from surefoot.core.canonical import sha256
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question

__all__ = ["LAYOUT", "draw_screens", "target_box"]

# Width, height, where the target's centre lies (as shares of them), and its label. Large
# screens are many, since only they tell a server that shrinks images.
LAYOUT: tuple[tuple[int, int, float, float, str], ...] = (
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
LARGEST_TEXT = 28.0  # pixels, as interfaces have it
BACKGROUND, BAR, BUTTON, WHITE = "#f3f4f6", "#d9dde3", "#1d4ed8", "#ffffff"


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


def draw_screens(*, reasoning: bool = False) -> tuple[tuple[Question, bytes], ...]:
    """Return each screen's question and its PNG bytes; the same ones every time."""
    screens = []
    for number, (width, height, across, down, label) in enumerate(LAYOUT, start=1):
        truth = target_box(width, height, across, down)
        image = _draw(width, height, truth, label)
        name = f"self-check-{number:02}"
        instruction = Instruction(
            text=f"Click the '{label}' button",
            language="en",
            kind="direct",
            specificity="high",
            expression=Expression(role="button", name=label),
            target="target",
        )
        question = Question(
            id=name,
            pair=name,
            cluster=name,
            cell=Cell("original", "direct", reasoning),
            screen=name,
            image=sha256(image),
            width=width,
            height=height,
            instruction=instruction,
            truth=truth,
            role="button",
        )
        screens.append((question, image))
    return tuple(screens)


def _draw(width: int, height: int, truth: Box, label: str) -> bytes:
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
