"""
Content: what is asked of planted pages, and what decides where it belongs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from surefoot.benchmarks.hidden import HIDDEN
from surefoot.benchmarks.hidden_content import Content, contents
from surefoot.core.edit import Mask
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.question import Answer, Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.core.store import ObjectStore
from surefoot.refer.scene.scene import Scene
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.overlap import OVERLAP
from surefoot.score.summary import summarise


def element(
    name: str,
    role: str,
    x: int,
    y: int,
    words: str = "",
    parent: str = "",
    label: Box | None = None,
    **attributes: str,
) -> Element:
    """Return an element of 120 x 24 pixels that is seen, and says its words."""
    box = Box.from_xywh(x, y, 120, 24)
    lines = (Box.from_xywh(x + 4, y + 4, 7 * len(words), 16),) if words and not label else ()
    return Element(
        name, role, box, name=words, name_from="label" if label else "content",
        name_boxes=(label,) if label else lines, text="" if label else words, text_boxes=lines,
        font_px=16.0, parent=parent, visible_fraction=1.0, hits=(True,) * 5,
        attributes=attributes,
    )  # fmt: skip


def found(elements: Sequence[Element]) -> dict[str, Content]:
    """Return the contents of a screen of 800 x 600 pixels by their words."""
    screen = Screen("s", "p", "x", "", 800, 600, 1.0, "web", "en", tuple(elements))
    return {item.words: item for item in contents(Scene(screen), 0)}


def decided(elements: Sequence[Element]) -> dict[str, str]:
    """Return what decides where each word belongs."""
    return {words: item.decided for words, item in found(elements).items()}


TOWNS = (("Town", "People", "Founded"), ("Lyon", "522", "1310"), ("Porto", "231", "1123"))


def table(rows: Sequence[Sequence[str]] = TOWNS) -> list[Element]:
    """Return a table, its first row of headers."""
    made = [Element("t", "table", Box(0, 0, 400, 200), visible_fraction=1.0)]
    for at, row in enumerate(rows):
        whole = Box.from_xywh(0, 30 * at, 400, 24)
        made.append(Element(f"r{at}", "row", whole, parent="t", visible_fraction=1.0))
        role = "cell" if at else "columnheader"
        made += [
            element(f"c{at}{column}", role, 130 * column, 30 * at, words, f"r{at}")
            for column, words in enumerate(row)
        ]
    return made


def links(*words: str, x: int = 500) -> list[Element]:
    """Return a column of links."""
    whole = Box.from_xywh(x, 0, 120, 400)
    made = [Element(f"l{x}", "list", whole, visible_fraction=1.0)]
    return made + [
        element(f"l{x}-{at}", "link", x, 30 * at, word, f"l{x}") for at, word in enumerate(words)
    ]


def test_a_table_decides_by_the_header_and_the_key_that_are_left() -> None:
    """A cell is stated by its column and its row, whose words must stay; keys decide nothing."""
    contents_ = found(table())

    assert contents_["231"].text == "Click where '231' belongs: the 'People' of 'Porto'"
    assert contents_["231"].decided == "table"
    kept = {(box.left, box.top) for box in contents_["231"].needs}
    assert kept == {(134.0, 4.0), (4.0, 64.0)}
    assert contents_["Porto"].decided == "nothing"


@pytest.mark.parametrize(
    "rows",
    [
        (("Town", "People", "People now"), *TOWNS[1:]),
        (*TOWNS, ("Porto", "240", "1200")),
        (("", "", ""), *TOWNS[1:]),
    ],
    ids=["two such columns", "two such rows", "no header"],
)
def test_a_table_decides_nothing_where_two_places_would_do(rows: Sequence[Sequence[str]]) -> None:
    """Headers or keys that could be taken for one another, or that are missing, prove nothing."""
    assert decided(table(rows))["231"] == "nothing"


FRUITS = ("Apple", "Banana", "Cherry", "Lemon", "Mango", "Peach", "Quince")


def test_an_order_decides_the_gap_between_neighbours() -> None:
    """Sorted names and numbers have one gap for what is hidden, but at neither end."""
    names, numbers = decided(links(*FRUITS)), decided(links("4", "5", "6", "12", "13"))

    assert {word for word, how in names.items() if how == "order"} == set(FRUITS[1:-1])
    assert names["Apple"] == names["Quince"] == "nothing"
    assert {word for word, how in numbers.items() if how == "order"} == {"5", "6", "12"}


@pytest.mark.parametrize(
    "elements",
    [
        links("Banana", "Apple", "Cherry", "Peach", "Lemon", "Mango", "Quince"),
        links(*FRUITS[:5]),
        [*links(*FRUITS), *links("Avocado", "Grape", "Melon", "Olive", "Plum", x=200)],
    ],
    ids=["unsorted", "too few", "another sorted list has a gap"],
)
def test_no_order_decides_nothing(elements: list[Element]) -> None:
    """What is unsorted, short, or would fit elsewhere as well leaves a guess."""
    assert decided(elements)["Cherry"] == "nothing"


def field(name: str, label: str, y: int, **attributes: str) -> Element:
    """Return a field with its label above it."""
    above = Box.from_xywh(0, y - 20, 8 * len(label), 16)
    return element(
        name, "textbox", 0, y, label, label=above, editable="true", **attributes
    )  # fmt: skip


def test_a_label_decides_where_one_field_alone_takes_such_a_value() -> None:
    """The only field labelled for an e-mail address takes it; of two of them neither is asked."""
    email, note = field("a", "E-mail", 40), field("b", "Remark", 120)
    (asked,) = found([email, note]).values()

    assert (asked.decided, asked.action, asked.shown) == ("label", "type", False)
    assert asked.text == f"Type '{asked.words}' where it belongs"
    assert "@" in asked.words
    assert not found([email, field("c", "E-mail address", 200)])


def test_a_key_decides_the_value_beside_it() -> None:
    """A definition, or the second of two cells, is stated by what it is the value of."""
    term = element("k", "term", 0, 0, "Version", "list")
    value = element("v", "definition", 130, 0, "5.4.1", "list")
    holder = Element("list", "list", Box(0, 0, 400, 90), visible_fraction=1.0)
    pair = table((("", ""), ("Licence", "MIT")))[0:1] + table((("", ""), ("Licence", "MIT")))[4:]

    assert found([holder, term, value])["5.4.1"].text.endswith(": the 'Version'")
    assert decided([holder, term, value])["5.4.1"] == "label"
    assert decided(pair)["MIT"] == "label"


def test_words_that_stand_elsewhere_are_not_asked() -> None:
    """A word that another element says, alone or among more, is no content of one place."""
    page = [*links("Save", "Open", "Print"), element("h", "heading", 0, 500, "How to open files")]
    assert decided(page) == {"Save": "nothing", "Print": "nothing"}


def test_a_page_asks_its_contents_under_masks_and_without_one(
    drawn_page: tuple[Screen, bytes], tmp_path: Path
) -> None:
    """The anchor shows the words, but of a field's; a mask never covers what decides."""
    screen, png = drawn_page
    store = ObjectStore(tmp_path)
    store.put(png)
    options = msgspec.structs.replace(
        HIDDEN.defaults, kinds=("content",), variants=("original", "static"), targets=9
    )
    result = HIDDEN.page(screen, None, store, options)  # type: ignore[arg-type]
    asked = {item.instruction.text: item.facts["decided"] for item in result.questions}
    (typed,) = [item for item in result.questions if item.instruction.action == "type"]
    shown = next(shown for shown in result.screens if shown.id == typed.screen)
    (edit,) = shown.edits

    assert asked["Click where 'Paste' belongs"] == "nothing"
    assert {how for text, how in asked.items() if text.startswith("Type")} == {"label"}
    assert {item.cell.variant for item in result.questions} == {"original", "static"}
    assert typed.cell.variant == "static"
    assert isinstance(edit, Mask)
    assert typed.truth in edit.boxes
    assert all(box.intersection(Box(28, 144, 70, 168)) is None for box in edit.boxes)


def test_what_nothing_decides_is_scored_apart() -> None:
    """Guesses have scores of their own, and are in no effect and no rate of the whole."""
    proven, guess = (
        Question(
            how, how, "site", Cell(ORIGINAL, "content"), "s", "", 90, 90,
            Instruction("Click", "en", "content", "high", Expression(), how), Box(0, 0, 9, 9),
            facts={"decided": how},
        )
        for how in ("order", "nothing")
    )  # fmt: skip
    answers = [Answer("order", "", Box(0, 0, 9, 9)), Answer("nothing", "", Box(50, 50, 60, 60))]
    scores = summarise(tabulate_for(OVERLAP, [([proven, guess], [("m", answers)])]), OVERLAP)
    told = {one.instruction: one.amount for one in scores.scores if one.metric == "bcp"}

    assert told == {"": 1.0, "unproven content": 0.0}
    assert [(one.n, one.amount) for one in scores.baselines if one.metric == "bcp"] == [(1, 1.0)]
