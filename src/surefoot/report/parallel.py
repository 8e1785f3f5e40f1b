"""
One page in all its languages, side by side: the same element has the same number and colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from surefoot.capture.parallel.pages import PageInLanguage
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.screen import INTERACTIVE_ROLES, Element, Screen
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.phrasing.words import amount_words
from surefoot.report.audit import PALETTE, Mark, contact_sheet, draw_marks
from surefoot.run.folders.parallel import read_parallel
from surefoot.run.turns import in_turns

UNMATCHED: Final = "#888888"
COLUMNS: Final = 2
WIDTH_PX: Final = 1000


def draw_parallel(screens: Path, out: Path, *, count: int, seed: int) -> list[Path]:
    """
    Draw a sheet for each of ``count`` pages, from all sites in turn, in every language.

    Clickable elements and headings that have a partner are numbered as in the first language;
    those without are grey. Raises InvalidInputError for screens in one language alone.
    """
    found = read_parallel(screens)
    pages = [item for item in found.records if item.screen and item.page in found.pages]
    sites = {item.page: item.site for item in pages}
    names = list(sites)
    random_source(seed, "parallel sheets").shuffle(names)
    store = ObjectStore(screens)
    drawn = {item.id: item for item in found.screens}
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for number, name in enumerate(in_turns(names, sites.__getitem__)[:count], start=1):
        records = [item for item in found.records if item.page == name]
        path = out / f"parallel-{number:02d}.png"
        pictures = _pictures(records, drawn, store)
        write_atomic(path, contact_sheet(pictures, columns=COLUMNS, width=WIDTH_PX))
        written.append(path)
    if not written:
        raise InvalidInputError(
            f"a page in two languages in {screens}",
            found="none that was not left out",
            remedy="see the reasons in parallel.jsonl",
        )
    return written


def partner_marks(first: Screen, screen: Screen, pairs: Mapping[str, str]) -> list[Mark]:
    """
    Return frames for a screen's elements, in pixels of its image, numbered as in the first.

    >>> from surefoot.core.geometry import Box
    >>> save = Element("b", "button", Box(0, 0, 9, 9), hits=(True,) * 5)
    >>> page = Screen("1", "p", "s", "", 9, 9, 1.0, "web", "en", (save,))
    >>> [mark.label for mark in partner_marks(page, page, {"b": "b"})]
    ['1']
    """
    numbers = {
        element.id: number for number, element in enumerate(filter(_shown, first.elements), 1)
    }
    partners = {there: here for here, there in pairs.items()}
    marks = []
    for element in filter(_shown, screen.elements):
        number = numbers.get(partners.get(element.id, ""), 0)
        color = PALETTE[number % len(PALETTE)] if number else UNMATCHED
        marks.append(Mark(element.box, color, str(number or "")))
    return marks


def _pictures(
    records: Sequence[PageInLanguage], screens: Mapping[str, Screen], store: ObjectStore
) -> list[tuple[str, bytes]]:
    first = screens[records[0].screen]
    pictures = []
    for record in records:
        if not record.screen:
            continue
        screen = screens[record.screen]
        picture = draw_marks(store.get(screen.image), partner_marks(first, screen, record.pairs))
        pictures.append((_caption(record), picture))
    return pictures


def _caption(record: PageInLanguage) -> str:
    caption = f"{record.page} - {record.locale}: {amount_words(record.matched, 'share')} matched"
    if record.words:
        caption += (
            f", {100 * record.interface_translated:.0f} % of the interface's words translated"
        )
    return f"{caption}; LEFT OUT: {record.reason} {record.found}" if record.reason else caption


def _shown(element: Element) -> bool:
    if element.role == "heading":
        return element.visible_fraction > 0
    return element.hit and element.role in INTERACTIVE_ROLES
