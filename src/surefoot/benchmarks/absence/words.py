"""
Whether words could mean anything on a page: any of its elements, seen or unseen, or any word.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Final

from surefoot.core.instruction import Expression
from surefoot.core.screen import Screen
from surefoot.refer.judge import Judge
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.scene.icons import icon_words
from surefoot.refer.scene.names import sayable
from surefoot.refer.scene.scene import Scene

_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORTEST: Final = 3  # letters of a word that says something
_STEM: Final = 5  # letters that words of one stem have in common
_SPELLED: Final = ("autocomplete", "icons", "options", "placeholder", "type")
# What stands on every page and says nothing of an element.
_EMPTY: Final = frozenset({"all", "and", "are", "for", "from", "not", "our", "the", "this", "with",
                           "you", "your"})  # fmt: skip


class PageWords:
    """Tell what on a page, under any of its variants, words could mean."""

    def __init__(self, screens: Sequence[Screen]) -> None:
        self._screens = screens
        self._scenes = [Scene(screen) for screen in screens]
        self._judges = [Judge(screen) for screen in screens]
        self._known = {word for screen in screens for word in words_of(_texts(screen))}
        self._nameless = any(
            scene.thing[place] and scene.glimpsed[place] and not sayable(name)
            for scene in self._scenes
            for place, name in enumerate(scene.names)
        )

    def could_mean(self, expression: Expression) -> str:
        """Return why an element could be meant after all, "" where none can."""
        own = words_of([expression.name])
        if not own:
            return "no word that says something"
        if any(_akin(word, other) for word in _with_alike(own) for other in self._known):
            return "a word of it, or one that means the same, stands on the page"
        if self._nameless and own & _icons():
            return "an icon without a name could be it"
        name = Expression(name=expression.name, name_cut=expression.name_cut)
        if any(fits(scene, name, "lenient").any() for scene in self._scenes):
            return "the resolver finds an element"
        if any(judge.fits(name, "lenient") for judge in self._judges):
            return "the second reader finds an element"
        return ""


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """
    Return the words that say something, without case and accents; where no blanks part them, twos.

    >>> sorted(words_of(["Étage 2 of the Café-Bar", "注文一覧"]))
    ['bar', 'cafe', 'etage', '一覧', '文一', '注文']
    """
    found: set[str] = set()
    for text in texts:
        apart = unicodedata.normalize("NFKD", text).casefold()
        plain = unicodedata.normalize(
            "NFKC", "".join(item for item in apart if unicodedata.category(item) != "Mn")
        )
        for word in _WORD.findall(plain):
            if unicodedata.category(word[0]) == "Lo":
                found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
            elif len(word) >= _SHORTEST and word not in _EMPTY:
                found.add(word)
    return frozenset(found)


def _texts(screen: Screen) -> Iterator[str]:
    """Yield all that a screen says anywhere, seen or unseen."""
    yield from (screen.title, *(words.text for words in screen.unrecorded))
    for element in screen.elements:
        yield from (element.name, element.text)
        yield from (element.attributes.get(name, "") for name in _SPELLED)


def _akin(one: str, other: str) -> bool:
    """Tell whether two words are one but for their endings."""
    if len(one) < _SHORTEST + 1 or len(other) < _SHORTEST + 1:
        return one == other
    return one.startswith(other) or other.startswith(one) or one[:_STEM] == other[:_STEM]


def _with_alike(words: Iterable[str]) -> frozenset[str]:
    """Return words with all that stand for the same on controls."""
    own = frozenset(words)
    return own.union(
        *(group for group in _groups() if any(_akin(a, b) for a in own for b in group))
    )


@functools.cache
def _groups() -> tuple[frozenset[str], ...]:
    table = files("surefoot.benchmarks.absence").joinpath("alike.txt").read_text("utf-8")
    lines = (*table.splitlines(), *(" ".join(names) for _, names in icon_words()))
    return tuple(words_of([line]) for line in lines)


@functools.cache
def _icons() -> frozenset[str]:
    """Return the words that icons stand for, and those that mean the same."""
    return _with_alike(words_of(word for _, names in icon_words() for word in names))
