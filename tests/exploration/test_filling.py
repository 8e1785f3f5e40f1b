"""
How forms are filled: values of their fields' types, what is required, and how they are sent.
"""

from __future__ import annotations

import datetime as dt
import re
import urllib.parse

import msgspec
import pytest

from surefoot.capture.actions import Action
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.exploration.filling import fill, form_steps

# Email addresses as HTML defines the valid ones.
EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d-]+)*")


def _field(name: str, kind: str = "text", *states: str, **changed: str) -> Element:
    told = {"tag": "input", "type": kind, "editable": "true", **changed}
    role = "spinbutton" if kind == "number" else "textbox"
    box = Box.from_xywh(10, 10, 80, 20)
    return Element(name, role, box, hits=(True,), states=states, attributes=told)


def _button(name: str, tag: str = "button", kind: str = "") -> Element:
    told = {"tag": tag, "type": kind} if kind else {"tag": tag}
    return Element(name, "button", Box.from_xywh(10, 90, 80, 20), hits=(True,), attributes=told)


def _steps(*elements: Element, hidden: str = "") -> list[list[str]]:
    screen = Screen("s", "p", "x", "", 800, 600, 1.0, "web", "en", elements)
    usable = [item for item in elements if item.id != hidden]
    found = form_steps(screen, usable, seed=0)
    return [[f"{action.kind} {action.element}" for action in steps] for steps in found]


@pytest.mark.parametrize("seed", range(8))
def test_every_type_of_field_gets_what_it_accepts(seed: int) -> None:
    """Dates are dates, addresses are addresses, numbers are numbers, as their parsers say."""

    def text(kind: str) -> str:
        filled = fill(_field("a", kind), seed)
        assert filled is not None
        assert filled.kind == "type"
        return filled.text

    assert dt.date.fromisoformat(text("date")).year == 2026
    assert dt.datetime.fromisoformat(text("datetime-local")).date().year == 2026
    assert dt.time.fromisoformat(text("time")).hour == 9
    assert dt.date.fromisoformat(f"{text('month')}-01").year == 2026
    year, week = text("week").split("-W")
    assert dt.date.fromisocalendar(int(year), int(week), 1).year == 2026
    assert EMAIL.fullmatch(text("email"))
    assert urllib.parse.urlsplit(text("url")).hostname
    assert int(text("number")) > 0
    assert text("text").isalpha()


def test_what_a_form_requires_is_filled_and_sent_by_its_button() -> None:
    """Only the empty required fields are filled, in order; the next button sends them."""
    found = _steps(
        _button("menu"),
        _field("name", "text", "required"),
        _field("note"),
        _field("day", "date", "required"),
        _button("save"),
        _button("other"),
    )
    assert found == [["type name", "type day", "click save"]]


def test_where_none_is_marked_a_submit_button_tells_a_form() -> None:
    """All empty fields are filled, and the button of that type is pressed before another."""
    title, text = _field("title"), _field("text", tag="textarea", type="")
    send = _button("send", "input", "submit")
    assert _steps(title, text, _button("preview"), send) == [
        ["type title", "type text", "click send"]
    ]
    assert _steps(title, text, _button("preview")) == []


def test_a_form_that_cannot_be_filled_is_left_alone() -> None:
    """A secret or covered field that is required, or too many, and nothing of it is tried."""
    first, second = _field("a", "text", "required"), _field("b", "text", "required")
    assert _steps(first, second, _button("send"), hidden="b") == []
    many = [_field(f"f{number}", "text", "required") for number in range(7)]
    assert _steps(*many, _button("send")) == []


def test_each_dialog_is_a_form_of_its_own() -> None:
    """Fields of the page are not filled for what a dialog sends; one line is no form."""
    dialog = Element("dialog", "dialog", Box.from_xywh(0, 0, 300, 300))
    inside = [
        msgspec.structs.replace(item, parent="dialog")
        for item in (_field("a", "text", "required"), _field("b", "text", "required"))
    ]
    assert _steps(_field("search", "text", "required"), _button("find"), dialog, *inside) == [
        ["type a", "type b", "press b"]
    ]


def test_a_list_without_a_choice_is_filled_too() -> None:
    """A required list that shows dashes gets an option, one that shows a word keeps it."""
    options = {"tag": "select", "options": "---\u001fNorth"}
    box = Box.from_xywh(10, 40, 80, 20)
    empty = Element("s", "combobox", box, text="---", states=("required",), attributes=options)
    assert fill(empty, 0) == Action("choose", "s", "1")
    name = _field("name", "text", "required")
    assert _steps(name, empty, _button("go")) == [["type name", "choose s", "click go"]]
