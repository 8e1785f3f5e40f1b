"""
Walks through one application: screens one after another, each led to by an executed action.

A step is one in those languages in which the same elements were acted on, the action did the
same, and the picture changed. A walk meets no state twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

import msgspec

from surefoot.capture.actions import Action
from surefoot.core.canonical import digest
from surefoot.core.screen import Screen
from surefoot.core.seeds import random_source
from surefoot.exploration.graph import graph_of
from surefoot.exploration.records import ActionEffect

# Steps of a walk, at least and at most; it has one picture more.
LENGTHS: Final = {"si": (1, 2), "ri": (3, 6)}
TRIES: Final = 400  # of long walks from each state


class SharedStep(msgspec.Struct, frozen=True):
    """
    Hold one action in one state, with what it did in each language in which it was executed.

    ``before``, ``after``, ``acted`` and ``seen`` are as in the graph's edges.
    """

    before: str
    after: str
    acted: str
    seen: str
    actions: tuple[Action, ...]
    effects: dict[str, ActionEffect]

    @property
    def target(self) -> str:
        """Return the id of the element that the step acts on, which is the same everywhere."""
        return self.actions[0].element

    @property
    def name(self) -> str:
        """Return what tells the step from all others."""
        return digest([self.acted, self.seen])[:12]


class Walk(msgspec.Struct, frozen=True):
    """Hold steps, each of which begins where the one before it ended."""

    steps: tuple[SharedStep, ...]

    @property
    def states(self) -> tuple[str, ...]:
        """Return the pages of the states, the first one first."""
        return (self.steps[0].before, *(step.after for step in self.steps))

    @property
    def pictures(self) -> tuple[str, ...]:
        """Return the pages of the screens that show the walk."""
        return (self.steps[0].acted, *(step.seen for step in self.steps))

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages that have every step, in the order of the first."""
        return tuple(
            language
            for language in self.steps[0].effects
            if all(language in step.effects for step in self.steps)
        )

    @property
    def is_shared(self) -> bool:
        """Tell whether two languages or more have it."""
        return len(self.languages) > 1

    @property
    def name(self) -> str:
        """Return what tells the walk from all others of its site."""
        return f"{self.steps[0].before}#{digest([step.name for step in self.steps])[:12]}"


def shared_steps(pages: Mapping[str, Mapping[str, Screen]]) -> tuple[SharedStep, ...]:
    """
    Return the steps between captured states of a site that two languages or more have.

    ``pages`` are its screens by page and language, the first language first. In each language
    of a step its actions do what they do in the first, to the same elements, and lead to the
    same state; what did nothing that can be seen, or led nowhere else, is no step.
    """
    languages = dict.fromkeys(language for screens in pages.values() for language in screens)
    edges = {
        language: {
            (edge.before, edge.after, edge.acted, edge.seen): edge
            for edge in graph_of(
                page[language] for page in pages.values() if language in page
            ).edges
            if edge.before != edge.after
            and edge.effect.kind != "nothing"
            and len({action.element for action in edge.actions}) == 1
            and pages[edge.acted][language].image != pages[edge.seen][language].image
        }
        for language in languages
    }
    found = []
    for key, edge in edges.get(next(iter(languages), ""), {}).items():
        effects = {
            language: own[key].effect
            for language, own in edges.items()
            if key in own and own[key].effect.kind == edge.effect.kind
        }
        if len(effects) > 1:
            found.append(SharedStep(*key, edge.actions, effects))
    return tuple(found)


def short_walks(steps: Iterable[SharedStep]) -> Iterator[Walk]:
    """Yield every walk of one step and of two that at least two languages have."""
    given = sorted(steps, key=lambda step: step.name)
    onward = _onward(given)
    for step in given:
        nexts = [other for other in onward.get(step.after, ()) if other.after != step.before]
        walks = [Walk((step,)), *(Walk((step, other)) for other in nexts)]
        yield from (walk for walk in walks if walk.is_shared)


def long_walks(steps: Iterable[SharedStep], seed: int) -> Iterator[Walk]:
    """
    Yield walks of three steps to six, drawn by the seed from each state, none twice.

    Hub pages have too many of them to list.
    """
    onward = _onward(sorted(steps, key=lambda step: step.name))
    least, most = LENGTHS["ri"]
    seen: set[str] = set()
    for state in sorted(onward):
        random = random_source(seed, "walks", state)
        for _ in range(TRIES):
            found = _drawn(state, onward, random.randint(least, most), random)
            if found is None or len(found.steps) < least or found.name in seen:
                continue
            seen.add(found.name)
            if found.is_shared:
                yield found


def _onward(steps: Sequence[SharedStep]) -> Mapping[str, list[SharedStep]]:
    onward: defaultdict[str, list[SharedStep]] = defaultdict(list)
    for step in steps:
        onward[step.before].append(step)
    return onward


def _drawn(
    state: str, onward: Mapping[str, list[SharedStep]], length: int, random: Random
) -> Walk | None:
    """Go on from a state until the walk is long enough or every way leads back."""
    steps: list[SharedStep] = []
    met = {state}
    while len(steps) < length:
        ways = [step for step in onward.get(state, ()) if step.after not in met]
        if not ways:
            break
        steps.append(random.choice(ways))
        state = steps[-1].after
        met.add(state)
    return Walk(tuple(steps)) if steps else None
