"""
Words are found where they are drawn, and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surefoot.capture.desktop.spelling import Lettering, find_words, font_file, lettering_of
from surefoot.core.geometry import Box

if TYPE_CHECKING:
    from tests.capture.desktop.conftest import Canvas

HINTED = Lettering(sizes=(13.333,), hinted=True, smooth=False)
WORDS = ("Save", "Settings", "Open Recent", "Match whole word", "7", "AC")
REUSED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)


@REUSED
@given(st.sampled_from(WORDS), st.integers(10, 200), st.integers(10, 250))
def test_drawn_words_are_found_where_they_are(
    canvas: Canvas, name: str, left: int, top: int
) -> None:
    """A name is found to the pixel at its place, and its line is as high as the font's."""
    canvas = type(canvas)()
    canvas.word(left, top, name)

    found = find_words(canvas.gray, Box(left - 5, top - 5, left + 140, top + 25), name, HINTED)

    assert found is not None
    (line,) = found.lines
    assert abs(line.left - left) <= 3
    assert abs(line.top - top) <= 2
    assert 14 <= line.height <= 17


@pytest.mark.parametrize("name", WORDS)
def test_other_words_are_not_found(canvas: Canvas, name: str) -> None:
    """None of the names is read from the picture of another."""
    other = {"Save": "Help", "7": "2", "AC": "OK"}.get(name, "Preferences")
    canvas.word(20, 20, other)

    assert find_words(canvas.gray, Box(10, 10, 200, 50), name, HINTED) is None


def test_words_outside_the_box_are_not_found(canvas: Canvas) -> None:
    """What is spelled 27 pixels below a box is not spelled in it."""
    canvas.word(20, 47, "Save")

    assert find_words(canvas.gray, Box(10, 15, 80, 40), "Save", HINTED) is None


def test_words_must_come_in_order(canvas: Canvas) -> None:
    """The words of a name stand one after the other, not the other way round."""
    canvas.word(20, 20, "Recent")
    canvas.word(90, 20, "Open")
    box = Box(10, 10, 200, 50)

    assert find_words(canvas.gray, box, "Recent Open", HINTED) is not None
    assert find_words(canvas.gray, box, "Open Recent", HINTED) is None


def test_two_lines_are_two_boxes(canvas: Canvas) -> None:
    """A name that is broken between words has a box for each line."""
    canvas.word(20, 20, "Match")
    canvas.word(20, 40, "case")

    found = find_words(canvas.gray, Box(10, 10, 120, 70), "Match case", HINTED)

    assert found is not None
    assert len(found.lines) == 2


def test_large_letters_are_found_by_their_ink(canvas: Canvas) -> None:
    """A name set larger than the usual size is found, and its size told."""
    canvas.word(40, 40, "AC", size=40)

    found = find_words(canvas.gray, Box(20, 20, 180, 110), "AC", HINTED)

    assert found is not None
    assert 34 <= found.size <= 46


@pytest.mark.parametrize("box", [Box(0, 0, 0, 0), Box(500, 500, 600, 600), Box(-50, -50, -1, -1)])
def test_boxes_without_pixels_spell_nothing(canvas: Canvas, box: Box) -> None:
    """A box without area, or outside the picture, spells nothing."""
    assert find_words(canvas.gray, box, "Save", HINTED) is None


@REUSED
@given(st.text(max_size=30))
def test_no_name_is_read_from_an_empty_picture(canvas: Canvas, name: str) -> None:
    """Whatever the name, a plain picture does not spell it."""
    assert find_words(canvas.gray, Box(0, 0, 100, 40), name, HINTED) is None


def test_noise_spells_nothing() -> None:
    """A picture of noise does not spell a word."""
    noise = np.random.default_rng(7).random((60, 200))

    assert find_words(noise, Box(0, 0, 200, 60), "Settings", HINTED) is None


def test_scripts_have_fonts_of_their_own() -> None:
    """Japanese letters are looked up in another font than Latin ones."""
    assert font_file("ja", "\u30d5") != font_file("en")


@pytest.mark.parametrize(
    ("toolkit", "hinted", "smooth"),
    [("GTK3", False, True), ("Qt5", True, False), ("VCL", True, True)],
)
def test_lettering_of_toolkits(toolkit: str, hinted: bool, smooth: bool) -> None:
    """Each toolkit's words are drawn as it draws them; of others both ways are tried."""
    found = lettering_of(toolkit, "zh-CN")

    assert (found.hinted, found.smooth, found.language) == (hinted, smooth, "zh")
