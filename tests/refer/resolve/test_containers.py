"""
Containers: by name, by a text in them, and sections of headings.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.containers import ContainerPlace, holders, is_one_container, members
from surefoot.refer.resolve.resolve import prove, resolve
from surefoot.refer.scene.scene import Scene


def element(id_: str, role: str, box: Box, name: str = "", **more: object) -> Element:
    """Return an element that is whole and hit; what is no control shows its name."""
    spelled = {"text": name, "text_boxes": (box,)} if role in ("text", "heading") else {}
    seen = {"name": name, "visible_fraction": 1.0, "hits": (True,) * 5}
    parts: dict[str, Any] = {**seen, **spelled, **more}
    return Element(id_, role, box, **parts)


def holder(id_: str, role: str, box: Box, name: str = "", **more: object) -> Element:
    """Return a container, which no click is asked of."""
    return element(id_, role, box, name, hits=(), **more)


def scene(*elements: Element) -> Scene:
    """Return a scene of 900 x 600 pixels."""
    return Scene(Screen("s", "p", "x", "", 900, 600, 1.0, "web", "en", elements))


def buttons(parent: str, top: float, *ids: str) -> list[Element]:
    """Return a row of buttons in a container."""
    return [
        element(id_, "button", Box(20 + 60 * place, top, 60 + 60 * place, top + 20), parent=parent)
        for place, id_ in enumerate(ids)
    ]


def inside(shown: Scene, container: Expression) -> tuple[set[str], set[str]]:
    """Return the ids of the buttons in a container strictly, and leniently."""
    said = Expression(role="button", container=container)
    strict, lenient = (
        {item.id for item in resolve(said, shown, reading)} for reading in ("strict", "lenient")
    )
    return strict, lenient


DISK = holder("d", "region", Box(0, 0, 300, 100), "Disk")
MAIL = holder("m", "region", Box(0, 200, 300, 300), "Mail")
PARTS = (DISK, *buttons("d", 40, "d1", "d2"), MAIL, *buttons("m", 240, "m1", "m2"))


def test_a_container_holds_its_descendants() -> None:
    """By role and name; leniently by any role of its family and an alike name."""
    shown = scene(*PARTS)
    both = ({"d1", "d2"}, {"d1", "d2"})
    assert inside(shown, Expression(role="region", name="Disk")) == both
    assert inside(shown, Expression(role="group", name="disk:")) == (set(), {"d1", "d2"})
    assert inside(shown, Expression(role="table", name="Disk")) == (set(), set())
    assert inside(shown, Expression(role="region", name="Net")) == (set(), set())


def test_a_container_leniently_holds_what_lies_in_its_box() -> None:
    """A stranger whose centre lies in the box might be meant as well."""
    stranger = element("s", "button", Box(200, 40, 240, 60))
    found = inside(scene(*PARTS, stranger), Expression(role="region", name="Disk"))
    assert found == ({"d1", "d2"}, {"d1", "d2", "s"})


@pytest.mark.parametrize(
    ("role", "hits", "held", "expected"),
    [
        ("region", (), 2, True),
        ("region", (), 1, False),
        ("dialog", (True,) * 5, 2, True),
        ("listbox", (True,) * 5, 2, True),
        ("button", (True,) * 5, 2, False),
    ],
)
def test_what_can_be_a_container(
    role: str, hits: tuple[bool, ...], held: int, expected: bool
) -> None:
    """It holds two elements at least, and is no control but a listbox."""
    outer = element("d", role, Box(0, 0, 300, 100), "Disk", hits=hits)
    shown = scene(outer, *buttons("d", 40, "d1", "d2")[:held])
    found = holders(shown, Expression(role=role, name="Disk"), "strict")
    assert found == ((ContainerPlace(0),) if expected else ())


def row(id_: str, top: float, text: str) -> list[Element]:
    """Return a table row of a text and a button."""
    box = Box(0, top, 300, top + 20)
    return [
        holder(id_, "row", box, parent="t"),
        element(f"{id_}-text", "text", Box(0, top, 90, top + 20), text, parent=id_),
        element(f"{id_}-edit", "button", Box(200, top, 240, top + 20), "Edit", parent=id_),
    ]


TABLE = holder("t", "table", Box(0, 0, 300, 90))


def test_a_row_is_known_by_a_text_in_it() -> None:
    """The button in the row of a text is that one; an alike text makes it ambiguous."""
    edit = Expression(role="button", container=Expression(role="row", text="Ann"))
    shown = scene(TABLE, *row("a", 0, "Ann"), *row("b", 30, "Bob"))
    assert prove(shown, edit, shown.place["a-edit"]) is None
    shown = scene(TABLE, *row("a", 0, "Ann"), *row("b", 30, "Ann Lee"))
    found = prove(shown, edit, shown.place["a-edit"])
    assert found is not None
    assert (found.reason, found.detail) == ("container-ambiguous", "Ann")


def test_the_smallest_container_shows_the_text() -> None:
    """Of nested groups with a text in them, the inner one is meant strictly."""
    outer = holder("o", "group", Box(0, 0, 400, 200))
    inner = holder("i", "group", Box(0, 0, 300, 100), parent="o")
    text = element("x", "text", Box(0, 0, 90, 20), "Ann", parent="i")
    shown = scene(outer, inner, text, *buttons("i", 40, "i1"), *buttons("o", 140, "o1"))
    found = inside(shown, Expression(role="group", text="Ann"))
    assert found == ({"i1"}, {"i1", "o1"})


def section(heading: str) -> dict[str, Any]:
    """Return what capture records of an element in a heading's section."""
    return {"attributes": {"section": heading}}


HEADED = (
    element("h", "heading", Box(0, 0, 200, 30), "Account"),
    element("b1", "button", Box(0, 40, 50, 60), **section("h")),
    element("k", "heading", Box(0, 70, 200, 90), "Photo", **section("h")),
    element("b2", "button", Box(0, 100, 50, 120), **section("k")),
    element("j", "heading", Box(0, 200, 200, 230), "Plan"),
    element("b3", "button", Box(0, 240, 50, 260), **section("j")),
    element("b4", "button", Box(300, 240, 350, 260), **section("j")),
    element("b5", "button", Box(300, 40, 350, 60)),
)


def test_a_section_is_what_its_heading_names() -> None:
    """Members of inner sections count; leniently what stands under the heading does too."""
    shown = scene(*HEADED)
    account = inside(shown, Expression(role="section", name="Account"))
    assert account == ({"b1", "b2"}, {"b1", "b2", "b5"})
    assert inside(shown, Expression(role="section", name="Plan")) == ({"b3", "b4"}, {"b3", "b4"})
    assert inside(shown, Expression(role="region", name="Plan")) == (set(), {"b3", "b4"})


def test_a_column_bounds_what_stands_under_a_heading() -> None:
    """The heading's parent is its column."""
    column = holder("c", "main", Box(0, 0, 250, 600))
    first = msgspec.structs.replace(HEADED[0], parent="c")
    inner = (first, *HEADED[1:])
    shown = scene(column, *inner)
    assert inside(shown, Expression(role="section", name="Account"))[1] == {"b1", "b2"}


def test_where_capture_tells_no_sections_the_box_around_counts() -> None:
    """A container with one heading in it is that heading's section, with two it is none's."""
    heading = element("h", "heading", Box(0, 0, 90, 20), "Disk", parent="d")
    shown = scene(holder("d", "group", DISK.box), heading, *buttons("d", 40, "d1", "d2"))
    assert inside(shown, Expression(role="section", name="Disk"))[0] == {"d1", "d2"}
    second = element("k", "heading", Box(0, 60, 90, 80), "More", parent="d")
    shown = scene(holder("d", "group", DISK.box), heading, *buttons("d", 40, "d1", "d2"), second)
    assert inside(shown, Expression(role="section", name="Disk"))[0] == set()


def test_a_region_and_the_heading_that_names_it_are_one() -> None:
    """Where both hold the same controls, "section" and "region" mean one thing."""
    region = holder("d", "region", DISK.box, "Disk")
    heading = element("h", "heading", Box(0, 0, 90, 20), "Disk", parent="d")
    held = [
        element(button.id, "button", button.box, parent="d", **section("h"))
        for button in buttons("d", 40, "d1", "d2")
    ]
    shown = scene(region, heading, *held)
    assert is_one_container(shown, Expression(role="section", name="Disk"))
    more = element("d3", "button", Box(200, 40, 240, 60), parent="d")
    assert not is_one_container(
        scene(region, heading, *held, more), Expression(role="region", name="Disk")
    )


def test_two_containers_of_one_name_prove_nothing() -> None:
    """A container's words must mean one thing, though the target be one."""
    twin = holder("m", "region", MAIL.box, "Disk")
    shown = scene(
        DISK,
        *buttons("d", 40, "d1", "d2"),
        twin,
        element("x", "link", MAIL.box, parent="m"),
        element("y", "link", MAIL.box, parent="m"),
    )
    said = Expression(role="button", container=Expression(role="region", name="Disk"))
    found = prove(shown, said, shown.place["d1"])
    assert found is not None
    assert found.reason == "container-ambiguous"


def test_a_loop_of_sections_ends() -> None:
    """Headings that name each other's sections do not hang the resolver."""
    one = element("h", "heading", Box(0, 0, 90, 20), "A", **section("k"))
    other = element("k", "heading", Box(0, 30, 90, 50), "B", **section("h"))
    shown = scene(one, other)
    assert members(shown, ContainerPlace(0, section=True), "strict").tolist() == [False, True]
