# ruff: noqa: RUF001 - sentences in other alphabets
"""
Languages that are written in files: their notation, and what agrees with what.
"""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.instruction import Expression, Ordinal, Region
from surefoot.refer.languages.tables import (
    WRITTEN,
    codes,
    forms_of,
    language_in,
    language_of,
)
from surefoot.refer.say.realise import realise

SAVE = Expression(role="button", name="A")
TAB = Expression(role="tab", name="A")
FIELD = Expression(role="textbox", name="A")
LINK = Expression(role="link", name="A")
CLIPBOARD = Expression(role="section", name="A")


def above(landmark: Expression) -> Expression:
    """Return a link above a landmark."""
    return Expression(role="link", direction="above", landmark=landmark)


def spaced(text: str) -> str:
    """Return a text with plain spaces: French guillemets have others inside."""
    return text.replace("\u00a0", " ")


SAID: list[tuple[str, Expression, str]] = [
    ("fr", Expression(role="link", direction="left of", landmark=SAVE),
     "Cliquez sur le lien juste à gauche du bouton « A »"),
    ("fr", Expression(role="link", direction="left of", landmark=TAB),
     "Cliquez sur le lien juste à gauche de l’onglet « A »"),
    ("fr", Expression(role="link", direction="left of",
                      landmark=Expression(role="checkbox", name="A")),
     "Cliquez sur le lien juste à gauche de la case à cocher « A »"),
    ("fr", Expression(role="tab", ordinal=Ordinal(1, "row")),
     "Cliquez sur le premier onglet en partant de la gauche"),
    ("fr", Expression(role="tab", ordinal=Ordinal(-2, "list")),
     "Cliquez sur l’avant-dernier onglet"),
    ("fr", Expression(role="checkbox", state="checked", colour="white"),
     "Cliquez sur la case à cocher blanche cochée"),
    ("ru", SAVE, "Нажмите на кнопку «A»"),
    ("ru", above(SAVE), "Нажмите на ссылку прямо над кнопкой «A»"),
    ("ru", above(FIELD), "Нажмите на ссылку прямо над полем «A»"),
    ("ru", Expression(role="button", direction="left of", landmark=LINK),
     "Нажмите на кнопку сразу слева от ссылки «A»"),
    ("ru", Expression(role="link", ordinal=Ordinal(3, "row")),
     "Нажмите на третью ссылку слева"),
    ("ru", Expression(role="textbox", ordinal=Ordinal(3, "column")),
     "Нажмите на третье поле сверху"),
    ("ru", Expression(role="link", relation="nearest", landmark=FIELD),
     "Нажмите на ссылку, ближайшую к полю «A»"),
    ("ru", Expression(role="textbox", relation="nearest", landmark=LINK),
     "Нажмите на поле, ближайшее к ссылке «A»"),
    ("ru", Expression(role="link", name="A", name_cut=True, region=Region("top")),
     "Нажмите на ссылку, название которой начинается с «A», в верхней части экрана"),
    ("ru", Expression(role="button", container=Expression(role="toolbar", name="A")),
     "Нажмите на кнопку на панели инструментов «A»"),
    ("zh", Expression(role="button", ordinal=Ordinal(3, "row"), container=CLIPBOARD),
     "点击“A”部分中从左数第3个按钮"),
    ("zh", Expression(role="button", ordinal=Ordinal(2, "grid", 3)), "点击第3行的第2个按钮"),
    ("ja", Expression(role="button", ordinal=Ordinal(3, "row")),
     "左から3番目のボタンをクリックしてください"),
    ("ja", Expression(role="button", ordinal=Ordinal(-1, "grid", -1)),
     "最後の行の最後のボタンをクリックしてください"),
    ("ja", above(SAVE), "「A」ボタンのすぐ上にあるリンクをクリックしてください"),
    ("th", Expression(role="button", ordinal=Ordinal(3, "row")), "คลิกปุ่มที่สามจากซ้าย"),
    ("th", Expression(role="button", name="A", colour="red"), "คลิกปุ่ม “A” สีแดง"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expression", "said"), SAID)
def test_words_agree(code: str, expression: Expression, said: str) -> None:
    """Articles, cases, genders, counters and the signs between words are the language's own."""
    assert spaced(realise(expression, language=code)) == said


@pytest.mark.parametrize(
    ("code", "typed", "selected"),
    [
        ("fr", "Saisissez « 7 » dans le champ « A »", "Sélectionnez « 7 » dans la liste"),
        ("ru", "Введите «7» в поле «A»", "Выберите «7» в раскрывающемся списке"),
        ("zh", "在“A”输入框中输入“7”", "在“A”下拉列表中选择“7”"),
        ("ja", "「A」入力欄に「7」と入力してください", "「A」ドロップダウンリストで「7」を選択"),
        ("th", "พิมพ์ “7” ในช่องกรอก “A”", "เลือก “7” ในรายการแบบเลื่อนลง “A”"),
    ],
)
def test_values_stand_where_they_belong(code: str, typed: str, selected: str) -> None:
    """A value is typed into a field and selected in a list, in the language's order."""
    choice = Expression(role="combobox", name="A")
    assert spaced(realise(FIELD, "type", "7", language=code)) == typed
    assert spaced(realise(choice, "select", "7", language=code)).startswith(selected)


def test_quotes_of_a_name_give_way_to_others() -> None:
    """A name that has the language's own quotes in it is put into its second ones."""
    assert realise(Expression(name="le « A »"), language="fr") == "Cliquez sur “le « A »”"
    assert realise(Expression(name="「A」"), language="ja").startswith("『「A」』")


def test_forms_that_do_not_fit_are_refused() -> None:
    """A word with too few forms, or with an ending that is not declared, names itself."""
    with pytest.raises(InvalidInputError, match="кноп"):
        forms_of("кноп[ка|ку]", ("", "genitive", "accusative"), {})
    with pytest.raises(InvalidInputError, match="vert"):
        forms_of("vert<x>", (), {"é": {"m": "é"}})


@pytest.mark.parametrize(
    ("table", "key", "parts"),
    [
        ("functions", "open", {"function": "open", "name": "A"}),
        ("colours", "red", {"colour": "red"}),
        ("relations", "nearest", {"relation": "nearest", "landmark": Expression(text="A")}),
        ("directions", "above", {"direction": "above", "landmark": Expression(text="A")}),
        ("places", "top", {"region": Region("top")}),
        ("counting", "row", {"ordinal": Ordinal(1, "row")}),
        ("nouns", "button", {}),
    ],
)
def test_what_a_table_has_no_words_for_is_refused(
    table: str, key: str, parts: dict[str, Any]
) -> None:
    """A part without words is an error, never left out and never said in English."""
    full = WRITTEN.get("fr").table
    words = {name: said for name, said in getattr(full, table).items() if name != key}
    without = language_in(msgspec.structs.replace(full, **{table: words}))
    expression = Expression(role="button", **parts)
    with pytest.raises(UnknownNameError, match=key):
        realise(expression, language=without)


@pytest.mark.parametrize("code", codes())
def test_each_noun_has_every_form(code: str) -> None:
    """Each noun has all cases that the language has, and a gender that its words agree in."""
    table, language = WRITTEN.get(code).table, language_of(code)
    wanted = {*(table.noun_forms or ("",)), *table.derived}
    genders = {key.split(" ")[0] for forms in table.endings.values() for key in forms}
    for role, noun in language.nouns.items():
        assert wanted <= noun.forms.keys(), role
        assert all(noun.forms.values()), role
        assert not genders & {"m", "f"} or noun.gender in genders, role


def test_a_language_without_a_table_is_named() -> None:
    """A code that is none of the tables is refused with those there are."""
    with pytest.raises(UnknownNameError, match="fr"):
        language_of("xx")


def words_in(value: object) -> set[str]:
    """Return the sentences and words of a table that have three letters, however deep."""
    if isinstance(value, str):
        return {value} if any(part.isalpha() for part in value.split() if len(part) > 2) else set()
    if isinstance(value, dict):
        return set().union(*map(words_in, value.values()))
    if isinstance(value, list | tuple):
        return set().union(*map(words_in, value))
    return set()


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(codes(), 2)))
def test_no_language_is_a_copy_of_another(one: str, other: str) -> None:
    """Two languages share at most a twentieth of their words; a copy would share all of them."""
    first, second = (
        words_in({**msgspec.to_builtins(WRITTEN.get(code).table), "parts": ()})
        for code in (one, other)
    )

    assert min(len(first), len(second)) > 10
    assert len(first & second) <= min(len(first), len(second)) / 20
    assert WRITTEN.get(one).table.title != WRITTEN.get(other).table.title
