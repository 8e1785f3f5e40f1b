"""
Exact match and token F1 against a slow textbook version, and on texts that go wrong easily.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.score.short_answers import exact_match, token_f1, tokens

MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
WORDS = st.lists(
    st.sampled_from(
        ["the", "The", "a", "An", "cat", "cat,", "Cats", "U.S.", "4:30", "$", "+", "é", "\u3042"]
    ),
    max_size=6,
).map(" ".join)


def slow_words(text: str) -> list[str]:
    """Normalise letter by letter and word by word."""
    left = []
    for word in text.lower().split():
        kept = "".join(letter for letter in word if letter not in MARKS)
        if kept and kept not in ("a", "an", "the"):
            left.append(kept)
    return left or text.lower().split()


def slow_f1(said: str, right: str) -> float:
    """Strike each word out of the right ones as it is found, and take the harmonic mean."""
    ours, theirs = slow_words(said), slow_words(right)
    rest, found = list(theirs), 0
    for word in ours:
        if word in rest:
            rest.remove(word)
            found += 1
    if not ours and not theirs:
        return 1.0
    if not found:
        return 0.0
    precision, recall = found / len(ours), found / len(theirs)
    return 2 * precision * recall / (precision + recall)


@given(WORDS, st.lists(WORDS, max_size=4))
def test_both_scores_are_those_of_the_slow_version(said: str, accepted: list[str]) -> None:
    """Words, exact match and F1 agree with a version without sets and patterns."""
    assert list(tokens(said)) == slow_words(said)
    assert exact_match(said, accepted) == any(slow_words(said) == slow_words(a) for a in accepted)
    slow = max((slow_f1(said, item) for item in accepted), default=0.0)
    assert token_f1(said, accepted) == pytest.approx(slow, abs=1e-12)


@given(st.text(max_size=40), st.text(max_size=40))
def test_scores_keep_their_bounds_on_any_text(said: str, right: str) -> None:
    """F1 lies in [0, 1], does not care who is right, and is 1 where the words match exactly."""
    score = token_f1(said, [right])
    assert 0.0 <= score <= 1.0
    assert score == token_f1(right, [said])
    assert not exact_match(said, [right]) or score == 1.0
    assert exact_match(said, [said])


@pytest.mark.parametrize(
    ("said", "right", "match", "score"),
    [
        ("The 4.3 stars!", "4.3 stars", True, 1.0),
        ("4.3", "4.3 stars", False, 2 / 3),
        ("stars stars", "stars", False, 2 / 3),
        ("theatre", "atre", False, 0.0),
        ("$", "+", False, 0.0),
        ('"+"', '"+"', True, 1.0),
        ("a", "the", False, 0.0),
        ("", "x", False, 0.0),
    ],
)
def test_answers_known_by_hand(said: str, right: str, match: bool, score: float) -> None:
    """Articles are words and no parts of words, and what is all marks stands as it is."""
    assert exact_match(said, [right]) is match
    assert token_f1(said, [right]) == pytest.approx(score)
