"""
What is asked for and is not there: nothing on the page could be meant, and all is in turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from surefoot.benchmarks.absence.questions import WORDS_OF
from surefoot.benchmarks.absence.words import words_of
from surefoot.benchmarks.benchmark import AssembledBench, BuildOptions, Candidate, PageResult
from surefoot.benchmarks.perturbed import PERTURBED
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.screen import Element, PaintedWords, Screen
from surefoot.score.scorings.hits import ABSENT


def element(name: str, at: int = 0, **more: object) -> Element:
    """Return a button of a name that is seen whole."""
    box = Box.from_xywh(10, 10 + 40 * at, 120, 30)
    plain = Element(f"e{at}", "button", box, name=name, text=name, visible_fraction=1.0,
                    hits=(True,) * 5)  # fmt: skip
    return msgspec.structs.replace(plain, **more)


def page(name: str, elements: Sequence[Element], **more: object) -> PageResult:
    """Return a page whose first element, a named button, is asked for directly."""
    original = Screen(name, f"{name}.html", "folder:x", name, 400, 600, 1.0, "web", "en-US",
                      tuple(elements), site=name)  # fmt: skip
    screens = tuple(
        msgspec.structs.replace(original, **more, id=f"{name} {variant}", variant=variant)
        for variant in ("original", "zoom:1.5")
    )
    first = elements[0]
    words = Instruction(
        f"Click the button '{first.name}'.", "en", "direct", "high",
        Expression(role="button", name=first.name), first.id,
    )  # fmt: skip
    return PageResult(f"{name}.html", name, screens, (Candidate(first.id, "button", words),), ())


def asked(pages: Sequence[PageResult], number: int = 1, seed: int = 0) -> AssembledBench:
    """Assemble pages with so many absent elements each."""
    options = BuildOptions(
        variants=("original", "zoom:1.5"), parameters={"absent": number}, seed=seed
    )
    return PERTURBED.assemble(pages, options)


def absent_of(made: AssembledBench, name: str) -> list[str]:
    """Return the words of all that is asked for and not there on a page."""
    found = {
        one.pair: one.instruction.expression.name
        for one in made.questions
        if one.cell.instruction == ABSENT and one.page == f"{name}.html"
    }
    return list(found.values())


@pytest.mark.parametrize(
    "there",
    [
        element("Invoices"),
        element("INVOICE list"),
        element("Pay", text="Our ínvoices"),
        element("", attributes={"placeholder": "Invoice number"}),
        element("Pay", attributes={"options": "None\x1fInvoiced"}),
        element("Bills", visible_fraction=0.0, hits=()),
        element("Pay", attributes={"icons": "file-invoice"}),
    ],
)
def test_nothing_that_could_be_meant_is_called_absent(there: Element) -> None:
    """No case, accent, ending, synonym, hint, option or icon of the words is on the page."""
    shop = page("shop", [element("Invoices")])

    assert absent_of(asked([shop, page("desk", [element("Quokka"), there])]), "desk") == []
    assert absent_of(asked([shop, page("desk", [element("Quokka")])]), "desk") == ["Invoices"]


def test_painted_words_and_titles_count() -> None:
    """Words that no element holds, and those of the title, are on the page as well."""
    shop, quokka = page("shop", [element("Invoices")]), [element("Quokka")]
    painted = (PaintedWords("Invoices", Box(0, 0, 9, 9)),)

    assert absent_of(asked([shop, page("desk", quokka, unrecorded=painted)]), "desk") == []
    assert absent_of(asked([shop, page("desk", quokka, title="Invoices")]), "desk") == []


def test_a_nameless_icon_could_be_what_icons_stand_for() -> None:
    """Beside a button without a name no settings are asked for, while invoices are."""
    pages = [page("shop", [element("Settings")]), page("mall", [element("Invoices")])]
    desk = page("desk", [element("Quokka"), element("", 1)])

    assert absent_of(asked([*pages, desk], 2), "desk") == ["Invoices"]


def test_what_only_a_variant_shows_is_there() -> None:
    """A word under one variant alone keeps a question from all of them."""
    shop, desk = page("shop", [element("Invoices")]), page("desk", [element("Quokka")])
    shown = msgspec.structs.replace(
        desk.screens[1], elements=(*desk.screens[1].elements, element("Invoices", 1))
    )
    desk = msgspec.structs.replace(desk, screens=(desk.screens[0], shown))

    assert absent_of(asked([shop, desk]), "desk") == []


def test_other_languages_lend_no_words() -> None:
    """An English name is no absent element of a French page, which may call it otherwise."""
    shop = page("shop", [element("Invoices")])
    desk = page("desk", [element("Quokka")], locale="fr-FR")

    assert absent_of(asked([shop, desk]), "desk") == []


def test_words_come_from_all_sites_in_turns() -> None:
    """Each of eight sites lends three words, one more or less, and each page has its number."""
    names = ("Quokka", "Wombat", "Numbat", "Bilby", "Dingo", "Echidna", "Platypus", "Kowari")
    pages = [page(f"s{at}", [element(name)]) for at, name in enumerate(names)]
    made = asked(pages, 3, seed=4)
    own = [one for one in made.questions if one.cell.instruction == ABSENT]
    lent = Counter(one.facts[WORDS_OF] for one in own)
    given = Counter(one.page for one in own)

    assert set(given.values()) == {6}
    assert set(lent.values()) <= {4, 6, 8}
    assert len({one.id for one in made.questions}) == len(made.questions) == 16 + 48
    assert {one.cell.variant for one in own} == {"original", "zoom:1.5"}
    assert all(not one.facts[WORDS_OF].startswith(one.page) for one in own)
    assert asked(pages, 3, seed=4) == made
    assert asked(pages, 3, seed=5) != made
    assert asked(pages, 0).questions == tuple(one for one in made.questions if one not in own)


def test_only_a_refusal_is_right() -> None:
    """The question has no place that a click could hit, and says so."""
    made = asked([page("shop", [element("Invoices")]), page("desk", [element("Quokka")])])
    own = [one for one in made.questions if one.cell.instruction == ABSENT]

    assert own
    assert all(not one.answerable and one.truth.area == 0 for one in own)


def test_it_takes_direct_words_and_screens() -> None:
    """Without direct instructions, or with less than none, there is nothing to ask with."""
    with pytest.raises(InvalidInputError, match="direct instructions"):
        PERTURBED.identity(BuildOptions(kinds=("relational",), parameters={"absent": 1}))
    with pytest.raises(InvalidInputError, match="values that fit"):
        PERTURBED.identity(BuildOptions(parameters={"absent": -1}))


def test_words_of_scripts_without_blanks_are_twos() -> None:
    """A longer Chinese name and one that it holds have a pair of signs in common."""
    assert words_of(["查看订单列表"]) & words_of(["订单"])
    assert not words_of(["订单"]) & words_of(["设置"])
