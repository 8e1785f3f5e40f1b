"""
Which elements a suite asks for: the same under every pillar, wherever a screen allows it.

Each pillar (a benchmark about elements of a screen) says which elements it can ask for and why
it cannot ask for the others. A suite takes the elements of each site that the most pillars can
ask for, in the shares of roles that its pages have: what can be shared are mostly links with
readable names. Some elements that not all pillars can ask for are kept, or nothing would be
known of what is hard to name.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from surefoot.benchmarks.benchmark import Candidate, Fall, PageResult
from surefoot.benchmarks.crossing.design import in_turns
from surefoot.benchmarks.drawing import NOT_CHOSEN, REPEAT, asked_elsewhere, site_of
from surefoot.core.instruction import Instruction
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.seeds import derive_seed

NOT_CONSIDERED: Final = "not tried: no target for it on the page, or enough others came first"
# What people act on most; all other roles are one group.
ROLE_GROUPS: Final[Mapping[str, str]] = {
    "link": "link",
    "button": "button",
    "textbox": "field",
    "searchbox": "field",
    "combobox": "field",
    "spinbutton": "field",
}
OTHER: Final = "other"


class SuiteTargets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Hold how many elements a suite asks for.

    ``site`` is the most of a site, ``shared`` the least share that every pillar asks for, the
    other places being for what some cannot ask for; ``words`` the most kinds of instruction
    about an element on one screen, where a pillar asks in every kind that there is. One of them
    is asked in other words, too.
    """

    site: Annotated[int, Meta(ge=1)] = 9
    shared: Annotated[float, Meta(ge=0, le=1)] = 0.85
    words: Annotated[int, Meta(ge=1)] = 6


class SuiteTarget(msgspec.Struct, frozen=True):
    """
    Hold one element that some pillar can ask for.

    ``area`` is in square pixels of the original. ``reasons`` says for each pillar that is not
    among ``pillars`` why it cannot ask for the element.
    """

    pair: str
    site: str
    page: str
    role: str
    area: float
    name: str
    pillars: tuple[str, ...]
    reasons: dict[str, str]
    chosen: bool = False


def group_of(role: str) -> str:
    """
    Return the group of roles that a quota counts.

    >>> group_of("searchbox"), group_of("tab")
    ('field', 'other')
    """
    return ROLE_GROUPS.get(role, OTHER)


def askable(pillars: Mapping[str, Sequence[PageResult]]) -> list[SuiteTarget]:
    """
    Return every element that a pillar can ask for or rejected, by its page and id.

    The first pillar looks at all of them, the others at some. What lies outside of the picture
    is left out.
    """
    asked: defaultdict[str, set[str]] = defaultdict(set)
    reasons: defaultdict[str, dict[str, str]] = defaultdict(dict)
    pages: dict[str, PageResult] = {}
    for pillar, results in pillars.items():
        for result in results:
            pages.setdefault(result.page, result)
            for target in _asked_in(result):
                asked[f"{result.page}#{target}"].add(pillar)
            for target, why in result.reasons.items():
                reasons[f"{result.page}#{target}"][pillar] = why
    found = []
    for page in pages.values():
        original = page.screens[0]
        for element in original.elements:
            pair = f"{page.page}#{element.id}"
            if asked_elsewhere(element) or original.bounds.intersection(element.box) is None:
                continue
            if pair not in asked and pair not in reasons:
                continue
            own = tuple(name for name in pillars if name in asked[pair])
            left = {name: reasons[pair].get(name, NOT_CONSIDERED) for name in pillars}
            # Later pillars look at what the earlier ones left them.
            left |= {name: NOT_CONSIDERED for name, why in left.items() if why.endswith(REPEAT)}
            found.append(
                SuiteTarget(
                    pair=pair,
                    site=site_of(page),
                    page=page.page,
                    role=element.role,
                    area=round(element.box.area, 1),
                    name=element.name,
                    pillars=own,
                    reasons={name: why for name, why in left.items() if name not in own},
                )
            )
    return found


def choose(
    elements: Sequence[SuiteTarget], wanted: SuiteTargets, seed: int, *, last: bool = True
) -> list[SuiteTarget]:
    """
    Return all elements with those marked that a suite asks for.

    Of each site most places are for elements that all pillars ask for, shared out by group of
    roles as its pages have them. The others are for elements that some pillar cannot ask for,
    those first whose group has the fewest of its places, then the most widely asked for; over
    all sites they are no more than the share of shared ones allows. Where a site has too few of
    the others, shared elements take their places. The seed breaks ties. Where pillars are still
    to come, the pillars so far not being the ``last``, an element that none of them can ask for
    may yet be of use.
    """
    count = max((len(element.pillars) + len(element.reasons) for element in elements), default=0)
    sites: defaultdict[str, list[SuiteTarget]] = defaultdict(list)
    for element in elements:
        sites[element.site].append(element)
    places = math.ceil(wanted.site * wanted.shared - 1e-9)
    chosen: dict[str, list[SuiteTarget]] = {}
    others: dict[str, list[SuiteTarget]] = {}
    over: dict[str, list[SuiteTarget]] = {}
    for site, own in sorted(sites.items()):
        ranked = sorted(own, key=lambda element: derive_seed(seed, "suite", element.pair))
        whole = [element for element in ranked if len(element.pillars) == count]
        room = _quotas(Counter(group_of(element.role) for element in own), wanted.site)
        taken = _within(whole, room)[:places]
        taken += [element for element in whole if element not in taken][: places - len(taken)]
        rest = [element for element in ranked if element not in whole]
        rest = [element for element in rest if element.pillars or not last]
        room.subtract(Counter(group_of(element.role) for element in taken))
        rest.sort(key=lambda item: (-room[group_of(item.role)], -len(item.pillars)))
        chosen[site], others[site] = taken, rest
        left = [element for element in whole if element not in taken]
        over[site] = sorted(left, key=lambda item: -room[group_of(item.role)])
    shared = sum(map(len, chosen.values()))
    spare = int(shared / wanted.shared + 1e-9) - shared if wanted.shared else len(elements)
    for turn in range(wanted.site):
        for site in sorted(chosen, key=lambda name: (len(chosen[name]), name)):
            if spare and others[site] and len(chosen[site]) == turn:
                chosen[site].append(others[site].pop(0))
                spare -= 1
    for site, more in over.items():
        chosen[site] += more[: wanted.site - len(chosen[site])]
    pairs = {element.pair for own in chosen.values() for element in own}
    return [msgspec.structs.replace(element, chosen=element.pair in pairs) for element in elements]


def affordable(
    elements: Sequence[SuiteTarget], questions: Mapping[str, int], budget: int, seed: int
) -> list[SuiteTarget]:
    """
    Return all elements with as many marked as a budget of questions allows, sites in turns.

    ``questions`` are how many all pillars ask about each pair. One element is kept at least.
    """
    sites = {element.pair: element.site for element in elements if element.chosen}
    kept: set[str] = set()
    left = budget
    for pair in in_turns(sites, seed):
        if left >= questions[pair] or not kept:
            kept.add(pair)
            left -= questions[pair]
    return [msgspec.structs.replace(element, chosen=element.pair in kept) for element in elements]


def _quotas(groups: Counter[str], places: int) -> Counter[str]:
    """Share places out by how many there are of each group: the largest remainders round up."""
    total = sum(groups.values())
    exact = {name: places * count / total for name, count in groups.items()}
    quotas = Counter({name: int(share) for name, share in exact.items()})
    order = sorted(exact, key=lambda name: (int(exact[name]) - exact[name], name))
    quotas.update(order[: places - quotas.total()])
    return quotas


def _within(ranked: Iterable[SuiteTarget], quotas: Counter[str]) -> list[SuiteTarget]:
    room, taken = quotas.copy(), []
    for element in ranked:
        group = group_of(element.role)
        if room[group] > 0:
            room[group] -= 1
            taken.append(element)
    return taken


def only_chosen(
    results: Iterable[PageResult], pairs: Iterable[str], wanted: SuiteTargets, seed: int
) -> list[PageResult]:
    """
    Return a pillar's results with the chosen elements alone, and of their words so many kinds.

    What was not chosen is counted among the falls.
    """
    chosen = frozenset(pairs)
    found = []
    for result in results:
        kept = [
            candidate
            for candidate in result.candidates
            if f"{result.page}#{candidate.target}" in chosen
        ]
        asked = tuple(question for question in result.questions if question.pair in chosen)
        lost = len(_asked_in(result)) - len({candidate.target for candidate in kept})
        lost -= len({question.pair for question in asked})
        found.append(
            msgspec.structs.replace(
                result,
                candidates=tuple(
                    _in_few_kinds(candidate, result, wanted.words, seed) for candidate in kept
                ),
                questions=asked,
                falls=(*result.falls, Fall("targets", NOT_CHOSEN, lost)),
            )
        )
    return found


def _in_few_kinds(candidate: Candidate, page: PageResult, words: int, seed: int) -> Candidate:
    """
    Return a candidate with an instruction of each of some kinds, and one of them reworded.

    They are the same on all screens. A candidate whose words are few already stays as it is.
    """
    plain: dict[str, Instruction] = {}
    for instruction in candidate.instructions.get(page.screens[0].id, ()):
        plain.setdefault(instruction.kind + instruction.wording, instruction)
    if not plain:
        return candidate
    drawn = sorted(
        plain,
        key=lambda name: derive_seed(seed, "kind", page.page, candidate.target, name),
    )
    kinds = [name for name in drawn if not plain[name].wording][:words]
    again = [name for name in drawn if plain[name].wording and plain[name].kind in kinds][:1]
    kept = {plain[name].text for name in (*kinds, *again)}
    return msgspec.structs.replace(
        candidate,
        instructions={
            screen: tuple(item for item in instructions if item.text in kept)
            for screen, instructions in candidate.instructions.items()
        },
    )


def _asked_in(result: PageResult) -> set[str]:
    """Return the ids of the elements that a page's result can ask for under a change."""
    asked = {candidate.target for candidate in result.candidates}
    changed = (question for question in result.questions if question.cell.variant != ORIGINAL)
    return asked | {question.pair.removeprefix(f"{result.page}#") for question in changed}
