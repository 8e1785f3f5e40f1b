"""
What can be asked about one page in several languages, with what is right and wrong proven.

An item is one question: it is kept only where in every language the right option holds under the
strict reading, and each wrong one fails under the lenient one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import msgspec

from surefoot.benchmarks.benchmark import Candidate
from surefoot.benchmarks.dimensions.sentences import WAYS
from surefoot.core.instruction import Direction, Function, Place, Region
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.relations import beside, in_region
from surefoot.refer.resolve.states import of_function
from surefoot.refer.scene.geometry import Reading
from surefoot.refer.scene.names import alike
from surefoot.refer.scene.scene import Scene

WRONG: Final = 3
BARE: Final = "bare"  # a measure of candidates whose name alone, without a role, means them
FAR: Final = 0.35  # of the picture's diagonal: what lies farther is nobody's neighbour
# Corners before sides: what is most exact is what is asked for.
PLACES: Final[tuple[Place, ...]] = (
    "top left", "top right", "bottom left", "bottom right", "center", "top", "bottom", "left",
    "right",
)  # fmt: skip
DIRECTIONS: Final[tuple[Direction, ...]] = ("above", "below", "left of", "right of")
FUNCTIONS: Final[tuple[Function, ...]] = (
    "enter", "choose", "turn on", "turn off", "go to", "show", "adjust", "search", "close",
)  # fmt: skip
# How a role is used, the one right way first, and what it could be taken for.
_WAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "button": ("press", "choose", "toggle"),
    "checkbox": ("toggle", "press"),
    "combobox": ("choose", "press", "type"),
    "heading": ("static", "press"),
    "link": ("press", "choose"),
    "menuitem": ("press", "choose"),
    "searchbox": ("type", "choose"),
    "slider": ("slide", "press", "toggle"),
    "spinbutton": ("type", "slide", "choose"),
    "switch": ("toggle", "press", "slide"),
    "tab": ("press", "choose", "toggle"),
    "textbox": ("type", "choose"),
}


class SharedItem(msgspec.Struct, frozen=True):
    """
    Hold one question in all languages of a page, by keys that are the same in each.

    ``target`` and ``other`` are elements, ``key`` chooses the sentence, ``right`` and ``wrong``
    are options: words of the language, or elements where ``named``. Those of ``wrong`` that
    tempt most come first; three or more are there.
    """

    dimension: str
    page: str
    target: str
    right: str
    wrong: tuple[str, ...]
    key: str = ""
    other: str = ""
    named: bool = False

    @property
    def name(self) -> str:
        """Return what tells the item from all others."""
        parts = (self.page, self.dimension, self.target, self.other, self.key)
        return "#".join(part for part in parts if part)


class NamedElement(msgspec.Struct, frozen=True):
    """Hold an element as it is called in one language, and its place in the scene."""

    candidate: Candidate
    element: Element
    place: int

    @property
    def name(self) -> str:
        """Return the name."""
        return self.candidate.direct.text if self.candidate.direct else ""


class SharedPage:
    """
    Hold one page in several languages: its scenes, and the elements that have a name in each.

    ``keys`` name the elements, those of ``bare`` need no role to be meant.
    """

    def __init__(
        self, name: str, site: str, languages: Mapping[str, tuple[Screen, Iterable[Candidate]]]
    ) -> None:
        self.name, self.site = name, site
        self.languages = tuple(languages)
        self.screens = {language: screen for language, (screen, _) in languages.items()}
        self.scenes = {language: Scene(screen) for language, screen in self.screens.items()}
        self.named = {
            language: dict(self._named(language, candidates))
            for language, (_, candidates) in languages.items()
        }
        first = self.named[self.languages[0]]
        self.keys = tuple(
            key for key in first if all(key in named for named in self.named.values())
        )
        self.bare = tuple(
            key
            for key in self.keys
            if all(BARE in named[key].candidate.measures for named in self.named.values())
        )

    def _named(
        self, language: str, candidates: Iterable[Candidate]
    ) -> Iterator[tuple[str, NamedElement]]:
        scene = self.scenes[language]
        for candidate in candidates:
            if candidate.direct is not None:
                place = scene.place[candidate.direct.target]
                yield candidate.target, NamedElement(candidate, scene.elements[place], place)

    def role(self, key: str) -> str:
        """Return an element's role, which is the same in every language."""
        return self.named[self.languages[0]][key].element.role

    def in_all(self, holds: Callable[[Scene, str], bool]) -> bool:
        """Tell whether something holds in every language."""
        return all(holds(self.scenes[language], language) for language in self.languages)

    def near(self, key: str) -> tuple[str, ...]:
        """Return the other elements, the nearest in the first language first."""
        named, scene = self.named[self.languages[0]], self.scenes[self.languages[0]]
        middle = scene.centres[named[key].place]

        def away(other: str) -> tuple[float, str]:
            across, down = scene.centres[named[other].place] - middle
            return float(across**2 + down**2), other

        return tuple(sorted((other for other in self.keys if other != key), key=away))

    def told_apart(self, keys: Iterable[str]) -> bool:
        """Tell whether no two elements have names that are alike in any language."""
        return all(
            not alike(named[item].name, named[other].name)
            for named in self.named.values()
            for item, other in itertools.combinations(keys, 2)
        )


def _absolute(page: SharedPage) -> Iterator[SharedItem]:
    """Ask in which part of the picture an element lies."""
    for key in page.keys:

        def lies(part: Place, reading: Reading, key: str = key) -> bool:
            return page.in_all(
                lambda scene, language: bool(
                    in_region(scene, Region(part), reading)[page.named[language][key].place]
                )
            )

        def may_lie(part: Place, key: str = key) -> bool:
            return any(
                in_region(page.scenes[language], Region(part), "lenient")[named[key].place]
                for language, named in page.named.items()
            )

        right = next((part for part in PLACES if lies(part, "strict")), None)
        wrong = tuple(part for part in PLACES if not may_lie(part))
        if right and len(wrong) >= WRONG:
            yield SharedItem("ael", page.name, key, right, wrong)


def _relative(page: SharedPage) -> Iterator[SharedItem]:
    """Ask in which direction of a neighbour an element lies."""
    first = page.scenes[page.languages[0]].screen
    most = FAR * float(first.width**2 + first.height**2) ** 0.5

    def lies(way: Direction, key: str, other: str, language: str, reading: Reading) -> bool:
        named, scene = page.named[language], page.scenes[language]
        return bool(beside(scene, way, named[other].place, reading)[named[key].place])

    for key in page.keys:
        for other in page.near(key)[:6]:
            centres = page.scenes[page.languages[0]].centres
            named = page.named[page.languages[0]]
            apart = centres[named[key].place] - centres[named[other].place]
            if float(apart @ apart) ** 0.5 > most or not page.told_apart((key, other)):
                continue
            right = [
                way
                for way in DIRECTIONS
                if all(lies(way, key, other, item, "strict") for item in page.languages)
            ]
            possible = [
                way
                for way in DIRECTIONS
                if any(lies(way, key, other, item, "lenient") for item in page.languages)
            ]
            if len(right) == 1 and set(possible) <= set(right):
                wrong = tuple(way for way in DIRECTIONS if way != right[0])
                yield SharedItem("rel", page.name, key, right[0], wrong, other=other)


def ways_of(element: Element) -> tuple[str, ...]:
    """
    Return how an element is used, the right way first, then what it could be taken for.

    None where its role does not tell, or where its states speak for more than one.

    >>> from surefoot.core.geometry import Box
    >>> ways_of(Element("a", "checkbox", Box(0, 0, 9, 9)))
    ('toggle', 'press')
    """
    ways = _WAYS.get(element.role, ())
    switches = {"pressed", "checked", "expanded", "collapsed"} & set(element.states)
    if ways[:1] == ("press",) and switches:
        return ()
    read_only = element.attributes.get("editable", "true") != "true"
    return () if ways[:1] == ("type",) and read_only else ways


def _interaction(page: SharedPage) -> Iterator[SharedItem]:
    """Ask how an element is used; that it only stands there is always among the options."""
    for key in page.bare:
        kinds_of_ways = {ways_of(named[key].element) for named in page.named.values()}
        ways = next(iter(kinds_of_ways))
        if len(kinds_of_ways) > 1 or not ways:
            continue
        wrong = tuple(way for way in WAYS if way not in ways)
        if len(wrong) >= WRONG:
            yield SharedItem("wi", page.name, key, ways[0], wrong)


def _function(page: SharedPage) -> Iterator[SharedItem]:
    """Ask which of four elements does something."""
    for function in FUNCTIONS:
        does = {
            key: page.in_all(
                lambda scene, language, key=key: bool(  # type: ignore[misc]
                    of_function(scene, function, "strict")[page.named[language][key].place]  # noqa: B023
                )
            )
            for key in page.bare
        }
        may = {
            key: any(
                of_function(page.scenes[language], function, "lenient")[named[key].place]
                for language, named in page.named.items()
            )
            for key in page.bare
        }
        for key in (key for key in page.bare if does[key]):
            wrong: list[str] = []
            for other in page.near(key):
                if other in may and not may[other] and page.told_apart((key, other, *wrong)):
                    wrong.append(other)
            if len(wrong) >= WRONG:
                yield SharedItem("wf", page.name, key, key, tuple(wrong), key=function, named=True)


ITEMS: Final[Mapping[str, Callable[[SharedPage], Iterator[SharedItem]]]] = {
    "wf": _function,
    "wi": _interaction,
    "ael": _absolute,
    "rel": _relative,
}
