"""
A page in several languages: what is translated is told from contents, and a fall-back is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from surefoot.capture.parallel.pages import (
    LanguageAttempt,
    PageInLanguage,
    ParallelScreens,
    parallel_lines,
    parallel_page,
    reached_alike,
)
from surefoot.capture.parallel.structure import ParallelScreen, Structure
from surefoot.core.geometry import Box
from surefoot.core.ledger import Failure
from surefoot.core.screen import Element

HIT: Final = (True,) * 5
EN: Final = ("Save the draft", "Close the window", "Anna Karenina")
FR: Final = ("Enregistrer l'ébauche", "Fermer la fenêtre", "Anna Karenina")
RU: Final = ("Сохранить черновик", "Закрыть окно", "Anna Karenina")
JA: Final = ("下書きを保存する", "ウィンドウを閉じる", "Anna Karenina")


def attempt(
    language: str, words: tuple[str, ...], *, said: str = "", missing: Mapping[str, str] = {}
) -> LanguageAttempt:
    """Return a page with a link for each text, which is the same link in every language."""
    elements = tuple(
        Element(
            f"a{at}",
            "link",
            Box(0, 20 * at, 90, 20 * at + 18),
            text,
            text=text,
            visible_fraction=1.0,
            hits=HIT,
        )
        for at, text in enumerate(words)
    )
    keys = {f"a{at}": f"/{language}/page{at}" for at in range(len(words))}
    screen = ParallelScreen(
        f"screen {language}", "p", "s", "", 99, 99, 1.0, "web", language, elements,
        missing=dict(missing), structure=Structure(said, keys),
    )  # fmt: skip
    return LanguageAttempt(language, language, screen)


def test_contents_are_told_from_what_a_language_leaves_in_english() -> None:
    """A name that no language changes is contents; what another translates was left as it is."""
    half = (RU[0], EN[1], RU[2])
    _, french, russian = parallel_page(
        "p", "s", [attempt("en", EN), attempt("fr", FR), attempt("ru", half)]
    )

    assert french.words == {"contents": 2, "kept": 0, "translated": 6}
    assert (french.translated, french.interface_translated) == (0.75, 1.0)
    assert russian.words == {"contents": 2, "kept": 3, "translated": 3}
    assert (russian.matched, russian.reason) == (1.0, "")


def test_each_way_to_fall_back_is_named() -> None:
    """English words, another script, another language by its own word, and letters of no font."""
    found = parallel_page(
        "p",
        "s",
        [
            attempt("en", EN),
            attempt("fr", EN),
            attempt("ru", FR),
            attempt("zh", JA),
            attempt("ja", JA),
            attempt("de", FR, said="fr"),
            attempt(
                "th", ("ภาษาไทยทั้งหมด", "ปิดหน้าต่าง", EN[2]), missing={"U+0E20": "no font has it"}
            ),
            attempt("it", FR[:2]),
            LanguageAttempt("es", "es", Failure("k", "timeout", "it took too long")),
            LanguageAttempt("pt", "", None),
        ],
    )

    assert {item.language: (item.reason, item.found) for item in found} == {
        "en": ("", ""),
        "fr": ("untranslated", "0%"),
        "ru": ("other language", "Latin script"),
        "zh": ("other language", "Japanese"),
        "ja": ("", ""),
        "de": ("other language", "lang=fr"),
        "th": ("undrawn", "U+0E20"),
        "it": ("unmatched", "67%"),
        "es": ("failed", "timeout"),
        "pt": ("not offered", ""),
    }
    assert parallel_lines(found)[-1] == "pt: 0 of 1 pages; 1 left out: not offered"


def test_without_the_first_language_there_is_nothing_to_compare_with() -> None:
    """A page that failed in the first language is left out in all."""
    failed = LanguageAttempt("en", "en", Failure("k", "timeout", "it took too long"))
    found = parallel_page("p", "s", [failed, attempt("fr", FR)])

    assert [item.reason for item in found] == ["failed", "no first"]


@pytest.fixture
def opened() -> ParallelScreens:
    """Return a page in three languages, of which one falls back."""
    attempts = [attempt("en", EN), attempt("fr", FR), attempt("ru", EN)]
    screens = [item.result for item in attempts if isinstance(item.result, ParallelScreen)]
    return ParallelScreens(parallel_page("p", "s", attempts), screens)


def test_an_element_of_a_page_is_read_in_a_language(opened: ParallelScreens) -> None:
    """The element X of the page P in the language L; none in a language that was left out."""
    french = opened.element("p", "fr", "a1")

    assert french is not None
    assert french.name == FR[1]
    assert opened.element("p", "ru", "a1") is None
    assert opened.element("p", "fr", "a9") is None
    assert (opened.pages, opened.languages("p")) == (("p",), ("en", "fr"))
    assert opened.common("p") == ("a0", "a1", "a2")
    assert opened.common("p", ("en", "ru")) == ()


def test_a_record_is_left_without_what_it_has_not() -> None:
    """What a page in a language has none of is no part of its JSON."""
    import msgspec

    data = msgspec.json.encode(PageInLanguage("p", "s", "th", "th-TH", reason="not offered"))

    assert msgspec.json.decode(data) == {
        "page": "p", "site": "s", "language": "th", "locale": "th-TH", "reason": "not offered",
    }  # fmt: skip


def test_a_state_that_another_element_leads_to_is_left_out() -> None:
    """The same id clicks the same thing only where the page before says so."""
    before = PageInLanguage("p", "s", "fr", "fr", "1", {"a": "a", "b": "c"})
    state = PageInLanguage("p~1", "s", "fr", "fr", "2", {"x": "x"})

    assert reached_alike(state, [("a", before)]) == state
    assert reached_alike(state, [("a", before), ("b", before)]).reason == "other action"
    assert reached_alike(state, [("gone", before)]).found == "gone"
