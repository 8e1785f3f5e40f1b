"""
Goals of sequences of screens, asked of a small application that was drawn in two languages.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from typing import Final

import msgspec
import pytest

from surefoot.benchmarks.benchmark import AssembledBench, PageResult
from surefoot.benchmarks.dimensions.claims import Claim, Told
from surefoot.benchmarks.dimensions.proving import unmatched
from surefoot.benchmarks.dimensions.sentences import sentences_of
from surefoot.benchmarks.dimensions.walks import LENGTHS, long_walks, shared_steps, short_walks
from surefoot.benchmarks.drawing import PARTNER
from surefoot.benchmarks.multilingual import MULTILINGUAL_BENCH, assemble
from surefoot.core.canonical import sha256
from surefoot.core.geometry import Box
from surefoot.core.question import Question
from surefoot.core.screen import Element, Screen
from surefoot.exploration.effects import state_digest

PAGES: Final = (
    ("Orders", "Commandes"), ("Stock", "Réserve"), ("Payments", "Paiements"),
    ("Journal", "Registre"), ("Harbour", "Port"), ("Letters", "Courrier"), ("Wages", "Salaires"),
)  # fmt: skip
URGENT: Final = ("Urgent first", "Pressants avant")
FIELD: Final = ("Find", "Trouver")
BANNER: Final = "North Quay"
LOCALES: Final = {"en": "en-US", "fr": "fr-FR"}
OPTIONS: Final = msgspec.structs.replace(MULTILINGUAL_BENCH.defaults, kinds=tuple(LENGTHS))
SITES: Final = ("quay", "pier")


def _element(role: str, name: str, row: int, *, known: str = "", state: str = "") -> Element:
    box = Box(20, 20.0 + 30 * row, 220, 44.0 + 30 * row)
    return Element(
        known or f"{role}-{row}", role, box, name, name_boxes=(box,), text=name,
        text_boxes=(box,), font_px=16.0, visible_fraction=1.0, hits=(True,) * 5,
        states=(state,) if state else (), attributes={PARTNER: known or f"{role}-{row}"},
    )  # fmt: skip


def _screen(site: str, language: str, source: str, heading: str, *more: Element) -> Screen:
    """Return a page with the site's name, its own, a menu of all pages, and more."""
    place = [*LOCALES].index(language)
    menu = [
        _element("link", f"{names[place]} {site}", 3 + row, known=f"menu-{row}")
        for row, names in enumerate(PAGES)
    ]
    own = [_element("heading", heading, 1, known=f"h-{heading}")] if heading else []
    elements = (_element("heading", BANNER, 0), *own, *menu, *more)
    spelled = repr([(item.id, item.name, item.states) for item in elements])
    return Screen(
        f"{source}@{language}", source, source, sha256(spelled.encode()), 400, 300, 1.0, "web",
        LOCALES[language], elements, title=f"{heading} - {BANNER}", site=site,
    )  # fmt: skip


def _screens(site: str) -> list[Screen]:
    """Return an application: each page leads to each, can be searched and has a box to tick."""
    found = []
    for place, language in enumerate(LOCALES):
        box = _element("checkbox", f"{URGENT[place]} {site}", 11, known="box")
        ticked = msgspec.structs.replace(box, states=("checked",))
        field = _element("searchbox", FIELD[place], 12, known="field")
        for at, names in enumerate(PAGES):
            entry, own = f"app:{site}/{at}", f"{names[place]} {site}"
            found.append(_screen(site, language, entry, own, box, field))
            found.append(_screen(site, language, f"{entry} >> click box", own, ticked, field))
            word = f"{site}{at}"
            searched = f'{entry} >> type field "{word}" >> press field "Enter"'
            result = _element("text", word, 13, known="result")
            found.append(_screen(site, language, searched, f"{own} {word}", field, result))
            for other, target in enumerate(PAGES):
                if other in {(at + 1) % len(PAGES), (at + 3) % len(PAGES)}:
                    path, led = f"{entry} >> click menu-{other}", f"{target[place]} {site}"
                    found.append(_screen(site, language, path, led, box, field))
    return found


@cache
def _built() -> tuple[AssembledBench, dict[str, Screen]]:
    screens = [screen for site in SITES for screen in _screens(site)]
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    return assemble(results, OPTIONS), {screen.id: screen for screen in screens}


def _pages(site: str) -> dict[str, dict[str, Screen]]:
    pages: defaultdict[str, dict[str, Screen]] = defaultdict(dict)
    for screen in _screens(site):
        pages[screen.page][screen.locale[:2]] = screen
    return pages


def _steps(one: Question) -> list[tuple[str, str]]:
    return msgspec.json.decode(one.facts["steps"], type=list[tuple[str, str]])


def test_both_dimensions_are_asked_in_both_languages_and_proven_again() -> None:
    """Each item is a question in each language, of as many pictures as its dimension has."""
    bench, screens = _built()
    for name, (least, most) in LENGTHS.items():
        own = [one for one in bench.questions if one.cell.instruction == name]
        lengths = {len(one.further) for one in own}
        languages = Counter(one.cell.variant for one in own)
        assert languages["original"] == languages["fr"] > 20
        assert least <= min(lengths) < max(lengths) <= most
    assert list(unmatched(bench.questions, screens)) == []


def test_crossed_goals_are_said_in_each_language_with_the_names_of_their_screens() -> None:
    """What is claimed is what the screens show, whatever the language of the words."""
    screens = _built()[1]
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens.values()]
    crossed = msgspec.structs.replace(OPTIONS, parameters={"crossed": True})
    asked = assemble(results, crossed).questions
    found = {(one.pair, one.cell.variant): one for one in asked}
    assert len(found) == 2 * len(_built()[0].questions)
    for (pair, variant), one in found.items():
        if variant == "original+asked-fr":
            assert one.facts["claims"] == found[pair, "original"].facts["claims"]
            assert one.further == found[pair, "original"].further
            assert one.instruction.text.startswith("Ces ")
    assert list(unmatched(asked, screens)) == []


def test_what_an_answer_rests_on_is_kept() -> None:
    """A screen that was acted in and is not shown is named, and lacking it is told."""
    bench, screens = _built()
    for one in bench.questions:
        shown = {picture.screen for picture in one.screen_images}
        acted = {before for before, _ in _steps(one)} - shown
        assert acted <= {*bench.screens}
        bare = {name: screens[name] for name in shown}
        assert bool(list(unmatched([one], bare))) == bool(acted)


def test_places_are_balanced_and_nothing_leaks() -> None:
    """The right goal stands at each place as often, and no blind reader finds it."""
    bench, _ = _built()
    for name in LENGTHS:
        right = Counter(
            one.answers for one in bench.questions
            if (one.cell.instruction, one.cell.variant) == (name, "original")
        )  # fmt: skip
        assert max(right.values()) - min(right[label,] for label in "ABCD") <= 1
    assert not any("LEAKS" in line for line in bench.lines)


def test_items_of_a_site_differ() -> None:
    """No two begin and end alike, and no step is in more than four of a dimension."""
    bench, screens = _built()
    ends = Counter(
        (one.cell.instruction, *(
            state_digest(screens[name]) for name in (one.screen, one.further[-1].screen)
        ))
        for one in bench.questions if one.cell.variant == "original"
    )  # fmt: skip
    steps: Counter[tuple[str, ...]] = Counter()
    for one in bench.questions:
        if one.cell.variant == "original":
            steps.update((one.cell.instruction, *pair) for pair in _steps(one))
    assert max(ends.values()) == 1
    assert max(steps.values()) <= 4


@pytest.mark.parametrize("name", LENGTHS)
def test_a_wrong_answer_is_doubted(name: str) -> None:
    """Another label in the place of the right one is found for every question."""
    bench, screens = _built()
    own = [one for one in bench.questions if one.cell.instruction == name]
    turned = [
        msgspec.structs.replace(one, answers=("ABCD"[("ABCD".index(one.answers[0]) + 1) % 4],))
        for one in own
    ]
    doubted = {doubt.split(":")[0] for doubt in unmatched(turned, screens)}
    assert doubted >= {f"question {one.id}" for one in own}


def _spoilt(one: Question, how: str) -> Question:
    first, *_, last = one.screen_images
    facts = dict(one.facts)
    if how == "another picture":
        return msgspec.structs.replace(one, screen=last.screen, image=last.image + "x")
    if how == "the same picture twice":
        return msgspec.structs.replace(one, further=(first, *one.further[1:]))
    if how == "other words":
        facts[one.answers[0]] = "Open the page “Elsewhere”"
    if how == "no step":
        *most, (before, _) = _steps(one)
        facts["steps"] = msgspec.json.encode([*most, (before, first.screen)]).decode()
    return msgspec.structs.replace(one, facts=facts)


@pytest.mark.parametrize(
    "how", ["another picture", "the same picture twice", "other words", "no step"]
)
def test_a_spoilt_question_is_doubted(how: str) -> None:
    """Pictures that are not those of the steps, and words that are not the claims, are told."""
    bench, screens = _built()
    spoilt = [_spoilt(one, how) for one in bench.questions]
    doubted = {doubt.split(":")[0] for doubt in unmatched(spoilt, screens)}
    assert doubted >= {f"question {one.id}" for one in bench.questions}


def test_claims_in_another_order_are_doubted() -> None:
    """A goal that says last what was not done last is not proven."""
    bench, screens = _built()
    turned = []
    for one in bench.questions:
        claims = msgspec.json.decode(one.facts["claims"], type=dict[str, list[list[str]]])
        own = [claim for claim in claims[one.answers[0]] if claim[0] != "from"]
        if len(own) > 1:
            spelt = msgspec.json.encode(claims | {one.answers[0]: own[::-1]}).decode()
            turned.append(msgspec.structs.replace(one, facts={**one.facts, "claims": spelt}))
    doubted = {doubt.split(":")[0] for doubt in unmatched(turned, screens)}
    assert turned
    assert doubted >= {f"question {one.id}" for one in turned}


def test_a_step_is_one_where_every_language_has_it() -> None:
    """What does nothing in one language is no step there, nor is what leads elsewhere."""
    pages = _pages("quay")
    whole = {step.seen: set(step.effects) for step in shared_steps(pages)}
    ticked = "app:quay/0 >> click box"
    led = "app:quay/0 >> click menu-1"
    assert whole[ticked] == whole[led] == {"en", "fr"}

    stuck = pages | {ticked: pages[ticked] | {"fr": pages["app:quay/0"]["fr"]}}
    elsewhere = pages | {led: pages[led] | {"fr": pages["app:quay/0 >> click menu-3"]["fr"]}}

    assert ticked not in {step.seen for step in shared_steps(stuck)}
    assert led not in {step.seen for step in shared_steps(elsewhere)}


def test_a_walk_meets_no_state_twice() -> None:
    """Long and short ones have as many steps as their dimension, and never come back."""
    steps = shared_steps(_pages("pier"))
    for name, walks in (("si", [*short_walks(steps)]), ("ri", [*long_walks(steps, 3)])):
        least, most = LENGTHS[name]
        assert {len(walk.steps) for walk in walks} == {*range(least, most + 1)}
        assert all(len({*walk.states}) == len(walk.states) for walk in walks)
        assert len({walk.name for walk in walks}) == len(walks)


def test_a_claim_that_could_be_taken_for_true_is_no_wrong_option() -> None:
    """Names count for what they begin; a heading on every page is not what is opened."""
    told = Told(
        frozenset({"Orders - Quay"}),
        frozenset({"North"}),
        frozenset({"Save"}),
        frozenset({"rope"}),
    )

    assert told.may_hold(Claim("page", "Orders"))
    assert told.may_hold(Claim("on", "Save"))
    assert told.may_hold(Claim("search", value="Rope"))
    assert not told.may_hold(Claim("page", "North Quay"))
    assert not told.may_hold(Claim("on", "Orders"))
    assert not told.may_hold(Claim("enter", "Save", "invoice"))


@pytest.mark.parametrize("language", ["en", "zh", "fr", "ru", "ja", "th"])
def test_every_claim_is_said_with_its_words(language: str) -> None:
    """Names and values stand in the goal unchanged, in their order, braces too."""
    said = sentences_of(language).goal([
        ("from", {"name": "{x}"}),
        ("search", {"name": "", "value": "{name}"}),
        ("page", {"name": "Ω 7", "value": ""}),
    ])  # fmt: skip
    places = [said.index(words) for words in ("{x}", "{name}", "Ω 7")]
    assert places == sorted(places)
