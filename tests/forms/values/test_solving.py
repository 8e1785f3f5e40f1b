"""
Tests of values that follow from others: rules that are solved, and what is likely.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Final

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.forms.catalogue.reading import catalogue, find_form
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.specification import Constraint, Field, Form, Kind, LikelyValues, Option, Page
from surefoot.forms.values.constraints import broken
from surefoot.forms.values.makers.cast import TODAY
from surefoot.forms.values.making import instances
from surefoot.forms.values.solving import left_out, likely_field, order_of

SEED: Final = 20260302
COUNTS: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
AB: Final = (Option("a", {"en": "A"}), Option("b", {"en": "B"}))


def of(name: str, kind: Kind, fill: str, **more: object) -> Field:
    """Return a field with limits of its own."""
    return msgspec.structs.replace(Field(name, kind, {"en": name}, fill), **more)


def form_of(
    *fields: Field, rules: tuple[Constraint, ...] = (), likely: tuple[LikelyValues, ...] = ()
) -> Form:
    """Return a form of one page."""
    pages = (Page({"en": "P"}, fields),)
    return Form("it", "X1", "Test", {"en": "It"}, pages, constraints=rules, likely=likely)


def made(code: str, count: int = 12) -> Iterator[dict[str, Value]]:
    """Yield the values of instances of a form of the catalogue."""
    yield from (instance.values for instance in instances(find_form(code), SEED, count))


def test_weeks_lie_between_the_two_dates() -> None:
    """Start and duration are drawn and the end follows, whatever order the form asks them in."""
    form = form_of(
        of("end", Kind.DATE, "date.future", latest="2027-12-31"),
        of("weeks", Kind.NUMBER, "number.count", lowest=1, highest=400, step=1),
        of("start", Kind.DATE, "date.future", latest="2027-10-31"),
        rules=(
            Constraint("weeks", ("weeks", "start", "end")),
            Constraint("after", ("end", "start")),
        ),
    )
    found = set()
    for instance in instances(form, SEED, 40):
        start, end = (dt.date.fromisoformat(str(instance.values[n])) for n in ("start", "end"))
        weeks = int(str(instance.values["weeks"]))
        assert dt.timedelta(weeks=weeks) <= end - start < dt.timedelta(weeks=weeks + 1)
        assert broken(form, instance.values) == ()
        found.add(weeks)
    assert len(found) > 15


def test_percentages_follow_from_their_amounts() -> None:
    """The share is that of the part in a sum that is solved, too."""
    money = of("part", Kind.NUMBER, "number.money", lowest=100, highest=9000, step=1)
    form = form_of(
        of("share", Kind.NUMBER, "number.percent", lowest=5, highest=60, step=1),
        money,
        msgspec.structs.replace(money, id="rest"),
        msgspec.structs.replace(money, id="whole", lowest=200, highest=18000),
        rules=(
            Constraint("percent", ("share", "part", "whole")),
            Constraint("sum", ("whole", "part", "rest")),
        ),
    )
    for instance in instances(form, SEED, 30):
        part, whole, share = (
            Fraction(str(instance.values[n])) for n in ("part", "whole", "share")
        )
        assert abs(100 * part / whole - share) <= Fraction(1, 2)
        assert 5 <= share <= 60


def test_what_is_likely_narrows_values() -> None:
    """Limits, options, another maker and emptiness hold while the other fields say so."""
    form = form_of(
        of("pick", Kind.RADIO, "option", options=AB),
        of("sub", Kind.DROP_DOWN, "option", options=AB),
        of("age", Kind.NUMBER, "number.count", lowest=1, highest=90, step=1),
        of("name", Kind.STRING, "person.full_name"),
        of("note", Kind.STRING, "name.area", required=False),
        of("more", Kind.STRING, "name.browser", required=False),
        likely=(
            LikelyValues("age", when={"pick": ("a",)}, lowest=40, highest=50),
            LikelyValues("sub", when={"pick": ("b",)}, options=("b",)),
            LikelyValues("name", when={"sub": ("a",)}, fill="company.name"),
            LikelyValues("note", when={"pick": ("a",)}, filled=False),
            LikelyValues("note", when={"pick": ("b",)}, filled=True),
            LikelyValues("more", when={"note": ()}, filled=False),
        ),
    )
    values = [instance.values for instance in instances(form, SEED, 60)]
    ages: dict[Value, list[int]] = {value["pick"]: [] for value in values}
    for value in values:
        ages[value["pick"]].append(int(str(value["age"])))
        assert value["pick"] == "a" or value["sub"] == "b"
        assert ("note" in value) == (value["pick"] == "b")
        assert "note" in value or "more" not in value
    assert all(40 <= age <= 50 for age in ages["a"])
    assert any(not 40 <= age <= 50 for age in ages["b"])
    assert {value["sub"] for value in values if value["pick"] == "a"} == {"a", "b"}
    assert any("more" not in value for value in values if "note" in value)
    assert any("," in str(value["name"]) for value in values if value["sub"] == "a")
    assert not any("," in str(value["name"]) for value in values if value["sub"] == "b")


def test_a_condition_asks_for_all_its_fields() -> None:
    """Something likely with two conditions holds only where both do; the last one counts."""
    form = form_of(
        of("one", Kind.RADIO, "option", options=AB),
        of("two", Kind.RADIO, "option", options=AB),
        of("age", Kind.NUMBER, "number.count", lowest=1, highest=90),
        of("note", Kind.STRING, "name.area", required=False),
        likely=(
            LikelyValues("age", when={"one": ("a",), "two": ("b",)}, highest=9),
            LikelyValues("note", filled=True),
            LikelyValues("note", when={"one": ("a",)}, filled=False),
        ),
    )
    age, note = form.fields[2:]
    assert likely_field(form, age, {"one": "a", "two": "b"}).highest == 9
    assert likely_field(form, age, {"one": "a", "two": "a"}).highest == 90
    assert likely_field(form, age, {"one": "a"}).highest == 90
    assert left_out(form, note, {"one": "a"}, Random(1))  # noqa: S311
    assert not any(left_out(form, note, {"one": "b"}, Random(n)) for n in range(40))  # noqa: S311


def test_texts_come_after_choices_and_files_last() -> None:
    """A text may go with any choice, a file with any name; a circle is refused."""
    cv = of("cv", Kind.FILE, "file.cv", accepts=(".pdf",))
    pick = of("pick", Kind.RADIO, "option", options=AB)
    fields = (cv, of("note", Kind.STRING, "name.area"), pick)
    assert [field.id for field in order_of(form_of(*fields))] == ["pick", "note", "cv"]
    with pytest.raises(InvalidInputError, match="circle"):
        order_of(
            form_of(*fields, likely=(LikelyValues("pick", when={"note": ()}, options=("a",)),))
        )


@pytest.mark.parametrize("form", catalogue().values(), ids=lambda form: form.code)
def test_days_lie_on_their_side_of_today(form: Form) -> None:
    """What is to come lies ahead of today and on a working day, what is past before it."""
    names = {field.id: field.fill for field in form.fields if field.kind is Kind.DATE}
    for item in made(form.code, 3) if names else ():
        for name in names.keys() & item.keys():
            day = dt.date.fromisoformat(str(item[name]))
            to_come = names[name].startswith("date.future")
            assert (day > TODAY) == to_come, name
            assert not to_come or day.strftime("%a") not in {"Sat", "Sun"}, name


def test_lives_agree_with_themselves() -> None:
    """No job is older than its holder allows, no doctor of philosophy is a child."""
    for item in made("B12"):
        age = TODAY.year - int(str(item["date_of_birth"])[:4])
        counted = str(item["employment_length"]).lower().split()
        assert "year" not in counted[1] or COUNTS.index(counted[0]) + 1 < age - 17
        assert item["pets"] == "yes" or "pet_details" not in item
    for entry in made("B14"):
        age = TODAY.year - int(str(entry["date_of_birth"])[:4])
        assert int(str(entry["years_experience"])) <= age - 18
        assert entry["education_level"] != "phd" or age >= 28
        assert entry["education_level"] != "high-school" or entry["membership_level"] == "student"


def test_firms_agree_with_themselves() -> None:
    """An idea earns nothing, a share is that of the money, and a name gives the firm's form."""
    for item in made("B11"):
        assert (item["business_stage"] == "idea") <= (item["current_revenue"] == "0")
        share = (
            100
            * Fraction(str(item["funding_amount"]))
            / Fraction(str(item["post_money_valuation"]))
        )
        assert abs(share - int(str(item["equity_offered"]))) <= Fraction(1, 2)
    for entry in made("G13"):
        name = str(entry.get("business_name", ""))
        assert (
            not name.endswith((" Inc", " PLC", " Ltd")) or entry["business_type"] == "corporation"
        )
        assert not name.endswith("LLC") or entry["business_type"] == "llc"
        assert "," not in name or entry["business_type"] == "partnership"
        form = entry["w9_form"]
        assert isinstance(form, FileValue)
        owner = name or str(entry["full_name"])
        assert owner.lower().split()[-1].replace("'", "-").split("-")[-1] in form.name


def test_stories_agree_with_themselves() -> None:
    """Bugs, tickets, patients and posts speak of one thing all along."""
    for item in made("D11"):
        screen = " ".join(str(item["title"]).lower().split()[:2])
        assert screen in str(item["steps"])
        assert screen in str(item["expected"]).lower()
    for entry in made("A11"):
        subject = str(entry["department"]).partition(" of ")[2] or str(entry["department"])[14:]
        assert subject in str(entry["position"])
    for one in made("F12"):
        assert "existing_conditions" in one or "medications" not in one
    for current in made("B13"):
        other = current["dietary_requirements"] == "other"
        assert other == ("I eat " in str(current.get("special_requests")))
    for current in made("C11"):
        assert int(str(current["year"])) <= 2023
        assert current["medium"] == "sculpture" or int(str(current["dimensions"]).split()[4]) <= 15
