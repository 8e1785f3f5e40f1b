"""
Reading instructions in six languages.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.models.sight.asks import Ask, lexicon, read_ask


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Click the 'Submit' button", "en", Ask("click", "button", "Submit")),
        ("Click “Terms” link", "en", Ask("click", "link", "Terms")),
        ("Click the 'Don't save' button", "en", Ask("click", "button", "Don't save")),
        ("Type 'bob' into the 'Email' field", "en", Ask("type", "field", "Email", "bob")),
        (
            "Select 'Japan' in the 'Country' drop-down",
            "en",
            Ask("select", "choice", "Country", "Japan"),
        ),
        (
            "Click the button to the right of 'Cancel'",
            "en",
            Ask("click", "button", direction="right of", landmark="Cancel"),
        ),
        (
            "Click the field below the 'Name' field",
            "en",
            Ask("click", "field", direction="below", landmark="Name"),
        ),
        (
            "Click the 'Edit' link to the left of 'Move above'",
            "en",
            Ask("click", "link", "Edit", direction="left of", landmark="Move above"),
        ),
        (
            "Type 'a' into the field above 'Email'",
            "en",
            Ask("type", "field", "", "a", "above", "Email"),
        ),
        (
            "Click the button under 'Total'",
            "en",
            Ask("click", "button", direction="below", landmark="Total"),
        ),
        (
            "Click the link that begins with 'Terms and conditions of'",
            "en",
            Ask("click", "link", "Terms and conditions of"),
        ),
        (
            'Type `a\'b"c` in the field that begins with "What\'s your"',
            "en",
            Ask("type", "field", "What's your", "a'b\"c"),
        ),
        ("Click Sign in", "en", Ask("click", "", "sign in")),
        ("点击“标题”上方的按钮", "zh", Ask("click", "button", direction="above", landmark="标题")),
        ("在“邮箱”字段中输入“bob”", "zh", Ask("type", "field", "邮箱", "bob")),
        ("「保存」ボタンをクリック", "ja", Ask("click", "button", "保存")),
        (
            "「名前」の右にあるテキストボックスをクリック",
            "ja",
            Ask("click", "field", direction="right of", landmark="名前"),
        ),
        ("Cliquez sur le bouton « Enregistrer »", "fr", Ask("click", "button", "Enregistrer")),
        (
            "Saisissez « bob » dans le champ à gauche de « Nom »",
            "fr",
            Ask("type", "field", "", "bob", "left of", "Nom"),
        ),
        (
            "Нажмите кнопку «Сохранить» ниже «Имя»",
            "ru",
            Ask("click", "button", "Сохранить", direction="below", landmark="Имя"),
        ),
        (
            "คลิกปุ่ม 'บันทึก' ทางขวาของ 'ยกเลิก'",
            "th",
            Ask("click", "button", "บันทึก", direction="right of", landmark="ยกเลิก"),
        ),
        ("Click the 'Save' button", "xx", Ask("click", "button", "Save")),
    ],
)
def test_instructions(text: str, language: str, expected: Ask) -> None:
    """Action, kind, name, value, direction and landmark are told apart."""
    assert read_ask(text, language) == expected


@given(st.text(max_size=200), st.sampled_from(["en", "fr", "ru", "zh", "ja", "th", ""]))
def test_any_text_is_read(text: str, language: str) -> None:
    """No text whatever makes the reader fail, and names come out of the text."""
    ask = read_ask(text, language)
    assert bool(ask.landmark) or ask.direction is None
    for part in (ask.landmark, ask.value):
        assert part in text.replace("\x00", " ")


@pytest.mark.parametrize("language", ["en", "fr", "ru", "zh", "ja", "th"])
def test_every_language_knows_every_kind_and_direction(language: str) -> None:
    """The lexicon has words of each kind and direction, in lower case, none in two kinds."""
    words = lexicon(language)
    assert set(words.directions) == {"above", "below", "left of", "right of"}
    assert set(words.roles) == {"field", "choice", "check", "button", "link", "text", "slider"}
    phrases = [item for all_ in words.roles.values() for item in all_]
    assert len(set(phrases)) == len(phrases)
    assert all(phrase == phrase.casefold() for phrase in phrases)
