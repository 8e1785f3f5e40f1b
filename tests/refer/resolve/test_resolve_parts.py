"""
The whole language at once: what must hold of every expression on every screen.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import (
    Colour,
    Content,
    Direction,
    Expression,
    Function,
    Order,
    Ordinal,
    Place,
    Region,
    Shape,
    State,
)
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.resolve import check, fits, prove
from surefoot.refer.scene.geometry import Reading
from surefoot.refer.scene.scene import Scene

WIDTH, HEIGHT = 200, 160
SHADES = ((255, 255, 255), (0, 0, 255), (255, 0, 0), (0, 128, 0), (0, 150, 136), (90, 90, 90))
ROLES = (
    "button", "button", "button", "link", "textbox", "checkbox", "text", "text", "heading",
    "region", "dialog",
)  # fmt: skip
NAMES = ("", "Save", "Save as", "Mail", "mail:", "Close", "Open", "Undo", "\u00d7")
OFFSETS = st.sampled_from([0, 0, 0, 8])
MIRRORABLE: tuple[Order, ...] = ("row", "column")
READINGS: tuple[Reading, ...] = get_args(Reading)
TURNED = {"left": "right", "right": "left", "left of": "right of", "right of": "left of"}
SPOKEN = st.sampled_from(NAMES)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Draw up to seven elements, most of them in cells of a grid, and a picture of them."""
    pixels = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    drawn: list[Element] = []
    cells = st.tuples(st.integers(0, 3), st.integers(0, 3))
    for index, (column, row) in enumerate(draw(st.lists(cells, min_size=1, max_size=7))):
        left, top = 48 * column + draw(OFFSETS), 40 * row + draw(OFFSETS)
        width, height = (
            draw(st.sampled_from([40, 40, 16, 72])),
            draw(st.sampled_from([16, 16, 24])),
        )
        box = Box.from_xywh(left, top, width, height)
        pixels[top : top + height, left : left + width] = draw(st.sampled_from(SHADES))
        drawn.append(draw(elements(f"e{index}", box, [element.id for element in drawn])))
    return scene(drawn, pixels)


@st.composite
def elements(draw: st.DrawFn, id_: str, box: Box, others: list[str]) -> Element:
    """Draw an element of few roles, names, states and attributes."""
    name, text = draw(SPOKEN), draw(SPOKEN)
    attributes = draw(st.sampled_from([{}, {"editable": "true"}, {"placeholder": "Mail"}]))
    within = draw(st.sampled_from(["", *others]))
    return Element(
        id_,
        draw(st.sampled_from(ROLES)),
        box,
        name=name,
        name_from=draw(st.sampled_from(["content", "label"])),
        text=text,
        text_boxes=(box,) if text else (),
        parent=draw(st.sampled_from(["", "", *others])),
        states=draw(st.sampled_from([(), ("checked",), ("mixed",), ("collapsed", "selected")])),
        visible_fraction=draw(st.sampled_from([1.0, 1.0, 1.0, 0.1])),
        hits=(True,) * 5,
        attributes={**attributes, **({"section": within} if within else {})},
    )


def scene(drawn: list[Element], pixels: Pixels) -> Scene:
    """Return the scene of elements and a picture."""
    height, width = pixels.shape[:2]
    shown = Screen("s", "p", "x", "", width, height, 1.0, "web", "en", tuple(drawn))
    return Scene(shown, pixels)


@st.composite
def cases(
    draw: st.DrawFn, orders: tuple[Order, ...] = get_args(Order)
) -> tuple[Scene, Expression]:
    """Draw a scene and an expression that one of its elements might be meant by."""
    shown = draw(scenes())
    target = draw(st.sampled_from(shown.elements))
    texts = st.sampled_from([element.text or "Mail" for element in shown.elements])
    own: dict[str, st.SearchStrategy[Any]] = {
        "name": st.just(target.name),
        "text": st.just(target.text),
        "label": st.sampled_from([target.name, "Mail"]),
        "colour": st.sampled_from(get_args(Colour)),
        "shape": st.sampled_from(get_args(Shape)),
        "content": st.sampled_from(get_args(Content)),
        "state": st.sampled_from([*target.states, *get_args(State)]).filter(
            get_args(State).__contains__
        ),
        "function": st.sampled_from(get_args(Function)),
        "container": draw_containers(shown),
        "region": st.builds(
            Region, st.sampled_from(get_args(Place)), st.sampled_from(["screen", "window"])
        ),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(own)), max_size=1))
    parts = {item: draw(own[item]) for item in chosen}
    role = draw(st.sampled_from(["", "control", target.role]))
    return shown, Expression(role=role, **parts, **draw(places(texts, orders)))


def draw_containers(shown: Scene) -> st.SearchStrategy[Expression]:
    """Draw containers by their roles, names and texts, as the scene has them."""
    names = [element.name or "Mail" for element in shown.elements]
    roles = st.sampled_from(["region", "section", "dialog"])
    named = st.builds(Expression, role=roles, name=st.sampled_from(names))
    return st.one_of(named, st.builds(Expression, role=roles, text=st.sampled_from(names)))


@st.composite
def places(
    draw: st.DrawFn, texts: st.SearchStrategy[str], orders: tuple[Order, ...]
) -> dict[str, Any]:
    """Draw a part that ranks or relates, or none."""
    marks = st.builds(Expression, text=texts)
    match draw(st.sampled_from(["", "direction", "nearest", "between", "size", "ordinal"])):
        case "direction":
            way = draw(st.sampled_from(get_args(Direction)))
            return {"direction": way, "landmark": draw(marks)}
        case "nearest":
            return {"relation": "nearest", "landmark": draw(marks)}
        case "between":
            return {"relation": "between", "landmark": draw(marks), "second": draw(marks)}
        case "size":
            return {"size": draw(st.sampled_from(["largest", "smallest"]))}
        case "ordinal":
            order = draw(st.sampled_from(orders))
            position = draw(st.sampled_from([1, 2, 3, -1, -2]))
            return {"ordinal": Ordinal(position, order, row=1 if order == "grid" else 0)}
    return {}


def found(shown: Scene, expression: Expression, reading: Reading) -> list[str]:
    """Return the ids that an expression fits."""
    mask = fits(shown, expression, reading)
    return [element.id for element, fit in zip(shown.elements, mask, strict=True) if fit]


def proven(shown: Scene, expression: Expression) -> list[int]:
    """Return the places that an expression is proven for."""
    return [
        place for place in range(len(shown.elements)) if prove(shown, expression, place) is None
    ]


@given(cases())
def test_strict_implies_lenient(case: tuple[Scene, Expression]) -> None:
    """Whatever an expression fits strictly it fits leniently."""
    shown, expression = case
    assert not (fits(shown, expression, "strict") & ~fits(shown, expression, "lenient")).any()


@given(cases())
def test_a_twin_of_the_target_makes_it_ambiguous(case: tuple[Scene, Expression]) -> None:
    """With a second element in all the same, nothing is proven for the first."""
    shown, expression = case
    for place in proven(shown, expression):
        twin = msgspec.structs.replace(shown.elements[place], id="twin")
        assert shown.pixels is not None
        more = scene([*shown.elements, twin], shown.pixels)
        assert prove(more, expression, place) is not None


@given(cases())
def test_alone_the_target_is_unique(case: tuple[Scene, Expression]) -> None:
    """What fits an element by itself is proven for it where it stands alone."""
    shown, expression = case
    leaning = ("landmark", "second", "direction", "container", "ordinal")
    alone = msgspec.structs.replace(
        expression, **dict.fromkeys(leaning), relation="", size="", label="", content=""
    )
    window = alone.region is not None and alone.region.of == "window"
    alone = msgspec.structs.replace(alone, region=None) if window else alone
    for place in np.flatnonzero(fits(shown, alone, "strict")):
        assert shown.pixels is not None
        single = scene([shown.elements[place]], shown.pixels)
        assert prove(single, alone, 0) is None


def mirrored(expression: Expression) -> Expression:
    """Say the same of the mirrored screen."""
    changed: dict[str, Any] = {}
    if expression.direction is not None:
        changed["direction"] = TURNED.get(expression.direction, expression.direction)
    if expression.region is not None:
        words = expression.region.place.split(" ")
        place: Any = " ".join(TURNED.get(word, word) for word in words)
        changed["region"] = Region(place, expression.region.of)
    if expression.ordinal is not None and expression.ordinal.order == "row":
        changed["ordinal"] = Ordinal(-expression.ordinal.position, "row")
    return msgspec.structs.replace(expression, **changed)


def moved(shown: Scene, turn: Any, pixels: Pixels) -> Scene:  # noqa: ANN401 - a function
    """Return the scene with every box turned, and with other pixels."""
    elements_ = [
        msgspec.structs.replace(
            element,
            box=turn(element.box),
            text_boxes=tuple(turn(line) for line in element.text_boxes),
        )
        for element in shown.elements
    ]
    return scene(elements_, pixels)


@given(cases(MIRRORABLE))
def test_a_mirror_swaps_left_and_right(case: tuple[Scene, Expression]) -> None:
    """The mirrored expression fits the same elements of the mirrored screen."""
    shown, expression = case
    assert shown.pixels is not None
    other = moved(
        shown,
        lambda box: Box(WIDTH - box.right, box.top, WIDTH - box.left, box.bottom),
        np.ascontiguousarray(shown.pixels[:, ::-1]),
    )
    for reading in READINGS:
        assert found(other, mirrored(expression), reading) == found(shown, expression, reading)


def framed(shown: Scene, across: int, along: int) -> Scene:
    """Return the scene with a white margin around it."""
    assert shown.pixels is not None
    larger = np.full((HEIGHT + 2 * along, WIDTH + 2 * across, 3), 255, np.uint8)
    larger[along : along + HEIGHT, across : across + WIDTH] = shown.pixels
    return moved(shown, lambda box: box.moved(across, along), larger)


@given(cases(), st.integers(3, 40), st.integers(3, 40))
def test_moving_the_screen_by_whole_pixels_changes_nothing(
    case: tuple[Scene, Expression], across: int, along: int
) -> None:
    """Wherever the interface stands in a picture the same fits, but for parts of the picture."""
    shown, expression = case
    said = msgspec.structs.replace(expression, region=None)
    sectioned = said.container is not None and said.container.role in ("region", "section")
    readings: tuple[Reading, ...] = ("strict",) if sectioned else READINGS
    one, other = framed(shown, 3, 3), framed(shown, across, along)
    for reading in readings:
        assert found(one, said, reading) == found(other, said, reading)


@given(cases(), st.sampled_from([2.0, 4.0]))
def test_scaling_the_screen_changes_nothing_but_looks(
    case: tuple[Scene, Expression], times: float
) -> None:
    """At another scale the same elements fit every part that needs no pixels."""
    shown, expression = case
    assert shown.pixels is not None
    plain = msgspec.structs.replace(expression, colour="", shape="", content="")
    larger = np.zeros((round(HEIGHT * times), round(WIDTH * times), 3), np.uint8)
    other = moved(shown, lambda box: box.scaled(times), larger)
    for reading in READINGS:
        assert found(other, plain, reading) == found(shown, plain, reading)


@given(cases())
def test_what_is_cached_is_what_is_computed(case: tuple[Scene, Expression]) -> None:
    """A scene that has answered other questions answers this one as a new one does."""
    shown, expression = case
    assert shown.pixels is not None
    new = scene(list(shown.elements), shown.pixels)
    for literal in ("lenient", "strict", "lenient"):
        fits(shown, expression, literal)
    proven(shown, expression)
    assert proven(shown, expression) == proven(new, expression)


TEXT = Expression(text="Mail")


@pytest.mark.parametrize(
    "expression",
    [
        Expression(size="largest", ordinal=Ordinal(1, "list")),
        Expression(direction="above", landmark=TEXT, size="largest"),
        Expression(relation="nearest", landmark=TEXT, ordinal=Ordinal(1, "row")),
        Expression(direction="above", relation="nearest", landmark=TEXT),
        Expression(relation="nearest"),
        Expression(relation="between", landmark=TEXT),
        Expression(relation="nearest", landmark=TEXT, second=TEXT),
        Expression(ordinal=Ordinal(0, "list")),
        Expression(ordinal=Ordinal(1, "grid")),
        Expression(ordinal=Ordinal(1, "list", row=2)),
        Expression(container=Expression(role="region")),
        Expression(container=Expression(name="Mail")),
        Expression(container=Expression(role="region", name="Mail", text="Mail")),
        Expression(container=Expression(role="region", name="Mail", state="checked")),
        Expression(direction="above", landmark=Expression(relation="nearest")),
    ],
)
def test_parts_that_cannot_stand_together_are_refused(expression: Expression) -> None:
    """Malformed expressions are an error, whether resolved or proven."""
    shown = scene([], np.zeros((9, 9, 3), np.uint8))
    for call in (lambda: check(expression), lambda: fits(shown, expression, "strict")):
        with pytest.raises(InvalidInputError):
            call()


def test_what_a_landmark_leans_on_is_proven_too() -> None:
    """A landmark that is found by another one falls with it."""
    seen: dict[str, Any] = {"visible_fraction": 1.0, "hits": (True,) * 5}

    def words(id_: str, left: float, top: float, text: str) -> Element:
        box = Box(left, top, left + 40, top + 10)
        return Element(id_, "text", box, name=text, text=text, text_boxes=(box,), **seen)

    button = Element("b", "button", Box(10, 60, 50, 70), **seen)
    shown = [words("m", 10, 20, "Mail"), words("n", 10, 40, "Now"), button]
    near = Expression(role="text", text="Now", direction="below", landmark=TEXT)
    said = Expression(role="button", direction="below", landmark=near)
    blank = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    assert prove(scene(shown, blank), said, 2) is None
    rejection = prove(scene([*shown, words("m2", 150, 140, "mail")], blank), said, 2)
    assert rejection is not None
    assert (rejection.reason, rejection.detail) == ("landmark-ambiguous", "Mail")
