"""
Which items are asked, and with which wrong options, so that nothing is known without looking.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import msgspec

from surefoot.benchmarks.dimensions.asked import AskedItem, Item, SharedScreens
from surefoot.benchmarks.dimensions.baselines import (
    LEAK,
    AskedOptions,
    Baseline,
    baselines,
    given_away,
)
from surefoot.benchmarks.dimensions.items import SharedItem
from surefoot.benchmarks.dimensions.options import KeyBalance, SaidOption, drawn_wrong
from surefoot.core.canonical import digest
from surefoot.core.seeds import random_source

FIRST: Final = "en"
OPTIONS: Final = 4
DRAWS: Final = 8  # of wrong options, of which the one that leaks least is kept
ROUNDS: Final = 48  # of leaving items out of a dimension that leaks
DROPPED: Final = 0.1  # of a right option's items, left out in one round
GIVEN_AWAY: Final = 0.1  # of what a blind reader has right, left out in one round
SURPLUS: Final = 1.1  # so much more often than by chance an option may be right where it stands
LARGEST: Final = 0.3  # share of a dimension's items that have one right option
STATIC: Final = "static"


class DrawnItems(msgspec.Struct, frozen=True):
    """Hold the items with their options, what blind readers have right, and what was left out."""

    asked: tuple[AskedItem, ...]
    told: tuple[Baseline, ...]
    left_out: int
    withheld: int  # questions in single languages


class _NamedOption(msgspec.Struct, frozen=True):
    key: str
    words: dict[str, str]

    def say(self, language: str, shown: str) -> str:  # noqa: ARG002 - a name is its own words
        return self.words[shown]


def chosen_evenly(
    items: Sequence[SharedItem], shared: SharedScreens, *, targets: int, seed: int
) -> list[SharedItem]:
    """
    Choose items of a dimension: ``targets`` of a page at most, and nothing twice.

    An element of a site is asked about again where the answer, or its neighbour, is another
    one: a menu that stands on every page is asked about on one of them. No right
    option has more than three tenths of the items of a language, or its even share; so what is
    seldom right is chosen first.
    """
    common = Counter(item.key or item.right for item in items)
    drawn = sorted(
        items, key=lambda item: (common[item.key or item.right], digest([seed, item.name]))
    )
    per_page: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    kept: list[SharedItem] = []
    for item in drawn:
        found = shared.pages[item.page]
        names = found.named[found.languages[0]]
        identity = (
            found.site,
            item.key or item.right,
            found.role(item.target),
            names[item.target].name,
            names[item.other].name if item.other else "",
        )
        if identity in seen or per_page[item.page] >= targets:
            continue
        seen.add(identity)
        per_page[item.page] += 1
        kept.append(item)
    spoken = Counter(language for item in kept for language in shared.languages(item))
    for language in sorted(spoken, key=lambda language: (spoken[language], language)):
        kept = _evened(kept, language, shared)
    return kept


def _evened(items: Sequence[SharedItem], language: str, shared: SharedScreens) -> list[SharedItem]:
    """Leave out what makes a right option outweigh the others in one language."""
    asked = [language in shared.languages(item) for item in items]
    keys = [item.key or item.right for item in items]
    counts = Counter(key for key, own in zip(keys, asked, strict=True) if own)
    least = max(LARGEST, 1 / len(counts)) if counts else LARGEST
    most = max(counts.values(), default=0)
    while most > 1 and most > least * sum(min(count, most) for count in counts.values()):
        most -= 1
    taken: Counter[str] = Counter()
    even: list[SharedItem] = []
    for item, key, own in zip(items, keys, asked, strict=True):
        taken[key] += own
        if not own or taken[key] <= most:
            even.append(item)
    return even


def least_leaking(items: Sequence[Item], shared: SharedScreens, seed: int) -> DrawnItems:
    """
    Draw wrong options so that blind readers fail.

    While every draw of a dimension leaks in the first language, items are left out of it, in so
    many rounds at most; of several draws of the rest the one that leaks least there, and then in
    the others, is kept. Where it still leaks in another language, items are withheld from that
    language alone.
    """
    by_dimension: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_dimension[item.dimension].append(item)
    asked: list[AskedItem] = []
    kept_readings: list[Baseline] = []
    for _, own in sorted(by_dimension.items()):
        found, readings = _of_dimension(own, shared, seed)
        asked += found
        kept_readings += readings
    withheld = sum(len(entry.withheld) for entry in asked)
    return DrawnItems(tuple(asked), tuple(kept_readings), len(items) - len(asked), withheld)


def _of_dimension(
    items: Sequence[Item], shared: SharedScreens, seed: int
) -> tuple[list[AskedItem], tuple[Baseline, ...]]:
    for _ in range(ROUNDS):
        # Items have all their languages, and a language of few sites would cost all the others.
        asked, blind, worst = _least(items, shared, seed)
        if worst is None or not worst.leaks:
            break
        # Whatever knows an option by its name knows it by its words; form is another thing.
        known = worst.leaks != ("form",)
        away = _surplus(asked, worst.language, shared) if known else frozenset()
        away = away or given_away(blind, worst, GIVEN_AWAY)
        items = [item for item in items if item.name not in away]
    if not items:
        return [], ()
    draws = [_drawn(items, shared, seed, draw) for draw in range(DRAWS)]
    asked = min(draws, key=lambda one: _leaks(one, shared))
    for language in sorted({own for item in items for own in shared.languages(item)} - {FIRST}):
        asked = _withheld(asked, shared, language)
    return asked, baselines(_blind(asked, shared))


def _least(
    items: Sequence[Item], shared: SharedScreens, seed: int
) -> tuple[list[AskedItem], list[AskedOptions], Baseline | None]:
    """Return a draw that does not leak in the first language, else the one that leaks least."""
    found = []
    for draw in range(DRAWS):
        asked = _drawn(items, shared, seed, draw)
        blind = list(_blind(asked, shared, (FIRST,)))
        worst = next(iter(baselines(blind)), None)
        if worst is None or not worst.leaks:
            return asked, blind, worst
        found.append((worst.worst, draw, asked, blind, worst))
    return min(found)[2:]


def _leaks(asked: Sequence[AskedItem], shared: SharedScreens) -> tuple[float, float, float]:
    """Return by how much the first language leaks, all others together, and what is near it."""
    own: dict[bool, list[float]] = {True: [], False: []}
    for baseline in baselines(_blind(asked, shared)):
        own[baseline.language == FIRST].append(baseline.worst)
    over = [sum(max(0.0, worst - LEAK) for worst in own[first]) for first in (True, False)]
    return over[0], over[1], max(own[True])


def _withheld(asked: list[AskedItem], shared: SharedScreens, language: str) -> list[AskedItem]:
    """Withhold from a language the items that readers of what leaks there are surest of."""
    for _ in range(ROUNDS):
        blind = list(_blind(asked, shared, (language,)))
        away = {
            name
            for reading in baselines(blind)
            if reading.leaks
            for name in given_away(blind, reading, GIVEN_AWAY)
        }
        if not away:
            break
        asked = [
            msgspec.structs.replace(entry, withheld=(*entry.withheld, language))
            if entry.item.name in away
            else entry
            for entry in asked
        ]
    return asked


def _surplus(asked: Sequence[AskedItem], language: str, shared: SharedScreens) -> frozenset[str]:
    """
    Return some items of the option that is right most often where it stands in a language.

    Geometry and roles leave it too few questions in which it could be wrong. Options that are
    elements, or were executed, are right for one entry alone.
    """
    own = [
        entry
        for entry in asked
        if isinstance(entry.item, SharedItem)
        and not entry.item.named
        and language in shared.languages(entry.item)
    ]
    right = Counter(entry.item.right for entry in own)
    shown = Counter(key for entry in own for key in entry.options)
    worst = max(right, key=lambda key: (right[key] / shown[key], key), default="")
    if right[worst] * OPTIONS <= SURPLUS * shown[worst]:
        return frozenset()
    names = [entry.item.name for entry in own if entry.item.right == worst]
    return frozenset(names[: max(1, round(DROPPED * len(names)))])


def _drawn(items: Sequence[Item], shared: SharedScreens, seed: int, draw: int) -> list[AskedItem]:
    """
    Draw three wrong options of each item, and where the right one stands.

    Of options that are words for all items, each is right evenly; of elements and of what was
    executed, those are drawn beside which the right one does not stand out.
    """
    random = random_source(seed, "multilingual", str(draw))
    worded = [item for item in items if isinstance(item, SharedItem) and not item.named]
    balance = KeyBalance(
        Counter(
            (item.dimension, language, item.right)
            for item in worded
            for language in shared.languages(item)
        ),
        {(item.dimension, item.right, wrong) for item in worded for wrong in item.wrong},
    )
    often: Counter[str] = Counter()
    asked: list[AskedItem] = []
    for number, item in enumerate(sorted(items, key=lambda item: digest([seed, draw, item.name]))):
        right, rank = number % OPTIONS, number // OPTIONS % OPTIONS
        languages = shared.languages(item)
        if isinstance(item, SharedItem) and not item.named:
            always = STATIC if item.dimension == "wi" else ""
            keys = balance.drawn(
                item.dimension, item.right, item.wrong, languages, always=always, random=random
            )
            random.shuffle(keys)
            asked.append(AskedItem(item, (*keys[:right], item.right, *keys[right:]), right))
            continue
        answer, *pool = _options(item, shared)
        wrong = drawn_wrong(answer, pool, languages, rank=rank, often=often, random=random)
        often.update(option.key for option in wrong)
        random.shuffle(wrong)
        options = (*wrong[:right], answer, *wrong[right:])
        shown = () if isinstance(item, SharedItem) else options
        asked.append(AskedItem(item, tuple(option.key for option in options), right, shown))
    return asked


def _options(item: Item, shared: SharedScreens) -> Iterator[SaidOption]:
    """Yield the options of an item with their words, the right one first."""
    if not isinstance(item, SharedItem):
        yield from (item.answer, *item.wrong)
        return
    named = shared.pages[item.page].named
    for key in (item.right, *item.wrong):
        yield _NamedOption(key, {language: own[key].name for language, own in named.items()})


def _blind(
    asked: Sequence[AskedItem], shared: SharedScreens, languages: Collection[str] = ()
) -> Iterator[AskedOptions]:
    """
    Yield what can be read without looking, in these languages, or in every one.

    It is grouped by its site, or by its page where a language has one site in a dimension.
    """
    sites: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for entry in asked:
        for language in entry.languages(shared):
            sites[entry.item.dimension, language].add(shared.site(entry.item))
    for entry in asked:
        item = entry.item
        for language in entry.languages(shared):
            if languages and language not in languages:
                continue
            by_site = len(sites[item.dimension, language]) > 1
            sentences = entry.sentences(shared, language)
            yield AskedOptions(
                item.dimension,
                shared.site(item) if by_site else item.name.partition("#")[0],
                sentences[0],
                entry.options,
                sentences[1],
                entry.right,
                language,
                item.name,
            )
