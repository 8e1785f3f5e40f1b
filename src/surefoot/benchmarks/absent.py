"""
Questions whose element is not on the screen: only a refusal is right.

The words are those of a direct instruction about an element of another page, so the same words
are asked where the element is and where it is not. They are asked on a page only where nothing on
it could be meant, under any of its variants: neither resolver finds an element called so, read
leniently and whatever its role; and no word of the name stands anywhere on the page, seen or
unseen, in another case, with other accents or another ending, nor one that controls use for the
same (``alike.txt``). What an icon without a name shows nobody knows, so words that icons stand
for are not asked where there is one.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import AssembledBench, Fall, PageResult
from surefoot.benchmarks.drawing import site_of
from surefoot.core.canonical import digest
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Screen
from surefoot.core.seeds import derive_seed
from surefoot.refer.judge import Judge
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.scene.icons import icon_words
from surefoot.refer.scene.names import sayable
from surefoot.refer.scene.scene import Scene
from surefoot.score.scorings.hits import ABSENT

WORDS_OF: Final = "words of"  # a fact: the element that the words are about
_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORTEST: Final = 3  # letters of a word that says something
_STEM: Final = 5  # letters that words of one stem have in common
_SPELLED: Final = ("autocomplete", "icons", "options", "placeholder", "type")
# What stands on every page and says nothing of an element.
_EMPTY: Final = frozenset({"all", "and", "are", "for", "from", "not", "our", "the", "this", "with",
                           "you", "your"})  # fmt: skip


def with_absent(
    assembled: AssembledBench, pages: Sequence[PageResult], number: int, seed: int
) -> AssembledBench:
    """
    Add so many questions a page about elements that it does not have.

    The words come from all other sites and from other pages of the same one, in turns, those
    first that were asked least; pages take words of their own language alone.
    """
    shown = {page.page: page for page in pages}
    direct = (one for one in assembled.questions if one.cell.instruction == "direct")
    donors = {one.pair: one for one in direct}
    used: Counter[str] = Counter()
    falls: Counter[str] = Counter()
    made: list[Question] = []
    for page in pages if number else ():
        there = _Words(page.screens)
        asked = 0
        language = _language(page)
        others = [
            donor
            for donor in donors.values()
            if donor.page_name != page.page and _language(shown[donor.page_name]) == language
        ]
        while others and asked < number:
            donor = min(
                others,
                key=lambda one: (
                    used[one.cluster],
                    used[one.pair],
                    derive_seed(seed, ABSENT, page.page, one.pair),
                ),
            )
            # Other sites may have the same words.
            text = donor.instruction.text
            others = [one for one in others if one.instruction.text != text]
            why = there.could_mean(donor.instruction.expression)
            falls[why] += bool(why)
            if not why:
                used.update((donor.cluster, donor.pair))
                made += _questions(page, donor)
                asked += 1
        falls["no further words of another page"] += number - asked
    if not number:
        return assembled
    added = (Fall(ABSENT, why, count) for why, count in sorted(falls.items()) if count)
    words, pairs = (len({one.facts[WORDS_OF] for one in made}), len({one.pair for one in made}))
    line = f"{pairs} times an element is asked for that is not there, in words of {words} others"
    return msgspec.structs.replace(
        assembled,
        questions=tuple(sorted((*assembled.questions, *made), key=lambda one: one.id)),
        funnel=msgspec.structs.replace(
            assembled.funnel, falls=tuple(sorted((*assembled.funnel.falls, *added)))
        ),
        lines=(*assembled.lines, line),
    )


def _language(page: PageResult) -> str:
    return page.screens[0].locale.replace("_", "-").partition("-")[0].lower()


def _questions(page: PageResult, donor: Question) -> Iterator[Question]:
    """Yield what is asked of a page in all its variants, in the words of an element elsewhere."""
    pair = f"{page.page}#not {donor.pair}"
    for screen in page.screens:
        cell = Cell(screen.variant, ABSENT)
        yield Question(
            id=digest([pair, cell])[:20],
            pair=pair,
            cluster=site_of(page),
            cell=cell,
            screen=screen.id,
            image=screen.image,
            width=screen.width,
            height=screen.height,
            instruction=msgspec.structs.replace(donor.instruction, target=""),
            truth=Box(0.0, 0.0, 0.0, 0.0),
            role=donor.role,
            answerable=False,
            facts={WORDS_OF: donor.pair},
            page=page.page,
        )


class _Words:
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
            "NFKC", "".join(one for one in apart if unicodedata.category(one) != "Mn")
        )
        for word in _WORD.findall(plain):
            if unicodedata.category(word[0]) == "Lo":
                found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
            elif len(word) >= _SHORTEST and word not in _EMPTY:
                found.add(word)
    return frozenset(found)


def _texts(screen: Screen) -> Iterator[str]:
    """Yield all that a screen says anywhere, seen or unseen."""
    yield from (screen.title, *(one.text for one in screen.unrecorded))
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
    table = files("surefoot.benchmarks").joinpath("alike.txt").read_text("utf-8")
    lines = (*table.splitlines(), *(" ".join(names) for _, names in icon_words()))
    return tuple(words_of([line]) for line in lines)


@functools.cache
def _icons() -> frozenset[str]:
    """Return the words that icons stand for, and those that mean the same."""
    return _with_alike(words_of(word for _, names in icon_words() for word in names))
