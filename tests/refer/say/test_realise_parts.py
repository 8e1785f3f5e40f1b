"""
Golden sentences for each part of an expression, and tables that miss no word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.instruction import (
    Action,
    Colour,
    Content,
    Expression,
    Function,
    Order,
    Ordinal,
    Place,
    Region,
    Shape,
    Size,
    State,
)
from surefoot.refer.languages.phrases import Language, Noun
from surefoot.refer.languages.tables import ENGLISH, codes, language_of
from surefoot.refer.say.realise import realise
from surefoot.refer.scene.geometry import DIRECTIONS
from surefoot.refer.scene.roles import TARGETS

A, B = Expression(text="A"), Expression(text="B")
CLIPBOARD = Expression(role="section", name="Clipboard")
DAYS = Expression(role="grid", name="Days")
GOLDEN: list[tuple[dict[str, Any], str]] = [
    ({"role": "button", "name": "Save"}, "the 'Save' button"),
    ({"name": "Save"}, "'Save'"),
    ({"role": "link", "name": "Read our", "name_cut": True},
     "the link that begins with 'Read our'"),
    ({"role": "slider"}, "the slider"),
    (
        {"role": "button", "size": "largest", "colour": "red", "content": "icon"},
        "the largest red icon button",
    ),
    ({"role": "button", "name": "Save", "colour": "green"}, "the green 'Save' button"),
    ({"role": "control", "content": "icon", "shape": "square"}, "the square icon"),
    ({"role": "control", "content": "icon", "container": CLIPBOARD},
     "the icon in the 'Clipboard' section"),
    ({"role": "button", "content": "text", "shape": "wide"}, "the wide text button"),
    ({"role": "checkbox", "name": "News", "state": "checked"}, "the checked 'News' checkbox"),
    ({"role": "textbox", "state": "empty"}, "the empty field"),
    ({"role": "checkbox", "name": "Bluetooth", "function": "turn on"},
     "the checkbox that turns 'Bluetooth' on"),
    ({"role": "switch", "name": "Wi-Fi", "function": "turn off"},
     "the switch that turns 'Wi-Fi' off"),
    ({"role": "textbox", "name": "City", "function": "enter"}, "the field where you enter 'City'"),
    ({"role": "combobox", "name": "Size", "function": "choose"},
     "the drop-down where you choose 'Size'"),
    ({"role": "button", "name": "Menu", "function": "open"}, "the button that opens 'Menu'"),
    ({"role": "link", "name": "Pricing", "function": "go to"}, "the link that goes to 'Pricing'"),
    ({"role": "tab", "name": "Details", "function": "show"}, "the tab that shows 'Details'"),
    ({"role": "slider", "name": "Volume", "function": "adjust"},
     "the slider that adjusts 'Volume'"),
    ({"role": "button", "function": "close"}, "the button for closing"),
    ({"role": "button", "name": "Search", "function": "search"},
     "the 'Search' button for searching"),
    ({"role": "textbox", "label": "E-mail"}, "the field labelled 'E-mail'"),
    ({"role": "row", "text": "Ada"}, "the row with 'Ada'"),
    ({"role": "button", "container": CLIPBOARD}, "the button in the 'Clipboard' section"),
    ({"role": "button", "container": Expression(role="row", text="Ada Lovelace")},
     "the button in the row with 'Ada Lovelace'"),
    ({"role": "button", "container": Expression(role="toolbar", name="Standard")},
     "the button in the 'Standard' toolbar"),
    ({"role": "link", "region": Region("top left")},
     "the link in the top left corner of the screen"),
    ({"role": "link", "region": Region("top", "window")}, "the link at the top of the window"),
    ({"role": "button", "relation": "between", "landmark": A, "second": B},
     "the button between 'A' and 'B'"),
    ({"role": "button", "relation": "nearest", "landmark": Expression(text="Total")},
     "the button nearest to 'Total'"),
    ({"role": "button", "direction": "left of",
      "landmark": Expression(role="checkbox", name="News")},
     "the button directly to the left of the 'News' checkbox"),
    ({"role": "control", "ordinal": Ordinal(3, "list"), "container": CLIPBOARD},
     "the third item in the 'Clipboard' section"),
    ({"role": "link", "ordinal": Ordinal(-1, "list")}, "the last link"),
    ({"role": "link", "ordinal": Ordinal(-2, "list")}, "the second-to-last link"),
    ({"role": "button", "ordinal": Ordinal(2, "row"), "container": CLIPBOARD},
     "the second button from the left in the 'Clipboard' section"),
    ({"role": "button", "ordinal": Ordinal(-1, "row")}, "the first button from the right"),
    ({"role": "textbox", "ordinal": Ordinal(2, "column")}, "the second field from the top"),
    ({"role": "textbox", "ordinal": Ordinal(-3, "column")}, "the third field from the bottom"),
    ({"role": "button", "ordinal": Ordinal(2, "grid", 3), "container": DAYS},
     "the second button in the third row of the 'Days' grid"),
    ({"role": "button", "ordinal": Ordinal(-1, "grid", -1)}, "the last button in the last row"),
    ({"role": "link", "ordinal": Ordinal(21, "list")}, "the 21st link"),
]  # fmt: skip


@pytest.mark.parametrize(("parts", "said"), GOLDEN)
def test_each_part_has_its_words(parts: dict[str, Any], said: str) -> None:
    """Each part is said as people say it, in its place."""
    assert realise(Expression(**parts)) == f"Click {said}"
    assert realise(Expression(**parts), "type", "x") == f"Type 'x' in {said}"


def test_a_container_is_said_first_where_it_would_part_the_words() -> None:
    """What stands beside the target is not to be read as beside its container."""
    beside = Expression(role="button", direction="above", landmark=A, container=CLIPBOARD)
    assert realise(beside) == "In the 'Clipboard' section, click the button directly above 'A'"
    there = Expression(role="textbox", region=Region("bottom"), container=CLIPBOARD)
    assert realise(there, "type", "x") == (
        "In the 'Clipboard' section, type 'x' in the field at the bottom of the screen"
    )


@pytest.mark.parametrize(
    "parts",
    [
        {"role": "button", "second": A},
        {"role": "button", "relation": "nearest"},
        {"role": "button", "relation": "between", "landmark": A},
        {"role": "button", "relation": "nearest", "landmark": A, "second": B},
        {"role": "button", "relation": "nearest", "landmark": A, "direction": "above"},
        {"role": "button", "size": "largest", "ordinal": Ordinal(1, "list")},
        {"role": "button", "ordinal": Ordinal(0, "list")},
        {"role": "button", "ordinal": Ordinal(1, "grid")},
        {"role": "button", "ordinal": Ordinal(1, "row", 2)},
        {"role": "button", "function": "open"},
        {"role": "link", "function": "go to", "name": "x", "name_cut": True},
        {"name": "x", "colour": "red"},
        {"role": "button", "container": Expression(role="list")},
        {"role": "button", "container": Expression(name="x")},
        {"role": "button", "container": Expression(role="list", name="x", text="y")},
        {"role": "button", "relation": "nearest", "landmark": Expression(name="x")},
        {"role": "button", "relation": "nearest", "landmark": Expression()},
    ],
)  # fmt: skip
def test_parts_that_do_not_go_together_are_refused(parts: dict[str, Any]) -> None:
    """Two ranks, half relations, nameless functions and vague containers are errors."""
    with pytest.raises(InvalidInputError):
        realise(Expression(**parts))


def test_landmarks_nest_eight_deep_at_most() -> None:
    """Neither words nor the stack run away with a chain of landmarks."""
    chain = A
    for _ in range(8):
        chain = Expression(role="button", direction="above", landmark=chain)
    assert realise(chain).count("directly above") == 8
    for _ in range(5000):
        chain = Expression(role="button", direction="above", landmark=chain)
    with pytest.raises(InvalidInputError, match="nested"):
        realise(chain)


def test_an_icon_is_no_role() -> None:
    """The noun of an icon cannot be had as a role."""
    with pytest.raises(UnknownNameError, match="'icon'"):
        realise(Expression(role="icon"))


@pytest.mark.parametrize("code", codes())
def test_no_table_misses_a_word(code: str) -> None:
    """Each language has words for all values of all parts, and no two share them."""
    language = language_of(code)
    wanted: dict[str, set[str]] = {
        "nouns": {*TARGETS, *ENGLISH.nouns},
        "actions": {*get_args(Action)},
        "sizes": {*get_args(Size)} - {""},
        "states": {*get_args(State)} - {""},
        "colours": {*get_args(Colour)} - {""},
        "shapes": {*get_args(Shape)} - {""},
        "contents": {*get_args(Content)} - {""},
        "functions": {*get_args(Function)} - {""},
        "directions": {*DIRECTIONS},
        "relations": {"nearest", "between"},
        "containers": {"", *get_args(Order)},
        "places": {*get_args(Place)},
        "counting": {*get_args(Order)},
    }
    for table, keys in wanted.items():
        assert set(getattr(language, table)) == keys, table
    for places in language.places.values():
        assert set(places) == {"screen", "window"}
    for table in set(wanted) - {"containers", "counting", "nouns"}:
        said = [str(item) for item in getattr(language, table).values()]
        assert len(set(said)) == len(said), table
    nouns = [str(noun.forms) for noun in language.nouns.values()]
    assert len(set(nouns)) == len(nouns)


def changed(language: Language, **parts: object) -> Language:
    """Return a language with some other words."""
    return msgspec.structs.replace(language, **parts)


def count(number: int, gender: str, _case: str) -> str:
    """Return a German number in a gender."""
    return {1: "erst", 2: "zweit", 3: "dritt"}[number] + ("en" if gender == "m" else "e")


GERMAN_NOUNS: Mapping[str, Noun] = {
    "button": Noun({"": "Knopf", "dative": "Knopf"}, "m"),
    "checkbox": Noun({"": "Auswahl"}, "f"),
    "section": Noun({"": "Abschnitt"}, "m"),
}
GERMAN = changed(
    ENGLISH,
    nouns=GERMAN_NOUNS,
    article={"m": "den", "f": "die", "m dative": "dem", "f dative": "der"},
    actions={"click": "klicke auf {target}"},
    name="{name}",
    parts=("article", "nth", "colour", "noun", "name", "container", "relation"),
    colours={"red": {"m": "roten", "f": "rote", "f dative": "roten"}},
    directions={"above": "direkt über {landmark:dative}"},
    containers={"": "in {container:dative}"},
    fronted="{said}, und zwar in {container:dative}",
    from_start=count,
)
JAPANESE = changed(
    ENGLISH,
    nouns={"button": Noun({"": "ボタン"}), "section": Noun({"": "セクション"})},
    parts=("container", "relation", "colour", "name", "noun"),
    joiner="",
    actions={"click": "{target}をクリックしてください"},
    name="{name}の",
    colours={"red": {"": "赤い"}},
    directions={"above": "{landmark}の真上にある"},
    containers={"": "{container}にある"},
)


@pytest.mark.parametrize(
    ("language", "expression", "said"),
    [
        (GERMAN, Expression(role="button", colour="red", name="A"),
         "Klicke auf den roten Knopf 'A'"),
        (GERMAN, Expression(role="checkbox", ordinal=Ordinal(2, "list")),
         "Klicke auf die zweite Auswahl"),
        (GERMAN, Expression(role="button", direction="above",
                            landmark=Expression(role="checkbox", colour="red")),
         "Klicke auf den Knopf direkt über der roten Auswahl"),
        (JAPANESE, Expression(role="button", colour="red", name="A", container=CLIPBOARD),
         "'Clipboard'のセクションにある赤い'A'のボタンをクリックしてください"),
        (JAPANESE, Expression(role="button", direction="above", landmark=A),
         "'A'の真上にあるボタンをクリックしてください"),
    ],
)  # fmt: skip
def test_other_grammars_are_only_other_tables(
    language: Language, expression: Expression, said: str
) -> None:
    """Genders, cases and another word order need no code of their own."""
    table = changed(language, containers={**ENGLISH.containers, **language.containers})
    table = changed(table, counting=dict.fromkeys(get_args(Order), ("", "")))
    assert realise(expression, language=table) == said
