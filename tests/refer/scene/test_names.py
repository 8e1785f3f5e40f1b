"""
Names: strict spelling, lenient likeness, cutting at a word.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.refer.scene.names import alike, begins, cut_name, key_of, sayable, spoken

NAMES = st.text(max_size=60)


@given(NAMES)
def test_spelling_a_name_twice_changes_nothing(name: str) -> None:
    """The strict form is a fixed point and holds no invisible character."""
    once = spoken(name)
    assert spoken(once) == once
    assert once == once.strip()
    assert "  " not in once


@pytest.mark.parametrize("hostile", ["\ue8b8", "\u200b", "\x00\x07", "\U000f0001", "\ufeff"])
def test_what_nobody_sees_is_no_name(hostile: str) -> None:
    """Private-use, zero-width and control characters leave nothing to say."""
    assert spoken(hostile) == ""
    assert not sayable(hostile)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Sign in", "SIGN IN", True),
        ("Sign-in\u2026", "sign in", True),
        ("\uff33ave", "save", True),
        ("Monthly rev\u2026", "Monthly revenue", True),
        ("Save", "Save as draft", True),
        ("Go", "Google", False),
        ("1", "10", False),
        ("1", "1 of 9", True),
        ("Save", "Delete", False),
        ("+", "-", False),
        ("", "", False),
        ("", "Save", False),
    ],
)
def test_likeness_forgives_case_signs_and_truncation(one: str, other: str, expected: bool) -> None:
    """Two names are alike exactly where a reader could take one for the other."""
    assert alike(one, other) is expected


@given(NAMES, NAMES)
def test_likeness_has_no_direction(one: str, other: str) -> None:
    """Which of two names comes first makes no difference."""
    assert alike(one, other) == alike(other, one)


@given(NAMES)
def test_a_name_is_like_itself_in_any_case(name: str) -> None:
    """Whatever has a key is like itself and like its upper case where that keeps the key."""
    assert alike(name, name) == bool(spoken(name))
    if key_of(name) == key_of(name.upper()):
        assert alike(name, name.upper()) == bool(spoken(name))


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=12), min_size=1, max_size=12))
def test_a_cut_name_is_short_and_its_whole_words_begin_the_name(words: list[str]) -> None:
    """A cut name has at most six words and 40 characters, and begins the name."""
    name = " ".join(words)
    said = cut_name(name)
    assert len(said) <= 40
    assert len(said.split()) <= 6
    assert said == name or begins(name, said)


def test_one_endless_word_cannot_be_cut() -> None:
    """A word that is too long by itself leaves nothing to say."""
    assert cut_name("x" * 41) == ""
    assert cut_name("x" * 41 + " and more") == ""


def test_a_cut_does_not_end_with_a_sign() -> None:
    """Words without a letter at the end of what is kept are dropped."""
    assert cut_name("one two three four five & six seven") == "one two three four five"
