"""
A form agrees with itself, or is refused with the reason.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.forms.specification import Constraint, Field, Form, Kind, LikelyValues, Option, Page

NAME = Field("name", Kind.STRING, {"en": "Name"}, "person.full_name")
PET = Field(
    "pet",
    Kind.RADIO,
    {"en": "Pet"},
    "option",
    options=(Option("cat", {"en": "Cat"}), Option("dog", {"en": "Dog"})),
)


def form(*fields: Field, constraints: tuple[Constraint, ...] = ()) -> Form:
    """Return a form of one page."""
    return Form(
        "small",
        "Z1",
        "tests",
        {"en": "Small"},
        (Page({"en": "One"}, fields),),
        constraints=constraints,
    )


def test_fields_stand_on_their_pages() -> None:
    """Fields come in reading order, and each knows its page."""
    two = msgspec.structs.replace(form(NAME), pages=(*form(NAME).pages, *form(PET).pages))
    assert [field.id for field in two.fields] == ["name", "pet"]
    assert [two.page_of("name"), two.page_of("pet")] == [0, 1]
    assert two.field("pet") == PET
    assert two.field("none") is None
    with pytest.raises(KeyError):
        two.page_of("none")


@pytest.mark.parametrize(
    ("fields", "constraints", "found"),
    [
        ((NAME, NAME), (), "two fields 'name'"),
        ((NAME,), (Constraint("same", ("name", "other")),), "'other', which is no field"),
        ((msgspec.structs.replace(PET, options=()),), (), "0 options"),
        ((msgspec.structs.replace(NAME, options=PET.options),), (), "2 options"),
        ((msgspec.structs.replace(PET, options=PET.options[:1] * 2),), (), "two options of one"),
        ((msgspec.structs.replace(NAME, accepts=(".pdf",)),), (), "accepts ['.pdf']"),
        ((msgspec.structs.replace(NAME, label={"fr": "Nom"}),), (), "without English words"),
        (
            (
                msgspec.structs.replace(
                    PET, options=(Option("cat", {"en": "Cat"}, {"x": ("y",)}),)
                ),
            ),
            (),
            "hangs on 'x'",
        ),
    ],
)
def test_contradictions_are_refused(
    fields: tuple[Field, ...], constraints: tuple[Constraint, ...], found: str
) -> None:
    """A form whose parts contradict each other says which ones."""
    with pytest.raises(InvalidInputError) as caught:
        form(*fields, constraints=constraints)
    assert found in str(caught.value)


def hanging(name: str, value: str) -> Field:
    """Return a field with an option that is offered while another field holds a value."""
    return msgspec.structs.replace(
        PET, id="breed", options=(Option("pug", {"en": "Pug"}, {name: (value,)}),)
    )


def test_an_option_hangs_on_an_option_of_a_field_before_it() -> None:
    """A dependent option names an option of an earlier field; anything else is refused."""
    assert form(PET, hanging("pet", "dog")).fields[1].options[0].when == {"pet": ("dog",)}
    for fields, found in (
        ((PET, hanging("pet", "cow")), "being 'cow', which is none of its options"),
        ((hanging("pet", "dog"), PET), "does not come before it"),
        ((hanging("breed", "pug"),), "does not come before it"),
        ((NAME, hanging("name", "dog")), "none of its options"),
    ):
        with pytest.raises(InvalidInputError, match=found):
            form(*fields)


@pytest.mark.parametrize(
    "limits",
    [
        {"lowest": 2, "highest": 1},
        {"lowest": float("nan")},
        {"highest": float("inf")},
        {"step": 0},
        {"step": float("nan")},
        {"shortest": -1},
        {"shortest": 9, "longest": 8},
        {"earliest": "14.3.2026"},
        {"earliest": "20260314"},
        {"latest": "2026-02-30"},
        {"earliest": "2026-03-15", "latest": "2026-03-14"},
    ],
    ids=str,
)
def test_limits_that_nothing_can_keep_are_refused(limits: dict[str, float | str]) -> None:
    """Limits are finite, in order, and dates in ISO 8601."""
    with pytest.raises(InvalidInputError, match="field 'name'"):
        form(msgspec.structs.replace(NAME, **limits))


@pytest.mark.parametrize("suffix", ["pdf", ".PDF", ".", ".tar.gz", "", "*/*"])
def test_files_are_accepted_by_suffix(suffix: str) -> None:
    """What a file field accepts is a list of lower-case suffixes with their dots."""
    file = Field("cv", Kind.FILE, {"en": "CV"}, "file.cv", accepts=(".pdf", suffix))
    with pytest.raises(InvalidInputError, match="which is no suffix"):
        form(file)


@pytest.mark.parametrize("rule", ["after", "at-most", "sum"])
def test_rules_bind_fields_of_their_kind(rule: Literal["after", "at-most", "sum"]) -> None:
    """A rule on dates or numbers is refused on text, and taken on its own kind."""
    kind = Kind.DATE if rule == "after" else Kind.NUMBER
    pair = (Field("a", kind, {"en": "A"}, "x"), Field("b", kind, {"en": "B"}, "x"))
    assert form(*pair, constraints=(Constraint(rule, ("a", "b")),)).constraints
    with pytest.raises(InvalidInputError, match=f"a rule '{rule}' on 'name' of kind string"):
        form(*pair, NAME, constraints=(Constraint(rule, ("a", "name")),))


def test_unknown_keys_and_bad_names_are_refused() -> None:
    """A misspelt key or an id that is no name stops the reading of a form."""
    good = msgspec.to_builtins(form(NAME, PET))
    assert msgspec.convert(good, Form) == form(NAME, PET)
    for key, value in (("titel", {}), ("id", "Not a name")):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**good, key: value}, Form)


def test_a_rule_of_three_names_three_fields_of_its_kinds() -> None:
    """Weeks lie between two dates and a percentage between two numbers, in this order."""
    day = Field("day", Kind.DATE, {"en": "Day"}, "date.future")
    end = msgspec.structs.replace(day, id="end")
    count = Field("count", Kind.NUMBER, {"en": "Count"}, "number.count")
    fields = (day, end, count)
    fine = Constraint("weeks", ("count", "day", "end"))
    assert form(*fields, constraints=(fine,)).constraints == (fine,)
    for rule, names, found in (
        ("weeks", ("count", "day"), "on 2 fields"),
        ("weeks", ("day", "count", "end"), "'weeks' on 'day' of kind date"),
        ("percent", ("count", "day", "end"), "'percent' on 'day' of kind date"),
    ):
        with pytest.raises(InvalidInputError, match=found):
            form(*fields, constraints=(Constraint(rule, names),))  # type: ignore[arg-type]


NOTE = Field("note", Kind.STRING, {"en": "Note"}, "name.area", required=False)
AGE = Field("age", Kind.NUMBER, {"en": "Age"}, "person.age", lowest=18, highest=99)
DAY = Field("day", Kind.DATE, {"en": "D"}, "date.past", earliest="2024-01-01", latest="2025-01-01")


@pytest.mark.parametrize(
    ("likely", "found"),
    [
        (LikelyValues("cat"), "'cat', which is no field"),
        (LikelyValues("age", when={"pet": ("cow",)}), r"while 'pet' is \['cow'\]"),
        (LikelyValues("age", when={"cow": ()}), r"while 'cow' is \[\]"),
        (LikelyValues("pet", options=("cow",)), "none of its own"),
        (LikelyValues("age", filled=False), "'age', which is required, not to be filled in"),
        (LikelyValues("age", lowest=17), "'age' beyond its own"),
        (LikelyValues("age", highest=100), "'age' beyond its own"),
        (LikelyValues("age", lowest=50, highest=40), "from 50"),
        (LikelyValues("day", earliest="2023-12-31"), "'day' beyond its own"),
        (LikelyValues("day", latest="2025-01-02"), "'day' beyond its own"),
        (LikelyValues("day", latest="soon"), "'soon'"),
    ],
)
def test_what_is_likely_lies_within_the_form(likely: LikelyValues, found: str) -> None:
    """Something likely that names what the form has not, or goes beyond it, is refused."""
    fine = LikelyValues("note", when={"pet": ("cat",), "age": ()}, filled=True)
    whole = form(PET, NOTE, AGE, DAY)
    assert msgspec.structs.replace(whole, likely=(fine,)).likely == (fine,)
    with pytest.raises(InvalidInputError, match=found):
        Form(**{**msgspec.structs.asdict(whole), "likely": (likely,)})
