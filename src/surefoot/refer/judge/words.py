"""
Words as the judge compares them: spelled the same, or alike.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence
from typing import Final

from surefoot.core.geometry import Box

_UNSEEN: Final = {"Cc", "Cf", "Cn", "Co", "Cs"}
# Least width of a letter, in heights of its line.
_THIN_LETTERS: Final = "fijlrtI1.,:;'|!()-"
_THIN: Final = 0.13
_LETTER: Final = 0.26
_SQUARE: Final = (0.7, 1.6)
_SHORTEST: Final = 3


@functools.lru_cache(maxsize=65536)
def spelled(text: str) -> str:
    r"""
    Return what of a text is said: composed, without invisible characters or outer signs.

    >>> spelled(" Sign\n in \ue8b8"), spelled("+ New deal"), spelled("+")
    ('Sign in', 'New deal', '+')
    """
    seen = ""
    for item in unicodedata.normalize("NFC", text):
        if item.isspace():
            seen += " "
        elif unicodedata.category(item) not in _UNSEEN:
            seen += item
    tokens = seen.split()
    if not any(has_words(token) for token in tokens):
        return " ".join(tokens)
    while not has_words(tokens[0]):
        del tokens[0]
    while not has_words(tokens[-1]):
        del tokens[-1]
    return " ".join(tokens)


def has_words(text: str) -> bool:
    """
    Tell whether a text has a letter or a digit.

    >>> has_words("OK"), has_words("+")
    (True, False)
    """
    return any(item.isalnum() for item in text)


def same_spelling(one: str, other: str) -> bool:
    """
    Tell whether two texts are spelled the same; nothing is spelled like no text.

    >>> same_spelling("Save  all", "Save all"), same_spelling("Save", "save")
    (True, False)
    """
    return spelled(one) != "" and spelled(one) == spelled(other)


def begins_with(name: str, beginning: str) -> bool:
    """
    Tell whether a longer name begins with these whole words, spelled the same.

    >>> begins_with("Set up your account", "Set up"), begins_with("Set upper", "Set up")
    (True, False)
    """
    first, words = spelled(beginning).split(" "), spelled(name).split(" ")
    return first != [""] and len(first) < len(words) and words[: len(first)] == first


@functools.lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """
    Return a text's words, lower case, letters and digits only; of signs alone, the signs.

    >>> words_of("E-mail Address:")
    ('email', 'address')
    """
    plain = unicodedata.normalize("NFKC", spelled(text)).casefold()
    words = []
    for token in plain.split():
        kept = [item for item in token if unicodedata.category(item)[0] in "LMN"]
        if kept:
            words.append("".join(kept))
    return tuple(words) if words else tuple(plain.split())


def alike(one: str, other: str) -> bool:
    """
    Tell whether two texts could be taken for one another; no text is like nothing.

    >>> alike("Sign in...", "SIGN-IN"), alike("Save", "Save as draft"), alike("1", "10")
    (True, True, False)
    """
    mine, theirs = words_of(one), words_of(other)
    if len("".join(mine)) > len("".join(theirs)):
        mine, theirs = theirs, mine
    short, long = "".join(mine), "".join(theirs)
    if not short or not long.startswith(short):
        return False
    by_words = theirs[: len(mine)] == mine
    return short == long or by_words or len(short) >= _SHORTEST


def without_icon_words(text: str, lines: Sequence[Box]) -> str:
    """
    Return a text as it is said, without a first and last word that an icon font draws.

    ``lines`` are the boxes of its text lines, in reading order, in any unit.

    >>> without_icon_words("home Home", [Box(0, 0, 24, 24), Box(30, 4, 70, 20)])
    'Home'
    """
    words, rest = spelled(text).split(), list(lines)
    if rest and words and _is_icon_word(words[0], rest[0]):
        del words[0], rest[0]
    if rest and words and _is_icon_word(words[-1], rest[-1]):
        del words[-1]
    return spelled(" ".join(words))


def _is_icon_word(word: str, line: Box) -> bool:
    """Tell whether a word is drawn as one square glyph, too narrow for its letters."""
    if len(word) < _SHORTEST or not word.isascii():
        return False
    least, most = _SQUARE[0] * line.height, _SQUARE[1] * line.height
    needed = sum(_THIN if item in _THIN_LETTERS else _LETTER for item in word) * line.height
    return least <= line.width <= most and line.width < needed
