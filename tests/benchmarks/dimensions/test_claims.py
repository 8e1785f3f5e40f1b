"""
What a page calls itself, and what is gone whatever was done: told of screens drawn by hand.
"""

from __future__ import annotations

from typing import Final

import msgspec
import pytest

from surefoot.benchmarks.dimensions.claims import SiteScreens, shared_claims
from surefoot.benchmarks.dimensions.walks import shared_steps
from surefoot.core.canonical import sha256
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen

ENTRY: Final = "app:quay/goods"
OPENED: Final = f"{ENTRY} >> click more"
BESIDE: Final = f"{OPENED} >> click sort"


def _element(known: str, role: str, name: str, row: int, *, parent: str = "") -> Element:
    box = Box(20, 20.0 + 30 * row, 220, 44.0 + 30 * row)
    return Element(
        known, role, box, name, name_boxes=(box,), text=name, text_boxes=(box,), font_px=16.0,
        visible_fraction=1.0, hits=(True,) * 5, parent=parent,
    )  # fmt: skip


def _heading(known: str, name: str, row: int, tag: str, *, parent: str = "") -> Element:
    item = _element(known, "heading", name, row, parent=parent)
    return msgspec.structs.replace(item, attributes={"tag": tag})


def _screen(source: str, title: str, *elements: Element, language: str = "en") -> Screen:
    image = sha256(repr([(item.id, item.name) for item in elements]).encode())
    return Screen(
        f"{source}@{language}", source, source, image, 400, 500, 1.0, "web", language, elements,
        title=title, site="quay",
    )  # fmt: skip


def _site(*screens: Screen) -> SiteScreens:
    pages = {
        one.page: {own: msgspec.structs.replace(one, locale=own) for own in ("en", "fr")}
        for one in screens
    }
    return SiteScreens("quay", pages)


@pytest.mark.parametrize(
    ("title", "elements", "named"),
    [
        pytest.param(
            "Editing a page: Goods - Quay",
            (_heading("a", "Intro", 0, "h2"), _heading("b", "Goods", 1, "h2")),
            "Goods",
            id="of those of one rank, what the document's title has",
        ),
        pytest.param(
            "Account - Quay",
            (_heading("a", "Picture", 0, "h2"), _heading("b", "Theme", 1, "h2")),
            "",
            id="the first part of a page is not the page",
        ),
        pytest.param(
            "Quay",
            (
                _element("m", "menu", "", 0),
                _heading("a", "Quay menu", 1, "h1", parent="m"),
                _heading("b", "Goods", 2, "h1"),
            ),
            "Goods",
            id="a menu's own heading is not the page's",
        ),
    ],
)
def test_a_page_is_called_by_a_heading_of_its_own(
    title: str, elements: tuple[Element, ...], named: str
) -> None:
    """What stands in a menu or heads a part of the page does not name the page."""
    assert _site(_screen(ENTRY, title, *elements)).title(ENTRY, "en") == named


PAGE: Final = (
    _element("more", "button", "More", 1),
    _element("sort", "button", "Sort", 2),
    _element("goods", "heading", "Goods", 0),
    _element("stock", "link", "Stock", 7),
    _element("row", "text", "Anchors", 3),
)
ROWS: Final = (_element("other", "text", "Bells", 6), *PAGE[:4])
POPUP: Final = (
    _element("pop", "group", "", 4),
    _element("print", "button", "Print", 5),
    _element("here", "link", "Goods", 6),
)
MESSAGE: Final = (
    _element("told", "status", "Goods were saved", 4),
    _element("undo", "link", "Undo", 5, parent="told"),
)


@pytest.mark.parametrize(
    ("opened", "after", "did"),
    [
        pytest.param((*PAGE, *POPUP), PAGE, "", id="a menu closes"),
        pytest.param((*PAGE, *MESSAGE), PAGE, "", id="a message goes"),
        pytest.param((*PAGE, *POPUP), ROWS, "change", id="a menu closes and rows are others"),
    ],
)
def test_what_goes_whatever_is_done_is_no_effect(
    opened: tuple[Element, ...], after: tuple[Element, ...], did: str
) -> None:
    """A click beside a menu or after a message is said to do what it did beyond their going."""
    site = _site(
        _screen(ENTRY, "Goods", *PAGE),
        _screen(OPENED, "Goods", *opened),
        _screen(BESIDE, "Goods", *after),
    )
    (step,) = (one for one in shared_steps(site.screens) if one.acted == OPENED)
    claims = shared_claims(site, step)
    assert {claim.kind for claim in claims.values()} == ({did} if did else set())


def test_closing_a_menu_by_a_button_of_its_own_is_an_effect() -> None:
    """The button of a menu shows less when it is clicked again; a link in it leads back here."""
    again = f"{OPENED} >> click more"
    site = _site(
        _screen(ENTRY, "Goods", *PAGE),
        _screen(OPENED, "Goods", *PAGE, *POPUP),
        _screen(again, "Goods", *PAGE),
    )
    assert not site.passes(OPENED, again, "en", "more")
    assert not site.passes(OPENED, again, "en", "print")
    assert site.passes(OPENED, again, "en", "here")
    assert site.passes(OPENED, again, "en", "sort")
