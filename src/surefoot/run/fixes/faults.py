"""
The faults that an edit can be of use against: a name not or half shown, small, faint.

They are measured on the screen that a control was asked on, since a change of a page may make
one small or faint that was not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from surefoot.core.question import Question
from surefoot.refer.scene.names import key_of
from surefoot.run.fixes.rules import LEAST_PX, RULES, ControlFacts

# Fields, whose words are a hint or what was typed, and seldom the name.
FIELD_ROLES: Final = frozenset({"combobox", "searchbox", "spinbutton", "textbox"})
SeenFacts: TypeAlias = Mapping[tuple[str, str], Mapping[str, ControlFacts]]


class FaultCount(msgspec.Struct, frozen=True):
    """
    Count the questions about controls that have just these ``faults``, and those missed.

    A control that was asked for under several changes counts under each.
    """

    faults: tuple[str, ...]
    asked: int
    missed: int


def shows_no_name(facts: ControlFacts) -> bool:
    """Tell whether a control shows no words of its name; a field's own words are its content."""
    return not facts.shown and (not facts.part or facts.role in FIELD_ROLES)


def shows_part(facts: ControlFacts) -> bool:
    """Tell whether the words of a control are a part of its name, and not all of it."""
    own = not facts.shown and facts.role not in FIELD_ROLES
    return own and bool(facts.part) and key_of(facts.part) != key_of(facts.words)


def is_small(facts: ControlFacts) -> bool:
    """Tell whether a control is less than 24 CSS pixels wide or high, wherever it stands."""
    return facts.side < LEAST_PX


def is_faint(facts: ControlFacts) -> bool:
    """Tell whether the contrast of a control breaks its rule."""
    return "low-contrast" in facts.rules


# By the name of the edit that is against each.
FAULTS: Final[Mapping[str, Callable[[ControlFacts], bool]]] = {
    "label": shows_no_name,
    "name": shows_part,
    "size": is_small,
    "contrast": is_faint,
}


def faults_of(facts: ControlFacts) -> tuple[str, ...]:
    """Return the faults that a control has, in their order."""
    return tuple(name for name, has in FAULTS.items() if has(facts))


def worst_of(facts: ControlFacts, seen: Iterable[ControlFacts]) -> ControlFacts:
    """Return facts with the worst of their measures on several screens, as they are on none."""
    several = list(seen) or [facts]
    broken = {rule for item in several for rule in item.rules}
    return msgspec.structs.replace(
        facts,
        shown=all(item.shown for item in several),
        part=next((item.part for item in several if item.part), ""),
        side=min(item.side for item in several),
        font=min(item.font for item in several),
        gap=_least(item.gap for item in several),
        contrast=_least(item.contrast for item in several),
        rules=tuple(rule for rule in RULES if rule in broken),
    )


def _least(measures: Iterable[float | None]) -> float | None:
    return min((measure for measure in measures if measure is not None), default=None)


def count_faults(
    questions: Sequence[Question], missed: Iterable[str], seen: SeenFacts
) -> tuple[FaultCount, ...]:
    """
    Count questions by the faults that their controls have on their screens, no fault last.

    ``missed`` are ids of ``questions``, which have one for each control under each change.
    """
    lost = set(missed)
    asked: Counter[tuple[str, ...]] = Counter()
    gone: Counter[tuple[str, ...]] = Counter()
    for question in questions:
        element = question.pair.rpartition("#")[2]
        facts = seen.get((question.page_name, question.cell.variant), {}).get(element)
        if facts is not None:
            asked[faults_of(facts)] += 1
            gone[faults_of(facts)] += question.id in lost
    places = {name: place for place, name in enumerate(FAULTS)}
    ordered = sorted(asked, key=lambda own: (not own, len(own), [places[name] for name in own]))
    return tuple(FaultCount(own, asked[own], gone[own]) for own in ordered)
