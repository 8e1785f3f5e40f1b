"""
Tests of the table of makers: every maker makes values of the kinds that it is meant for.
"""

from __future__ import annotations

from typing import Final

import pytest

from surefoot.core.errors import UnknownNameError
from surefoot.forms.specification import Field, Form, Kind, Option, Page
from surefoot.forms.values.constraints import broken
from surefoot.forms.values.makers.table import find_maker, maker_names
from surefoot.forms.values.making import instances

KINDS: Final = {
    "person.email": Kind.EMAIL,
    "company.email": Kind.EMAIL,
    "person.phone": Kind.TELEPHONE,
    "company.phone": Kind.TELEPHONE,
    "person.profile_url": Kind.URL,
    "company.website": Kind.URL,
    "person.birth_date": Kind.DATE,
    "company.founded": Kind.DATE,
    "person.age": Kind.NUMBER,
    "company.size": Kind.NUMBER,
    "company.kind": Kind.DROP_DOWN,
    "person.ssn": Kind.PASSWORD,
    "option": Kind.DROP_DOWN,
    "options": Kind.MULTI_CHOICE,
    "flag": Kind.CHECKBOX,
    "consent": Kind.CHECKBOX,
}
FAMILIES: Final = {
    "number": Kind.NUMBER,
    "date": Kind.DATE,
    "text": Kind.DESCRIPTION,
    "file": Kind.FILE,
}


def field_for(name: str) -> Field:
    """Return a field of the kind that a maker serves."""
    kind = KINDS.get(name) or FAMILIES.get(name.partition(".")[0], Kind.STRING)
    chosen = kind in {Kind.DROP_DOWN, Kind.MULTI_CHOICE}
    return Field(
        "it",
        kind,
        {"en": "It"},
        name,
        options=tuple(Option(item, {"en": item}) for item in "abc") if chosen else (),
        accepts=(".pdf",) if kind is Kind.FILE else (),
    )


@pytest.mark.parametrize("name", maker_names())
def test_each_maker_makes_values(name: str) -> None:
    """A maker's values are values of its kind, not all the same."""
    form = Form("it", "X1", "Test", {"en": "It"}, (Page({"en": "P"}, (field_for(name),)),))
    made = [
        instance.values for instance in instances(form, 3, 6 if name.startswith("file.") else 12)
    ]

    assert all(not broken(form, item) for item in made)
    assert all("it" in item for item in made)
    assert name == "consent" or len({str(item["it"]) for item in made}) > 1


def test_texts_keep_to_lengths() -> None:
    """A text reaches the shortest length and stays within the longest, if that can be."""
    for name in maker_names():
        if name.startswith("text."):
            field = Field("it", Kind.DESCRIPTION, {"en": "It"}, name, shortest=60, longest=140)
            form = Form("it", "X", "T", {"en": "It"}, (Page({"en": "P"}, (field,)),))
            for made in instances(form, 4, 4):
                assert 60 <= len(str(made.values["it"])) <= 140


def test_an_unknown_name_is_refused() -> None:
    """A maker that nobody wrote is refused with the nearest."""
    with pytest.raises(UnknownNameError, match=r"title\.paper"):
        find_maker("title.papers")
