"""
Tests of the cast: cities, ZIP codes and telephone numbers that belong together.
"""

from __future__ import annotations

import datetime as dt
from random import Random

import msgspec
import phonenumbers
import pytest
from faker.providers.address.en_US import Provider as Addresses
from phonenumbers import geocoder

from surefoot.forms.specification import Field, Form, Kind, Page
from surefoot.forms.values.makers.cast import City, places, subjects


@pytest.mark.parametrize("place", places(), ids=lambda place: place.city)
def test_a_place_is_of_one_state(place: City) -> None:
    """ZIP codes and the area code of a city lie in its state, by two other tables."""
    low, high = Addresses.states_postcode[place.state_code]
    assert low <= int(f"{place.zip_head}01") < int(f"{place.zip_head}18") <= high
    assert place.state in Addresses.states
    assert place.state_code in Addresses.states_abbr

    number = phonenumbers.parse(f"+1{place.area_code}5550142")
    assert phonenumbers.is_valid_number(number)
    where = geocoder.description_for_number(number, "en")
    assert where.removesuffix(" State") == place.state or where.endswith(f", {place.state_code}")


@pytest.mark.parametrize(
    ("change", "ages"),
    [
        ({"fill": "person.age", "kind": Kind.NUMBER, "lowest": 16, "highest": 17}, {16, 17}),
        ({"fill": "person.age", "kind": Kind.NUMBER, "lowest": 30, "highest": 30}, {30}),
        ({"fill": "person.birth_date", "earliest": "2020-03-03"}, {0, 1, 2, 3, 4, 5}),
        ({"fill": "person.birth_date", "latest": "1900-03-02"}, {126}),
    ],
)
def test_births_keep_to_the_form(change: dict[str, object], ages: set[int]) -> None:
    """Ages and birth dates keep to the field's limits, even where nobody is of that age."""
    plain = Field("it", Kind.DATE, {"en": "It"}, "x")
    field = msgspec.structs.replace(plain, **change)
    form = Form("it", "X", "T", {"en": "It"}, (Page({"en": "P"}, (field,)),))
    born = [subjects(form, Random(seed))["applicant"].person for seed in range(30)]  # noqa: S311

    assert {person.age for person in born} <= ages
    for person in born:
        day = person.birth.isoformat()
        assert (field.earliest or day) <= day <= (field.latest or day)


def test_ages_turn_on_the_birthday() -> None:
    """An age grows on the birthday, not before."""
    form = Form(
        "it",
        "X",
        "T",
        {"en": "It"},
        (Page({"en": "P"}, (Field("it", Kind.STRING, {"en": "It"}, "x"),)),),
    )
    person = subjects(form, Random(1))["applicant"].person  # noqa: S311
    ages = [msgspec.structs.replace(person, birth=dt.date(2000, 3, day)).age for day in (1, 2, 3)]

    assert ages == [26, 26, 25]
