"""
The proof of a recipe: what an application shows is signed in, itself, in each language, again.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.capture.applications.installing import RECIPES, find_installation
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture, tree_digest
from surefoot.core.errors import CaptureError
from surefoot.core.screen import Screen

ENGLISH: Final = "en"
# Nobody serves it; an application that shows a page all the same shows it for any mistake.
NOWHERE: Final = "/surely-nobody-serves-this-page"
BLANK: Final = 3
FALLS_BACK: Final = 0.1
# As many pages are read in the other languages, and once more after the state was put back.
SAMPLE: Final = 8
WORD: Final = re.compile(r"[^\W\d_]{2,}")


class ApplicationState(msgspec.Struct, frozen=True):
    """Say what an application is and whether it is installed; ``megabytes`` is its recipe's."""

    name: str
    title: str
    maker: str
    drawn_by: str
    licence: str
    languages: tuple[str, ...]
    pages: int
    megabytes: int
    installed: bool


class SpokenLanguage(msgspec.Struct, frozen=True):
    """
    Say how much of what is written on the sampled pages is not what stands there in English.

    ``translated`` is that share of the English words on all of them; the contents, which stay
    as they are, are among them. ``untranslated`` are pages without one other word.
    """

    language: str
    translated: float
    untranslated: tuple[str, ...]


class CheckedApplication(msgspec.Struct, frozen=True):
    """
    Hold what was proved of a recipe, and in ``faults`` what was not.

    ``elements`` are those that a click reaches on all pages; ``install_s`` and ``megabytes``
    what its installation took, ``check_s`` what this check did, all on this machine.
    """

    name: str
    pages: int
    elements: int
    languages: tuple[SpokenLanguage, ...]
    faults: tuple[str, ...]
    install_s: float
    megabytes: float
    check_s: float


def states() -> tuple[ApplicationState, ...]:
    """Return what every recipe makes, ours and those of other packages, by name."""
    return tuple(
        ApplicationState(
            recipe.name,
            recipe.title,
            recipe.maker,
            recipe.drawn_by,
            recipe.licence,
            recipe.languages,
            len(recipe.pages),
            recipe.megabytes,
            find_installation(recipe) is not None,
        )
        for recipe in RECIPES.entries.values()
    )


def check(name: str) -> CheckedApplication:
    """
    Open every page of an installed application, and some in each language and once more.

    A page proves itself by the mark that it is signed in; by not being blank, nor what a path
    that nobody serves shows, nor the same as another; by asking nothing of elsewhere. Raises
    UnknownNameError, and MissingComponentError where it is not installed.
    """
    begun = time.monotonic()
    recipe = RECIPES.get(name)
    addresses = list_addresses(f"app:{name}")
    with Browser() as browser:
        first, faults = _open_all(browser, addresses, ENGLISH)
        faults += _not_themselves(browser, recipe, first)
        sample = list(first)[:: max(1, len(first) // SAMPLE)][:SAMPLE]
        spoken = []
        for language in recipe.languages:
            if language == ENGLISH:
                continue
            screens, failed = _open_all(browser, sample, language)
            faults += [f"in {language}: {fault}" for fault in failed]
            spoken.append(_spoken(language, {key: first[key] for key in screens}, screens))
    with Browser() as browser:
        again, failed = _open_all(browser, sample, ENGLISH)
    faults += [f"put back: {fault}" for fault in failed]
    faults += [
        f"{address.page}: another page when the state was put back"
        for address, screen in again.items()
        if tree_digest(screen) != tree_digest(first[address])
    ]
    faults += [
        f"{item.language}: {item.translated:.0%} of the words are not English: it falls back"
        for item in spoken
        if item.translated < FALLS_BACK
    ]
    known = find_installation(recipe)
    return CheckedApplication(
        name=name,
        pages=len(first),
        elements=sum(element.hit for screen in first.values() for element in screen.elements),
        languages=tuple(spoken),
        faults=tuple(faults),
        install_s=known.seconds if known else 0.0,
        megabytes=round(known.bytes_ / 1e6, 1) if known else 0.0,
        check_s=round(time.monotonic() - begun, 1),
    )


def visible_words(screen: Screen) -> Counter[str]:
    """
    Count the words that a screen's elements show, in lower case, without numbers.

    Languages that put no space between words count what stands between other signs as one.
    """
    shown = (element.text or element.name for element in screen.elements if element.hit)
    return Counter(word.lower() for text in shown for word in WORD.findall(text))


def _spoken(
    language: str, english: Mapping[Address, Screen], screens: Mapping[Address, Screen]
) -> SpokenLanguage:
    total = gone = 0
    same = []
    for address, screen in screens.items():
        words = visible_words(english[address])
        other = words - visible_words(screen)
        total += words.total()
        gone += other.total()
        if not other:
            same.append(address.page)
    return SpokenLanguage(language, round(gone / total, 3) if total else 0.0, tuple(same))


def _open_all(
    browser: Browser, addresses: Iterable[Address], language: str
) -> tuple[dict[Address, Screen], list[str]]:
    """Return the screens that could be captured, and why the others could not."""
    screens, faults = {}, []
    for address in addresses:
        try:
            screens[address] = capture(browser, address, Settings(locale=language)).screen
        except CaptureError as error:
            faults.append(f"{address.page}: {error.reason}: {error}")
    return screens, faults


def _not_themselves(
    browser: Browser, recipe: ApplicationRecipe, screens: Mapping[Address, Screen]
) -> list[str]:
    """Return what is wrong with pages that were captured."""
    (nowhere,) = list_addresses(f"app:{recipe.name}{NOWHERE}")
    fallback, _ = _open_all(browser, [nowhere], ENGLISH)
    known = {tree_digest(screen): "a path that nobody serves" for screen in fallback.values()}
    faults = []
    for address, screen in screens.items():
        hit = sum(element.hit for element in screen.elements)
        if hit < BLANK:
            faults.append(f"{address.page}: blank, {hit} elements that a click reaches")
        tree = tree_digest(screen)
        if tree in known:
            faults.append(f"{address.page}: the same page as {known[tree]}")
        known.setdefault(tree, address.page)
        faults += [f"{address.page}: without {what}" for what in screen.missing]
    return faults


def lines_of(found: Sequence[CheckedApplication]) -> list[str]:
    """Return a table in Markdown of what was checked."""
    heads = ("application", "pages", "elements", "translated words", "install", "check", "faults")
    lines = [" | ".join(("", *heads, "")).strip(), "|" + " --- |" * len(heads)]
    for item in found:
        spoken = ", ".join(
            f"{language.language} {language.translated:.0%}" for language in item.languages
        )
        cells = (
            item.name,
            str(item.pages),
            str(item.elements),
            spoken or "English alone",
            f"{item.install_s:.0f} s, {item.megabytes:.0f} MB",
            f"{item.check_s:.0f} s",
            str(len(item.faults)),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return lines
