"""
Which targets each page gives: no site outweighs another, and no element is asked for twice.

A menu stands on every page of its site. Asking for the same entry on each of them would
count one observation many times, so an element is a target on one page alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

import msgspec

from surefoot.benchmarks.benchmark import PageResult
from surefoot.capture.parallel.pages import PageInLanguage
from surefoot.core.question import Question
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.refer.generate.generate import targets
from surefoot.refer.scene.scene import Scene

Identity: TypeAlias = tuple[str, ...]
REPEAT: Final = "asked for on another page of the site"
NOT_CHOSEN: Final = "not among the targets of the other benchmark"
PARTNER: Final = "partner"  # an attribute: the element's id in the page's first language
ASKED_ON: Final = "asked-on"  # an attribute: the page that asks for the element, or why none does
Rank: TypeAlias = tuple[float | str, ...]


def spread_recurring(screens: Iterable[Screen], seed: int) -> tuple[Screen, ...]:
    """
    Mark the elements of each screen that are asked for on another page of its site.

    Two targets of a site are one element where role and name, the roles of what they stand
    in, and their number among those of a page that share all this, are the same; without a
    name, where their position in the page's structure is. The seed draws, for each element
    by itself, the page on which it is asked for, among the pages that show it.
    """
    originals = tuple(screens)
    found: defaultdict[Identity, dict[str, str]] = defaultdict(dict)
    for screen in originals:
        for identity, element in _identities(screen):
            found[identity][screen.page] = element.id
    elsewhere: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for identity, places in found.items():
        asked_on = random_source(seed, "recurring", *identity).choice(sorted(places))
        for page in places.keys() - {asked_on}:
            elsewhere[page][places[page]] = asked_on
    return tuple(_marked(screen, elsewhere[screen.page]) for screen in originals)


def only_those(screens: Iterable[Screen], pairs: Collection[str]) -> tuple[Screen, ...]:
    """Mark the elements of each screen that are in none of some pairs: they are not asked for."""
    return tuple(
        _marked(
            screen,
            {
                element.id: NOT_CHOSEN
                for element in screen.elements
                if f"{screen.page}#{element.id}" not in pairs
            },
        )
        for screen in screens
    )


def with_partners(
    screens: Iterable[Screen], records: Iterable[PageInLanguage]
) -> tuple[Screen, ...]:
    """
    Mark each element of a page in several languages with its id in the first of them.

    An element without a partner there, and a page that was left out, stay as they are.
    """
    partners = {
        record.screen: {own: first for first, own in record.pairs.items()}
        for record in records
        if not record.reason
    }
    return tuple(
        msgspec.structs.replace(
            screen,
            elements=tuple(
                msgspec.structs.replace(
                    element, attributes={**element.attributes, PARTNER: found[element.id]}
                )
                if element.id in found
                else element
                for element in screen.elements
            ),
        )
        if (found := partners.get(screen.id))
        else screen
        for screen in screens
    )


def asked_elsewhere(element: Element) -> bool:
    """Tell whether another page of the element's site asks for it."""
    return ASKED_ON in element.attributes


def _identities(screen: Screen) -> Iterator[tuple[Identity, Element]]:
    scene = Scene(screen)
    seen: Counter[Identity] = Counter()
    for element in targets(scene):
        around = (scene.elements[place].role for place in scene.above(scene.place[element.id]))
        kind = (screen.site or screen.page, element.role, element.name, *around)
        seen[kind] += 1
        yield (*kind, str(seen[kind]) if element.name else element.id), element


def _marked(screen: Screen, elsewhere: dict[str, str]) -> Screen:
    if not elsewhere:
        return screen
    elements = tuple(
        msgspec.structs.replace(
            element, attributes={**element.attributes, ASKED_ON: elsewhere[element.id]}
        )
        if element.id in elsewhere
        else element
        for element in screen.elements
    )
    return msgspec.structs.replace(screen, elements=elements)


def shares(
    sites: Sequence[str], ranks: Sequence[Sequence[Rank]], *, a_site: int = 0, in_all: int = 0
) -> list[int]:
    """
    Return how many of its targets each page gives: its first ones.

    The pages of a site take turns, and so do the sites: every site gives one target before
    any gives its second. Whose turn it is in a round, and who is left out in the last one,
    the targets' ranks decide, lower ones first. ``a_site`` and ``in_all`` are the most to
    take, 0 for all; ``sites`` and ``ranks`` have one entry a page.

    >>> shares(["a", "a", "b"], [[(1,), (2,)], [(3,)], [(4,), (5,)]], a_site=2)
    [1, 1, 2]
    """
    turns = sorted(
        (turn, rank, page)
        for page, sequence in enumerate(ranks)
        for turn, rank in enumerate(sequence)
    )
    given: Counter[str] = Counter()
    order = []
    for _, rank, page in turns:
        order.append((given[sites[page]], rank, page))
        given[sites[page]] += 1
    taken = sorted(item for item in order if not a_site or item[0] < a_site)
    counts = Counter(page for _, _, page in taken[: in_all or None])
    return [counts[page] for page in range(len(ranks))]


def site_of(page: PageResult) -> str:
    """Return the site of a page, the page itself where it has none."""
    return page.site or page.page


def targets_by_site(pages: Iterable[PageResult], questions: Iterable[Question]) -> dict[str, int]:
    """Count the targets that are asked for on each site, the sites sorted; 0 for none."""
    pages = list(pages)
    sites = {screen.id: site_of(page) for page in pages for screen in page.screens}
    counts = Counter(dict.fromkeys(sorted(map(site_of, pages)), 0))
    counts.update(
        site for site, _ in {(sites[question.screen], question.pair) for question in questions}
    )
    return dict(counts)
