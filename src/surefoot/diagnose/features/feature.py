"""
Features: an entry of the vocabulary says how it is read, how it is said, and what helps.

A ``Tag`` is there or not, a ``Measure`` is a number. Either is read of one of four things: a
question as it is asked (``Query``), its landmark (``Landmark``), its target (``Target``) or the
picture (``Raster``). The table of all of them is ``vocabulary``.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic, TypeAlias, TypeVar

import msgspec

from surefoot.diagnose.features.asked import Landmark, Query
from surefoot.diagnose.features.picture import Raster
from surefoot.diagnose.features.target import Target

FILE: Final = "advice.toml"
USUAL: Final = "kind"

Context: TypeAlias = Query | Landmark | Target | Raster
C = TypeVar("C", Query, Landmark, Target, Raster)


class _Kind(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    plain: int = 0
    light: bool = False
    always: bool = False


class Feature(_Kind, Generic[C], frozen=True, eq=False):
    """
    Name what can be known of a question, and what it is read of.

    ``plain`` is 0 for what a person sees at a glance, 1 for what a person can count or measure, 2
    for what only a program measures: of classes that the answers cannot tell apart the plainest
    is named. ``light`` tells whether a picture in another light can change it. What is read of a
    target is known of it before any instruction is made, and so is what is ``always`` the same
    for it.
    """

    name: str
    of: type[C]

    @property
    def of_element(self) -> bool:
        """Tell whether it is known of an element without an instruction about it."""
        return self.always or self.of is Target


class Tag(Feature[C], frozen=True, eq=False):
    """
    Describe what is there or not.

    ``read`` tells whether it is, or returns its value, "" for none, or several values. ``has``
    says what has it, with {} for the value, and ``lacks`` what lacks it ("" for "all but ...");
    ``title`` says a value in words. ``do`` names an advice. ``counted`` tells whether the planner
    of heuristics counts it.
    """

    read: Callable[[C], bool | str | Iterable[str]]
    has: str
    lacks: str = ""
    do: str = USUAL
    title: Callable[[str], str] = str
    counted: bool = False

    def names(self, context: C) -> Iterator[str]:
        """Yield the tags of a question: the name, with each value after a colon."""
        found = self.read(context)
        if found is True:
            yield self.name
        elif found:
            values = [found] if isinstance(found, str) else found
            yield from (f"{self.name}:{value}" for value in values)

    def words(self, value: str, *, lacks: bool) -> str:
        """Return what has the tag, or lacks it, in words."""
        words = (self.lacks or f"all but {self.has}") if lacks else self.has
        return words.format(self.title(value) or self.name)


class Measure(Feature[C], frozen=True, eq=False):
    """
    Describe a number; None where a question has none.

    ``least`` says what is at a bound or above it, ``below`` what is under it, with {} for the
    bound, which is rounded to ``step``, 1 for what is counted. ``do`` names an advice,
    ``least_do`` and ``below_do`` that of either side of a bound.
    """

    read: Callable[[C], float | None]
    least: str
    below: str
    step: float = 1.0
    do: str = ""
    least_do: str = USUAL
    below_do: str = USUAL

    @property
    def is_length(self) -> bool:
        """Tell whether it is in pixels, so that another size of the picture changes it."""
        return " px" in self.least


class Advice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Say what can be done about a class: data to train on, another asking, a change of the page.

    "" where nothing of the kind helps.
    """

    data: str = ""
    asking: str = ""
    page: str = ""


class _Advices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    causes: dict[str, str]
    advice: dict[str, Advice]


@functools.cache
def _advices() -> _Advices:
    text = importlib.resources.files(__package__).joinpath(FILE).read_bytes()
    return msgspec.toml.decode(text, type=_Advices)


CAUSES: Final = _advices().causes  # the advice of confusions and of what replies show


def advice(name: str) -> Advice:
    """
    Return an advice by its name.

    >>> advice("small").page
    'make them 24 px or more on each side'
    """
    return _advices().advice[name]
