"""
Resolving: the strict reading within the lenient one, and what counts as the same thing.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.resolve import prove, resolve
from surefoot.refer.resolve.things import same_thing
from surefoot.refer.scene.geometry import DIRECTIONS
from surefoot.refer.scene.scene import Scene

ROLES = ("button", "link", "textbox", "combobox", "checkbox", "heading", "text", "row")
NAMES = (
    "",
    "Save",
    "save",
    "Save as draft",
    "Total",
    "Total:",
    "1",
    "10",
    "&",
    "\ue001",
    "Tot\u2026",
)
CORNERS = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 12), st.integers(0, 6))
TEXTS = st.sampled_from(NAMES)


def element(id_: str, role: str, box: Box, name: str = "", **more: object) -> Element:
    """Return an element that is whole, hit, and spelled in its box."""
    spelled = {"name": name, "text": name, "name_boxes": (box,), "text_boxes": (box,)}
    seen = {"visible_fraction": 1.0, "hits": (True,) * 5, "font_px": 14.0}
    parts: dict[str, Any] = {**seen, **(spelled if name else {}), **more}
    return Element(id_, role, box, **parts)


def screen(*elements: Element) -> Screen:
    """Return a screen of 1000 x 800 pixels."""
    return Screen("s", "p", "x", "", 1000, 800, 1.0, "web", "en", elements)


@st.composite
def screens(draw: st.DrawFn) -> Screen:
    """Draw up to eight elements in a tree, on a coarse grid, with few roles and names."""
    drawn: list[Element] = []
    for index in range(draw(st.integers(0, 8))):
        x, y, width, height = draw(CORNERS)
        box = Box.from_xywh(8 * x, 8 * y, 8 * width, 8 * height)
        parent = draw(st.sampled_from(["", *(item.id for item in drawn)]))
        drawn.append(
            element(
                f"e{index}",
                draw(st.sampled_from(ROLES)),
                box,
                draw(TEXTS),
                parent=parent,
                text=draw(TEXTS),
                visible_fraction=draw(st.sampled_from([0.0, 0.1, 0.6, 1.0])),
                attributes=draw(
                    st.sampled_from([{}, {"background": "rgb(1, 2, 3)"}, {"tag": "a"}])
                ),
            )
        )
    return screen(*drawn)


EXPRESSIONS = st.builds(
    Expression,
    role=st.sampled_from(["", *ROLES]),
    name=TEXTS,
    name_cut=st.booleans(),
    text=st.sampled_from(["", "", "Total"]),
)
RELATIONS = st.builds(
    Expression,
    role=st.sampled_from(["", *ROLES]),
    direction=st.sampled_from(DIRECTIONS),
    landmark=st.one_of(st.builds(Expression, text=TEXTS), EXPRESSIONS),
)


@given(screens(), st.one_of(EXPRESSIONS, RELATIONS))
def test_what_fits_strictly_fits_leniently(found: Screen, expression: Expression) -> None:
    """The strict reading is a subset of the lenient one for any screen and expression."""
    strict = {item.id for item in resolve(expression, found, "strict")}
    assert strict <= {item.id for item in resolve(expression, found, "lenient")}


@given(screens(), st.one_of(EXPRESSIONS, RELATIONS))
def test_a_proof_names_the_only_thing(found: Screen, expression: Expression) -> None:
    """Two different things of one screen are never both proven by one expression."""
    scene = Scene(found)
    proven = [i for i in range(len(found.elements)) if prove(scene, expression, i) is None]
    assert all(same_thing(scene, proven[0], place) for place in proven)


@given(screens(), st.one_of(EXPRESSIONS, RELATIONS), st.randoms(use_true_random=False))
def test_the_order_of_elements_does_not_matter(
    found: Screen, expression: Expression, shuffler: random.Random
) -> None:
    """Resolving depends on the tree and the boxes, not on the order of the list."""
    mixed = list(found.elements)
    shuffler.shuffle(mixed)
    for reading in ("strict", "lenient"):
        expected = {item.id for item in resolve(expression, found, reading)}
        assert {item.id for item in resolve(expression, screen(*mixed), reading)} == expected


def test_same_thing_has_no_direction() -> None:
    """A wrapper is its content, and the content its wrapper."""
    outer = element("o", "link", Box(0, 0, 100, 20), "Home")
    inner = element("i", "button", Box(1, 1, 99, 19), "Home", parent="o")
    scene = Scene(screen(outer, inner))
    assert same_thing(scene, 0, 1)
    assert same_thing(scene, 1, 0)


@pytest.mark.parametrize(
    ("inner", "words", "sibling", "expected"),
    [
        (Box(2, 2, 98, 38), "Home", False, True),
        (Box(20, 5, 80, 35), "Home", False, True),
        (Box(20, 5, 80, 35), "Home now", False, False),
        (Box(20, 5, 80, 35), "Home", True, False),
        (Box(2, 5, 40, 35), "Home", False, False),
    ],
)
def test_a_wrapper_is_the_same_thing_only_around_it_alone(
    inner: Box, words: str, sibling: bool, expected: bool
) -> None:
    """Boxes that agree, or a wrapper with nothing else in it whose centre is the content's."""
    outer = element("o", "menuitem", Box(0, 0, 100, 40), "Home")
    parts = [outer, element("i", "link", inner, words, parent="o")]
    if sibling:
        parts.append(element("s", "button", Box(82, 5, 98, 35), parent="o"))
    assert same_thing(Scene(screen(*parts)), 0, 1) is expected


def test_two_elements_side_by_side_in_one_box_are_two() -> None:
    """Equal boxes alone do not make strangers one thing."""
    box = Box(0, 0, 100, 20)
    scene = Scene(screen(element("a", "link", box, "Home"), element("b", "link", box, "Home")))
    assert not same_thing(scene, 0, 1)


LINE = Box(100, 300, 180, 320)
SAVE = Expression(role="button", name="Save")
ABOVE = Expression(role="button", direction="above", landmark=Expression(text="Total"))


def verdict(expression: Expression, *elements: Element) -> str:
    """Return why the first element is not proven, or "proven"."""
    rejection = prove(Scene(screen(*elements)), expression, 0)
    return "proven" if rejection is None else rejection.reason


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (element("o", "button", Box(300, 0, 340, 20), "Cancel"), "proven"),
        (element("o", "button", Box(300, 0, 340, 20), "Save"), "ambiguous-strict"),
        (element("o", "button", Box(300, 0, 340, 20), "SAVE\u2026"), "ambiguous-lenient"),
        (element("o", "button", Box(300, 0, 340, 20), "Save as"), "ambiguous-lenient"),
        (element("o", "link", Box(300, 0, 340, 20), "Save"), "ambiguous-lenient"),
        (element("o", "textbox", Box(300, 0, 340, 20), "Save"), "proven"),
        (element("o", "heading", Box(300, 0, 340, 20), "Save"), "proven"),
        (element("o", "button", Box(300, 0, 340, 20), "X", text="Save"), "ambiguous-lenient"),
        (element("o", "button", LINE, "Save", visible_fraction=0.1), "ambiguous-lenient"),
        (element("o", "button", LINE, "Save", visible_fraction=0.0), "proven"),
        (element("o", "text", LINE, "Save", attributes={"tag": "a"}), "ambiguous-lenient"),
    ],
)
def test_a_direct_expression_has_the_rivals_a_person_would_see(
    other: Element, expected: str
) -> None:
    """Another element is a rival exactly where the words could mean it."""
    assert verdict(SAVE, element("t", "button", Box(100, 0, 140, 20), "Save"), other) == expected


def test_bare_text_that_reads_the_same_could_be_the_link() -> None:
    """A text of no role is a rival of a link of the same words, not of a button."""
    text = element("o", "text", LINE, "Save")
    place = Box(100, 0, 140, 20)
    assert verdict(SAVE, element("t", "button", place, "Save"), text) == "proven"
    link = Expression(role="link", name="Save")
    assert verdict(link, element("t", "link", place, "Save"), text) == "ambiguous-lenient"


@pytest.mark.parametrize(
    ("box", "role", "expected"),
    [
        (Box(100, 234, 140, 254), "button", "ambiguous-lenient"),
        (Box(100, 234, 140, 254), "link", "ambiguous-lenient"),
        (Box(100, 234, 140, 254), "textbox", "proven"),
        (Box(100, 230, 140, 250), "button", "proven"),
        (Box(145, 255, 180, 275), "button", "ambiguous-strict"),
        (Box(185, 258, 215, 278), "button", "ambiguous-lenient"),
        (Box(300, 258, 330, 278), "button", "proven"),
        (Box(100, 100, 140, 120), "button", "proven"),
        (Box(100, 340, 140, 360), "button", "proven"),
        (Box(700, 200, 740, 220), "button", "proven"),
    ],
)
def test_a_relation_has_the_rivals_a_person_would_see(box: Box, role: str, expected: str) -> None:
    """Near rivals in, beside and across the direction count; far and opposite ones do not."""
    shade = {"background": "rgb(0, 0, 200)"}
    target = element("t", "button", Box(100, 255, 140, 275), "A", attributes=shade)
    rival = element("r", role, box, "B", attributes=shade)
    assert verdict(ABOVE, target, rival, element("l", "heading", LINE, "Total")) == expected


def test_a_button_that_looks_like_a_link_has_rivals_further_away() -> None:
    """Nearness helps no target whose looks belie its role's word."""
    target = element("t", "button", Box(100, 255, 140, 275), "A")
    rival = element("r", "button", Box(100, 180, 140, 200), "B", attributes={"background": "x"})
    landmark = element("l", "heading", LINE, "Total")
    assert verdict(ABOVE, target, rival, landmark) == "ambiguous-lenient"


def test_a_landmark_that_stands_twice_proves_nothing() -> None:
    """The landmark's words must be one thing, wherever the second one stands."""
    target = element("t", "button", Box(100, 255, 140, 275), "A")
    twice = element("m", "text", Box(700, 700, 780, 720), "total:")
    landmark = element("l", "heading", LINE, "Total")
    assert verdict(ABOVE, target, landmark, twice) == "landmark-ambiguous"


def test_a_row_around_its_first_cell_is_no_second_landmark() -> None:
    """A wrapper that begins with the landmark's words leaves it one thing."""
    target = element("t", "button", Box(100, 255, 140, 275), "A")
    row = element("w", "row", Box(90, 295, 500, 325), "Total 12 EUR")
    cell = element("c", "cell", LINE, "Total", parent="w")
    assert verdict(ABOVE, target, row, cell) == "proven"


def test_a_screen_without_elements_resolves_to_nothing() -> None:
    """An empty screen, and words that nothing bears, give nothing."""
    assert resolve(ABOVE, screen(), "lenient") == ()
    assert resolve(Expression(role="\ue000", name="\ue000"), screen(), "strict") == ()


def test_a_loop_of_parents_ends() -> None:
    """Elements that are each other's parents do not hang the resolver."""
    one = element("a", "button", Box(0, 0, 9, 9), "A", parent="b")
    other = element("b", "link", Box(0, 0, 9, 9), "A", parent="a")
    assert {item.id for item in resolve(SAVE, screen(one, other), "lenient")} == set()
    assert same_thing(Scene(screen(one, other)), 0, 1)
