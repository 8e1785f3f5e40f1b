"""
What words are written in is told from their letters, or nothing is said of them.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.parallel.languages import script_trouble, words_of

# Article 1 of the Universal Declaration of Human Rights, shortened.
ARTICLE = {
    "en": "All human beings are born free and equal in dignity and rights.",
    "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
    "zh-CN": "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相待。",
    "zh-TW": "人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心,並應以兄弟關係的精神相待。",
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "ru": "Все люди рождаются свободными и равными в своем достоинстве и правах.",  # noqa: RUF001
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
}
ALIKE = {frozenset({"en", "fr"})}


@pytest.mark.parametrize("asked", ARTICLE)
@pytest.mark.parametrize("given_", ARTICLE)
def test_a_text_is_of_its_language_alone(asked: str, given_: str) -> None:
    """Each text passes as its own language and as no other, but for what shares letters."""
    passes = script_trouble(asked, ARTICLE[given_]) == ""

    assert passes == (asked == given_ or frozenset({asked, given_}) in ALIKE)


def test_names_and_short_words_prove_nothing() -> None:
    """Terms in Latin letters among others do not count, and two letters are no evidence."""
    assert script_trouble("ru", "Открыть журнал Trac и вики") == ""
    assert script_trouble("ja", "OK") == ""
    assert script_trouble("th", "OK Cancel Apply Close") == "Latin script"


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """No text breaks it, and what is counted are letters alone."""
    assert isinstance(script_trouble("zh", text), str)
    assert all(word.isalpha() or not word.isascii() for word in words_of(text))
