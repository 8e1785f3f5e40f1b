"""
Beside the states: what neighbours of the elements acted on do, and ways that miss a state.
"""

from __future__ import annotations

import msgspec

from surefoot.capture.actions import Action, parse_actions
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.exploration.records import ActionEffect, EffectKind, ExploredState, Transition
from surefoot.exploration.trials import trials_of

EDITABLE = {"tag": "input", "type": "text", "editable": "true"}


def _item(place: int, role: str, number: int) -> Element:
    return Element(
        f"{role}-{number}",
        role,
        Box.from_xywh(30.0 * place, 10, 20, 15),
        name=f"{role} {number}",
        hits=(True,) * 5,
        visible_fraction=1.0,
        attributes=EDITABLE if role == "textbox" else {},
    )


def _screen(page: str, *elements: Element) -> Screen:
    return Screen(page, page, page, "", 800, 600, 1.0, "web", "en", elements, site="s")


def _state(page: str, *actions: Action) -> ExploredState:
    spec = " >> ".join(("x.html", *map(str, actions)))
    return ExploredState(page, spec, "s", page, page, actions=actions)


BUTTONS = [_item(number, "button", number) for number in range(8)]
FIELDS = [_item(9, "textbox", 1), _item(10, "textbox", 2), _item(20, "textbox", 3)]
ENTRY = _screen("entry", *BUTTONS, *FIELDS)
OPENED = _screen("opened", BUTTONS[7], *FIELDS)
SENT = _screen("sent", *BUTTONS[:1])
FIRST = Action("click", "button-0")
SENDING = (Action("type", "textbox-1", "rope"), Action("press", "textbox-1", "Enter"))
STATES = (_state("entry"), _state("opened", FIRST), _state("sent", FIRST, *SENDING))
TRANSITIONS = (
    Transition("s", "entry", (FIRST,), "button", "b", "opened", ActionEffect("dialog")),
    Transition("s", "opened", SENDING, "textbox", "t", "sent", ActionEffect("page")),
    Transition("s", "entry", (Action("click", "button-1"),), "button", "b", "opened"),
)
SCREENS = {screen.page: screen for screen in (ENTRY, OPENED, SENT)}


def _clicked(page: str, *numbers: int, kind: EffectKind = "shows") -> Transition:
    steps = tuple(Action("click", f"button-{number}") for number in numbers)
    return Transition("s", page, steps, "button", "b", effect=ActionEffect(kind))


def test_effects_are_carried_out_where_four_can_be_compared() -> None:
    """Four actions that did something are, with how it goes on; three, or a vain one, are not."""
    onward = _clicked("entry", 1, 7)
    four = [*(_clicked("entry", number) for number in (1, 2, 3, 4)), onward]
    three = [*(_clicked("opened", number) for number in (1, 2, 3)), _clicked("opened", 1, 7)]
    vain = _clicked("entry", 5, kind="nothing")

    found = trials_of(STATES[:2], [*four, *three, vain], SCREENS, seed=3)

    assert [parse_actions(spec)[1] for spec in found] == [item.actions for item in four]


def test_ways_miss_a_state_by_one_thing() -> None:
    """Words are not sent, the field is clicked only, or the nearest other field is filled."""
    found = {parse_actions(spec)[1] for spec in trials_of(STATES, TRANSITIONS, SCREENS, seed=3)}
    typed, sent = SENDING
    assert {
        (FIRST, typed),
        (FIRST, Action("click", "textbox-1"), sent),
        (FIRST, Action("type", "textbox-2", "rope"), Action("press", "textbox-2", "Enter")),
    } <= found
    assert (FIRST, *SENDING) not in found


def test_each_is_tried_once_and_the_seed_decides() -> None:
    """No address comes twice, none is a state's, and one seed gives one list."""
    found = trials_of(STATES, TRANSITIONS, SCREENS, seed=3)
    assert len({*found}) == len(found)
    assert not {*found} & {state.spec for state in STATES}
    assert found == trials_of(STATES, TRANSITIONS, SCREENS, seed=3)


def test_a_way_goes_on_from_where_nothing_was_tried() -> None:
    """What led to another page is clicked where it stands under the same id and name."""
    link, other = _item(12, "link", 1), _item(12, "link", 2)
    pages = {name: _screen(name, link) for name in ("one", "two", "three")}
    pages["four"] = _screen("four", msgspec.structs.replace(other, id=link.id))
    states = [ExploredState(name, f"{name}.html", "s", name, name) for name in pages]
    click, back = Action("click", link.id), Action("click", "button-1")
    transitions = [
        Transition("s", "one", (click,), "link", "l", "two", ActionEffect("page")),
        Transition("s", "two", (back,), "button", "b", "one", ActionEffect("changes")),
    ]

    found = {*trials_of(states, transitions, pages, seed=3)}

    assert f"three.html >> {click}" in found
    assert not any(spec.startswith("four.html") for spec in found)


def test_ways_miss_what_a_form_leads_to() -> None:
    """One field is left out, or its words go into another; the others keep theirs."""
    first, second = Action("type", "textbox-1", "rope"), Action("type", "textbox-3", "north")
    send = Action("click", "button-7")
    states = (*STATES[:2], _state("sent", FIRST, first, second, send))
    made = Transition(
        "s", "opened", (first, second, send), "textbox", "t", "sent", ActionEffect("page")
    )
    given = (TRANSITIONS[0], made)
    found = {parse_actions(spec)[1] for spec in trials_of(states, given, SCREENS, seed=3)}
    moved = Action("type", "textbox-2", "rope")
    assert {(FIRST, second, send), (FIRST, moved, second, send)} <= found
