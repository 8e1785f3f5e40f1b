"""
Which elements a suite chooses, and what it keeps of each pillar's questions.
"""

from __future__ import annotations

import math
from collections import Counter

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.benchmark import Candidate, PageResult
from surefoot.benchmarks.drawing import ASKED_ON
from surefoot.benchmarks.suite import (
    NOT_CONSIDERED,
    SuiteTarget,
    SuiteTargets,
    askable,
    choose,
    group_of,
    only_chosen,
)
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction, InstructionKind
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source

PILLARS = ("perturbed", "sensitivity", "hidden")
ROLES = ("link", "button", "searchbox", "tab")


def _element(place: int, site: str, role: str, able: tuple[str, ...]) -> SuiteTarget:
    reasons = {name: "unreadable" for name in PILLARS if name not in able}
    return SuiteTarget(f"{site}/p#{place}", site, f"{site}/p", role, 9.0, "", able, reasons)


def _elements(count: int = 60) -> st.SearchStrategy[list[SuiteTarget]]:
    of_one = st.tuples(
        st.sampled_from("abc"),
        st.sampled_from(ROLES),
        st.lists(st.sampled_from(PILLARS), unique=True).map(
            lambda names: tuple(name for name in PILLARS if name in names)
        ),
    )
    return st.lists(of_one, max_size=count).map(
        lambda found: [_element(place, *item) for place, item in enumerate(found)]
    )


@given(_elements(), st.integers(1, 9), st.floats(0.1, 1), st.integers(0, 5))
def test_a_choice_keeps_its_limits_whatever_the_order(
    elements: list[SuiteTarget], site: int, shared: float, seed: int
) -> None:
    """No site gives too many, enough are shared, no place stays free for one: in any order."""
    wanted = SuiteTargets(site=site, shared=shared)
    found = choose(elements, wanted, seed)
    chosen = [element for element in found if element.chosen]
    own = Counter(element.site for element in chosen)
    whole = [element for element in chosen if len(element.pillars) == len(PILLARS)]

    assert [msgspec.structs.replace(element, chosen=False) for element in found] == elements
    assert max(own.values(), default=0) <= site
    assert len(whole) >= shared * len(chosen) - 1e-9
    assert all(element.pillars for element in chosen)
    for name in {element.site for element in elements}:
        able = [e for e in elements if e.site == name and len(e.pillars) == len(PILLARS)]
        taken = sum(element.site == name for element in whole)
        assert min(math.ceil(site * shared - 1e-9), len(able)) <= taken <= len(able)
        assert own[name] == site or taken == len(able)

    mixed = random_source(seed).sample(elements, len(elements))
    again = {element.pair for element in choose(mixed, wanted, seed) if element.chosen}
    assert again == {element.pair for element in chosen}


def test_roles_have_their_share() -> None:
    """Of twenty links and ten buttons a site's nine are six and three; a rare role comes first."""
    elements = [
        _element(place, "a", "button" if place % 3 == 0 else "link", PILLARS)
        for place in range(30)
    ]
    chosen = [element for element in choose(elements, SuiteTargets(), 1) if element.chosen]

    assert Counter(group_of(element.role) for element in chosen) == {"link": 6, "button": 3}
    few = [_element(place, "b", "link", PILLARS) for place in range(20)]
    few += [_element(place, "b", "tab", PILLARS[:1]) for place in range(20, 30)]
    few += [_element(place, "b", "link", PILLARS[:2]) for place in range(30, 40)]
    kept = [element for element in choose(few, SuiteTargets(), 1) if element.chosen]
    assert Counter(element.role for element in kept) == {"link": 8, "tab": 1}


def test_what_no_pillar_asks_for_goes_on_only_while_others_are_to_come() -> None:
    """An element that the first pillar cannot ask for is tried by the next, never chosen last."""
    elements = [_element(place, "a", "link", PILLARS) for place in range(8)]
    elements += [_element(place, "a", "button", ()) for place in range(8, 12)]
    tried = [e for e in choose(elements, SuiteTargets(site=12), 0, last=False) if e.chosen]
    final = [e for e in choose(elements, SuiteTargets(site=12), 0) if e.chosen]

    assert len(tried) == 9
    assert len(final) == 8


def _page(asked: dict[str, int], marked: str = "") -> PageResult:
    """Return a page of links, of which some are asked for, in so many kinds each."""
    elements = tuple(
        Element(
            id=name,
            role="link",
            name=name,
            text=name,
            box=Box(0, 20 * place, 50, 20 * place + 10),
            attributes={ASKED_ON: "elsewhere"} if name == marked else {},
        )
        for place, name in enumerate("wxyz")
    )
    screen = Screen(
        id="s1", image="0" * 64, width=100, height=100, scale=1.0, platform="web", locale="en",
        source="t:p", page="p", elements=elements,
    )  # fmt: skip
    kinds: tuple[InstructionKind, ...] = ("direct", "relational", "region", "ordinal")
    candidates = tuple(
        Candidate(
            name,
            "link",
            instructions={
                screen: tuple(
                    Instruction(f"{kind} {name}", "en", kind, "high", Expression(name=name), name)
                    for kind in kinds[:count]
                )
                for screen in ("s1", "s2")
            },
        )
        for name, count in asked.items()
    )
    reasons = {name: "unreadable" for name in "wxyz" if name not in asked}
    return PageResult("p", "", (screen,), candidates, (), reasons=reasons)


def test_each_pillar_says_why_it_cannot_ask() -> None:
    """An element has the pillars that ask for it, and of each other one its own reason."""
    second = msgspec.structs.replace(_page({"w": 1, "y": 1}), reasons={"x": "no words"})
    found = askable({"perturbed": [_page({"w": 1, "x": 1}, marked="z")], "hidden": [second]})

    assert {element.pair: element.pillars for element in found} == {
        "p#w": ("perturbed", "hidden"),
        "p#x": ("perturbed",),
        "p#y": ("hidden",),
    }
    assert found[1].reasons == {"hidden": "no words"}
    assert found[2].reasons == {"perturbed": "unreadable"}
    alone = askable({"perturbed": [_page({"w": 1})], "hidden": []})
    assert alone[0].reasons == {"hidden": NOT_CONSIDERED}


def test_of_a_chosen_element_the_same_words_stay_on_every_screen() -> None:
    """What was not chosen goes, and of four kinds two stay, the same two on both screens."""
    wanted = SuiteTargets(words=2)
    (page,) = only_chosen([_page({"w": 4, "x": 1})], ["p#w"], wanted, seed=3)
    (kept,) = page.candidates
    texts = [[one.text for one in said] for said in kept.instructions.values()]

    assert kept.target == "w"
    assert len(texts[0]) == 2
    assert texts[0] == texts[1]
    assert [fall.count for fall in page.falls] == [1]
