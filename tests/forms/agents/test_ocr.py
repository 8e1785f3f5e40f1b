"""
Labels and their controls are found on a scan as a person would find them.
"""

from __future__ import annotations

import pytest

from surefoot.capture.ocr.scan import Scan, Scanner, TextLine, Word, group_lines
from surefoot.core.geometry import Box
from surefoot.forms.agents.ocr import (
    LabelledValue,
    ScanFiller,
    control_of,
    find_text,
    labelled_values,
    text_of,
    words_within,
)
from surefoot.forms.driver.actions import Click, Type
from surefoot.forms.driver.agent import FormTask
from surefoot.forms.driver.observation import Observation


def line(text: str, left: float, top: float) -> TextLine:
    """Return a line of words of ten pixels a letter."""
    words: list[Word] = []
    for part in text.split():
        words.append(Word(part, Box(left, top, left + 10 * len(part), top + 14), 90.0))
        left += 10 * len(part) + 6
    return group_lines(words)[0]


def scan(*lines: TextLine, boxes: tuple[Box, ...] = ()) -> Scan:
    """Return a scan of these."""
    return Scan(lines, boxes)


def test_values_are_read_off_labelled_lines() -> None:
    """Only lines with a label and a value count; a value may hold a colon."""
    text = "Dear team,\nFull name: Ann Lee\nSite: https://a.example/x\nEmpty:\n: none\n"

    assert labelled_values(text) == (
        LabelledValue("Full name", "Ann Lee"),
        LabelledValue("Site", "https://a.example/x"),
    )


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("First name", "First name *"),
        ("Student's e-mail address", "e-mail address"),
        ("I agree that my data may be kept for as long as it takes", "I agree that my data may"),
        ("Postal code", None),
        ("", None),
    ],
)
def test_a_label_is_found_despite_its_reading(wanted: str, found: str | None) -> None:
    """Marks, a lost word and a break do not hide a label; what is not there is not found."""
    lines = [
        line("First name *", 10, 10),
        line("Last name", 10, 60),
        line("e-mail address", 10, 110),
        line("I agree that my data may", 10, 160),
    ]

    best = find_text(lines, wanted)

    assert (best and text_of(best)) == found


def test_an_option_is_looked_for_below_its_label() -> None:
    """Of two lines that read alike, the one under the given height is taken."""
    lines = [line("Other", 10, 10), line("Other", 10, 90)]

    assert find_text(lines, "Other", below=50) is lines[1]


@pytest.mark.parametrize(
    ("boxes", "nearest"),
    [
        ((Box(8, 30, 300, 60), Box(8, 90, 300, 120)), Box(8, 30, 300, 60)),
        ((Box(200, 5, 400, 35), Box(8, 200, 300, 230)), Box(200, 5, 400, 35)),
        ((Box(8, 30, 30, 50),), None),
        ((Box(500, 30, 800, 60),), None),
        ((), None),
    ],
)
def test_a_control_lies_under_or_beside_its_label(
    boxes: tuple[Box, ...], nearest: Box | None
) -> None:
    """The nearest box that is wide enough and near enough is the control."""
    label = line("Full name", 10, 12)

    assert control_of(scan(label, boxes=boxes), label) == nearest


def test_what_a_control_shows_is_what_stands_in_it() -> None:
    """Only the words inside a box are its words."""
    inside, outside = line("Choose one", 20, 40), line("Full name", 10, 12)

    assert words_within(scan(outside, inside), Box(8, 30, 300, 60)) == "Choose one"


@pytest.mark.parametrize(
    ("language", "mask", "x", "keys"),
    [
        ("en", "mm/dd/yyyy", 20, "03142026"),
        ("ru", "dd.mm.yyyy", 20, "14032026"),
        ("ar", "yyyy/mm/dd", 288, "14032026"),
        ("zh", "yyyy/mm/dd", 20, "20260314"),
    ],
)
def test_a_date_is_typed_in_the_pages_order(language: str, mask: str, x: int, keys: str) -> None:
    """It begins where the language does, and what Arabic draws last is typed last."""
    seen = scan(line("Day", 10, 12), line(mask, 40, 38), boxes=(Box(8, 30, 300, 60),))

    class Sees(Scanner):
        def scan(self, *_: object) -> Scan:
            return seen

    reader = ScanFiller(FormTask("Day: 2026-03-14", language), Sees())
    reply = reader.act(Observation(b"", 400, 300, 0))

    assert reply.actions == (Click(x, 45), Type(keys))
