"""
Effects of actions and actions for a goal, asked of an application drawn in two languages.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Final

import msgspec
import pytest

from surefoot.benchmarks.benchmark import AssembledBench, PageResult
from surefoot.benchmarks.dimensions.actions import ACTION_ITEMS, action_items
from surefoot.benchmarks.dimensions.claims import SiteScreens
from surefoot.benchmarks.dimensions.proving import unmatched
from surefoot.benchmarks.drawing import PARTNER
from surefoot.benchmarks.multilingual import MULTILINGUAL_BENCH, assemble
from surefoot.core.canonical import sha256
from surefoot.core.geometry import Box
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen

LOCALES: Final = {"en": "en-US", "fr": "fr-FR"}
OPTIONS: Final = msgspec.structs.replace(MULTILINGUAL_BENCH.defaults, kinds=ACTION_ITEMS)
SITES: Final = ("quay", "pier", "dock")
PAGES: Final = 4
# What is clicked, in both languages, and the page that it opens: no word is in both.
LINKS: Final = (
    (("Money", "Argent"), ("Payments", "Paiements")),
    (("People", "Gens"), ("Staff", "Equipe")),
    (("Cellar", "Cave"), ("Stock", "Stocks")),
    (("Post", "Courrier"), ("Letters", "Lettres")),
)


def _spelt(site: str, word: str) -> str:
    """Return a word of one site, which no other site has: what sites share can be learnt."""
    turn = SITES.index(site)
    return word[turn:] + word[:turn]


def _element(role: str, name: str, row: int, known: str, *states: str) -> Element:
    box = Box(20, 20.0 + 30 * row, 220, 44.0 + 30 * row)
    return Element(
        known, role, box, name, name_boxes=(box,), text=name, text_boxes=(box,), font_px=16.0,
        visible_fraction=1.0, hits=(True,) * 5, states=states, attributes={PARTNER: known},
    )  # fmt: skip


def _screen(site: str, language: str, source: str, heading: str, *more: Element) -> Screen:
    elements = (_element("heading", heading, 0, f"h-{heading}"), *more)
    spelled = repr([(item.id, item.name, item.states) for item in elements])
    return Screen(
        f"{source}@{language}", source, source, sha256(spelled.encode()), 400, 500, 1.0, "web",
        LOCALES[language], elements, title=heading, site=site,
    )  # fmt: skip


def _screens(site: str) -> list[Screen]:
    """Return pages on which links lead on, a box is ticked, a part unfolds and words are sent."""
    found = []
    for place, language in enumerate(LOCALES):
        find, open_it = (("Find", "Trouver"), ("Open it", "Ouvrir"))
        for at in range(PAGES):
            entry, own = f"app:{site}/{at}", f"{site} {at}"
            menu = [
                _element("link", f"{_spelt(site, names[place])} {at}", 2 + row, f"menu-{at}-{row}")
                for row, (names, _) in enumerate(LINKS)
            ]
            box = _element("checkbox", f"{_spelt(site, 'Urgent')} {at}", 7, f"box-{at}")
            ticked = msgspec.structs.replace(box, states=("checked",))
            fields = [
                _element("searchbox", f"{find[place]} {n}{at}", 8 + n, f"f-{n}") for n in (0, 1)
            ]
            more = _element("button", _spelt(site, open_it[place]), 12, f"open-{at}")
            part = _element("button", ("Print", "Imprimer")[place], 13, f"part-{at}")
            page = (*menu, box, *fields, more)

            def add(path: str, heading: str, *shown: Element, entry: str = entry) -> None:
                found.append(_screen(site, language, f"{entry}{path}", heading, *shown))  # noqa: B023

            add("", own, *page)
            add(f" >> click box-{at}", own, *menu, ticked, *fields, more)
            add(f" >> click open-{at}", own, *page, part)
            for row, (_, title) in enumerate(LINKS):
                led = f"{_spelt(site, title[place])} {site}{at}"
                add(f" >> click menu-{at}-{row}", led, more)
                deep = _element("text", "x", 14, f"deep-{row}")
                add(f" >> click menu-{at}-{row} >> click open-{at}", f"{row}{led}", deep)
            sent = f'type f-0 "rope{at}" >> press f-0 "Enter"'
            add(f" >> {sent}", ("Found", "Trouvailles")[place] + str(at), fields[0])
            typed = msgspec.structs.replace(fields[0], attributes={"value": f"rope{at}"})
            add(f' >> type f-0 "rope{at}"', own, *menu, box, typed, fields[1], more)
            add(' >> click f-0 >> press f-0 "Enter"', own, *page)
            add(f' >> type f-1 "rope{at}" >> press f-1 "Enter"', own, *page)
    return found


@cache
def _built() -> tuple[AssembledBench, dict[str, Screen]]:
    screens = [screen for site in SITES for screen in _screens(site)]
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    return assemble(results, OPTIONS), {screen.id: screen for screen in screens}


def _of(dimension: str, language: str = "original") -> list[Question]:
    return [
        one
        for one in _built()[0].questions
        if (one.cell.instruction, one.cell.variant) == (dimension, language)
    ]


@pytest.mark.parametrize("dimension", ACTION_ITEMS)
def test_items_are_asked_in_both_languages_and_proven_again(dimension: str) -> None:
    """Each item is a question in each language, and the screens alone prove all of them."""
    bench, screens = _built()
    assert len(_of(dimension)) == len(_of(dimension, "fr")) >= len(SITES) * PAGES
    assert list(unmatched(bench.questions, screens)) == []


def test_crossed_items_have_the_names_of_their_screen() -> None:
    """Each is asked in each language on the screen in each, and all of it is proven again."""
    screens = _built()[1]
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens.values()]
    crossed = msgspec.structs.replace(OPTIONS, parameters={"crossed": True})
    asked = assemble(results, crossed).questions
    found = {(one.pair, one.cell.variant): one for one in asked}
    assert len(found) == len(asked) == 2 * len(_built()[0].questions)
    for one in _built()[0].questions:
        assert found[one.pair, one.cell.variant] == one
        if one.cell.variant == "original":
            other, french = found[one.pair, "original+asked-fr"], found[one.pair, "fr"]
            assert (other.screen, other.answers) == (one.screen, one.answers)
            assert other.facts["effects"] == one.facts["effects"]
            first = other.instruction.text.partition(" ")[0]
            assert first == french.instruction.text.partition(" ")[0] != "What"
            assert other.instruction.text != french.instruction.text
    assert list(unmatched(asked, screens)) == []


def test_effects_are_those_of_controls_that_are_shown() -> None:
    """The right one was executed on the screen shown; no wrong one has a control that is not."""
    _, screens = _built()
    for one in _of("au"):
        ways = msgspec.json.decode(one.facts["ways"], type=dict[str, tuple[str, str]])
        assert ways[one.answers[0]][0] == one.screen
        assert len({after for _, after in ways.values()}) == 4
        shown = {item.id for item in screens[one.screen].elements}
        assert {_acted(*way) for way in ways.values()} <= shown


def _acted(before: str, after: str) -> str:
    """Return the id of what is acted on first between two screens, given by their ids."""
    return after.removeprefix(before.partition("@")[0]).split()[2].partition("@")[0]


def test_a_state_of_few_effects_is_asked_about_with_those_of_its_other_controls() -> None:
    """They are proven where they were executed; without their control on the screen they fail."""
    links, ticked = "quay/0 >> click menu", "quay/0 >> click box-0"
    moved = [
        msgspec.structs.replace(
            item, **{name: getattr(item, name).replace(links, f"{ticked} >> click menu")
            for name in ("id", "page", "source")},
        )
        if links in item.source and item.source.split()[3] < "menu-0-2" else item
        for item in _screens("quay")
    ]  # fmt: skip
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in moved]
    screens = {item.id: item for item in moved}
    bench = assemble(results, OPTIONS)
    asked = [
        one
        for one in bench.questions
        if one.cell.instruction == "au" and one.screen.startswith(f"app:{ticked}@")
    ]
    assert asked
    assert list(unmatched(bench.questions, screens)) == []
    for one in asked:
        ways = msgspec.json.decode(one.facts["ways"], type=dict[str, tuple[str, str]])
        away = {_acted(*way) for way in ways.values() if way[0] != one.screen}
        assert away
        own = screens[one.screen]
        left = tuple(item for item in own.elements if item.id not in away)
        without = screens | {own.id: msgspec.structs.replace(own, elements=left)}
        assert any("another screen" in doubt for doubt in unmatched([one], without))


def test_one_way_of_four_takes_several_actions_and_the_wrong_ones_end_elsewhere() -> None:
    """Of the ways that are offered one takes two actions or more; only one ends as asked."""
    lengths: Counter[int] = Counter()
    for one in _of("ap"):
        ways = msgspec.json.decode(one.facts["ways"], type=dict[str, list[str]])
        actions = {label: _path(way[-1]).count(" >> ") + 1 for label, way in ways.items()}
        assert max(actions.values()) > 1
        right = ways.pop(one.answers[0])[-1]
        assert right not in {way[-1] for way in ways.values()}
        lengths[actions[one.answers[0]]] += 1
    assert {1, 2} <= lengths.keys()


def test_one_wrong_way_at_most_is_never_right() -> None:
    """Of ways without an effect, as words that are not sent, an item has one at most."""
    never = re.compile(r"click (box|f)-|type f-1|type f-0 \S+$")
    counts: Counter[int] = Counter()
    for one in _of("ap"):
        ways = msgspec.json.decode(one.facts["ways"], type=dict[str, list[str]])
        counts[sum(bool(never.match(_path(way[-1]))) for way in ways.values())] += 1
    assert counts[1] > 0
    assert max(counts) == 1


def _path(screen: str) -> str:
    """Return the actions in the id of a screen."""
    return screen.partition(" >> ")[2].partition("@")[0]


@pytest.mark.parametrize("dimension", ACTION_ITEMS)
def test_a_wrong_answer_is_doubted(dimension: str) -> None:
    """Another label in the place of the right one is found for every question."""
    _, screens = _built()
    own = [*_of(dimension), *_of(dimension, "fr")]
    turned = [
        msgspec.structs.replace(one, answers=("ABCD"[("ABCD".index(one.answers[0]) + 1) % 4],))
        for one in own
    ]
    doubted = {doubt.split(":")[0] for doubt in unmatched(turned, screens)}
    assert doubted >= {f"question {one.id}" for one in own}


@pytest.mark.parametrize("how", ["other words", "no screen", "another screen", "not executed"])
def test_a_spoilt_question_is_doubted(how: str) -> None:
    """Words that were not executed, and screens that no action leads to, are told."""
    bench, screens = _built()
    spoilt = []
    for one in bench.questions:
        facts, (answer,) = dict(one.facts), one.answers
        ways = msgspec.json.decode(facts["ways"], type=dict[str, list[str]])
        if how == "other words":
            facts[answer] = "Something else"
            text = "Something else?"
        else:
            text = one.instruction.text
            ways[answer] = {
                "no screen": [ways[answer][0], "gone"],
                "another screen": [ways[answer][0], ways[answer][0]],
                "not executed": ways[answer][:1],
            }[how]
        facts["ways"] = msgspec.json.encode(ways).decode()
        instruction = msgspec.structs.replace(one.instruction, text=text)
        spoilt.append(msgspec.structs.replace(one, facts=facts, instruction=instruction))
    doubted = {doubt.split(":")[0] for doubt in unmatched(spoilt, screens)}
    assert doubted >= {f"question {one.id}" for one in bench.questions}


def test_two_that_look_alike_and_change_places_are_no_effect() -> None:
    """Where a click swaps two rows of the same words, no option says that the order changed."""
    screens = []
    for screen in (found for site in SITES for found in _screens(site)):
        path = screen.source.partition(" >> ")[2]
        opened = path.startswith("click open") and ">>" not in path
        first, second = ("b", "a") if opened else ("a", "b")
        twins = (_element("text", "Row", 15, first), _element("text", "Row", 16, second))
        shown = [item for item in screen.elements if not (opened and item.id.startswith("part"))]
        screens.append(msgspec.structs.replace(screen, elements=(*shown, *twins)))
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    bench = assemble(results, OPTIONS)
    assert bench.questions
    assert not any('["order"' in one.facts.get("effects", "") for one in bench.questions)
    assert list(unmatched(bench.questions, {screen.id: screen for screen in screens})) == []


def test_numbers_and_what_moves_into_the_window_are_no_effect() -> None:
    """What a click brings is not named by a date, nor by a button that stood below the window."""
    screens = []
    for screen in (found for site in SITES for found in _screens(site)):
        path = screen.source.partition(" >> ")[2]
        opened = path.startswith("click open") and ">>" not in path
        below = _element("button", "Lower", 14, "lower")
        far = msgspec.structs.replace(below, box=Box(20, 600, 220, 624), visible_fraction=0.0)
        came = (_element("button", "2026-02-11", 12, "date"), below) if opened else (far,)
        shown = [item for item in screen.elements if not (opened and item.id.startswith("part"))]
        screens.append(msgspec.structs.replace(screen, elements=(*shown, *came)))
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    bench = assemble(results, OPTIONS)
    assert bench.questions
    told = [one.facts["effects"] for one in bench.questions]
    assert not any("Lower" in effects or "2026" in effects for effects in told)


def test_a_part_of_a_message_that_goes_is_no_effect() -> None:
    """What stood elsewhere and went with it names the effect."""
    message = _element("status", "", 1, "message")
    undo = msgspec.structs.replace(_element("link", "Undo", 1, "undo"), parent="message")
    screens = []
    for screen in _screens("quay"):
        went = screen.source.partition(" >> ")[2].startswith("click box")
        own = () if went else (message, undo, _element("heading", "Draft", 15, "draft"))
        screens.append(msgspec.structs.replace(screen, elements=(*screen.elements, *own)))
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    told = [one.facts["effects"] for one in assemble(results, OPTIONS).questions]
    assert any('"Draft"' in effects for effects in told)
    assert not any('"Undo"' in effects for effects in told)


def test_another_number_is_not_wrong() -> None:
    """Of two clicks that show a line each, none is asked about with the line of the other."""
    screens = []
    for screen in _screens("quay"):
        path = screen.source.partition(" >> ")[2]
        line = {"click box": "Line 7", "click open": "Line 3"}.get(path.rpartition("-")[0])
        shown = [item for item in screen.elements if not item.id.startswith("part")]
        came = (_element("button", line, 14, "line"),) if line else ()
        screens.append(msgspec.structs.replace(screen, elements=(*shown, *came)))
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    right = set()
    for one in assemble(results, OPTIONS).questions:
        lines = {label for label in one.options if '"Line ' in one.facts[label]}
        if one.cell.instruction == "au" and {*one.answers} & lines:
            right.add(one.facts[one.answers[0]])
            assert lines == {*one.answers}
    assert len([said for said in right if "appears" in said]) == 2


def test_a_link_that_is_called_as_its_page_shows_a_heading_there() -> None:
    """What it opens is not told by its own name, if the page has another heading."""
    titles = {f"menu-{at}-{row}": f"{LINKS[row][1][0]} quay{at}" for at in range(PAGES)
              for row in range(len(LINKS))}  # fmt: skip
    screens = []
    for screen in _screens("quay"):
        path = screen.source.partition(" >> ")[2]
        elements = [
            msgspec.structs.replace(item, name=titles[item.id], text=titles[item.id])
            if item.id in titles and screen.locale == "en-US" else item
            for item in screen.elements
        ]  # fmt: skip
        if path.startswith("click menu-") and ">>" not in path:
            sums = f"Sums {'xyzw'[int(path[-1])]} {path[-3]}"
            elements.append(_element("heading", sums, 1, "sums"))
        screens.append(msgspec.structs.replace(screen, elements=tuple(elements)))
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    bench = assemble(results, OPTIONS)
    right = [
        one.facts[one.answers[0]]
        for one in bench.questions
        if (one.cell.instruction, one.cell.variant) == ("au", "original")
        and one.instruction.target.startswith("menu-")
    ]
    assert right
    assert all('"Sums ' in words for words in right)
    assert list(unmatched(bench.questions, {item.id: item for item in screens})) == []


def test_what_repeats_the_name_of_a_button_is_not_what_it_showed() -> None:
    """Of two things that a click brings, that one is asked about which its name does not tell."""
    screens = []
    for screen in _screens("quay"):
        path = screen.source.partition(" >> ")[2]
        elements = [*screen.elements]
        if path.startswith("click open-"):
            opened = next(item.name for item in elements if item.id == f"open-{path[-1]}")
            elements.append(_element("button", f"{opened} now", 1, "echo"))
        screens.append(msgspec.structs.replace(screen, elements=tuple(elements)))
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    bench = assemble(results, OPTIONS)
    right = {
        one.facts[one.answers[0]]
        for one in bench.questions
        if one.cell == Cell("original", "au") and one.instruction.target.startswith("open-")
    }
    assert right == {'"Print" appears'}
    assert list(unmatched(bench.questions, {item.id: item for item in screens})) == []


def test_no_step_of_a_right_way_is_needless() -> None:
    """A way that goes on from where the result is seen already is not asked for."""
    screens = []
    for screen in _screens("quay"):
        path = screen.source.partition(" >> ")[2]
        elements = [*screen.elements]
        if re.fullmatch(r"click menu-\S+ >> click open-\d", path):
            title = elements[0].name[1:]  # that of the page before
            elements[0] = msgspec.structs.replace(elements[0], name=title, text=title)
            screen = msgspec.structs.replace(screen, title=title)  # noqa: PLW2901
        screens.append(msgspec.structs.replace(screen, elements=tuple(elements)))
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    titles = {screen.id: screen.title for screen in screens}
    asked = 0
    for one in assemble(results, OPTIONS).questions:
        effects = msgspec.json.decode(one.facts["effects"])
        if one.cell.instruction == "ap" and effects[""][0] == "page":
            way = msgspec.json.decode(one.facts["ways"])[one.answers[0]]
            assert effects[""][1] not in {titles[page] for page in way[1:-1]}
            asked += 1
    assert asked


def test_one_of_several_alike_that_goes_is_not_wrong() -> None:
    """Where one of two links of a name goes, that such a link disappears is no wrong effect."""
    left = {"": 2, "click open": 1, "click box": 0}
    screens = []
    for screen in _screens("quay"):
        path = screen.source.partition(" >> ")[2].rpartition("-")[0]
        name = {"en": "Aye", "fr": "Oui"}[screen.locale[:2]]
        more = [_element("link", name, 1, f"aye-{at}") for at in range(left.get(path, 0))]
        screens.append(msgspec.structs.replace(screen, elements=(*screen.elements, *more)))
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    bench = assemble(results, OPTIONS)
    asked = [one for one in bench.questions if one.cell == Cell("original", "au")]
    right = {one.facts[one.answers[0]] for one in asked}
    offered = {
        one.facts[label]
        for one in asked
        if one.instruction.target.startswith("open-")
        for label in one.options
    }
    assert '"Aye" disappears' in right
    assert '"Print" appears' in offered
    assert '"Aye" disappears' not in offered
    assert list(unmatched(bench.questions, {item.id: item for item in screens})) == []


def test_a_way_that_passes_the_result_is_not_wrong() -> None:
    """Who asks how to open a page is not offered a way that opens it and goes on as wrong."""
    screens = [screen for site in SITES for screen in _screens(site)]
    for screen in [*screens]:
        entry, _, path = screen.source.partition(" >> ")
        if path.startswith("click menu-") and ">>" not in path:
            source = f"{entry} >> click open-{entry.rpartition('/')[2]} >> {path}"
            named = f"{source}@{screen.locale[:2]}"
            screens.append(msgspec.structs.replace(screen, id=named, page=source, source=source))
    results = [PageResult(item.page, item.site, (item,), (), ()) for item in screens]
    titles = {screen.id: screen.title for screen in screens}
    opened = 0
    for one in assemble(results, OPTIONS).questions:
        effects = msgspec.json.decode(one.facts["effects"])
        if one.cell.instruction != "ap" or effects[""][0] != "page":
            continue
        ways = msgspec.json.decode(one.facts["ways"])
        opened += " >> click open-" in ways[one.answers[0]][-1].partition("menu-")[0]
        wrong = [way for label, way in ways.items() if label not in one.answers]
        assert effects[""][1] not in {titles[page] for way in wrong for page in way[1:]}
    assert opened


def test_wrong_effects_of_each_kind_come_first_in_turn() -> None:
    """Beside a page that opens there are other wrong effects than pages, where there are any."""
    pages: dict[str, dict[str, Screen]] = {}
    for screen in _screens("quay"):
        pages.setdefault(screen.page, {})[screen.locale[:2]] = screen
    items = action_items(SiteScreens("quay", pages), "au", 0)
    for item in items:
        tempting, *others = (option.effects["en"].kind for option in item.wrong)
        kinds = Counter((tempting, *others))
        assert {*others[: len(kinds)]} >= kinds.keys() - {tempting}
    assert any(len({option.effects["en"].kind for option in item.wrong}) > 1 for item in items)


def test_nothing_leaks() -> None:
    """The right option stands at each place as often, and no blind reader finds it."""
    for dimension in ACTION_ITEMS:
        right = Counter(one.answers for one in _of(dimension))
        assert max(right.values()) - min(right[label,] for label in "ABCD") <= 1
    assert [line for line in _built()[0].lines if "LEAKS" in line] == []
