"""
Legibility: measured contrast against a textbook computation on rendered text.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.refer.scene.legible import legible

Color = tuple[int, int, int]
COLORS = st.tuples(*[st.integers(0, 255)] * 3)
GREY = (119, 119, 119)


def textbook_contrast(one: Color, other: Color) -> float:
    """Compute WCAG 2.2's contrast ratio of two colours, channel by channel."""

    def luminance(color: Color) -> float:
        total = 0.0
        for channel, weight in zip(color, (0.2126, 0.7152, 0.0722), strict=True):
            share = channel / 255
            linear = share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
            total += weight * linear
        return total

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.fixture(scope="module")
def font() -> ImageFont.FreeTypeFont:
    """Return DejaVu Sans at 20 px, found by fontconfig."""
    if shutil.which("fc-match") is None:
        pytest.skip("fontconfig is not installed")
    found = subprocess.run(
        ["fc-match", "-f", "%{file}", "DejaVu Sans:bold"],
        capture_output=True,
        text=True,
        check=True,
    )
    if "DejaVu" not in found.stdout or not Path(found.stdout).is_file():
        pytest.skip("DejaVu Sans is not installed")
    return ImageFont.truetype(found.stdout, 20)


def rendered(font: ImageFont.FreeTypeFont, ink: Color, paper: Color) -> tuple[Pixels, Box]:
    """Draw a word and return the picture and the box of its line."""
    image = Image.new("RGB", (200, 40), paper)
    brush = ImageDraw.Draw(image)
    brush.text((10, 8), "Monthly", fill=ink, font=font)
    left, top, right, bottom = brush.textbbox((10, 8), "Monthly", font=font)
    return np.asarray(image), Box(left, top, right, bottom)


@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        ((0, 0, 0), (255, 255, 255)),
        (GREY, (255, 255, 255)),
        ((255, 255, 255), (13, 110, 253)),
        ((200, 200, 200), (255, 255, 255)),
        ((90, 0, 90), (80, 0, 80)),
        ((255, 255, 0), (0, 0, 255)),
    ],
)
def test_rendered_text_has_the_contrast_of_its_colours(
    font: ImageFont.FreeTypeFont, ink: Color, paper: Color
) -> None:
    """The measure agrees within 3 % with the textbook ratio of ink and paper."""
    pixels, box = rendered(font, ink, paper)
    assert legible(pixels, [box]).contrast == pytest.approx(
        textbook_contrast(ink, paper), rel=0.03
    )


@given(COLORS, COLORS)
def test_blocks_of_two_colours_have_their_textbook_contrast(ink: Color, paper: Color) -> None:
    """For any two colours that differ in luminance by a step, the ratio is exact."""
    pixels = np.empty((20, 60, 3), dtype=np.uint8)
    pixels[:] = paper
    pixels[6:14, 10:40] = ink
    expected = textbook_contrast(ink, paper)
    measured = legible(pixels, [Box(0, 0, 60, 20)]).contrast
    assert measured == pytest.approx(expected, abs=0.01 + 0.02 * expected + (expected < 1.6) * 0.6)


@pytest.mark.parametrize(
    ("box", "readable"),
    [
        (Box(0, 0, 60, 20), True),
        (Box(0, 0, 60, 9), False),
        (Box(-5, 0, 60, 20), False),
        (Box(0, 0, 70, 20), False),
        (Box(0, 100, 60, 120), False),
    ],
)
def test_small_or_cut_off_text_is_illegible(box: Box, readable: bool) -> None:
    """Lines under 8 px of font, and lines beyond the picture's edge, cannot be read."""
    pixels = np.zeros((40, 62, 3), dtype=np.uint8)
    pixels[4:7, 10:40] = 255
    assert legible(pixels, [box]).readable is readable


def test_faint_text_is_illegible() -> None:
    """Light grey on white is under the floor of 3."""
    pixels = np.full((20, 60, 3), 255, dtype=np.uint8)
    pixels[6:14, 10:40] = 180
    assert not legible(pixels, [Box(0, 0, 60, 20)]).readable


def test_no_lines_are_illegible() -> None:
    """Words that stand nowhere in the picture cannot be read."""
    assert not legible(np.zeros((9, 9, 3), dtype=np.uint8), []).readable


def test_the_weakest_line_counts() -> None:
    """One faint line among two makes the whole illegible."""
    pixels = np.full((40, 60, 3), 255, dtype=np.uint8)
    pixels[5:15, 10:40] = 0
    pixels[25:35, 10:40] = 220
    both = [Box(0, 0, 60, 20), Box(0, 20, 60, 40)]
    assert legible(pixels, both[:1]).readable
    assert not legible(pixels, both).readable


def _covered(pixels: Pixels, left: int, right: int) -> Pixels:
    hidden = pixels.copy()
    hidden[:, left:right] = pixels[0, 0]
    return hidden


@pytest.mark.parametrize("ink", [(0, 0, 0), (150, 0, 0), (255, 255, 255)])
def test_a_box_without_its_words_is_doubted(font: ImageFont.FreeTypeFont, ink: Color) -> None:
    """Words are read; a border, an icon, a block or half of them under a cover are not."""
    paper = (60, 90, 60) if ink == (255, 255, 255) else (255, 255, 240)
    pixels, box = rendered(font, ink, paper)
    assert legible(pixels, [box]).readable
    left, top, right, bottom = (round(side) for side in box.as_tuple())
    middle = (left + right) // 2
    empty = _covered(pixels, left, right)
    border, icon, block = empty.copy(), empty.copy(), empty.copy()
    border[top:bottom, right - 2 : right] = ink
    icon[top:bottom, left : left + bottom - top] = ink
    block[top:bottom, left : left + 2 * (right - left) // 3] = ink

    doubted = [
        legible(shown, [box])
        for shown in (
            border,
            icon,
            block,
            _covered(pixels, middle, right),
            _covered(pixels, left, middle),
        )
    ]
    assert [found.worded for found in doubted] == [False] * 5
    assert all(found.contrast > 3 and not found.readable for found in doubted)


def test_words_far_apart_are_two_lines(font: ImageFont.FreeTypeFont) -> None:
    """A gap as wide as two lines are high is none between words of one caption."""
    image = Image.new("RGB", (300, 40), "white")
    brush = ImageDraw.Draw(image)
    brush.text((10, 8), "Sort", fill="black", font=font)
    brush.text((200, 8), "ascending", fill="black", font=font)
    assert not legible(np.asarray(image), [Box(10, 8, 300, 28)]).worded
