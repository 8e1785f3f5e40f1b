"""
The judge on textbook cases of every part: what fits strictly, and what else leniently.
"""

from __future__ import annotations

from typing import Any

import pytest

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Ordinal, Region
from surefoot.core.screen import Element, Screen
from surefoot.refer.judge import Judge, Verdict, judge
from surefoot.refer.judge.verdict import malformed


def one(id_: str, role: str, box: tuple[float, float, float, float], **more: object) -> Element:
    """Return an element that is seen whole, its name spelled in a line of 10 pixels."""
    left, top, right, bottom = box
    name = str(more.get("name", ""))
    line = Box(left, top, min(right, left + 6 * len(name)), min(bottom, top + 10))
    words: dict[str, Any] = (
        {"text": name, "text_boxes": (line,), "name_boxes": (line,)} if name else {}
    )
    seen: dict[str, Any] = {"visible_fraction": 1.0, "hits": (True,) * 5}
    return Element(id_, role, Box(left, top, right, bottom), **{**seen, **words, **more})


def screen(*elements: Element) -> Screen:
    """Return a screen of 600 x 400 pixels."""
    return Screen("s", "p", "x", "", 600, 400, 1.0, "web", "en", elements)


def fitting(said: Expression, *elements: Element) -> tuple[set[str], set[str]]:
    """Return the ids that an expression fits strictly, and those it fits leniently."""
    judging = Judge(screen(*elements))
    strict, lenient = judging.fits(said, "strict"), judging.fits(said, "lenient")
    return {elements[at].id for at in strict}, {elements[at].id for at in lenient}


def stack(*parts: tuple[str, dict[str, Any]]) -> list[Element]:
    """Return elements a, b, c, ... of these roles, one below another, far apart."""
    return [
        one(chr(97 + at), role, (20, 100 * at, 120, 100 * at + 20), **more)
        for at, (role, more) in enumerate(parts)
    ]


def attributes(**more: str) -> dict[str, Any]:
    """Return the attributes of an element as a keyword."""
    return {"attributes": more}


ALONE = [
    (Expression(role="button"), [("button", {}), ("link", {}), ("slider", {})], "a", "ab"),
    (Expression(role="control"), [("button", {}), ("option", {}), ("text", {})], "a", "ab"),
    (Expression(role="link"), [("link", {}), ("text", attributes(tag="a"))], "a", "ab"),
    (
        Expression(role="link", name="Help"),
        [("link", {"name": "Help"}), ("text", {"name": "help"}), ("heading", {"name": "Help"})],
        "a",
        "ab",
    ),
    (
        Expression(name="Save"),
        [("button", {"name": "Save"}), ("button", {"name": "Save all"}), ("link", {"name": "Sa"})],
        "a",
        "ab",
    ),
    (
        Expression(name="Save all", name_cut=True),
        [("link", {"name": "Save all of it"}), ("link", {"name": "Save all"})],
        "ab",
        "ab",
    ),
    (Expression(name="Find"), [("textbox", attributes(placeholder="Find..."))], "", "a"),
    (
        Expression(text="Go"),
        [("text", {"name": "Go"}), ("button", {"name": "Go", "text": "", "text_boxes": ()})],
        "a",
        "a",
    ),
    (
        Expression(label="City"),
        [
            ("textbox", {"name": "City", "name_from": "label"}),
            ("textbox", {"name": "City", "name_from": "aria-label"}),
            ("button", {"name": "City", "name_from": "label"}),
        ],
        "a",
        "ab",
    ),
    (
        Expression(state="checked"),
        [("checkbox", {"states": ("checked",)}), ("radio", {"states": ("mixed",)}), ("radio", {})],
        "a",
        "ab",
    ),
    (
        Expression(state="unchecked"),
        [("switch", {}), ("checkbox", {"states": ("mixed",)}), ("button", {})],
        "a",
        "ab",
    ),
    (
        Expression(state="selected"),
        [("tab", {"states": ("selected",)}), ("tab", {"states": ("pressed",)}), ("tab", {})],
        "a",
        "ab",
    ),
    (
        Expression(state="expanded"),
        [("button", {"states": ("expanded",)}), ("button", {})],
        "a",
        "a",
    ),
    (
        Expression(state="empty"),
        [
            ("textbox", {}),
            ("textbox", {"name": "Find", **attributes(placeholder="Find")}),
            ("textbox", attributes(type="password")),
            ("textbox", {"name": "Full"}),
        ],
        "a",
        "abc",
    ),
    (
        Expression(function="turn on"),
        [("switch", {}), ("switch", {"states": ("checked",)}), ("radio", {}), ("link", {})],
        "a",
        "abc",
    ),
    (
        Expression(function="turn off"),
        [("checkbox", {"states": ("checked",)}), ("switch", {})],
        "a",
        "ab",
    ),
    (
        Expression(function="enter"),
        [("textbox", attributes(editable="true")), ("textbox", {}), ("combobox", {})],
        "a",
        "abc",
    ),
    (Expression(function="choose"), [("combobox", {}), ("radio", {}), ("button", {})], "a", "ab"),
    (
        Expression(function="open"),
        [("button", {"states": ("collapsed",)}), ("link", {"states": ("collapsed",)})],
        "a",
        "ab",
    ),
    (Expression(function="go to"), [("link", {}), ("tab", {}), ("slider", {})], "a", "ab"),
    (Expression(function="show"), [("tab", {}), ("link", {}), ("textbox", {})], "a", "ab"),
    (Expression(function="adjust"), [("slider", {}), ("textbox", {}), ("link", {})], "a", "ab"),
    (
        Expression(function="close"),
        [
            ("button", {"name": "CLOSE"}),
            ("link", {"name": "Cancel order"}),
            ("button", {"name": "\u00d7"}),
            ("button", {"name": "Disclose"}),
        ],
        "a",
        "abc",
    ),
    (
        Expression(function="search"),
        [
            ("searchbox", {}),
            ("button", {"name": "search"}),
            ("link", {"name": "Find a shop"}),
            ("link", {"name": "Research"}),
        ],
        "ab",
        "abc",
    ),
    (
        Expression(region=Region("top left")),
        [("button", {}), ("button", {}), ("button", {})],
        "a",
        "ab",
    ),
    (Expression(colour="red"), [("button", {})], "", ""),
    (Expression(role="button"), [("button", {"hits": (False,) * 5})], "", "a"),
    (Expression(role="button"), [("button", {"visible_fraction": 0.4})], "", "a"),
    (Expression(role="button"), [("button", {"visible_fraction": 0.04})], "", ""),
]


@pytest.mark.parametrize(("said", "parts", "strict", "lenient"), ALONE)
def test_parts_that_stand_alone(
    said: Expression, parts: list[tuple[str, dict[str, Any]]], strict: str, lenient: str
) -> None:
    """Each part fits what its row on the page says under both readings."""
    assert fitting(said, *stack(*parts)) == (set(strict), set(lenient))


TITLE = one("t", "text", (100, 100, 200, 110), name="Title")
BESIDE = [
    (Expression(role="button", direction="below", landmark=Expression(text="Title")), "a", "a"),
    (Expression(role="button", relation="nearest", landmark=Expression(text="Title")), "a", "a"),
    (Expression(role="button", size="largest"), "c", "c"),
    (Expression(role="button", size="smallest"), "a", "ab"),
    (
        Expression(
            role="button",
            relation="between",
            landmark=Expression(name="a"),
            second=Expression(name="c"),
        ),
        "b",
        "b",
    ),
    (Expression(role="button", ordinal=Ordinal(2, "column")), "b", "b"),
    (Expression(role="button", ordinal=Ordinal(-1, "list")), "c", "c"),
    (Expression(role="button", ordinal=Ordinal(1, "row")), "", "abc"),
]


@pytest.mark.parametrize(("said", "strict", "lenient"), BESIDE)
def test_parts_that_compare(said: Expression, strict: str, lenient: str) -> None:
    """Of three buttons below a title, each a line apart, the right one is meant."""
    painted = attributes(background="rgb(1, 2, 3)")
    buttons = [
        one("a", "button", (100, 120, 160, 140), name="a", **painted),
        one("b", "button", (100, 160, 170, 180), name="b"),
        one("c", "button", (100, 200, 220, 240), name="c"),
    ]
    assert fitting(said, TITLE, *buttons) == (set(strict), set(lenient))


def test_a_neighbour_about_as_near_is_a_rival() -> None:
    """Two buttons about as near below a landmark are both directly below it."""
    said = Expression(role="button", direction="below", landmark=Expression(text="Title"))
    near = one("a", "button", (96, 120, 112, 140))
    for top, why in ((125, "strict"), (126, "lenient"), (130, "lenient"), (131, "")):
        other = one("b", "button", (116, top, 132, top + 20))
        verdict = judge(said, "a", screen(TITLE, near, other))
        assert verdict.why == (f"ambiguous ({why})" if why else "")


def test_a_field_beside_like_words_may_be_meant_by_the_label() -> None:
    """A field without a name is meant leniently by a text that stands next to it."""
    label = one("l", "text", (20, 20, 60, 30), name="City:")
    field = one("f", "textbox", (70, 15, 170, 35))
    far = one("g", "textbox", (90, 80, 190, 100))
    assert fitting(Expression(label="City"), label, field, far) == (set(), {"f"})


def nested(**card: object) -> list[Element]:
    """Return two groups of two buttons each; one more button stands beside them."""
    parts: list[Element] = []
    for at, name in enumerate(("Home", "Work")):
        left = 20 + 200 * at
        group = one(f"g{at}", "group", (left, 20, left + 150, 120), name=name, hits=(), **card)
        parts.append(group)
        for row in range(2):
            box = (left + 5, 30 + 40 * row, left + 60, 50 + 40 * row)
            parts.append(one(f"b{at}{row}", "button", box, parent=f"g{at}"))
    return [*parts, one("c", "button", (120, 90, 160, 110))]


def test_a_container_holds_its_own_and_leniently_what_lies_in_it() -> None:
    """A button drawn over a group is leniently in it, though it is no child."""
    said = Expression(role="button", container=Expression(role="group", name="Home"))
    assert fitting(said, *nested()) == ({"b00", "b01"}, {"b00", "b01", "c"})


def test_a_container_that_is_not_one_thing_proves_nothing() -> None:
    """Two groups of like names leave it open which is meant."""
    said = Expression(
        role="button",
        container=Expression(role="group", name="Home"),
        ordinal=Ordinal(1, "column"),
    )
    alone = nested()[:-1]
    assert judge(said, "b00", screen(*alone)) == Verdict(valid=True)
    twin = one("g2", "region", (20, 200, 220, 300), name="home", hits=())
    inside = stack(("button", {"parent": "g2"}), ("button", {"parent": "g2"}))
    verdict = judge(said, "b00", screen(*alone, twin, *inside))
    assert verdict == Verdict(valid=False, why="the container is not one thing")


def test_a_section_is_what_its_heading_names() -> None:
    """Members are recorded by their heading's id, and sections hold their sections."""
    parts = [
        one("h", "heading", (20, 20, 100, 40), name="Pay"),
        one("a", "button", (20, 50, 60, 70), attributes={"section": "h"}),
        one("i", "heading", (20, 80, 100, 100), name="Card", attributes={"section": "h"}),
        one("b", "button", (20, 110, 60, 130), attributes={"section": "i"}),
        one("c", "button", (20, 140, 60, 160), attributes={"section": "i"}),
    ]
    said = Expression(role="button", container=Expression(role="section", name="Card"))
    assert fitting(said, *parts) == ({"b", "c"}, {"b", "c"})
    said = Expression(role="button", container=Expression(role="section", name="Pay"))
    assert fitting(said, *parts)[0] == {"a", "b", "c"}


def test_the_row_with_a_text() -> None:
    """A container is found by a text that one of its elements shows."""
    parts: list[Element] = []
    for at, name in enumerate(("Ann", "Bob")):
        top = 20 + 60 * at
        parts += [
            one(f"r{at}", "row", (20, top, 300, top + 40), hits=()),
            one(f"t{at}", "cell", (20, top, 100, top + 40), name=name, parent=f"r{at}"),
            one(f"b{at}", "button", (200, top, 260, top + 40), parent=f"r{at}"),
        ]
    said = Expression(role="button", container=Expression(role="row", text="Bob"))
    assert judge(said, "b1", screen(*parts)).valid
    assert judge(said, "b0", screen(*parts)).why == "false"


def test_the_window_of_an_element_frames_its_region() -> None:
    """In a small dialog the top left is the dialog's own."""
    parts = [
        one("d", "dialog", (300, 200, 500, 300)),
        one("a", "button", (305, 205, 325, 215), parent="d"),
        one("b", "button", (470, 280, 490, 290), parent="d"),
    ]
    of_window = Expression(role="button", region=Region("top left", "window"))
    assert fitting(of_window, *parts) == ({"a"}, {"a"})
    assert fitting(Expression(role="button", region=Region("top left")), *parts) == (set(), set())


def test_a_wrapper_is_no_rival_but_another_control_inside_makes_it_one() -> None:
    """A link and the button that fills it are one thing; a card and its button are not."""
    outer = one("a", "link", (20, 20, 120, 60), name="Go")
    inner = one("b", "button", (25, 25, 115, 55), name="Go", parent="a")
    assert judge(Expression(role="button", name="Go"), "b", screen(outer, inner)).valid
    card = one("a", "link", (20, 20, 320, 260), name="Go")
    verdict = judge(Expression(role="button", name="Go"), "b", screen(card, inner))
    assert verdict == Verdict(valid=False, why="ambiguous (lenient)", rivals=("a",))


def test_verdicts_say_why() -> None:
    """An absent target, a false expression and an unclear landmark have their own words."""
    parts = stack(("text", {"name": "Title"}), ("text", {"name": "Title"}), ("button", {}))
    shown = screen(*parts)
    below = Expression(role="button", direction="below", landmark=Expression(text="Title"))
    assert judge(Expression(role="button"), "z", shown).why == "absent"
    assert judge(Expression(role="link"), "c", shown).why == "false"
    assert judge(below, "c", shown).why == "the landmark is not one thing"
    assert judge(Expression(role="text"), "a", shown) == Verdict(
        valid=False, why="ambiguous (strict)", rivals=("b",)
    )


@pytest.mark.parametrize(
    "said",
    [
        Expression(),
        Expression(size="largest", ordinal=Ordinal(1, "row")),
        Expression(direction="above"),
        Expression(landmark=Expression(text="a")),
        Expression(relation="between", landmark=Expression(text="a")),
        Expression(direction="above", relation="nearest", landmark=Expression(text="a")),
        Expression(ordinal=Ordinal(0, "row")),
        Expression(ordinal=Ordinal(1, "row", 2)),
        Expression(ordinal=Ordinal(1, "grid")),
        Expression(container=Expression(role="group")),
        Expression(container=Expression(role="group", name="a", text="b")),
        Expression(container=Expression(name="a")),
        Expression(direction="above", landmark=Expression(relation="nearest")),
    ],
)
def test_malformed_expressions_are_not_valid(said: Expression) -> None:
    """What has no form is never proven, and the verdict says what is wrong with it."""
    verdict = judge(said, "a", screen(one("a", "button", (20, 20, 60, 40))))
    assert not verdict.valid
    assert verdict.why == f"malformed: {malformed(said)}"


def test_a_ring_of_parents_is_no_endless_loop() -> None:
    """Elements that claim each other as parents are judged all the same."""
    a = one("a", "button", (20, 20, 60, 40), parent="b")
    b = one("b", "group", (10, 10, 90, 90), parent="a")
    assert judge(Expression(role="button"), "a", screen(a, b)).valid
