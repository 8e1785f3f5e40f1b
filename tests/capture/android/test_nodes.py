"""
What a view is follows from its class, what it can do, and what it holds.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from surefoot.capture.android.nodes import HOLDING, SELF_ACTING, class_role, nodes_of
from surefoot.capture.android.views import AndroidView
from surefoot.capture.described.assembly import DescribedNode
from surefoot.capture.described.roles import ARIA_ROLES
from surefoot.core.geometry import Box
from surefoot.core.screen import INTERACTIVE_ROLES

SCREEN: Final = Box(0, 0, 400, 800)
SMALL: Final = Box(10, 10, 90, 60)
CLASSES = (
    "android.widget.{}", "androidx.appcompat.widget.{}", "com.google.android.material.x.{}",
    "android.support.v7.widget.Outer${}",
)  # fmt: skip


def view(class_name: str, parent: int = -1, **told: Any) -> AndroidView:  # noqa: ANN401 - fields
    """Return a view of a framework class."""
    return AndroidView((0,), parent, SMALL, class_name=class_name, **told)


def read(*views: AndroidView, large: bool = False) -> list[DescribedNode]:
    """Return the nodes of views in small boxes, the first as large as the screen if told."""
    boxes = [SCREEN if large and not at else SMALL for at in range(len(views))]
    return nodes_of(views, boxes, SCREEN)


@pytest.mark.parametrize(
    ("told", "role"),
    [
        ({"class_name": "android.widget.Button", "clickable": True}, "button"),
        ({"class_name": "android.widget.Button", "text": "Off"}, "text"),
        ({"class_name": "android.widget.Button"}, ""),
        ({"class_name": "android.widget.ImageView"}, "img"),
        ({"class_name": "android.widget.ImageView", "clickable": True}, "button"),
        ({"class_name": "android.widget.TextView", "text": "Hi"}, "text"),
        ({"class_name": "android.widget.TextView"}, ""),
        ({"class_name": "android.widget.TextView", "text": "Hi", "clickable": True}, "button"),
        ({"class_name": "android.widget.EditText"}, "textbox"),
        ({"class_name": "android.widget.Spinner"}, "combobox"),
        ({"class_name": "android.view.View", "long_clickable": True}, "button"),
        ({"class_name": "android.view.View", "clickable": True, "checkable": True}, "checkbox"),
        ({"class_name": "android.view.View", "description": "Logo"}, "img"),
        ({"class_name": "android.view.View"}, ""),
        ({"class_name": "android.widget.ListView", "clickable": True}, "list"),
    ],
)
def test_roles_of_single_views(told: dict[str, Any], role: str) -> None:
    """Class and abilities together give the role; what cannot be touched is no control."""
    assert [node.role for node in read(view(**told))] == [role]


def test_a_touchable_view_is_named_by_what_is_in_it() -> None:
    """Words and descriptions are joined in order; those of a control inside are its own."""
    row, *inner = read(
        view("android.view.ViewGroup", clickable=True),
        view("android.widget.TextView", 0, text="Anna"),
        view("android.widget.ImageView", 0, description="Online"),
        view("android.widget.ImageButton", 0, description="Call", clickable=True),
    )

    assert (row.role, row.name, row.name_from) == ("button", "Anna, Online", "content")
    assert [node.role for node in inner] == ["", "img", "button"]


def test_a_view_that_holds_several_controls_is_none() -> None:
    """A dialog that swallows touches is no button, and its words are texts of their own."""
    roles = [
        node.role
        for node in read(
            view("android.widget.LinearLayout", clickable=True),
            view("android.widget.TextView", 0, text="Sure?"),
            view("android.widget.Button", 0, text="Yes", clickable=True),
            view("android.widget.Button", 0, text="No", clickable=True),
        )
    ]

    assert roles == ["", "text", "button", "button"]


@pytest.mark.parametrize("inner", [(), (view("android.widget.Button", 0, clickable=True),)])
def test_a_scrim_is_no_button(inner: tuple[AndroidView, ...]) -> None:
    """A nameless view over most of the screen only watches touches, and still takes them."""
    scrim = read(view("android.view.View", clickable=True), *inner, large=True)[0]

    assert (scrim.role, scrim.opaque) == ("", True)


@pytest.mark.parametrize(
    ("row", "toggle"),
    [({}, {"checkable": True, "checked": True}), ({"checkable": True, "checked": True}, {})],
)
def test_a_switch_that_cannot_be_touched_lends_its_role(
    row: dict[str, bool], toggle: dict[str, bool]
) -> None:
    """The row is the switch, whichever of the two tells the state."""
    found = read(
        view("android.view.View", clickable=True, **row),
        view("android.widget.TextView", 0, text="Sync"),
        view("android.widget.Switch", 0, **toggle),
    )

    assert [node.role for node in found] == ["switch", "", ""]
    assert (found[0].name, found[0].states) == ("Sync", ("checked",))


def test_two_switches_lend_nothing() -> None:
    """A row with two switches stands for neither."""
    switch = view("android.widget.Switch", 0, checkable=True, checked=True)
    row, *_ = read(view("android.view.View", clickable=True, text="x"), switch, switch)

    assert (row.role, row.states) == ("button", ())


def test_words_of_a_holder_are_not_written_twice() -> None:
    """A bar that tells the title written inside it writes nothing itself."""
    bar, title = read(
        view("android.widget.FrameLayout", text="Settings", description="Settings"),
        view("android.widget.TextView", 0, text="Settings"),
    )

    assert (bar.role, bar.words) == ("", "")
    assert (title.role, title.words) == ("text", "Settings")


@pytest.mark.parametrize(
    ("told", "name", "origin", "words"),
    [
        ({"hint": "Email", "text": "Email"}, "Email", "placeholder", "Email"),
        ({"hint": "Email", "text": "a@b"}, "Email", "placeholder", "a@b"),
        ({"text": "a@b"}, "a@b", "value", "a@b"),
        ({"text": "....", "password": True}, "", "value", ""),
        ({"description": "Your email", "hint": "x"}, "Your email", "aria-label", ""),
    ],
)
def test_fields_are_named_by_hints(
    told: dict[str, Any], name: str, origin: str, words: str
) -> None:
    """A description goes before a hint, a hint before what is typed, a password is not told."""
    (field,) = read(view("android.widget.EditText", **told))

    assert (field.name, field.name_from, field.words) == (name, origin, words)


def test_a_toggle_button_is_pressed() -> None:
    """A button that stays down is pressed, not checked."""
    (button,) = read(
        view(
            "android.widget.ToggleButton", text="On", clickable=True, checkable=True, checked=True
        )
    )

    assert (button.role, button.states) == ("button", ("pressed",))


@pytest.mark.parametrize("pattern", CLASSES)
@pytest.mark.parametrize(
    ("simple", "role"),
    [("Button", "button"), ("EditText", "textbox"), ("SwitchCompat", "switch"),
     ("SearchAutoComplete", "searchbox"), ("RecyclerView", "list"), ("TextView", "text")],
)  # fmt: skip
def test_packages_make_no_difference(pattern: str, simple: str, role: str) -> None:
    """A widget has its role in every package and enclosing class that ships it."""
    assert class_role(pattern.format(simple)) == role


def test_an_unknown_class_has_the_role_of_its_nearest_ancestor() -> None:
    """Ancestors are asked from the nearest; without a known one there is no role."""
    above = ["android.widget.CheckBox", "android.widget.Button", "android.view.View"]

    assert class_role("com.shop.Fancy", above) == "checkbox"
    assert class_role("com.shop.Fancy", ["android.view.View", "java.lang.Object"]) == ""
    assert class_role("com.shop.PriceButtonHolder") == ""


def test_roles_are_aria_roles() -> None:
    """What acts by itself is interactive, what holds others is not, and all are known."""
    assert SELF_ACTING <= INTERACTIVE_ROLES
    assert not HOLDING & INTERACTIVE_ROLES
    assert HOLDING <= ARIA_ROLES
