"""
What recurs on the pages of a site is asked for on one of them.
"""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from surefoot.benchmarks.drawing import asked_elsewhere, spread_recurring
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen

BOX = Box(0, 0, 60, 30)


def _control(
    name: str, *, inside: str = "menu", element_id: str = "", role: str = "link"
) -> Element:
    return Element(
        element_id or f"{inside}-{name}", role, BOX, name, parent=inside, visible_fraction=1.0,
        hits=(True,) * 5,
    )  # fmt: skip


def _page(page: str, *controls: Element, site: str = "shop") -> Screen:
    around = (Element("menu", "navigation", BOX), Element("main", "main", BOX))
    return Screen(
        page, page, page, "", 800, 600, 1.0, "web", "en", (*around, *controls), site=site
    )


def _asked(screens: tuple[Screen, ...]) -> dict[str, list[str]]:
    """Return the names of the controls that each page asks for."""
    return {
        screen.page: [
            element.name
            for element in screen.elements
            if element.hits and not asked_elsewhere(element)
        ]
        for screen in screens
    }


def _counted(screens: tuple[Screen, ...]) -> list[str]:
    return sorted(name for names in _asked(screens).values() for name in names)


@given(st.integers(0, 2**40))
def test_a_menu_is_asked_for_once_and_spread_over_the_pages(seed: int) -> None:
    """Each entry of a menu falls to one page, whatever the seed; what is a page's own stays."""
    menu = [_control(name) for name in ("Home", "Orders", "Help")]
    pages = [_page(name, *menu, _control(name, inside="main")) for name in ("a", "b", "c")]

    spread = spread_recurring(pages, seed)

    assert _counted(spread) == ["Help", "Home", "Orders", "a", "b", "c"]
    assert spread == spread_recurring(pages, seed)


def test_seeds_choose_other_pages() -> None:
    """Over many seeds each page gets its share of an entry that recurs."""
    pages = [_page(name, _control("Home")) for name in ("a", "b")]
    first = [len(_asked(spread_recurring(pages, seed))["a"]) for seed in range(200)]

    assert 70 < sum(first) < 130


def test_another_place_role_site_or_name_is_another_element() -> None:
    """Only what agrees in role, name and surroundings is the same, within one site."""
    one = _page("a", _control("Home"))
    others = [
        _page("b", _control("Home", inside="main")),
        _page("c", _control("Home", role="button")),
        _page("d", _control("Home"), site="bank"),
        _page("e", _control("House")),
        _page("f", _control("Home"), site=""),
        _page("g", _control("Home"), site=""),
    ]
    for other in others:
        assert len(_counted(spread_recurring([one, other], 0))) == 2
    assert len(_counted(spread_recurring(others[-2:], 0))) == 2


def test_elements_of_one_name_on_a_page_are_told_apart_by_their_number() -> None:
    """Of two rows here and three there, two recur; none is lost and none asked for twice."""
    rows = [_control("Edit", inside="main", element_id=f"row {number}") for number in range(3)]
    spread = spread_recurring([_page("a", *rows[:2]), _page("b", *rows)], 0)

    assert _counted(spread) == ["Edit"] * 3


def test_the_nameless_are_the_same_where_their_position_is() -> None:
    """Without a name, the position in the page's structure decides."""
    here = _page("a", _control("", element_id="x1"), _control("", element_id="x2"))
    there = _page("b", _control("", element_id="x2"), _control("", element_id="x3"))

    assert _counted(spread_recurring([here, there], 0)) == ["", "", ""]


def test_a_page_that_hides_an_element_is_not_chosen_for_it() -> None:
    """Where an entry cannot be acted on, the page that shows it asks for it."""
    gone = msgspec.structs.replace(_control("Home"), hits=(False,) * 5)
    for seed in range(20):
        spread = spread_recurring([_page("a", gone), _page("b", _control("Home"))], seed)
        assert "Home" in _asked(spread)["b"]
