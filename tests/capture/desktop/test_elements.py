"""
Trees of nodes become elements with parents, names, states and clips.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.capture.desktop.elements import Draft, drafts_of, tidy, toolkit_of
from surefoot.capture.desktop.tree import AtspiNode, Rectangle, TreeReading
from surefoot.capture.desktop.windows import Window
from surefoot.core.geometry import Box

MakeNode = Callable[..., AtspiNode]
BOUNDS = Box(0, 0, 400, 300)
MAIN = Window(1, BOUNDS)
POPUP = Window(2, Box(0, 40, 100, 120))


def drafts(*nodes: AtspiNode, windows: tuple[Window, ...] = (MAIN,)) -> dict[str, Draft]:
    """Return the drafts of a tree by role and name."""
    reading = TreeReading(("program",), nodes, whole=True)
    found = drafts_of(reading, windows, BOUNDS)
    return {f"{draft.element.role} {draft.element.name}".strip(): draft for draft in found}


def test_parents_skip_what_is_no_thing(node: MakeNode) -> None:
    """Fillers leave no element; their children hang on the next element above."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300), name="Notes"),
        node("filler", 0, (0, 20, 400, 200)),
        node("tool bar", 1, (0, 20, 400, 40)),
        node("push button", 2, (4, 22, 40, 30), name="Save"),
    )

    assert list(found) == ["window Notes", "toolbar", "button Save"]
    assert found["toolbar"].element.parent == found["window Notes"].element.id
    assert found["button Save"].element.parent == found["toolbar"].element.id
    assert found["button Save"].element.visible_fraction == 1


def test_children_of_the_hidden_are_hidden(node: MakeNode) -> None:
    """What claims to show inside something that does not is left out, and so is no size."""
    hidden = AtspiNode("panel", 0, 0, 0, states=("visible",), box=(0, 0, 100, 100))
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        hidden,
        node("push button", 1, (4, 22, 40, 30), name="Save"),
        node("push button", 0, (4, 22, 0, 30), name="Flat"),
        node("push button", 0, (-1, -1, -1, -1), name="Nowhere"),
    )

    assert list(found) == ["window"]


def test_menu_items_lie_in_the_popup(node: MakeNode) -> None:
    """An open menu's items belong to the window above, and cover what lies below it."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        node("menu bar", 0, (0, 20, 400, 20)),
        node("menu", 1, (0, 20, 40, 20), name="File"),
        node("menu item", 2, (0, 40, 100, 20), name="Open"),
        node("push button", 0, (0, 100, 200, 40), name="Below"),
        windows=(MAIN, POPUP),
    )

    assert found["menuitem File"].level == 0
    assert found["menuitem Open"].level == 1
    assert found["menuitem Open"].element.visible_fraction == 1
    assert not found["menuitem Open"].strays
    assert found["button Below"].element.visible_fraction == pytest.approx(0.75)


def test_scrolling_clips(node: MakeNode) -> None:
    """A scroll pane clips what it holds, and lets it reach out without being suspect."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        node("scroll pane", 0, (0, 0, 400, 100)),
        node("push button", 1, (0, 80, 40, 40), name="Half"),
        node("push button", 1, (0, 200, 40, 40), name="Gone"),
    )

    assert found["button Half"].element.visible_fraction == pytest.approx(0.5)
    assert found["button Gone"].element.visible_fraction == 0
    assert not found["button Half"].strays


def test_boxes_outside_their_parents_are_suspect(node: MakeNode) -> None:
    """A pane that does not lie where its panel lies makes all that it holds suspect."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        node("panel", 0, (0, 45, 400, 255)),
        node("root pane", 1, (0, 20, 400, 255)),
        node("push button", 2, (4, 22, 40, 30), name="Save"),
        node("push button", 1, (4, 50, 40, 30), name="Open"),
    )

    assert found["button Save"].strays
    assert not found["button Open"].strays


@pytest.mark.parametrize(
    "viewport", ["filler", "panel", "section", "scroll pane", "layered pane", "split pane"]
)
@pytest.mark.parametrize(
    ("content", "control", "seen"),
    [
        ((0, 0, 200, 900), (4, 60, 40, 30), 1.0),
        ((0, 0, 200, 900), (4, 110, 40, 20), 0.5),
        ((0, 0, 200, 900), (4, 200, 40, 30), 0.0),
        ((0, -80, 200, 900), (4, -20, 40, 20), 0.0),
        ((0, -80, 200, 900), (4, 10, 40, 20), 0.5),
        ((-300, 20, 700, 100), (20, 40, 40, 30), 1.0),
        ((-300, 20, 700, 100), (180, 40, 40, 30), 0.5),
        ((-300, 20, 700, 100), (-90, 40, 40, 30), 0.0),
        ((-50, -50, 500, 500), (90, 40, 40, 30), 1.0),
        ((-50, -50, 500, 500), (260, 200, 40, 30), 0.0),
    ],
)
def test_a_viewport_shows_a_part_of_what_is_longer(
    node: MakeNode, viewport: str, content: Rectangle, control: Rectangle, seen: float
) -> None:
    """Whatever a viewport's role is, it clips what is scrolled in it, and makes none suspect."""
    found = drafts(
        node("filler", -1, (0, 0, 400, 300)),
        node(viewport, 0, (0, 20, 200, 100)),
        node("filler", 1, content),
        node("push button", 2, control, name="Save"),
    )

    assert found["button Save"].element.visible_fraction == pytest.approx(seen)
    assert not found["button Save"].strays


def test_a_bar_without_a_place_shows_nothing(node: MakeNode) -> None:
    """The items of a menu bar that has no box are not to be seen, whatever they claim."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        node("menu bar", 0, (0, 0, 0, 0)),
        node("menu", 1, (0, 20, 40, 20), name="File"),
    )

    assert found["menuitem File"].element.visible_fraction == 0
    assert found["menuitem File"].strays


def test_a_list_without_a_place_shows_nothing(node: MakeNode) -> None:
    """The items of a closed combo box, whose list has no box, are not to be seen."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        node("combo box", 0, (20, 100, 80, 20), name="Colour"),
        node("list", 1, (0, 0, 0, 0)),
        node("list item", 2, (0, 25, 80, 25), "selectable", name="Green"),
    )

    assert found["option Green"].element.visible_fraction == 0


def test_pages_hang_beside_their_tabs(node: MakeNode) -> None:
    """What a tab shows is no part of the tab, lies where it likes, and keeps its labels."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        node("page tab list", 0, (0, 20, 400, 280)),
        node("page tab", 1, (0, 20, 60, 20), name="General"),
        node("filler", 2, (0, 40, 400, 260)),
        node("label", 3, (10, 50, 60, 17), name="Colour", text="Colour"),
    )

    label = found["text Colour"]
    assert label.element.parent == found["tablist"].element.id
    assert not label.strays


@pytest.mark.parametrize(
    ("given", "name", "source"),
    [
        ({"labels": ("Size:",), "name": "spin"}, "Size:", "label"),
        ({"name": "Zoom"}, "Zoom", "aria-label"),
        ({"description": "How large"}, "How large", "title"),
        ({}, "", ""),
    ],
)
def test_names_of_fields(node: MakeNode, given: dict[str, str], name: str, source: str) -> None:
    """A field is called by its label, else by its name, else by its tooltip."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        node("spin button", 0, (0, 50, 80, 20), **given),
    )

    element = found[f"spinbutton {name}".strip()].element
    assert (element.name, element.name_from) == (name, source)


@pytest.mark.parametrize(
    ("role", "given", "name"),
    [
        ("push button", {"name": "add"}, "add"),
        ("push button", {"name": "Task"}, ""),  # Qt's name for what has none
        ("push button", {"name": "Task", "description": "Move up"}, "Move up"),
        ("push button", {}, ""),
        ("check box", {"name": "Dry run"}, "Dry run"),
        ("radio button", {"name": "Always"}, "Always"),
        ("text", {"name": "Folder"}, "Folder"),
        ("text", {"name": "Task"}, ""),
        ("combo box", {"name": "Daily"}, "Daily"),
        ("spin button", {"name": "Task", "description": "Hours"}, "Hours"),
        ("slider", {"name": "Task"}, ""),
    ],
)
@pytest.mark.parametrize("depth", [0, 1])
def test_captions_of_groups_are_no_labels(
    node: MakeNode, role: str, given: dict[str, str], name: str, depth: int
) -> None:
    """What lies in a group box is called by its own name, never by the box's title."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        node("panel", 0, (0, 20, 200, 200), name="Task"),
        node("filler", 1, (0, 30, 200, 150)),
        node(role, 1 + depth, (0, 50, 80, 20), "focusable", labels=("Task",), **given),
    )

    assert [item.element.name for item in found.values()][2:] == [name]


@pytest.mark.parametrize("role", ["text", "combo box", "spin button", "check box", "slider"])
def test_labels_beside_a_group_of_another_name_stay(node: MakeNode, role: str) -> None:
    """A label that is no caption of a group around names its field."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300), name="Folder"),
        node("panel", 0, (0, 20, 200, 200), name="Task"),
        node(role, 1, (0, 50, 80, 20), "focusable", labels=("Folder",), name="Task"),
    )

    assert [item.element.name for item in found.values()][2:] == ["Folder"]


def test_tooltip_of_the_tool_item_names_its_button(node: MakeNode) -> None:
    """An unnamed button takes the tooltip of the item that is as large as itself."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        node("panel", 0, (4, 48, 37, 35), description="Go up"),
        node("toggle button", 1, (4, 48, 37, 35), "checked"),
    )

    assert found["button Go up"].element.states == ("pressed",)


def test_texts_inside_controls_are_parts(node: MakeNode) -> None:
    """A label in a button is no element; one beside it is, and a blank one is not."""
    found = drafts(
        node("frame", -1, (0, 0, 400, 300)),
        node("push button", 0, (0, 50, 80, 20), name="Save"),
        node("label", 1, (4, 52, 40, 17), name="Save", text="Save"),
        node("label", 0, (100, 52, 40, 17), name="Ready", text="Ready"),
        node("label", 0, (200, 52, 40, 17), name=" ", text=" "),
    )

    assert list(found) == ["window", "button Save", "text Ready"]


@pytest.mark.parametrize(
    ("said", "programs", "toolkit"),
    [
        ("gtk 3.24.38", ("a",), "GTK3"),
        ("GAIL 2.24.33", ("a",), "GTK2"),
        ("Qt 5.15.8", ("a",), "Qt5"),
        ("gtk 3.24.38", ("soffice",), "VCL"),
        ("", ("a",), ""),
    ],
)
def test_toolkits_are_told(said: str, programs: tuple[str, ...], toolkit: str) -> None:
    """The toolkit's name and major version are one word; LibreOffice's is its own."""
    window = AtspiNode("frame", -1, 0, 0, states=("showing", "visible"), toolkit=said)

    assert toolkit_of(TreeReading(programs, (window,), whole=True)) == toolkit


def test_markup_is_no_text() -> None:
    """Rich text loses its tags, and a lone sign keeps its meaning."""
    assert tidy("<p>Count <b>words</b></p>") == "Count words"
    assert tidy("a < b") == "a < b"
