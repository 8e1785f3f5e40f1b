"""
Screens of one page in several languages become a record: which element is which, in which.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from surefoot.capture.parallel.languages import primary, script_trouble, words_of
from surefoot.capture.parallel.matching import match_screens
from surefoot.capture.parallel.structure import ParallelScreen, Structure
from surefoot.core.ledger import Failure
from surefoot.core.screen import Element, Screen

PARALLEL_TABLE: Final = "parallel.jsonl"

LEAST_MATCHED: Final = 0.9
# Of the words that some language translates; what none does are contents and names.
LEAST_TRANSLATED: Final = 0.5
UNDRAWN: Final = "U+"


class PageInLanguage(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Say of one page in one language how it goes with the same page in the first language.

    ``language`` is the tag that was asked for, ``locale`` what the source was told, ``screen``
    the screen's id, "" where there is none. ``pairs`` lead from an element's id in the first
    language to its id here. ``matched`` is the share of visible elements that have a partner,
    the smaller of both sides; ``unmatched`` counts those that have none by reason. ``words``
    counts the first language's visible words in matched elements: "translated" are not here,
    "kept" are here although another language translates them, "contents" are the same in all.
    ``reason`` is why the page is left out in this language, "" where it is not, and ``found``
    what was found instead.
    """

    page: str
    site: str
    language: str
    locale: str
    screen: str = ""
    pairs: dict[str, str] = {}
    matched: float = 0.0
    unmatched: dict[str, int] = {}
    words: dict[str, int] = {}
    reason: str = ""
    found: str = ""

    @property
    def translated(self) -> float:
        """Return the share of matched visible words that are not the first language's."""
        return _of(self.words.get("translated", 0), sum(self.words.values()))

    @property
    def interface_translated(self) -> float:
        """Return that share among the words that any language translates."""
        gone = self.words.get("translated", 0)
        return _of(gone, gone + self.words.get("kept", 0))


class ParallelScreens:
    """
    Read parallel screens: the element X of the page P in the language L.

    Languages that were left out of a page are in no answer but ``records``.
    """

    def __init__(self, records: Iterable[PageInLanguage], screens: Iterable[Screen]) -> None:
        self.records = tuple(records)
        self._screens = {screen.id: screen for screen in screens}
        self._kept = {(item.page, item.language): item for item in self.records if not item.reason}

    @property
    def screens(self) -> tuple[Screen, ...]:
        """Return every screen, those of languages that were left out as well."""
        return tuple(self._screens.values())

    @property
    def pages(self) -> tuple[str, ...]:
        """Return the pages that are there in two languages and more, in the plan's order."""
        counts = Counter(page for page, _ in self._kept)
        return tuple(page for page, count in counts.items() if count > 1)

    def languages(self, page: str) -> tuple[str, ...]:
        """Return the languages of a page, the first one first."""
        return tuple(language for name, language in self._kept if name == page)

    def screen(self, page: str, language: str) -> Screen | None:
        """Return a page in a language, None where it was left out."""
        kept = self._kept.get((page, language))
        return None if kept is None else self._screens[kept.screen]

    def element(self, page: str, language: str, element_id: str) -> Element | None:
        """Return an element by its id in the first language; None where it has no partner."""
        kept = self._kept.get((page, language))
        if kept is None:
            return None
        return self._screens[kept.screen].element(kept.pairs.get(element_id, ""))

    def common(self, page: str, languages: Iterable[str] = ()) -> tuple[str, ...]:
        """
        Return the ids, in the first language, of elements that every language has.

        They stand in the first screen's order; unless named, all languages of the page count.
        """
        wanted = tuple(languages) or self.languages(page)
        kept = [self._kept.get((page, language)) for language in wanted]
        first = next(iter(self.languages(page)), "")
        screen = self.screen(page, first)
        if screen is None or None in kept:
            return ()
        return tuple(
            element.id
            for element in screen.elements
            if all(item is not None and element.id in item.pairs for item in kept)
        )


class LanguageAttempt(msgspec.Struct, frozen=True):
    """Hold what came of capturing a page in a language: a screen, or why there is none."""

    language: str
    locale: str
    result: ParallelScreen | Failure | None


def parallel_page(
    page: str, site: str, attempts: Sequence[LanguageAttempt]
) -> tuple[PageInLanguage, ...]:
    """
    Match a page in every language with the first one and say which are left out.

    The reasons are "not offered" (the source has no such language), "failed", "no first"
    (nothing to compare with), "unmatched" (under 90% of what is visible), "untranslated"
    (under half of the words that some other language translates are other words, or none),
    "other language" (by script, or by the document's own word) and "undrawn" (letters that no
    font has).
    """
    base, *others = attempts
    first = base.result
    if not isinstance(first, ParallelScreen):
        left = [_left_out(page, site, base, *_failed(base))]
        return (*left, *(_left_out(page, site, item, "no first") for item in others))
    every = {element.id: element.id for element in first.elements}
    begun = PageInLanguage(page, site, base.language, base.locale, first.id, every, 1.0)
    matched = {
        item.language: _matched(begun, first, base, item, item.result)
        for item in others
        if isinstance(item.result, ParallelScreen)
    }
    screens = {
        item.language: item.result for item in others if isinstance(item.result, ParallelScreen)
    }
    gone = {
        language: _gone(first, screens[language], record.pairs)
        for language, record in matched.items()
    }
    judged = [
        _judged(first, screens[item.language], matched[item.language], gone)
        if item.language in matched
        else _left_out(page, site, item, *_failed(item))
        for item in others
    ]
    return (begun, *judged)


def parallel_lines(records: Sequence[PageInLanguage]) -> tuple[str, ...]:
    """
    Say for each language how many pages it has, what is matched and translated, and what fell.

    >>> parallel_lines([PageInLanguage("a", "s", "en", "en-US", "1", matched=1.0)])
    ('en: 1 of 1 pages',)
    """
    lines = []
    for language in dict.fromkeys(item.language for item in records):
        mine = [item for item in records if item.language == language]
        kept = [item for item in mine if not item.reason]
        line = f"{language}: {len(kept)} of {len(mine)} pages"
        words = sum((Counter(item.words) for item in kept), Counter[str]())
        if words:
            matched = sum(item.matched for item in kept) / len(kept)
            translated = _of(words["translated"], words.total())
            spoken = _of(words["translated"], words["translated"] + words["kept"])
            line += (
                f", {matched:.1%} of elements matched, {translated:.0%} of words translated, "
                f"{spoken:.0%} of those that any language translates"
            )
        fallen = Counter(item.reason for item in mine if item.reason)
        line += "".join(f"; {count} left out: {why}" for why, count in sorted(fallen.items()))
        lines.append(line)
    return tuple(lines)


def reached_alike(
    record: PageInLanguage, path: Iterable[tuple[str, PageInLanguage]]
) -> PageInLanguage:
    """
    Leave a state out that another element leads to than in the first language.

    ``path`` are the ids that were acted on, each with the record of the page before, in the
    same language. The reason is "other action".
    """
    for element_id, before in path:
        other = before.pairs and before.pairs.get(element_id) != element_id
        if other and not record.reason:
            return msgspec.structs.replace(record, reason="other action", found=element_id)
    return record


Gone = dict[str, Counter[str]]


def _matched(
    begun: PageInLanguage,
    first: ParallelScreen,
    base: LanguageAttempt,
    attempt: LanguageAttempt,
    screen: ParallelScreen,
) -> PageInLanguage:
    found = match_screens(first, screen, _structure(first, base), _structure(screen, attempt))
    return msgspec.structs.replace(
        begun,
        language=attempt.language,
        locale=attempt.locale,
        screen=screen.id,
        pairs=found.pairs,
        matched=found.share,
        unmatched=found.unmatched,
    )


def _judged(
    first: ParallelScreen,
    screen: ParallelScreen,
    record: PageInLanguage,
    gone: Mapping[str, Gone],
) -> PageInLanguage:
    """Count the words of a page and find what speaks against it."""
    words: Counter[str] = Counter()
    for element_id in record.pairs:
        own_words = _said(first.element(element_id))
        here = gone[record.language].get(element_id, Counter())
        anywhere: Counter[str] = Counter()
        for other in gone.values():
            anywhere |= other.get(element_id, Counter())
        words["translated"] += here.total()
        words["kept"] += (anywhere - here).total()
        words["contents"] += (own_words - anywhere).total()
    counted = msgspec.structs.replace(record, words=dict(sorted(words.items())))
    reason, found = _trouble(first, screen, counted)
    return msgspec.structs.replace(counted, reason=reason, found=found)


def _trouble(
    first: ParallelScreen, screen: ParallelScreen, record: PageInLanguage
) -> tuple[str, str]:
    if record.matched < LEAST_MATCHED:
        return "unmatched", f"{record.matched:.0%}"
    if record.interface_translated < LEAST_TRANSLATED:
        return "untranslated", f"{record.interface_translated:.0%}"
    if other := script_trouble(record.locale, _new_words(first, screen, record.pairs)):
        return "other language", other
    declared = primary(screen.structure.language)
    if declared and declared not in {primary(record.locale), primary(first.structure.language)}:
        return "other language", f"lang={declared}"
    undrawn = [item for item in screen.missing if item.startswith(UNDRAWN)]
    new = [item for item in undrawn if item not in first.missing]
    return ("undrawn", ", ".join(new)) if new else ("", "")


def _gone(first: Screen, screen: Screen, pairs: Mapping[str, str]) -> Gone:
    """Return, by element, the words of the first language that its partner does not show."""
    there = {element.id: element for element in screen.elements}
    found = {
        element.id: _said(element) - _said(there.get(pairs[element.id]))
        for element in first.elements
        if element.id in pairs
    }
    return {element_id: words for element_id, words in found.items() if words}


def _new_words(first: Screen, screen: Screen, pairs: Mapping[str, str]) -> str:
    """Return the words that stand in matched elements here and not in the first language."""
    there = {element.id: element for element in screen.elements}
    new = (
        _said(there[pairs[element.id]]) - _said(element)
        for element in first.elements
        if element.id in pairs
    )
    return " ".join(word for words in new for word in words.elements())


def _said(element: Element | None) -> Counter[str]:
    """Return the words of an element, its name where none are seen: none of what holds others."""
    if element is None or element.visible_fraction <= 0 or not element.hits:
        return Counter()
    return words_of(element.text or element.name)


def _structure(screen: ParallelScreen, attempt: LanguageAttempt) -> Structure:
    """Return a screen's structure with keys without its language, which addresses may name."""
    tags = {attempt.language, attempt.locale, attempt.locale.replace("-", "_")}
    tags |= {primary(attempt.locale), screen.structure.language}
    spelled = "|".join(re.escape(tag) for tag in sorted(tags, key=len, reverse=True) if tag)
    named = re.compile(rf"(?<![A-Za-z0-9])({spelled})(?![A-Za-z0-9])", re.IGNORECASE)
    keys = {name: named.sub("*", key) for name, key in screen.structure.keys.items()}
    return msgspec.structs.replace(screen.structure, keys=keys)


def _failed(attempt: LanguageAttempt) -> tuple[str, str]:
    failure = attempt.result
    return ("failed", failure.reason) if isinstance(failure, Failure) else ("not offered", "")


def _left_out(
    page: str, site: str, attempt: LanguageAttempt, reason: str, found: str = ""
) -> PageInLanguage:
    return PageInLanguage(page, site, attempt.language, attempt.locale, reason=reason, found=found)


def _of(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
