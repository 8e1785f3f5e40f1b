"""
Words for the judge: spelling, likeness and icon words, for all texts and in chosen cases.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.refer.judge.words import (
    alike,
    begins_with,
    same_spelling,
    spelled,
    without_icon_words,
    words_of,
)

TEXTS = st.text(max_size=30) | st.text("aAbB 1.-\u2026\ue001\u00a0", max_size=12)


@given(TEXTS)
def test_what_is_said_is_said_again(text: str) -> None:
    """Saying a text twice changes nothing, and it keeps every letter that can be seen."""
    said = spelled(text)
    assert spelled(said) == said
    assert words_of(said) == words_of(text)


@given(TEXTS, TEXTS)
def test_likeness_is_mutual_and_holds_what_is_spelled_the_same(one: str, other: str) -> None:
    """Likeness has no direction, and the same spelling is alike."""
    assert alike(one, other) == alike(other, one)
    if same_spelling(one, other):
        assert alike(one, other)


@given(TEXTS, TEXTS)
def test_a_beginning_is_alike_but_not_the_same(name: str, beginning: str) -> None:
    """A name that goes on after a beginning with words is not spelled like it."""
    if begins_with(name, beginning):
        assert not same_spelling(name, beginning)
        assert spelled(name).startswith(spelled(beginning))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Sav", "Save", True),
        ("Sa", "Save", False),
        ("1", "10", False),
        ("1", "1 of 10", True),
        ("Save!", "SAVE", True),
        ("&", "&", True),
        ("&", "+", False),
        ("", "", False),
        ("Re-send", "Resend", True),
    ],
)
def test_likeness_in_chosen_cases(one: str, other: str, expected: bool) -> None:
    """Case and punctuation are nothing, a beginning is three letters or whole words."""
    assert alike(one, other) == expected


@pytest.mark.parametrize(
    ("text", "lines", "expected"),
    [
        ("home Home", [Box(0, 0, 24, 24), Box(30, 4, 70, 20)], "Home"),
        ("Home home", [Box(0, 4, 40, 20), Box(50, 0, 74, 24)], "Home"),
        ("home", [Box(0, 0, 24, 24)], ""),
        ("Home", [Box(0, 0, 40, 16)], "Home"),
        ("fill it", [Box(0, 0, 30, 16)], "fill it"),
        ("Go", [Box(0, 0, 12, 12)], "Go"),
        ("home", [], "home"),
    ],
)
def test_icon_words_are_not_said(text: str, lines: list[Box], expected: str) -> None:
    """A word drawn as one square glyph is dropped at either end, another one is not."""
    assert without_icon_words(text, lines) == expected
