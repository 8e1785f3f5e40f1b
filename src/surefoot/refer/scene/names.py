"""
Names as they are written, compared and cut.

Strictly, two names are equal when they are the same characters after whitespace is
collapsed. Leniently, they are alike when case, punctuation and an ellipsis make the only
difference, or when one is the beginning of the other.
"""

from __future__ import annotations

import functools
import unicodedata
from typing import Final

import msgspec

LONGEST_CHARACTERS: Final = 40
LONGEST_WORDS: Final = 6
SHORTEST_BEGINNING: Final = 3
UNSEEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn"})


class Key(msgspec.Struct, frozen=True):
    """Hold what is left of a name for lenient comparison: its words, and all in one."""

    compact: str
    words: tuple[str, ...]


@functools.lru_cache(maxsize=65536)
def spoken(name: str) -> str:
    r"""
    Return a name in Unicode's composed form, without invisible and private-use characters.

    Whitespace is collapsed. Icon fonts draw with private-use characters, which nobody can
    say; nor does anybody say the arrows and signs that stand before or after the words.

    >>> spoken(" Sign\n in \ue8b8"), spoken("+ New deal"), spoken("\u2193 All 3"), spoken("+")
    ('Sign in', 'New deal', 'All 3', '+')
    """
    visible = (
        " " if item.isspace() else item
        for item in unicodedata.normalize("NFC", name)
        if item.isspace() or unicodedata.category(item) not in UNSEEN_CATEGORIES
    )
    words = "".join(visible).split()
    sayable_places = [index for index, word in enumerate(words) if sayable(word)]
    return " ".join(words[sayable_places[0] : sayable_places[-1] + 1] if sayable_places else words)


def sayable(name: str) -> bool:
    r"""
    Tell whether a name has a letter or a digit to be said.

    >>> sayable("OK"), sayable("\u00d7"), sayable("")
    (True, False, False)
    """
    return any(item.isalnum() for item in name)


@functools.lru_cache(maxsize=65536)
def key_of(name: str) -> Key:
    """
    Return what lenient comparison looks at: letters, marks and digits, case folded.

    A name of signs alone keeps its signs.

    >>> key_of("E-mail Address:").words
    ('email', 'address')
    """
    folded = unicodedata.normalize("NFKC", spoken(name)).casefold()
    kept = "".join(
        item for item in folded if item.isspace() or unicodedata.category(item)[0] in "LMN"
    )
    words = tuple(kept.split()) or tuple(folded.split())
    return Key("".join(words), words)


def alike(one: str, other: str) -> bool:
    """
    Tell whether two names could be taken for one another.

    They are equal but for case, punctuation and spaces, or one is the other's beginning:
    whole words of it, or at least three characters. Nameless is alike to nothing.

    >>> alike("Sign in...", "SIGN-IN"), alike("Save", "Save as draft"), alike("1", "10")
    (True, True, False)
    """
    return _alike(key_of(one), key_of(other))


def _alike(one: Key, other: Key) -> bool:
    short, long = (one, other) if len(one.compact) <= len(other.compact) else (other, one)
    if not short.compact or not long.compact.startswith(short.compact):
        return False
    if len(short.compact) == len(long.compact) or len(short.compact) >= SHORTEST_BEGINNING:
        return True
    return long.words[: len(short.words)] == short.words


def begins(name: str, beginning: str) -> bool:
    """
    Tell whether whole words, spelled exactly, begin a longer name.

    >>> begins("Set up your account", "Set up"), begins("Set upper", "Set up")
    (True, False)
    """
    whole, start = spoken(name), spoken(beginning)
    return bool(start) and whole.startswith(f"{start} ")


def cut_name(name: str) -> str:
    """
    Cut a name that is too long to say after a word; a shorter one comes back whole.

    Six words and 40 characters are enough to say. Signs left at the end are dropped. A
    first word that is longer than that cannot be cut: "" comes back.

    >>> cut_name("Read our terms of service and the privacy policy")
    'Read our terms of service and'
    >>> cut_name("Save")
    'Save'
    """
    whole = spoken(name)
    words = whole.split(" ")
    if len(words) <= LONGEST_WORDS and len(whole) <= LONGEST_CHARACTERS:
        return whole
    kept = words[:LONGEST_WORDS]
    while kept and (len(" ".join(kept)) > LONGEST_CHARACTERS or not sayable(kept[-1])):
        kept.pop()
    return " ".join(kept)
