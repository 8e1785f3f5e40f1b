"""
The kinds of fixes: to which controls each applies, and the edits that it is.

A control with two faults may be found only once both are gone, so pairs of edits are kinds too,
for what breaks both of their rules.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from surefoot.core.edit import ControlEdit, RaiseContrast, Relabel, Restyle
from surefoot.refer.scene.names import cut_name, key_of
from surefoot.run.fixes.rules import ControlFacts

LARGE_PX: Final = 44  # WCAG 2.2, 2.5.5
STRONG: Final = 7.0  # 1.4.6
APART_PX: Final = 8
READABLE_PX: Final = 16
MENDABLE: Final = ("ambiguous", "no-name")  # how reasons begin that another name does away with
SHORT: Final = 3  # letters of a name that tells nothing by itself


class FixKind(msgspec.Struct, frozen=True):
    """
    Describe one kind of fix.

    ``name`` stands in files, ``title`` where people read it; ``applies`` tells whether a control
    could gain from it, and ``edits`` are the changes. ``words`` gives the name that the control
    has afterwards, "" where it keeps its own.
    """

    name: str
    title: str
    applies: Callable[[ControlFacts], bool]
    edits: Callable[[ControlFacts], tuple[ControlEdit, ...]]
    words: Callable[[ControlFacts], str] = lambda _: ""


def new_name(facts: ControlFacts) -> str:
    """
    Return a telling name: the old one with the heading of its section, "" without one.

    A control without a name is called what its icon shows.
    """
    if not facts.words:
        return facts.pictured.capitalize()
    heading = cut_name(facts.section)
    return f"{facts.words} {heading}" if heading and heading not in facts.words else ""


def _vague(facts: ControlFacts) -> bool:
    few = sum(mark.isalpha() for mark in facts.words) <= SHORT
    return bool(facts.words) and (few or facts.unaskable.startswith("ambiguous"))


def _restyled(**declarations: str) -> Callable[[ControlFacts], tuple[ControlEdit, ...]]:
    spelled = tuple((name.replace("_", "-"), value) for name, value in declarations.items())
    return lambda one: (Restyle((one.element,), spelled),)


_SINGLE: Final[tuple[FixKind, ...]] = (
    FixKind(
        "label",
        "show a name in words",
        lambda one: not (one.shown or one.worded) and bool(one.words or one.pictured),
        lambda one: (Relabel(one.element, cut_name(one.words) or new_name(one)),),
        lambda one: "" if one.words else new_name(one),
    ),
    FixKind(
        "size",
        f"make it {LARGE_PX} px",
        lambda one: one.side < LARGE_PX,
        _restyled(min_width=f"{LARGE_PX}px", min_height=f"{LARGE_PX}px"),
    ),
    FixKind(
        "contrast",
        f"raise the contrast to {STRONG:g} : 1",
        lambda one: one.contrast is not None and one.contrast < STRONG,
        lambda one: (RaiseContrast((one.element,), STRONG),),
    ),
    FixKind(
        "spacing",
        f"leave {APART_PX} px around it",
        lambda one: one.gap is not None and one.gap < APART_PX,
        _restyled(margin=f"{APART_PX}px"),
    ),
    FixKind(
        "text",
        f"write it in {READABLE_PX} px",
        lambda one: one.worded and one.font < READABLE_PX,
        _restyled(font_size=f"{READABLE_PX}px"),
    ),
    FixKind(
        "rename",
        "rename it",
        lambda one: _vague(one) and one.worded and bool(new_name(one)),
        lambda one: (Relabel(one.element, new_name(one), replaces=True),),
        new_name,
    ),
)
# The rules that a control breaks for which both edits of a pair may be needed.
_FAULTS: Final[Mapping[str, frozenset[str]]] = {
    "label": frozenset({"unlabelled", "icon-alone"}),
    "size": frozenset({"small"}),
    "contrast": frozenset({"low-contrast"}),
}


def _pair(first: FixKind, second: FixKind) -> FixKind:
    """Return both edits of a control that breaks a rule of each."""

    def applies(facts: ControlFacts) -> bool:
        return all(
            kind.applies(facts) and not _FAULTS[kind.name].isdisjoint(facts.rules)
            for kind in (first, second)
        )

    return FixKind(
        f"{first.name}-and-{second.name}",
        f"{first.title} and {second.title}",
        applies,
        lambda facts: (*first.edits(facts), *second.edits(facts)),
        first.words,
    )


FIXES: Final[tuple[FixKind, ...]] = (
    *_SINGLE,
    *itertools.starmap(
        _pair, itertools.combinations([one for one in _SINGLE if one.name in _FAULTS], 2)
    ),
)


def fix_named(name: str) -> FixKind:
    """Return a kind of fix by its name."""
    return next(kind for kind in FIXES if kind.name == name)


def fixes_of(facts: ControlFacts, page: Iterable[ControlFacts]) -> tuple[FixKind, ...]:
    """
    Return the kinds of fixes that apply to a control of a page.

    One that gives it another name applies only where no other control of the page has that. What
    has no name, or one that others have, is fixed by a name alone; what cannot be asked for
    otherwise, by nothing.
    """
    if facts.unaskable and not facts.unaskable.startswith(MENDABLE):
        return ()
    taken: Mapping[object, str] = {key_of(one.words): one.element for one in page if one.words}
    found = []
    for kind in FIXES:
        if not kind.applies(facts):
            continue
        words = kind.words(facts)
        if facts.unaskable and not words:
            continue
        if words and (key_of(words) in taken or _shared(words, kind, facts, page)):
            continue
        found.append(kind)
    return tuple(found)


def _shared(words: str, kind: FixKind, facts: ControlFacts, page: Iterable[ControlFacts]) -> bool:
    """Tell whether the same fix would give another control of the page the same name."""
    others = (one for one in page if one.element != facts.element and kind.applies(one))
    return any(key_of(kind.words(one)) == key_of(words) for one in others if kind.words(one))
