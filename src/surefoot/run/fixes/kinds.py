"""
The kinds of fixes: to which controls each applies, and the edits that it is.

A control with several faults may be found only once all are gone, so edits against them together
are kinds too. An edit against a fault is another kind where it goes beyond the rule, at a control
without the fault: what helps the one says nothing of the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from surefoot.core.edit import ControlEdit, RaiseContrast, Relabel, Restyle
from surefoot.refer.scene.names import cut_name, key_of
from surefoot.run.fixes.faults import (
    FAULTS,
    FIELD_ROLES,
    is_faint,
    is_small,
    shows_no_name,
    shows_part,
)
from surefoot.run.fixes.rules import LEAST_PX, ControlFacts

LARGE_PX: Final = 44  # WCAG 2.2, 2.5.5
STRONG: Final = 7.0  # 1.4.6
APART_PX: Final = 8
READABLE_PX: Final = 16
MENDABLE: Final = ("ambiguous", "no-name")  # how reasons begin that another name does away with
SHORT: Final = 3  # letters of a name that tells nothing by itself
MOVED_PX: Final = 0.5  # CSS pixels: less is how a page rounds
CLEARER: Final = 0.1  # of contrast: less is how a picture rounds


class FixKind(msgspec.Struct, frozen=True):
    """
    Describe one kind of fix.

    ``name`` stands in files, ``title`` where people read it; ``applies`` tells whether a control
    could gain from it, and ``edits`` are the changes. ``took`` tells from the facts before and
    after whether they had an effect. ``words`` gives the name that the control has afterwards,
    "" where it keeps its own. ``faults`` are those that the edits are against, none for others.
    """

    name: str
    title: str
    applies: Callable[[ControlFacts], bool]
    edits: Callable[[ControlFacts], tuple[ControlEdit, ...]]
    took: Callable[[ControlFacts, ControlFacts], bool]
    words: Callable[[ControlFacts], str] = lambda _: ""
    faults: tuple[str, ...] = ()


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


def _labelled(facts: ControlFacts) -> Relabel:
    """Put a control's name beside its icon or its field, or in place of other words."""
    name = cut_name(facts.words) or new_name(facts)
    other = facts.worded and not facts.shown and facts.role not in FIELD_ROLES
    return Relabel(facts.element, name, replaces=other)


def _restyled(**declarations: str) -> Callable[[ControlFacts], tuple[ControlEdit, ...]]:
    spelled = tuple((name.replace("_", "-"), value) for name, value in declarations.items())
    return lambda one: (Restyle((one.element,), spelled),)


def _more(before: float | None, after: float | None, least: float) -> bool:
    """Tell whether a measure grew, or is of what was not there before."""
    if before is None or after is None:
        return before is not after
    return after >= before + least


def _larger(before: ControlFacts, after: ControlFacts) -> bool:
    return _more(before.side, after.side, MOVED_PX)


def _clearer(before: ControlFacts, after: ControlFacts) -> bool:
    return _more(before.contrast, after.contrast, CLEARER)


_ENLARGED: Final = _restyled(min_width=f"{LARGE_PX}px", min_height=f"{LARGE_PX}px")
_AGAINST: Final[tuple[FixKind, ...]] = (
    FixKind(
        "label",
        "show a name in words",
        lambda one: shows_no_name(one) and bool(one.words or one.pictured),
        lambda one: (_labelled(one),),
        lambda before, after: after.shown and not before.shown,
        lambda one: "" if one.words else new_name(one),
        faults=("label",),
    ),
    FixKind(
        "name",
        "call it what it shows",
        shows_part,
        lambda one: (Relabel(one.element, one.part or one.words, shows=True),),
        lambda before, after: after.shown and not before.shown,
        lambda one: one.part,
        faults=("name",),
    ),
    FixKind("size", f"make it {LARGE_PX} px", is_small, _ENLARGED, _larger, faults=("size",)),
    FixKind(
        "contrast",
        f"raise the contrast to {STRONG:g} : 1",
        is_faint,
        lambda one: (RaiseContrast((one.element,), STRONG),),
        _clearer,
        faults=("contrast",),
    ),
)
_LABEL, _NAME, _SIZE, _CONTRAST = _AGAINST
_OTHERS: Final[tuple[FixKind, ...]] = (
    FixKind(
        "size-beyond",
        f"make it {LARGE_PX} px where it has {LEAST_PX:.0f}",
        lambda one: LEAST_PX <= one.side < LARGE_PX,
        _SIZE.edits,
        _larger,
    ),
    FixKind(
        "contrast-beyond",
        f"raise the contrast to {STRONG:g} : 1 where it is enough",
        lambda one: not is_faint(one) and one.contrast is not None and one.contrast < STRONG,
        _CONTRAST.edits,
        _clearer,
    ),
    FixKind(
        "spacing",
        f"leave {APART_PX} px around it",
        lambda one: one.gap is not None and one.gap < APART_PX,
        _restyled(margin=f"{APART_PX}px"),
        lambda before, after: _more(before.gap, after.gap, MOVED_PX),
    ),
    FixKind(
        "text",
        f"write it in {READABLE_PX} px",
        lambda one: one.worded and one.font < READABLE_PX,
        _restyled(font_size=f"{READABLE_PX}px"),
        lambda before, after: _more(before.font, after.font, MOVED_PX),
    ),
    FixKind(
        "rename",
        "add the heading above it to its name",
        lambda one: _vague(one) and one.worded and bool(new_name(one)),
        lambda one: (Relabel(one.element, new_name(one), replaces=True),),
        lambda before, after: after.words != before.words,
        new_name,
    ),
)


def _together(*kinds: FixKind) -> FixKind:
    """Return several edits of a control that has the fault of each."""
    return FixKind(
        "-and-".join(kind.name for kind in kinds),
        " and ".join(kind.title for kind in kinds),
        lambda facts: all(kind.applies(facts) for kind in kinds),
        lambda facts: tuple(edit for kind in kinds for edit in kind.edits(facts)),
        lambda before, after: any(kind.took(before, after) for kind in kinds),
        kinds[0].words,
        tuple(fault for kind in kinds for fault in kind.faults),
    )


FIXES: Final[tuple[FixKind, ...]] = (
    *_AGAINST,
    *(
        _together(*several)
        for count in range(2, len(FAULTS) + 1)
        for several in itertools.combinations(_AGAINST, count)
        if {_LABEL.name, _NAME.name} - {kind.name for kind in several}  # no control has both
    ),
    *_OTHERS,
)


def fix_named(name: str) -> FixKind:
    """Return a kind of fix by its name."""
    return next(kind for kind in FIXES if kind.name == name)


def is_judged(kind: str, faults: tuple[str, ...]) -> bool:
    """
    Tell whether an edit is judged at a control with certain faults: at those of its own alone.

    A control with more faults may be missed for one of the others, which tells nothing of the
    edit. What is against no fault is judged wherever it applies.

    >>> is_judged("size", ("size",)), is_judged("size", ("size", "contrast"))
    (True, False)
    """
    return fix_named(kind).faults in ((), faults)


def fixes_of(facts: ControlFacts, page: Iterable[ControlFacts]) -> tuple[FixKind, ...]:
    """
    Return the kinds of fixes that apply to a control of a page.

    One that gives it another name applies only where no other control of the page has that. What
    has no name, or one that others have, is fixed by a name alone; what cannot be asked for
    otherwise, by nothing.
    """
    if facts.unaskable and not facts.unaskable.startswith(MENDABLE):
        return ()
    taken: Mapping[object, str] = {key_of(item.words): item.element for item in page if item.words}
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
    others = (item for item in page if item.element != facts.element and kind.applies(item))
    return any(key_of(kind.words(other)) == key_of(words) for other in others if kind.words(other))
