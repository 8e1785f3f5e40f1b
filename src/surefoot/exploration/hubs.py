"""
What is tried from a few states alone, so that effects of one screen can be compared.

Exploring spreads its actions over all states. Whether a model knows what an action does is asked
with the effects of others on the same screen, so there have to be screens of which several are
known; and of what they lead to, how it goes on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from surefoot.capture.actions import Action
from surefoot.core.canonical import digest
from surefoot.core.screen import CHECKABLE_ROLES, INTERACTIVE_ROLES, Element, Screen
from surefoot.exploration.records import ActionEffect, EffectKind
from surefoot.exploration.steps import COLUMN_PX, RankedSteps, candidates_on, steps_on

LEAST_EFFECTS: Final = 4  # of a state, so that one is right and three are wrong
FIRST_STEPS: Final = 12  # tried in a hub
SECOND_STEPS: Final = 3  # tried after each of them that is gone on from
ONWARD: Final = 4  # results of a hub from which one goes on
LINKED: Final = 4  # states that have a link which is tried for where it leads
LINKS: Final = 12  # of a site, those that most states have
ALIKE: Final = 2  # controls that stand under each other
LATEST: Final = 2  # stands below another control of its kind
# A link is mostly called as the page that it leads to, which can be guessed.
ECHOING: Final = frozenset({"link", "treeitem"})
# What there is more to do in comes first.
LEADING: Final[tuple[EffectKind, ...]] = ("dialog", "menu", "shows", "page", "changes")
Steps: TypeAlias = tuple[Action, ...]


def chosen_hubs(
    screens: Mapping[str, Screen],
    most: int,
    *,
    unfit: Collection[tuple[str, str]] = frozenset(),
    seed: int,
) -> dict[str, tuple[Steps, ...]]:
    """
    Choose the states of a site in which most can be tried, and say what: buttons before links.

    ``screens`` are those of the states by page. A control counts where its name is its own on
    the screen and was not tried in a state chosen before; a link counts half, since its effect
    can mostly be guessed. Of boxes to tick a state has one. ``unfit`` are roles and names of
    controls that led to no state, or not to the same one twice.
    """
    offers = {
        page: [
            step for step in _sayable_steps(screen, seed) if _told(screen, step.steps) not in unfit
        ]
        for page, screen in screens.items()
    }
    chosen: dict[str, tuple[Steps, ...]] = {}
    used: set[tuple[str, str]] = set()

    def worth(page: str) -> tuple[int, str]:
        fresh = [offer for offer in offers[page] if offer.late < LATEST]
        controls = {_told(screens[page], item.steps) for item in fresh} - used
        counts = sorted((1 if role in ECHOING else 2 for role, _ in controls), reverse=True)
        return sum(counts[:FIRST_STEPS]), digest([seed, page])

    while len(chosen) < most and (rest := [page for page in offers if page not in chosen]):
        best = max(rest, key=worth)
        drawn = _varied(screens[best], offers[best], used)[:FIRST_STEPS]
        fresh = {_told(screens[best], steps) for steps in drawn} - used
        if len(fresh) < LEAST_EFFECTS:
            break
        chosen[best] = tuple(drawn)
        used |= fresh
    return chosen


def shared_links(
    screens: Mapping[str, Screen],
    *,
    unfit: Collection[tuple[str, str]] = frozenset(),
    seed: int,
) -> tuple[tuple[str, Steps], ...]:
    """
    Return what most states of a site link to, each with a state to try it in.

    Once it is known where such a link leads, a path can go on there from any of its states.
    ``screens`` are those of the states by page; ``unfit`` are as ``chosen_hubs`` has them.
    """
    standing: defaultdict[tuple[Steps, str], list[str]] = defaultdict(list)
    for page in sorted(screens, key=lambda page: digest([seed, page])):
        for steps in steps_on(screens[page], seed=seed):
            role, name = _told(screens[page], steps)
            shown = role in ECHOING and any(map(str.isalnum, name))
            if shown and (role, name) not in unfit:
                standing[steps, name].append(page)
    often = sorted(standing.items(), key=lambda pair: -len(pair[1]))[:LINKS]
    return tuple((pages[0], steps) for (steps, _), pages in often if len(pages) >= LINKED)


def onward_from(tried: Iterable[tuple[Steps, ActionEffect]]) -> tuple[Steps, ...]:
    """Return those of a hub's actions after which one goes on, what opened something first."""
    leading = [(steps, effect) for steps, effect in tried if effect.kind in LEADING]
    turns: Counter[str] = Counter()
    ranked = []
    for steps, effect in leading:
        ranked.append(((turns[effect.kind], LEADING.index(effect.kind)), steps))
        turns[effect.kind] += 1
    return tuple(steps for _, steps in sorted(ranked, key=lambda pair: pair[0])[:ONWARD])


def second_steps(hub: Screen, result: Screen, acted: str, *, seed: int) -> tuple[Steps, ...]:
    """
    Return what is tried on what a hub's action led to, what it brought first.

    ``acted`` is the id of what was acted on, which would only be put back.
    """
    known = {(item.role, item.name) for item in hub.elements}
    waiting = [step for step in _sayable_steps(result, seed) if step.steps[0].element != acted]
    return tuple(_varied(result, waiting, known)[:SECOND_STEPS])


def _varied(
    screen: Screen, waiting: Sequence[RankedSteps], familiar: Collection[tuple[str, str]]
) -> list[Steps]:
    """
    Order what can be tried: the first of a column, what is new, what is no link.

    Of boxes to tick there is only one.
    """
    boxes = [item for item in waiting if _told(screen, item.steps)[0] in CHECKABLE_ROLES]
    ranked = sorted(
        (item for item in waiting if item not in boxes[1:]),
        key=lambda one: (
            one.late == LATEST,
            _told(screen, one.steps) in familiar,
            _told(screen, one.steps)[0] in ECHOING,
        ),
    )
    return [item.steps for item in ranked]


def _told(screen: Screen, steps: Steps) -> tuple[str, str]:
    """Return the role and the name of what is acted on first."""
    item = screen.element(steps[0].element)
    return (item.role, item.name) if item else ("", "")


def _sayable_steps(screen: Screen, seed: int) -> list[RankedSteps]:
    """
    Return what can be tried with a control whose name can be read and tells it from all others.

    Of those that stand under each other there are a few: rows mostly do the same.
    """
    names = Counter(
        _called(item)
        for item in screen.elements
        if item.role in INTERACTIVE_ROLES and item.visible_fraction > 0
    )
    below = Counter[tuple[str, int]]()
    found = []
    for entry in candidates_on(screen, seed=seed):
        steps = entry.steps
        item = screen.element(steps[0].element)
        alone = (
            item
            and item.name_boxes
            and any(map(str.isalnum, item.name))
            and names[_called(item)] == 1
        )
        # Words that are not sent change nothing, and what several fields need is seldom said.
        unsent = steps[-1].kind == "type" or len({action.element for action in steps}) > 1
        if item is None or not alone or unsent:
            continue
        column = (item.role, round(item.box.left / COLUMN_PX))
        below[column] += 1
        if below[column] <= ALIKE:
            found.append(entry)
    return found


def _called(item: Element) -> str:
    return " ".join(item.name.casefold().split())
