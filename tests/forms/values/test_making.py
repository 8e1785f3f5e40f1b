"""
Tests of instances: right by the form, in agreement with themselves, the same every time.
"""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Final

import msgspec
import phonenumbers
import pytest
from faker.providers.address.en_US import Provider as Addresses

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import FileValue, Instance
from surefoot.forms.specification import Constraint, Field, Form, Kind, Option, Page
from surefoot.forms.values.constraints import broken
from surefoot.forms.values.making import clash, instances, make_instance
from surefoot.forms.values.normalise import normalise, raw_of

SEED: Final = 20260302


def form_of(*fields: Field, constraints: tuple[Constraint, ...] = ()) -> Form:
    """Return a form of one page."""
    return Form(
        "it", "X1", "Test", {"en": "It"}, (Page({"en": "P"}, fields),), constraints=constraints
    )


def of(name: str, kind: Kind, fill: str, about: str = "applicant") -> Field:
    """Return a required field without limits."""
    accepts = (".pdf", ".png") if kind is Kind.FILE else ()
    return Field(name, kind, {"en": name}, fill, about=about, accepts=accepts)


def check(form: Form, instance: Instance) -> None:
    """Hold an instance against its form, the normaliser and itself."""
    values = instance.values
    assert broken(form, values) == ()
    assert list(values) == [item.id for item in form.fields if item.id in values]
    repeated = {
        frozenset(constraint.fields)
        for constraint in form.constraints
        if constraint.rule == "same"
    }
    for field in form.fields:
        if field.id in values:
            assert normalise(field, raw_of(values[field.id])) == values[field.id]
    filled = [item for item in form.fields if item.id in values]
    for one, two in combinations(filled, 2):
        if {one.id, two.id} not in repeated:
            assert not clash(one, values[one.id], two, values[two.id]), (one.id, two.id)


@pytest.mark.parametrize("form", catalogue().values(), ids=lambda form: form.code)
def test_instances_are_right(form: Form) -> None:
    """No instance is broken, all values are normal, and no text stands in another."""
    for instance in instances(form, SEED, 3):
        check(form, instance)


@pytest.mark.parametrize("count", [12, pytest.param(50, marks=pytest.mark.long)])
def test_all_instances_are_right_and_differ(count: int) -> None:
    """Many instances of each form of the catalogue are right, and no two are the same."""
    for form in catalogue().values():
        made = list(instances(form, SEED, count))
        for instance in made:
            check(form, instance)
        assert len({msgspec.json.encode(item.values) for item in made}) == len(made)
        for field in form.fields:
            if field.kind is Kind.DESCRIPTION:
                texts = [item.values[field.id] for item in made if field.id in item.values]
                assert len(set(texts)) > 0.8 * len(texts), field.id


def people() -> Iterator[Instance]:
    """Yield instances of a form that asks two people for much."""
    fields = [
        of(f"{about}_{fill.replace('.', '_')}", kind, fill, about)
        for about in ("applicant", "referee")
        for fill, kind in {
            "person.first_name": Kind.STRING,
            "person.last_name": Kind.STRING,
            "person.full_name": Kind.STRING,
            "person.email": Kind.EMAIL,
            "person.phone": Kind.TELEPHONE,
            "person.birth_date": Kind.DATE,
            "person.age": Kind.NUMBER,
            "address.city": Kind.STRING,
            "address.state": Kind.STRING,
            "address.zip": Kind.STRING,
            "address.full": Kind.STRING,
            "company.name": Kind.STRING,
            "company.website": Kind.URL,
            "company.email": Kind.EMAIL,
        }.items()
    ]
    yield from instances(form_of(*fields), SEED, 40)


def test_what_belongs_to_one_person_agrees() -> None:
    """E-mail follows the name, the age the birth date, ZIP and telephone the state."""
    for instance in people():
        for about in ("applicant", "referee"):
            own = {
                name.removeprefix(f"{about}_"): str(value)
                for name, value in instance.values.items()
                if name.startswith(about)
            }
            last = own["person_last_name"].lower().replace("'", "")
            assert last in own["person_email"]
            assert own["person_full_name"].endswith(own["person_last_name"])
            born = dt.date.fromisoformat(own["person_birth_date"])
            assert (dt.date(2026, 3, 2) - born).days // 365.2425 == int(own["person_age"])
            site = own["company_website"].removeprefix("https://www.")
            assert own["company_email"].endswith(f"@{site}")
            number = phonenumbers.parse(own["person_phone"])
            assert phonenumbers.is_valid_number(number)
            code = own["address_full"].rpartition(", ")[2].split()[0]
            low, high = Addresses.states_postcode[code]
            assert low <= int(own["address_zip"]) <= high
            assert own["address_city"] in own["address_full"]


def test_two_people_share_nothing() -> None:
    """Two people of one instance have neither a name nor a city in common."""
    for instance in people():
        for part in ("person_first_name", "person_last_name", "address_city", "company_name"):
            assert instance.values[f"applicant_{part}"] != instance.values[f"referee_{part}"]


def test_rules_hold_by_construction() -> None:
    """Dates follow, sums add up, repeats repeat, and options hang on what was chosen."""
    pairs = {"fr": "lyon", "uk": "york"}
    options = tuple(Option(pair, {"en": pair}) for pair in pairs)
    cities = tuple(
        Option(city, {"en": city}, when={"country": (country,)}) for country, city in pairs.items()
    )
    start = of("start", Kind.DATE, "date.future")
    end = msgspec.structs.replace(start, id="end", latest="2026-03-05")
    low = of("low", Kind.NUMBER, "number.money")
    form = form_of(
        end,
        start,
        low,
        msgspec.structs.replace(low, id="high", highest=700, lowest=2),
        msgspec.structs.replace(low, id="both"),
        of("again", Kind.EMAIL, "person.email"),
        of("mail", Kind.EMAIL, "person.email"),
        Field("country", Kind.RADIO, {"en": "Country"}, "option", options=options, required=False),
        Field("city", Kind.RADIO, {"en": "City"}, "option", options=cities),
        constraints=(
            Constraint("after", ("end", "start")),
            Constraint("at-most", ("low", "high")),
            Constraint("sum", ("both", "low", "high")),
            Constraint("same", ("again", "mail")),
        ),
    )
    for instance in instances(form, SEED, 30):
        assert broken(form, instance.values) == ()
        assert pairs[str(instance.values["country"])] == instance.values["city"]


def test_optional_fields_are_left_out_at_times() -> None:
    """About fifteen in a hundred optional texts are missing, and no box to tick is."""
    texts = [
        msgspec.structs.replace(of(f"t{number}", Kind.NUMBER, "number.count"), required=False)
        for number in range(10)
    ]
    box = msgspec.structs.replace(of("box", Kind.CHECKBOX, "flag"), required=False)
    made = list(instances(form_of(*texts, box), SEED, 60))

    missing = sum(text.id not in instance.values for instance in made for text in texts)
    assert 60 < missing < 120
    assert {instance.values["box"] for instance in made} == {True, False}


def test_an_instance_is_the_same_in_another_process() -> None:
    """Form, seed and index make the instance, in any process."""
    code = (
        "import msgspec, sys\n"
        "from surefoot.forms.catalogue.reading import find_form\n"
        "from surefoot.forms.values.making import make_instance\n"
        "made = make_instance(find_form('B12'), seed=5, index=3)\n"
        "sys.stdout.buffer.write(msgspec.json.encode(made))\n"
    )
    command = [sys.executable, "-c", code]
    other = subprocess.run(command, check=True, capture_output=True).stdout
    form = catalogue()["real_estate_rental"]

    assert msgspec.json.encode(make_instance(form, seed=5, index=3)) == other
    assert (
        make_instance(form, seed=5, index=4).values != make_instance(form, seed=6, index=4).values
    )


def test_files_are_named_after_whom_they_are_about() -> None:
    """A file bears its kind and its owner's name, and two of one kind differ in both ways."""
    form = form_of(
        of("name", Kind.STRING, "person.full_name"),
        of("cv", Kind.FILE, "file.cv"),
        of("second_cv", Kind.FILE, "file.cv"),
    )
    for instance in instances(form, SEED, 5):
        owner = str(instance.values["name"]).lower().replace(" ", "-").replace("'", "-")
        first, second = instance.values["cv"], instance.values["second_cv"]
        assert isinstance(first, FileValue)
        assert isinstance(second, FileValue)
        assert first.name.startswith(f"cv-{owner}.")
        assert first.sha256 != second.sha256
        assert first.name != second.name


def test_an_unknown_maker_is_refused() -> None:
    """A fill that nothing makes is refused with the nearest name."""
    with pytest.raises(UnknownNameError, match=r"person\.email"):
        make_instance(form_of(of("x", Kind.EMAIL, "person.emial")), seed=1, index=0)


def test_a_form_without_room_is_refused() -> None:
    """Limits that leave no value, and rules in a circle, are refused with the field's name."""
    tight = msgspec.structs.replace(of("name", Kind.STRING, "person.full_name"), longest=2)
    with pytest.raises(InvalidInputError, match="'name'"):
        make_instance(form_of(tight), seed=1, index=0)

    circle = tuple(Constraint("same", item) for item in (("a", "b"), ("b", "a")))
    fields = [of(item, Kind.EMAIL, "person.email") for item in "ab"]
    with pytest.raises(InvalidInputError, match="circle"):
        make_instance(form_of(*fields, constraints=circle), seed=1, index=0)


def test_a_clash_is_of_whole_words() -> None:
    """A text in another at word boundaries clashes; parts of words and options do not."""
    one, two = of("a", Kind.STRING, "name.area"), of("b", Kind.DESCRIPTION, "text.work")
    radio = Field("c", Kind.RADIO, {"en": "C"}, "option", options=(Option("a", {"en": "A"}),))

    assert clash(one, "Old Town", two, "Near the old  town.")
    assert clash(two, "12", one, "12 May")
    assert not clash(one, "2", two, "12")
    assert not clash(radio, "a", one, "a")
    mail = of("m", Kind.EMAIL, "person.email")
    assert not clash(of("n", Kind.STRING, "person.last_name"), "Lee", mail, "lee@b.org")
