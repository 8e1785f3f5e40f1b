"""
Words: realised, read back, quoted; actions and values that fit their element.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Action, Expression
from surefoot.core.screen import INTERACTIVE_ROLES, Element
from surefoot.refer.languages.phrases import form_of, quoted
from surefoot.refer.languages.tables import ENGLISH
from surefoot.refer.read.read_back import read_back
from surefoot.refer.say.realise import action_for, kind_of_value, realise, value_for
from surefoot.refer.scene.geometry import DIRECTIONS
from surefoot.refer.scene.roles import TARGETS, could_mean

PLACE = Box(0, 0, 100, 20)
SAYABLE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30).filter(
    lambda text: not {"'", '"', "`"} <= set(text)
)
THINGS = st.one_of(
    st.builds(Expression, role=st.sampled_from(sorted(TARGETS)), name=st.just("") | SAYABLE),
    st.builds(Expression, name=SAYABLE),
    st.builds(
        Expression,
        role=st.sampled_from(sorted(TARGETS)),
        name=SAYABLE,
        name_cut=st.sampled_from([True]),
    ),
)
LANDMARKS = st.builds(Expression, text=SAYABLE) | THINGS.filter(lambda item: bool(item.role))
RELATIONS = st.builds(
    lambda thing, direction, landmark: Expression(
        thing.role, thing.name, thing.name_cut, "", direction, landmark
    ),
    THINGS,
    st.sampled_from(DIRECTIONS),
    LANDMARKS,
)


@given(THINGS | RELATIONS, st.sampled_from(["click", "type", "select"]), SAYABLE)
def test_words_can_be_read_back(expression: Expression, action: Action, value: str) -> None:
    """Reading what was realised gives the same expression, action and value."""
    given_value = "" if action == "click" else value
    asked = read_back(realise(expression, action, given_value))
    assert (asked.expression, asked.action, asked.value) == (expression, action, given_value)


@pytest.mark.parametrize(
    "hostile",
    ["", "Click", "Click the", "Click the 'Save' teapot", "Type 'x' in", "Press 'x'",
     "Click the button directly above", "Click the button beside 'x'", "Click 'a' 'b'"],
)  # fmt: skip
def test_other_words_are_refused(hostile: str) -> None:
    """What realise cannot have written is an error, never a guess."""
    with pytest.raises(InvalidInputError):
        read_back(hostile)


@pytest.mark.parametrize(
    ("expression", "action", "value"),
    [
        (Expression(), "click", ""),
        (Expression(text="x"), "click", ""),
        (Expression(name="x", name_cut=True), "click", ""),
        (Expression(role="button", direction="above"), "click", ""),
        (Expression(role="button", landmark=Expression(text="x")), "click", ""),
        (Expression(role="button"), "click", "x"),
        (Expression(role="button"), "type", ""),
        (Expression(name="'\"`\u201c\u00ab"), "click", ""),
    ],
)
def test_a_form_without_words_is_refused(
    expression: Expression, action: Action, value: str
) -> None:
    """Half relations, empty references and missing values are errors."""
    with pytest.raises(InvalidInputError):
        realise(expression, action, value)


def test_unknown_languages_and_roles_are_refused() -> None:
    """A language or a role without a table is named in the error."""
    with pytest.raises(UnknownNameError, match="'xx'"):
        realise(Expression(role="button"), language="xx")
    with pytest.raises(UnknownNameError, match="'marquee'"):
        realise(Expression(role="marquee"))


@given(SAYABLE)
def test_quotes_are_not_in_what_they_hold(text: str) -> None:
    """The sign that opens and the sign that closes stand at the ends alone."""
    said = quoted(text)
    assert said[1:-1] == text
    assert said[0] not in text
    assert said[-1] not in text


def test_each_role_has_a_word_of_its_own() -> None:
    """Words can be read back because no two roles share one."""
    words = {role: form_of(ENGLISH.nouns[role].forms) for role in TARGETS}
    assert len(set(words.values())) == len(words)
    assert words["combobox"] == "drop-down"
    assert set(words) <= INTERACTIVE_ROLES


def test_looking_alike_is_mutual() -> None:
    """If one role's word could mean another role, so could the other's mean the first."""
    for role in INTERACTIVE_ROLES:
        assert role in could_mean(role)
        assert all(role in could_mean(item) for item in could_mean(role))
    assert could_mean("heading") == {"heading"}


def field(role: str = "textbox", name: str = "", **attributes: str) -> Element:
    """Return an element with attributes."""
    return Element("f", role, PLACE, name=name, attributes=attributes)


@pytest.mark.parametrize(
    ("element", "kind"),
    [
        (field(type="email", name="Name"), "email"),
        (field(type="date"), "date"),
        (field(type="text", autocomplete="shipping given-name"), "first"),
        (field(name="E-mail"), "email"),
        (field(name="Phone number"), "tel"),
        (field(placeholder="Search for..."), "search"),
        (field("searchbox"), "search"),
        (field("spinbutton"), "number"),
        (field(name="Colour of the roof"), "text"),
    ],
)
def test_a_field_gets_the_kind_of_value_it_asks_for(element: Element, kind: str) -> None:
    """Type, autocomplete and words of the name decide, in that order."""
    assert kind_of_value(element) == kind


OPTIONS = "Choose one\x1fGermany\x1fFrance\x1fFrance\x1fJapan\x1f---"


@given(st.integers(0, 50))
def test_a_selected_value_is_another_real_option(seed: int) -> None:
    """Neither the option shown, nor a prompt, nor one that stands twice is asked for."""
    found = Element("f", "combobox", PLACE, text="Japan", attributes={"options": OPTIONS})
    assert action_for(found, seed) == ("select", "Germany")


@given(st.integers(0, 50))
def test_a_typed_value_is_not_what_is_there_already(seed: int) -> None:
    """The value differs from the field's content and is the same for the same seed."""
    found = Element(
        "f", "spinbutton", PLACE, text="12", attributes={"editable": "true", "type": "number"}
    )
    action, value = action_for(found, seed)
    assert (action, value) == ("type", value_for(found, seed))
    assert value != "12"


@pytest.mark.parametrize(
    "element",
    [
        field(),
        field("button"),
        field("combobox", options="Choose"),
        field("combobox", options=""),
        field("slider", editable="true"),
    ],
)
def test_what_cannot_be_filled_in_is_clicked(element: Element) -> None:
    """Locked fields, buttons, sliders and drop-downs without a choice get a click."""
    assert action_for(element) == ("click", "")
