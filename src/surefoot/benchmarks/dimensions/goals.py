"""
What somebody was after who went through several screens: goals of walks, and which are wrong.

A goal is said in claims, each of which is what an action did or where it ended, in words that the
pictures show. It is right for its own walk. It is wrong for another where in every language one
of its claims is not so, however generously it is read.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Self

import msgspec

from surefoot.benchmarks.dimensions.claims import (
    DIALOGS,
    ENTERED,
    Claim,
    SiteScreens,
    Told,
    shared_claims,
    value_of,
)
from surefoot.benchmarks.dimensions.options import PER_SITE, WRONG
from surefoot.benchmarks.dimensions.sentences import sentences_of
from surefoot.benchmarks.dimensions.walks import (
    LENGTHS,
    SharedStep,
    Walk,
    long_walks,
    short_walks,
)
from surefoot.core.canonical import canonical_json, digest

TOLD: Final = 2  # steps of a walk of which something can be said, or all
MOST_CLAIMS: Final = {"si": 2, "ri": 3}
PER_STEP: Final = 4  # items of a dimension that share a step
COMMON: Final = 0.5  # of long walks' steps: what two of them may share at most
# What a person enters or sets tells more of a goal than the pages on the way.
TELLING: Final = (
    ENTERED,
    frozenset({"pick", "on", "off", "dialog", "tab", "menu"}),
    frozenset({"page"}),
)


class Goal(msgspec.Struct, frozen=True):
    """
    Hold the claims of a goal in each language, and how it is said.

    ``key`` tells it from other goals of its site.
    """

    key: str
    claims: dict[str, tuple[Claim, ...]]
    words: dict[str, str]

    @property
    def length(self) -> int:
        """Return how many things it says were done."""
        return sum(claim.kind != "from" for claim in next(iter(self.claims.values())))

    def say(self, language: str, shown: str) -> str:
        """Say the goal in a language, with the names that are shown in another."""
        return self.words[language] if shown == language else _said(language, self.claims[shown])

    @classmethod
    def of(cls, claims: dict[str, tuple[Claim, ...]]) -> Self:
        """Say claims in each language."""
        words = {language: _said(language, own) for language, own in claims.items()}
        return cls(digest(next(iter(claims.values())))[:12], claims, words)


def _said(language: str, claims: Iterable[Claim]) -> str:
    stated = ((claim.kind, {"name": claim.name, "value": claim.value}) for claim in claims)
    return sentences_of(language).goal(stated)


class GoalItem(msgspec.Struct, frozen=True):
    """
    Hold a walk whose goal is asked for, and other goals that are wrong for it.

    Those of ``wrong`` that tempt most come first; three or more are there.
    """

    dimension: str
    site: str
    walk: Walk
    goal: Goal
    wrong: tuple[Goal, ...]

    @property
    def right(self) -> str:
        """Return the key of the right goal."""
        return self.goal.key

    @property
    def answer(self) -> Goal:
        """Return the right goal."""
        return self.goal

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages in which it is asked, the first one first."""
        return self.walk.languages

    @property
    def pictures(self) -> tuple[str, ...]:
        """Return the pages of the screens that are shown, in their order."""
        return self.walk.pictures

    @property
    def target(self) -> str:
        """Return the id of the element that is acted on first."""
        return self.walk.steps[0].target

    @property
    def named(self) -> bool:
        """Tell that its options are not words that other items share."""
        return True

    @property
    def name(self) -> str:
        """Return what tells the item from all others."""
        return f"{self.dimension}#{self.walk.name}"

    def question(self, language: str, shown: str) -> str:  # noqa: ARG002 - it has no names
        """Return what is asked."""
        return sentences_of(language).asked("goals")

    def evidence(self, keys: Iterable[str]) -> Iterator[str]:  # noqa: ARG002 - all rest on these
        """Yield the pages that the options of these keys rest on."""
        for step in self.walk.steps:
            yield from (step.acted, step.seen)

    def facts(self, site: SiteScreens, labels: Mapping[str, str], language: str) -> dict[str, str]:
        """
        Return what proves the item: its steps, and what the options claim, by label and key.

        ``steps`` are pairs of screen ids, of the state that was acted in and of what was seen
        then; ``claims`` are by label, each a kind with a name and a value.
        """
        steps = [
            [site.screens[page][language].id for page in (step.acted, step.seen)]
            for step in self.walk.steps
        ]
        goals = {goal.key: goal for goal in (self.goal, *self.wrong)}
        claims = {
            label: [[claim.kind, claim.name, claim.value] for claim in goals[key].claims[language]]
            for label, key in labels.items()
        }
        return {"steps": canonical_json(steps).decode(), "claims": canonical_json(claims).decode()}


class _Site:
    """Hold what is said of every step of a site, and tell goals and what they hold of."""

    def __init__(self, site: SiteScreens, steps: Iterable[SharedStep]) -> None:
        self.site = site
        shared = ((step, shared_claims(site, step)) for step in steps)
        self.claims = {step.name: claims for step, claims in shared if len(claims) > 1}
        self._told: dict[tuple[str, str], Told] = {}

    def is_told(self, walk: Walk) -> bool:
        """
        Tell whether enough can be said of a walk: of its last step, and of two if it is long.
        """
        alike = [walk.languages == self._languages(step, walk) for step in walk.steps]
        return alike[-1] and sum(alike) >= min(len(alike), TOLD)

    def _languages(self, step: SharedStep, walk: Walk) -> tuple[str, ...]:
        claims = self.claims.get(step.name, {})
        return tuple(language for language in walk.languages if language in claims)

    def goal(self, walk: Walk, dimension: str) -> Goal:
        """
        Return the goal of a walk: what was done last, and the most telling of what was before.
        """
        last, first = len(walk.steps) - 1, walk.languages[0]
        ranks = {
            at: _rank(self.claims[step.name][first].kind)
            for at, step in enumerate(walk.steps)
            if self._languages(step, walk) == walk.languages
        }
        order = sorted(ranks, key=lambda at: (at != last, ranks[at], -at))
        kept = sorted(order[: MOST_CLAIMS[dimension]])
        return Goal.of(
            {
                # What was done twice is said where it was done last.
                language: tuple(
                    dict.fromkeys(
                        self.claims[walk.steps[at].name][language] for at in reversed(kept)
                    )
                )[::-1]
                for language in walk.languages
            }
        )

    def begun(self, goal: Goal, walk: Walk) -> Goal:
        """Return a goal with the page that its walk starts on, as it is where that has no name."""
        titles = {
            language: self.site.title(walk.pictures[0], language) for language in goal.claims
        }
        if not all(titles.values()):
            return goal
        return Goal.of(
            {
                language: (Claim("from", titles[language]), *claims)
                for language, claims in goal.claims.items()
            }
        )

    def goals(self, walks: Sequence[Walk], dimension: str) -> dict[str, Goal]:
        """Return the goals of walks by their names; where two share one, the start is said."""
        found = {walk.name: self.goal(walk, dimension) for walk in walks}
        often = Counter(goal.key for goal in found.values())
        return {
            walk.name: self.begun(goal, walk) if often[goal.key] > 1 else goal
            for walk in walks
            for goal in [found[walk.name]]
        }

    def told(self, walk: Walk, language: str) -> Told:
        """Return what a walk shows in a language."""
        key = walk.name, language
        if key not in self._told:
            steps = [self._done(step, language) for step in walk.steps]
            shown = [self._shown(page, language) for page in walk.pictures]
            named = [pair for page in shown for pair in page.items()]
            self._told[key] = Told(
                frozenset(name for name, banner in named if not banner),
                frozenset(name for name, banner in named if banner),
                frozenset(itertools.chain(*(names for names, _ in steps))),
                frozenset(itertools.chain(*(values for _, values in steps))),
            )
        return self._told[key]

    def _shown(self, page: str, language: str) -> dict[str, bool]:
        """Return what a picture calls itself, and whether most pages have that."""
        screen = self.site.screens[page][language]
        found = {
            item.name: item.role == "heading" and self.site.is_banner(item, language)
            for item in screen.elements
            if item.role == "heading" or item.role in DIALOGS
        }
        return {screen.title: False} | found

    def _done(self, step: SharedStep, language: str) -> tuple[set[str], set[str]]:
        """Return the names of what a step acted on or changed, and what was typed or chosen."""
        before, after = (self.site.screens[page][language] for page in (step.acted, step.seen))
        element = before.element(step.target)
        was = {item.id: item.states for item in before.elements}
        changed = [item for item in after.elements if item.states != was.get(item.id, item.states)]
        acted = [*([element] if element else []), *changed]
        names = {words for item in acted for words in (item.name, item.text) if words}
        return names, {value_of(element, step), *(action.text for action in step.actions)} - {""}

    def is_wrong(self, goal: Goal, walk: Walk) -> bool:
        """Tell whether in every language of a walk a goal has a claim that is not so."""
        return all(
            language in goal.claims
            and not all(map(self.told(walk, language).may_hold, goal.claims[language]))
            for language in walk.languages
        )


def goal_items(
    site: SiteScreens, steps: Sequence[SharedStep], dimension: str, seed: int
) -> list[GoalItem]:
    """
    Return the walks of a site whose goals can be asked for, with what is wrong for each.

    No two begin and end with the same states, none shares a step with more than three others, and
    two long ones share half of their steps at most. Wrong goals are those of the others, and of
    walks that are not asked about where those are too few.
    """
    whole_site = _Site(site, steps)
    drawn = short_walks(steps) if dimension == "si" else long_walks(steps, seed)
    walks = [walk for walk in drawn if _moves(site, walk) and whole_site.is_told(walk)]
    goals = whole_site.goals(walks, dimension)
    least = TOLD if dimension == "ri" else 1
    walks = [walk for walk in walks if goals[walk.name].length >= least]
    often = Counter(step.name for walk in walks for step in walk.steps)

    def rank(walk: Walk) -> tuple[int, int, str]:
        """Rank long walks by their commonest step: what few share leaves room for others."""
        common = max(often[step.name] for step in walk.steps) if dimension == "ri" else 0
        return -len(walk.languages), common, digest([seed, dimension, walk.name])

    walks.sort(key=rank)
    chosen = _spread(walks, goals)
    rest = [walk for walk in walks if walk not in chosen]
    items = []
    for walk in chosen:
        right = goals[walk.name]
        wrong: list[Goal] = []
        for others in (chosen, rest):
            if len(wrong) >= WRONG:  # a site has few long walks that are not nearly the same
                break
            for other in _by_temptation(site, walk, others, goals):
                goal = goals[other.name]
                if whole_site.is_wrong(goal, walk) and _differs(
                    goal, (right, *wrong), walk.languages
                ):
                    wrong.append(goal)
        if len(wrong) >= WRONG:
            items.append(GoalItem(dimension, site.name, walk, right, tuple(wrong)))
    return items


def _moves(site: SiteScreens, walk: Walk) -> bool:
    """Tell whether no two pictures of a walk are the same, in any language."""
    return all(
        len({site.screens[page][language].image for page in walk.pictures}) == len(walk.pictures)
        for language in walk.languages
    )


def _spread(walks: Iterable[Walk], goals: Mapping[str, Goal]) -> list[Walk]:
    """Choose walks that are not nearly the same, as many as a site may have."""
    ends: set[tuple[str, str]] = set()
    used: Counter[str] = Counter()
    keys: set[str] = set()
    chosen: list[Walk] = []
    for walk in walks:
        names = {step.name for step in walk.steps}
        end, key = (walk.states[0], walk.states[-1]), goals[walk.name].key
        near = any(
            len(names & {step.name for step in other.steps}) > COMMON * len(names)
            for other in chosen
            if len(names) >= LENGTHS["ri"][0]
        )
        if end in ends or key in keys or near or any(used[name] >= PER_STEP for name in names):
            continue
        ends.add(end)
        keys.add(key)
        used.update(names)
        chosen.append(walk)
        if len(chosen) == PER_SITE:
            break
    return chosen


def _by_temptation(
    site: SiteScreens, walk: Walk, others: Iterable[Walk], goals: Mapping[str, Goal]
) -> list[Walk]:
    """Return other walks, those whose goals tempt most first."""
    return sorted(others, key=lambda other: _tempts(site, walk, other, goals))


def _tempts(
    site: SiteScreens, walk: Walk, other: Walk, goals: Mapping[str, Goal]
) -> tuple[float, str]:
    """
    Rank another walk by how much its goal tempts.

    What tempts is a shared end, start, page or claim, and words that can be read on the way.
    """
    own, theirs = goals[walk.name], goals[other.name]
    first = walk.languages[0]
    claims = theirs.claims.get(first, ())
    shared = len({*own.claims[first]} & {*claims})
    read = [
        any(site.reads(page, first, claim.name or claim.value) for page in walk.pictures)
        for claim in claims
    ]
    points = (
        3 * sum(read) / max(len(read), 1)
        + 3 * (walk.states[-1] == other.states[-1])
        + 2 * (walk.states[0] == other.states[0])
        + (_entry(walk.states[0]) == _entry(other.states[0]))
        + 2 * shared
        + len({*walk.states} & {*other.states}) / len(walk.states)
    )
    return -points, other.name


def _entry(page: str) -> str:
    return page.partition("~")[0]


def _differs(goal: Goal, others: Sequence[Goal], languages: Iterable[str]) -> bool:
    """Tell whether a goal is said in other words than others in every language."""
    return all(
        goal.words[language].casefold()
        not in {other.words[language].casefold() for other in others}
        for language in languages
    )


def _rank(kind: str) -> int:
    """Tell how much a claim says of a goal, what says most first."""
    return next((place for place, kinds in enumerate(TELLING) if kind in kinds), len(TELLING))
