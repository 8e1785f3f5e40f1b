"""
Names, cues and directions on scans that are made by hand.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.ocr.match import find_name, plain
from surefoot.capture.ocr.scan import Scan, TextLine, Word, group_lines
from surefoot.core.geometry import Box, Point
from surefoot.models.sight.asks import read_ask
from surefoot.models.sight.locate import locate


def word(text: str, left: float, top: float) -> Word:
    """Make a word of 8 pixels a letter and 12 pixels height."""
    return Word(text, Box(left, top, left + 8 * len(text), top + 12), 90.0)


def screen() -> Scan:
    """Lay out a small form: labels, fields, a check box and buttons."""
    words = [
        word("Name", 20, 24),
        word("Email", 20, 64),
        word("address", 64, 64),
        word("Country", 20, 100),
        word("Subscribe", 50, 180),
        word("Save", 40, 224),
        word("Cancel", 140, 224),
        word("Save", 300, 300),
        word("your", 310, 300 + 20),
    ]
    rectangles = (
        Box(100, 15, 300, 45),
        Box(130, 55, 300, 85),
        Box(20, 116, 220, 146),
        Box(24, 178, 38, 192),
        Box(20, 214, 110, 246),
        Box(120, 214, 210, 246),
    )
    return Scan(group_lines(words), rectangles)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("Click the 'Save' button", Box(20, 214, 110, 246)),
        ("Click the 'Name' field", Box(100, 15, 300, 45)),
        ("Type 'x' into the 'Email address' field", Box(130, 55, 300, 85)),
        ("Select 'x' in the 'Country' drop-down", Box(20, 116, 220, 146)),
        ("Click the 'Subscribe' check box", Box(24, 178, 38, 192)),
        ("Click the button to the right of 'Save'", Box(120, 214, 210, 246)),
        ("Click the button to the left of 'Cancel'", Box(20, 214, 110, 246)),
        ("Click the field below 'Country'", Box(20, 116, 220, 146)),
        ("Type 'x' into the field to the right of 'Name'", Box(100, 15, 300, 45)),
        ("Click the drop-down above 'Subscribe'", Box(20, 116, 220, 146)),
        ("Click the check box to the left of 'Subscribe'", Box(24, 178, 38, 192)),
        ("Click the 'Emai1 addres' field", Box(130, 55, 300, 85)),
    ],
)
def test_targets(text: str, target: Box) -> None:
    """Each way of saying it leads into the control that is meant."""
    found = locate(read_ask(text, "en"), screen())
    assert isinstance(found, Point)
    assert target.contains(found)


@pytest.mark.parametrize(
    "text",
    [
        "Click the 'Delete' button",
        "Click the button below 'Delete'",
        "Click the check box above 'Name'",
        "Click",
    ],
)
def test_what_is_not_there_is_said(text: str) -> None:
    """Nothing that fits means words, never a guess."""
    assert isinstance(locate(read_ask(text, "en"), screen()), str)


@given(
    st.lists(
        st.tuples(st.integers(0, 900), st.integers(0, 600), st.sampled_from(["Save", "Go", "No"])),
        min_size=2,
        max_size=12,
    ),
    st.sampled_from(["above", "below", "to the left of", "to the right of"]),
)
def test_directions_hold(places: list[tuple[int, int, str]], direction: str) -> None:
    """What is found in a direction really lies there, judged by the centres."""
    lines = [TextLine((word(text, x, y),)) for x, y, text in places]
    lines.append(TextLine((word("Landmark", 450, 300),)))
    found = locate(
        read_ask(f"Click the link {direction} 'Landmark'", "en"), Scan(tuple(lines), ())
    )
    if isinstance(found, str):
        return
    mark = Box(450, 300, 514, 312).center
    ahead = {
        "above": found.y < mark.y,
        "below": found.y > mark.y,
        "to the left of": found.x < mark.x,
        "to the right of": found.x > mark.x,
    }
    assert ahead[direction]


def test_better_matches_come_first() -> None:
    """A line that is the name alone beats a line that has more, which beats a misreading."""
    lines = (
        TextLine((word("5ave", 0, 0),)),
        TextLine((word("Save", 0, 40), word("draft", 40, 40))),
        TextLine((word("Sava", 0, 80),)),
        TextLine((word("Shave", 0, 120),)),
        TextLine((word("Cancel", 0, 160),)),
    )
    found = find_name("Save", Scan(lines, ()))
    assert [item.box.top for item in found] == [0, 40, 120, 80]


def test_names_over_two_lines_are_found() -> None:
    """A name that wraps is found as one box around both lines."""
    lines = group_lines([word("Forgot", 10, 10), word("your", 66, 10), word("password?", 10, 26)])
    found = find_name("Forgot your password?", Scan(lines, ()))
    assert found[0].box == Box(10, 10, 98, 38)


def test_words_far_apart_are_not_one_line() -> None:
    """A gap of more than a letter's height divides, and so do different heights on the page."""
    lines = group_lines([word("Edit", 0, 0), word("row", 38, 1), word("Delete", 120, 0)])
    assert [[item.text for item in line.words] for line in lines] == [["Edit", "row"], ["Delete"]]


@given(st.text(max_size=40))
def test_plain_is_stable(text: str) -> None:
    """Case, spaces and punctuation do not matter to a comparison."""
    assert plain(f" {text}. ") == plain(text)
