"""
Generating every way to say a target: proven, readable, distinct, nothing to spare.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Ordinal, Region, shows_look
from surefoot.core.screen import Element, Screen
from surefoot.refer.generate.describe import cost_of, described
from surefoot.refer.generate.expressions import expressions, parts_of
from surefoot.refer.generate.generate import targets
from surefoot.refer.generate.hold import holds
from surefoot.refer.read.read_back import read_back
from surefoot.refer.say.kinds import kind_of, specificity_of
from surefoot.refer.say.realise import realise
from surefoot.refer.scene.scene import Scene


def element(id_: str, role: str, box: Box, name: str = "", **more: object) -> Element:
    """Return an element that is whole, hit, and spelled in its box."""
    line = (Box(box.left, box.top, box.left + 60, box.top + 20),)
    spelled = {"name": name, "text": name, "name_boxes": line, "text_boxes": line}
    seen = {"visible_fraction": 1.0, "hits": (True,) * 5, "font_px": 14.0}
    parts: dict[str, Any] = {**seen, **(spelled if name else {}), **more}
    return Element(id_, role, box, **parts)


def holder(id_: str, role: str, box: Box, name: str = "", parent: str = "") -> Element:
    """Return what holds others, its name spelled at its top."""
    whole = element(id_, role, box, name, hits=(), parent=parent)
    return msgspec.structs.replace(whole, text="", text_boxes=())


def screen(*elements: Element) -> Screen:
    """Return a screen of 800 x 600 pixels."""
    return Screen("s", "p", "x", "", 800, 600, 1.0, "web", "en", elements)


def table() -> Screen:
    """Return a table of three people, with two buttons each, and a toolbar above it."""
    found = [
        holder("bar", "toolbar", Box(0, 0, 800, 60), "Standard"),
        *(
            element(f"tool{at}", "button", Box(10 + 60 * at, 25, 60 + 60 * at, 45), parent="bar")
            for at in range(4)
        ),
        holder("table", "table", Box(0, 100, 800, 400), "People"),
    ]
    for row, person in enumerate(("Ada", "Grace", "Alan")):
        top = 140 + 80 * row
        where = {"parent": f"row{row}"}
        seen: dict[str, Any] = {**where, "attributes": {"background": "#ddd"}}
        found += [
            holder(f"row{row}", "row", Box(0, top, 800, top + 40), parent="table"),
            element(f"name{row}", "cell", Box(100, top, 170, top + 20), person, **where),
            element(f"edit{row}", "button", Box(180, top, 240, top + 20), "Edit", **seen),
            element(f"drop{row}", "button", Box(300, top, 380, top + 20), "Delete", **seen),
        ]
    return screen(*found)


def words(shown: Screen, target: str, *, hidden_names: bool = False) -> list[str]:
    """Return what can be said of a target."""
    found = expressions(shown, target, hidden_names=hidden_names)
    return [realise(description.expression) for description in found]


def test_every_route_is_taken() -> None:
    """By its row, its name with a count, its position alone: what people would say."""
    said = words(table(), "edit1")
    for expected in (
        "Click the 'Edit' button in the row with 'Grace'",
        "Click the second 'Edit' button from the top",
        "Click the 'Edit' button directly to the right of 'Grace'",
        "Click the button nearest to 'Grace'",
        "Click the control directly to the right of 'Grace'",
    ):
        assert expected in said
    assert "Click the 'Edit' button" not in said


def test_a_nameless_icon_is_found_by_its_place() -> None:
    """Without a name or a look, a toolbar's third button is counted."""
    said = words(table(), "tool2")
    assert "Click the third button from the left in the 'Standard' toolbar" in said
    assert not [item for item in said if "''" in item]


@pytest.mark.parametrize("target", ["edit0", "drop2", "tool0", "tool3"])
def test_each_is_proven_readable_and_different(target: str) -> None:
    """Every expression holds by itself, is read back, and says what no other says."""
    shown = table()
    found = expressions(shown, target)
    assert len(found) >= 3
    assert len({realise(description.expression) for description in found}) == len(found)
    for description in found:
        assert holds(description.expression, target, shown) is None
        assert read_back(realise(description.expression)).expression == description.expression
        assert description == described(description.expression)


def test_no_part_is_idle_but_for_some_of_a_kind() -> None:
    """Where fewer parts are enough, few of a kind say more: three without a look, twelve with."""
    found = expressions(table(), "edit1", most=1000)
    idle = [
        description
        for description in found
        for other in found
        if parts_of(other.expression) < parts_of(description.expression)
        and other.specificity == description.specificity
    ]
    said = {description.expression: description for description in idle}.values()
    spare = Counter((shows_look(one.expression), one.kind, one.specificity) for one in said)
    assert all(count <= (12 if look else 3) for (look, *_), count in spare.items())
    assert (False, "combined") in {(look, kind) for look, kind, _ in spare}


def test_cheap_comes_first_and_kinds_take_turns() -> None:
    """Sorted by cost; a short list still has many kinds."""
    found = expressions(table(), "edit1")
    assert [description.cost for description in found] == sorted(item.cost for item in found)
    few = expressions(table(), "edit1", most=5)
    assert len(few) == 5
    kinds = {description.kind for description in found}
    assert 2 < len(kinds) <= 5
    assert {description.kind for description in few} == kinds
    assert set(few) <= set(expressions(table(), "edit1", most=1000))


def test_the_seed_decides_and_nothing_else_does() -> None:
    """The same seed gives the same expressions, fresh scene or not."""
    scene = Scene(table())
    expressions(scene, "drop0", seed=9)
    assert expressions(scene, "edit1", seed=3) == expressions(table(), "edit1", seed=3)


def test_what_cannot_be_asked_for_has_no_expressions() -> None:
    """Absent, disabled, and what is no control."""
    shown = table()
    off = msgspec.structs.replace(shown.elements[1], states=("disabled",))
    assert expressions(shown, "nobody") == ()
    assert expressions(shown, "row0") == ()
    assert expressions(screen(off), off.id) == ()


def test_names_that_cannot_be_read_are_not_quoted() -> None:
    """A hidden name is used only where it is asked for; a hidden container never."""
    hidden = [msgspec.structs.replace(item, name_boxes=()) for item in table().elements]
    assert not [word for word in words(screen(*hidden), "edit0") if "'" in word]
    said = words(screen(*hidden), "edit0", hidden_names=True)
    assert any("'Edit'" in item for item in said)
    assert not any("'Standard'" in item or "'Ada'" in item for item in said)


def test_looks_come_from_the_pixels() -> None:
    """A red button among black ones is called red, and alone so."""
    buttons = [
        element(f"b{at}", "button", Box(20 + 100 * at, 40, 60 + 100 * at, 80)) for at in range(3)
    ]
    pixels = np.full((600, 800, 3), 255, np.uint8)
    for button, colour in zip(buttons, ((0, 0, 0), (229, 0, 0), (0, 0, 0)), strict=True):
        left, top, right, bottom = (round(side) for side in button.box.as_tuple())
        pixels[top:bottom, left:right] = colour
    found = expressions(screen(*buttons), "b1", pixels)
    said = [realise(description.expression) for description in found]
    assert "Click the red button" in said
    assert "Click the red icon" in said
    assert "Click the second icon from the left" in said
    assert {description.specificity for description in found} == {"medium"}


def test_counts_are_said_as_people_count() -> None:
    """From the start or the last one, three things at least; nobody counts up from the end."""
    bar = screen(
        *(element(f"b{at}", "button", Box(20 + 60 * at, 40, 60 + 60 * at, 60)) for at in range(9))
    )
    said = {at: [word for word in words(bar, f"b{at}") if "button" in word] for at in range(9)}
    assert "Click the first button from the left" in said[0]
    assert "Click the last button" in said[8]
    assert said[7] == []
    assert not [word for word in words(screen(*bar.elements[:2]), "b0") if "first" in word]


@pytest.mark.parametrize(
    ("role", "name", "odd"),
    [
        ("searchbox", "Search:", "where you enter"),
        ("textbox", "Name:", "where you enter"),
        ("link", "Sign out", "that goes to"),
    ],
)
def test_what_a_name_does_not_name_is_not_acted_on(role: str, name: str, odd: str) -> None:
    """A prompt or an order is quoted as a name, but nobody enters it or goes to it."""
    shown = screen(
        element("it", role, Box(20, 40, 220, 70), name, attributes={"editable": "true"})
    )
    said = words(shown, "it")
    assert said
    assert not [item for item in said if odd in item]


def test_states_functions_and_labels_are_said() -> None:
    """A checked box is told from an unchecked one, and a field is known by its label."""
    shown = screen(
        element("news", "checkbox", Box(20, 40, 36, 56), "News", states=("checked",)),
        element("mail", "checkbox", Box(20, 240, 36, 256), "Offers"),
        element("city", "textbox", Box(400, 40, 600, 70), "City", name_from="label",
                text="", text_boxes=(), name_boxes=(Box(400, 10, 440, 30),),
                attributes={"editable": "true"}),
    )  # fmt: skip
    assert "Click the unchecked checkbox" in words(shown, "mail")
    assert "Click the checked checkbox" in words(shown, "news")
    assert "Click the checkbox that turns 'News' off" in words(shown, "news")
    assert "Click the checkbox that turns 'Offers' on" in words(shown, "mail")
    expected = {"Click the field labelled 'City'", "Click the field where you enter 'City'"}
    assert expected <= set(words(shown, "city"))
    assert "Click the empty field" not in words(shown, "city")


def form(role: str, beside: Box) -> Screen:
    """Return a tick box above a label, something of a role beside that, and a button."""
    return screen(
        element("tick", "checkbox", Box(100, 100, 300, 120), "Strict"),
        element("label", "text", Box(100, 124, 160, 144), "Encoding:"),
        element("right", role, beside),
        element("ok", "button", Box(100, 400, 160, 420), "OK"),
    )


IN_LINE = Box(230, 122, 400, 146)


@pytest.mark.parametrize(
    ("role", "box", "nearer"),
    [
        *((role, IN_LINE, False) for role in (
            "combobox", "textbox", "searchbox", "spinbutton", "slider", "listbox", "switch",
            "checkbox", "radio",
        )),
        ("textbox", Box(230, 130, 400, 160), False),  # its middle lies lower
        ("button", IN_LINE, True),
        ("link", IN_LINE, True),
        ("textbox", Box(500, 122, 600, 146), True),  # too far to belong to the label
        ("textbox", Box(230, 150, 400, 174), True),  # in another line
        ("textbox", Box(10, 122, 90, 146), True),  # before the label
    ],
)  # fmt: skip
def test_a_label_is_nearest_to_the_field_in_its_line(role: str, box: Box, nearer: bool) -> None:
    """What lies above a label is not said to be nearest where a field follows in its line."""
    said = words(form(role, box), "tick")

    assert any("nearest to 'Encoding:'" in item for item in said) == nearer


def test_words_between_a_label_and_a_field_part_them() -> None:
    """A text between them is what the field follows."""
    shown = form("textbox", Box(260, 122, 400, 146))
    parted = screen(*shown.elements, element("unit", "text", Box(190, 124, 250, 144), "(MB)"))

    assert any("nearest to 'Encoding:'" in item for item in words(parted, "tick"))


@pytest.mark.parametrize("role", ["grid", "list", "listbox", "log", "table", "tree", "treegrid"])
@pytest.mark.parametrize("filled", [False, True])
def test_blank_frames_look_like_empty_fields(role: str, filled: bool) -> None:
    """Beside a list with nothing in it nobody speaks of "the empty field"."""
    shown = screen(
        element("name", "textbox", Box(100, 100, 300, 120)),
        element("city", "textbox", Box(100, 140, 300, 160), "Paris"),
        holder("frame", role, Box(100, 200, 500, 400)),
        *(
            [element("row", "text", Box(100, 210, 160, 230), "Milk", parent="frame")]
            if filled
            else []
        ),
    )

    assert ("Click the empty field" in words(shown, "name")) == filled


SPOTS = st.tuples(st.integers(0, 9), st.integers(0, 7), st.integers(0, 3), st.integers(0, 4))


@given(st.lists(SPOTS, min_size=1, max_size=14, unique_by=lambda spot: spot[:2]))
def test_on_any_screen_what_is_generated_holds(spots: list[tuple[int, int, int, int]]) -> None:
    """On scattered controls and texts, each expression holds, and costs what it says."""
    names = ("Save", "Open", "", "Total", "Name")
    roles = ("button", "link", "text", "checkbox")
    shown = screen(
        holder("all", "group", Box(0, 0, 800, 600), "Everything"),
        *(
            element(f"e{at}", roles[role], Box(x * 80, y * 70 + 20, x * 80 + 60, y * 70 + 44),
                    names[name], parent="all")
            for at, (x, y, role, name) in enumerate(spots)
        ),
    )  # fmt: skip
    for target in targets(shown)[:3]:
        for expression in expressions(shown, target.id, most=12):
            assert holds(expression.expression, target.id, shown) is None
            assert expression.kind == kind_of(expression.expression)
            assert expression.specificity == specificity_of(expression.expression)


def test_costs_rise_with_every_part_and_every_step_of_a_count() -> None:
    """Saying more costs more, and so does counting further or along rows."""
    button = Expression(role="button")
    row = Ordinal(2, "row")
    assert cost_of(Expression(role="control")) < cost_of(button)
    for more in (
        {"name": "x"}, {"colour": "red"}, {"region": Region("top")}, {"ordinal": row},
        {"container": Expression(role="row", text="x")}, {"size": "largest"},
        {"direction": "above", "landmark": Expression(text="x")}, {"state": "empty"},
    ):  # fmt: skip
        parts: dict[str, Any] = more
        assert cost_of(msgspec.structs.replace(button, **parts)) > cost_of(button)
    counted = [
        cost_of(Expression(role="button", ordinal=ordinal))
        for ordinal in (Ordinal(1, "row"), row, Ordinal(-3, "row"), Ordinal(1, "grid", 3))
    ]
    assert counted == sorted(set(counted))


def test_what_another_comes_before_is_not_directly_there() -> None:
    """The last of three buttons under a title is below it by its name, but not directly."""
    stacked = screen(
        element("title", "heading", Box(100, 100, 160, 120), "Tools"),
        *(
            element(f"b{at}", "button", Box(100, 130 + 30 * at, 160, 150 + 30 * at), name)
            for at, name in enumerate(("Cut", "Copy", "Paste"))
        ),
    )
    said = {expression.expression.landmark for expression in expressions(stacked, "b0")}
    later = {
        expression.expression
        for expression in expressions(stacked, "b2")
        if expression.expression.direction or expression.expression.relation == "nearest"
    }

    assert Expression(text="Tools") in said
    assert later
    assert all(item.landmark != Expression(text="Tools") for item in later)
