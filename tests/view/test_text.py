"""
Searching many texts at once finds what searching each would.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surefoot.view.text import MOST_SEARCHED, SearchedTexts

WORDS = st.text(alphabet="aAßéŁ\n é", max_size=8)


@given(st.lists(WORDS, max_size=12), st.text(alphabet="aAßéŁ ", min_size=1, max_size=3))
def test_it_finds_what_each_text_holds(texts: list[str], words: str) -> None:
    """A text is found where it holds the words, whatever their case, and no other is."""
    found = SearchedTexts((text, text[::-1]) for text in texts).holding(words).tolist()

    folded = [
        [part.casefold().replace("\n", " ") for part in (text, text[::-1])] for text in texts
    ]
    assert found == [any(words.casefold() in part for part in parts) for parts in folded]


def test_what_lies_beyond_the_limit_is_not_searched() -> None:
    """A long reply is searched in its beginning, and nothing leaks into the next text."""
    found = SearchedTexts(
        [("x" * MOST_SEARCHED + "needle",), ("nee", "dle"), ("dle",), ("needle",)]
    )

    assert found.holding("needle").tolist() == [False, False, False, True]
