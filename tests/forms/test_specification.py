"""
A form agrees with itself, or is refused with the reason.
"""

from __future__ import annotations

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.forms.specification import Constraint, Field, Form, Kind, Option, Page

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
    assert [each.id for each in two.fields] == ["name", "pet"]
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


def test_unknown_keys_and_bad_names_are_refused() -> None:
    """A misspelt key or an id that is no name stops the reading of a form."""
    good = msgspec.to_builtins(form(NAME, PET))
    assert msgspec.convert(good, Form) == form(NAME, PET)
    for key, value in (("titel", {}), ("id", "Not a name")):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**good, key: value}, Form)
