"""
Searching many texts at once finds what searching each would.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surefoot.view.text import MOST_SEARCHED, SearchedTexts

TEXTS = st.text(alphabet="aAßéŁ\n é\x1f\ud800", max_size=8)


@given(st.lists(TEXTS, max_size=12), st.text(alphabet="aAßéŁ\ud800", min_size=1, max_size=3))
def test_it_finds_what_each_text_holds(texts: list[str], word: str) -> None:
    """A text is found where it holds the word, whole or within another, and no other is."""
    found = SearchedTexts((text, text[::-1]) for text in texts).holding(word).tolist()

    folded = [[part.casefold() for part in (text, text[::-1])] for text in texts]
    assert found == [any(word.casefold() in part for part in parts) for parts in folded]


def test_a_letter_in_most_of_many_words_finds_their_texts() -> None:
    """Where thousands of words hold what is searched, the texts of all of them are found."""
    found = SearchedTexts([f"word-{number}" if number % 3 else "none"] for number in range(9000))

    assert found.holding("-").tolist() == [number % 3 > 0 for number in range(9000)]


def test_what_lies_beyond_the_limit_is_not_searched() -> None:
    """A long reply is searched in its beginning, and nothing leaks into the next text."""
    found = SearchedTexts(
        [("x" * MOST_SEARCHED + "needle",), ("nee", "dle"), ("dle",), ("needle",)]
    )

    assert found.holding("needle").tolist() == [False, False, False, True]
