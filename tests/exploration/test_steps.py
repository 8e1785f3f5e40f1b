"""
What an explorer tries: never what destroys, in every language, and the same for a seed.
"""

from __future__ import annotations

import importlib.resources
import tomllib

import pytest

from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.exploration.steps import candidates_on, is_avoided, steps_on

AVOIDED = tomllib.loads(
    importlib.resources.files("surefoot.exploration").joinpath("avoided.toml").read_text("utf-8")
)


def _item(number: int, role: str, name: str = "", **changed: object) -> Element:
    facts: dict[str, object] = {
        "box": Box.from_xywh(20.0 * number, 10, 15, 15),
        "hits": (True,) * 5,
        "visible_fraction": 1.0,
        "name": name,
    }
    return Element(f"{role}-{number}", role, **{**facts, **changed})  # type: ignore[arg-type]


def _screen(*elements: Element) -> Screen:
    return Screen("s", "p", "x", "", 800, 600, 1.0, "web", "en", elements)


@pytest.mark.parametrize("language", sorted(AVOIDED))
def test_words_that_destroy_are_avoided_in_every_language(language: str) -> None:
    """Each word of the table keeps its control from being clicked, within a longer name too."""
    words = AVOIDED[language]
    names = [f"{word} 3" for word in words] + [word.upper() for word in words]
    assert [name for name in names if not is_avoided(name)] == []


@pytest.mark.parametrize(
    "name", ["Archive", "Undeleted", "Dropdown", "Exitement", "Новая", "新建"]
)
def test_other_words_are_not(name: str) -> None:
    """A word inside a longer one of a spaced language is not that word."""
    assert not is_avoided(name)


def test_what_cannot_or_must_not_be_used_is_left_alone() -> None:
    """Disabled, covered, secret and destroying controls give no step; the others do."""
    field = {"tag": "input", "type": "text", "editable": "true"}
    screen = _screen(
        _item(1, "button", "Open"),
        _item(2, "button", "Delete"),
        _item(3, "button", "Shut", states=("disabled",)),
        _item(4, "button", "Under", hits=(False,) * 5),
        _item(5, "textbox", "Password", attributes={**field, "type": "password"}),
        _item(6, "textbox", "Town", attributes=field),
        _item(
            7, "combobox", "Sort", text="a", attributes={"tag": "select", "options": "a\u001fb"}
        ),
        _item(8, "heading", "Orders"),
    )
    steps = steps_on(screen, seed=0)
    assert {step[0].element for step in steps} == {"button-1", "textbox-6", "combobox-7"}
    (typed,) = [step for step in steps if step[0].kind == "type"]
    assert [action.kind for action in typed] == ["type", "press"]
    (chosen,) = [step for step in steps if step[0].kind == "choose"]
    assert chosen[0].text == "1"


def test_the_rows_of_a_table_come_last() -> None:
    """Of fifty links under each other one is tried early, so that a budget sees other things."""
    column = [
        _item(number, "link", f"Order {number}", box=Box.from_xywh(10, 20.0 * number, 60, 15))
        for number in range(50)
    ]
    others = [_item(100 + number, "link", f"Part {number}") for number in range(3)]
    steps = steps_on(_screen(*column, *others), seed=3)
    first = [step[0].element for step in steps[:4]]
    assert {item.id for item in others} <= set(first)
    assert len(steps) == 53
    assert steps == steps_on(_screen(*column, *others), seed=3)
    assert steps != steps_on(_screen(*column, *others), seed=4)


def test_what_seldom_leads_to_a_state_comes_late() -> None:
    """Boxes, the open tab, names that brought nothing and a form's single parts come after all."""
    field = {"tag": "input", "type": "text", "editable": "true"}
    screen = _screen(
        _item(1, "button", "Open", attributes={"tag": "button"}),
        _item(2, "button", "Known"),
        _item(3, "checkbox", "Urgent"),
        _item(4, "tab", "Here", states=("selected",)),
        _item(5, "tab", "There"),
        _item(6, "textbox", "Name", attributes=field, states=("required",)),
        _item(7, "textbox", "Town", attributes=field, states=("required",)),
        _item(8, "button", "Save", attributes={"tag": "button"}),
    )
    found = candidates_on(screen, seed=1, familiar={("button", "Known")})
    late = {(len(steps), steps[0].element): late for steps, late in found}
    assert {key for key, late in late.items() if late == 0} == {
        (1, "button-1"),
        (1, "tab-5"),
        (3, "textbox-6"),
    }
    assert [late for _, late in found] == sorted(late for _, late in found)


@pytest.mark.parametrize(
    "role", ["slider", "img", "none", "tree", "grid", "menu", "group", "note", "timer", "log"]
)
def test_a_list_is_one_whatever_its_role(role: str) -> None:
    """A select is tried as a list is, also where its page gives it a role that none has."""
    attributes = {"tag": "select", "options": "One\x1fTwo"}
    odd = _item(1, role, "Size", attributes=attributes)
    plain = _item(1, "combobox", "Size", attributes=attributes)
    (step,), (usual,) = (steps_on(_screen(item), seed=1) for item in (odd, plain))

    assert [action.kind for action in step] == [action.kind for action in usual]
