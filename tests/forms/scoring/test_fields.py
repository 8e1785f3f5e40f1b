"""
What became of a field's value: mentioned, typed, in the right field, submitted.
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.instance import FileValue, Instance, Value
from surefoot.forms.record import FieldEvent
from surefoot.forms.scoring.attempt import Attempt, ClickRecord, held_at_end
from surefoot.forms.scoring.fields import FieldScore, mentions, score_fields
from surefoot.forms.specification import Field, Form, Kind, Option, Page

FIELDS = (
    Field("name", Kind.STRING, {"en": "Name"}, "person.full_name"),
    Field("town", Kind.STRING, {"en": "Town"}, "address.city"),
    Field("born", Kind.DATE, {"en": "Born"}, "person.birth_date"),
    Field("paid", Kind.NUMBER, {"en": "Paid"}, "number.money"),
    Field(
        "pet",
        Kind.DROP_DOWN,
        {"en": "Pet"},
        "option",
        options=(Option("cat", {"en": "Cat", "fr": "Chat"}), Option("dog", {"en": "Dog"})),
    ),
    Field("agree", Kind.CHECKBOX, {"en": "Agree"}, "consent"),
    Field("news", Kind.CHECKBOX, {"en": "News"}, "flag"),
    Field("proof", Kind.FILE, {"en": "Proof"}, "file.identity", accepts=(".pdf",)),
    Field("note", Kind.STRING, {"en": "Note"}, "text.comments", required=False),
)
FORM = Form("small", "Z1", "tests", {"en": "Small"}, (Page({"en": "One"}, FIELDS),))
SHA = "ab" * 32
VALUES: dict[str, Value] = {
    "name": "Ada Byron",
    "town": "London",
    "born": "1990-05-03",
    "paid": "1250.5",
    "pet": "cat",
    "agree": True,
    "news": False,
    "proof": FileValue("proof.pdf", SHA),
}
INSTANCE = Instance("small", 1, 0, 0, VALUES)
RIGHT: dict[str, tuple[str, ...]] = {
    "name": ("Ada Byron",),
    "town": ("London",),
    "born": ("1990-05-03",),
    "paid": ("1,250.50",),
    "pet": ("cat",),
    "agree": ("yes",),
    "proof": ("proof.pdf", SHA),
}


def scored(attempt: Attempt) -> dict[str, FieldScore]:
    """Return the scores of an attempt by field."""
    return {field.field: field for field in score_fields(FORM, INSTANCE, attempt)}


def levels(score: FieldScore) -> tuple[bool, bool, bool, bool]:
    """Return the four nested levels of a score."""
    return bool(score.mentioned), score.typed, score.in_field, score.submitted


def test_all_right_is_all_right() -> None:
    """The right values in the right fields reach every level; spelling shows in exact only."""
    found = scored(Attempt(submitted=RIGHT))
    asked = [score for score in found.values() if score.asked]
    assert [score.field for score in asked] == [
        "name",
        "town",
        "born",
        "paid",
        "pet",
        "agree",
        "proof",
    ]
    assert all(levels(score) == (True, True, True, True) for score in asked)
    assert [score.field for score in asked if not score.exact] == ["paid"]
    assert not any(score.collateral or score.found_in for score in found.values())


def test_doing_nothing_reaches_no_level() -> None:
    """An untouched form scores nothing, also where a box was to stay unticked."""
    for attempt in (Attempt(), Attempt(submitted={})):
        assert not any(any(levels(score)) for score in scored(attempt).values())


def test_swapped_values_are_typed_and_never_in_their_fields() -> None:
    """Right values in wrong fields pass the published measure and fail the strict ones."""
    swapped = {"name": ("London",), "town": ("Ada Byron",), "paid": ("1990-05-03",)}
    found = scored(Attempt(submitted=swapped))
    assert levels(found["name"]) == levels(found["town"]) == (False, False, False, False)
    ever = tuple(swapped.items())
    found = scored(Attempt(said=("Ada Byron, London",), ever=ever, submitted=swapped))
    assert levels(found["name"]) == levels(found["town"]) == (True, True, False, False)
    assert found["name"].found_in == ("town",)
    assert found["town"].found_in == ("name",)
    assert found["born"].found_in == ("paid",)


def test_the_two_ways_to_mention_a_value_are_apart() -> None:
    """A date may be meant and not said literally, a number stand in a date and not be meant."""
    dated = scored(Attempt(said=("born on 05/03/1990",)))["born"]
    assert (dated.mentioned, dated.by_meaning) == (False, True)
    twelve = msgspec.structs.replace(INSTANCE, values={"paid": "12"})
    (paid,) = [
        field
        for field in score_fields(FORM, twelve, Attempt(said=("on 12/05/2026",)))
        if field.field == "paid"
    ]
    assert (paid.mentioned, paid.by_meaning) == (True, False)
    picked = scored(Attempt(picked=("Cat",), written=("1,250.50",)))
    assert [picked[name].by_meaning for name in ("pet", "paid", "town")] == [True, True, False]
    held = scored(Attempt(held={"name": ("Ada Byron",)}))["name"]
    assert (held.mentioned, held.by_meaning) == (True, True)
    assert scored(Attempt(said=("News",)))["news"].by_meaning is None


def test_a_value_typed_over_is_typed_and_no_more() -> None:
    """What a control held once counts as typed; what it held last counts as in the field."""
    ever = (("name", ("Ada Byron",)), ("name", ("Ada",)))
    assert levels(scored(Attempt(ever=ever, held={"name": ("Ada",)}))["name"]) == (
        True,
        True,
        False,
        False,
    )
    assert levels(scored(Attempt(held={"name": ("Ada Byron",)}))["name"]) == (
        True,
        True,
        True,
        False,
    )


def test_another_file_of_the_same_name_is_wrong() -> None:
    """A file counts by its bytes once the server knows them."""
    other = {**RIGHT, "proof": ("proof.pdf", "cd" * 32)}
    assert not scored(Attempt(submitted=other))["proof"].submitted
    assert scored(Attempt(held={"proof": ("proof.pdf",)}))["proof"].in_field


def test_changes_that_nobody_asked_for_are_collateral() -> None:
    """A ticked box that was to stay empty, and words in an optional field, are seen."""
    found = scored(Attempt(submitted={**RIGHT, "news": ("yes",), "note": ("hello",)}))
    assert [score.field for score in found.values() if score.collateral] == ["news", "note"]


def test_clicks_tell_the_field_and_the_nearest_distance() -> None:
    """A field is clicked where a click met it; its distance is that of the nearest click."""
    clicks = (
        ClickRecord("name", distances={"name": 0.0, "town": 40.0}),
        ClickRecord(distances={"name": 12.0, "town": 7.5}),
    )
    found = scored(Attempt(clicks=clicks))
    assert (found["name"].clicked, found["name"].distance) == (True, 0.0)
    assert (found["town"].clicked, found["town"].distance) == (False, 7.5)
    assert found["born"].distance is None


def test_of_boxes_and_radio_buttons_the_right_ones_are_aimed_at() -> None:
    """A wrong option was clicked and not aimed at; a list and a box are aimed at as a whole."""
    options = (Option("a", {"en": "A"}), Option("b", {"en": "B"}), Option("c", {"en": "C"}))
    kinds = (Kind.RADIO, Kind.MULTI_CHOICE, Kind.DROP_DOWN, Kind.CHECKBOX)
    fields = tuple(
        Field(
            kind.value.replace("-", "_"),
            kind,
            {"en": kind},
            "flag" if kind is Kind.CHECKBOX else "option",
            options=() if kind is Kind.CHECKBOX else options,
        )
        for kind in kinds
    )
    form = Form("choices", "Z2", "tests", {"en": "Choices"}, (Page({"en": "One"}, fields),))
    values: dict[str, Value] = dict(
        zip((one.id for one in fields), ("a", ("a", "c"), "a", True), strict=True)
    )
    instance = Instance("choices", 1, 0, 0, values)

    def aimed(*clicks: tuple[Kind, str]) -> dict[str, tuple[bool | None, bool | None]]:
        hit = tuple(ClickRecord(kind.value.replace("-", "_"), option) for kind, option in clicks)
        found = score_fields(form, instance, Attempt(clicks=hit))
        return {one.kind: (one.clicked, one.aimed) for one in found}

    wrong = aimed(*((kind, "b") for kind in kinds[:3]), (Kind.MULTI_CHOICE, "a"))
    right = aimed(
        *((kind, "a") for kind in kinds[:2]), (Kind.MULTI_CHOICE, "c"), (Kind.CHECKBOX, "")
    )

    assert wrong == dict(
        zip(kinds, ((True, False), (True, False), (True, True), (False, False)), strict=True)
    )
    assert right == dict(
        zip(kinds, ((True, True), (True, True), (False, False), (True, True)), strict=True)
    )
    unwatched = score_fields(form, instance, Attempt(watched=False))
    assert {one.aimed for one in unwatched} == {None}


def test_of_what_was_said_the_nearest_is_told_of_a_description() -> None:
    """Each description has the passage nearest to it, wherever that was typed; a name has none."""
    why, how = (
        Field(name, Kind.DESCRIPTION, {"en": name}, "text.comments") for name in ("why", "how")
    )
    form = Form("texts", "Z3", "tests", {"en": "T"}, (Page({"en": "P"}, (why, how, FIELDS[0])),))
    values: dict[str, Value] = {
        "why": "We build maps of all towns.",
        "how": "By hand and with care.",
        "name": "Ann",
    }
    instance = Instance("texts", 1, 0, 0, values)
    attempt = Attempt(passages=("Ann", "by hand, with care", "We build maps of towns."))

    told = {one.field: one.said for one in score_fields(form, instance, attempt)}

    assert told == {"why": attempt.passages[2], "how": attempt.passages[1], "name": None}
    silent = score_fields(form, instance, Attempt())
    unwatched = score_fields(form, instance, Attempt(watched=False))
    assert [one.said for one in silent] == ["", "", None]
    assert {one.said for one in unwatched} == {None}


@pytest.mark.parametrize(
    ("field", "value", "text", "named"),
    [
        ("name", "Ada Byron", "type ADA\n byron.", True),
        ("name", "Ada Byron", "Ada Byronson", False),
        ("pet", "cat", "choisir Chat", True),
        ("pet", "cat", "concatenate", False),
        ("paid", "12", "in 2012", False),
        ("agree", True, "yes, agree", True),
        ("agree", True, "I disagree", False),
        ("news", False, "News: no", False),
        ("proof", FileValue("proof.pdf", SHA), "upload(3, 4, 'proof.pdf')", True),
    ],
)
def test_a_text_names_a_value_between_word_boundaries(
    field: str, value: Value, text: str, named: bool
) -> None:
    """Values are named by themselves or by a label, never as a part of a word."""
    found = FORM.field(field)
    assert found is not None
    assert mentions(text, found, value) is named


TEXTS = st.sampled_from(["Ada Byron", "London", "1990-05-03", "1250.5", "cat", "yes", "x", ""])
HELD = st.dictionaries(st.sampled_from([item.id for item in FIELDS]), st.tuples(TEXTS))


@given(
    st.lists(TEXTS),
    st.lists(st.tuples(st.sampled_from([field.id for field in FIELDS]), st.tuples(TEXTS))),
    HELD,
    st.none() | HELD,
)
def test_levels_nest(
    said: list[str],
    ever: list[tuple[str, tuple[str]]],
    held: dict[str, tuple[str]],
    submitted: dict[str, tuple[str]] | None,
) -> None:
    """Whatever an agent does, each level holds wherever the next does."""
    attempt = msgspec.convert(
        {"said": said, "ever": ever, "held": held, "submitted": submitted}, Attempt
    )
    for field in score_fields(FORM, INSTANCE, attempt):
        mentioned, typed, in_field, submitted_ = levels(field)
        assert mentioned >= typed >= in_field >= submitted_ >= field.exact
        assert field.asked or not mentioned


def test_the_last_event_of_a_field_is_what_it_holds() -> None:
    """Events are played to their end; a cleared field holds nothing."""
    events = [
        FieldEvent(1, 0, "name", "input", "Ada", 1),
        FieldEvent(2, 0, "town", "input", "London", 2),
        FieldEvent(3, 0, "name", "change", "Ada, Byron", 3),
        FieldEvent(4, 0, "town", "clear", "", 4),
    ]
    assert held_at_end(FORM, events) == {"name": ("Ada, Byron",), "town": ()}
