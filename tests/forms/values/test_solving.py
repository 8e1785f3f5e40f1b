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
from surefoot.forms.specification import Constraint, Field, Form, Kind, Likely, Option, Page
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
    *fields: Field, rules: tuple[Constraint, ...] = (), likely: tuple[Likely, ...] = ()
) -> Form:
    """Return a form of one page."""
    pages = (Page({"en": "P"}, fields),)
    return Form("it", "X1", "Test", {"en": "It"}, pages, constraints=rules, likely=likely)


def made(code: str, count: int = 12) -> Iterator[dict[str, Value]]:
    """Yield the values of instances of a form of the catalogue."""
    yield from (each.values for each in instances(find_form(code), SEED, count))


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
            Likely("age", when={"pick": ("a",)}, lowest=40, highest=50),
            Likely("sub", when={"pick": ("b",)}, options=("b",)),
            Likely("name", when={"sub": ("a",)}, fill="company.name"),
            Likely("note", when={"pick": ("a",)}, filled=False),
            Likely("note", when={"pick": ("b",)}, filled=True),
            Likely("more", when={"note": ()}, filled=False),
        ),
    )
    values = [each.values for each in instances(form, SEED, 60)]
    ages: dict[Value, list[int]] = {each["pick"]: [] for each in values}
    for each in values:
        ages[each["pick"]].append(int(str(each["age"])))
        assert each["pick"] == "a" or each["sub"] == "b"
        assert ("note" in each) == (each["pick"] == "b")
        assert "note" in each or "more" not in each
    assert all(40 <= age <= 50 for age in ages["a"])
    assert any(not 40 <= age <= 50 for age in ages["b"])
    assert {each["sub"] for each in values if each["pick"] == "a"} == {"a", "b"}
    assert any("more" not in each for each in values if "note" in each)
    assert any("," in str(each["name"]) for each in values if each["sub"] == "a")
    assert not any("," in str(each["name"]) for each in values if each["sub"] == "b")


def test_a_condition_asks_for_all_its_fields() -> None:
    """Something likely with two conditions holds only where both do; the last one counts."""
    form = form_of(
        of("one", Kind.RADIO, "option", options=AB),
        of("two", Kind.RADIO, "option", options=AB),
        of("age", Kind.NUMBER, "number.count", lowest=1, highest=90),
        of("note", Kind.STRING, "name.area", required=False),
        likely=(
            Likely("age", when={"one": ("a",), "two": ("b",)}, highest=9),
            Likely("note", filled=True),
            Likely("note", when={"one": ("a",)}, filled=False),
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
    assert [each.id for each in order_of(form_of(*fields))] == ["pick", "note", "cv"]
    with pytest.raises(InvalidInputError, match="circle"):
        order_of(form_of(*fields, likely=(Likely("pick", when={"note": ()}, options=("a",)),)))


@pytest.mark.parametrize("form", catalogue().values(), ids=lambda form: form.code)
def test_days_lie_on_their_side_of_today(form: Form) -> None:
    """What is to come lies ahead of today and on a working day, what is past before it."""
    names = {each.id: each.fill for each in form.fields if each.kind is Kind.DATE}
    for each in made(form.code, 3) if names else ():
        for name in names.keys() & each.keys():
            day = dt.date.fromisoformat(str(each[name]))
            to_come = names[name].startswith("date.future")
            assert (day > TODAY) == to_come, name
            assert not to_come or day.strftime("%a") not in {"Sat", "Sun"}, name


def test_lives_agree_with_themselves() -> None:
    """No job is older than its holder allows, no doctor of philosophy is a child."""
    for each in made("B12"):
        age = TODAY.year - int(str(each["date_of_birth"])[:4])
        counted = str(each["employment_length"]).lower().split()
        assert "year" not in counted[1] or COUNTS.index(counted[0]) + 1 < age - 17
        assert each["pets"] == "yes" or "pet_details" not in each
    for each in made("B14"):
        age = TODAY.year - int(str(each["date_of_birth"])[:4])
        assert int(str(each["years_experience"])) <= age - 18
        assert each["education_level"] != "phd" or age >= 28
        assert each["education_level"] != "high-school" or each["membership_level"] == "student"


def test_firms_agree_with_themselves() -> None:
    """An idea earns nothing, a share is that of the money, and a name gives the firm's form."""
    for each in made("B11"):
        assert (each["business_stage"] == "idea") <= (each["current_revenue"] == "0")
        share = (
            100
            * Fraction(str(each["funding_amount"]))
            / Fraction(str(each["post_money_valuation"]))
        )
        assert abs(share - int(str(each["equity_offered"]))) <= Fraction(1, 2)
    for each in made("G13"):
        name = str(each.get("business_name", ""))
        assert (
            not name.endswith((" Inc", " PLC", " Ltd")) or each["business_type"] == "corporation"
        )
        assert not name.endswith("LLC") or each["business_type"] == "llc"
        assert "," not in name or each["business_type"] == "partnership"
        form = each["w9_form"]
        assert isinstance(form, FileValue)
        owner = name or str(each["full_name"])
        assert owner.lower().split()[-1].replace("'", "-").split("-")[-1] in form.name


def test_stories_agree_with_themselves() -> None:
    """Bugs, tickets, patients and posts speak of one thing all along."""
    for each in made("D11"):
        screen = " ".join(str(each["title"]).lower().split()[:2])
        assert screen in str(each["steps"])
        assert screen in str(each["expected"]).lower()
    for each in made("A11"):
        subject = str(each["department"]).partition(" of ")[2] or str(each["department"])[14:]
        assert subject in str(each["position"])
    for each in made("F12"):
        assert "existing_conditions" in each or "medications" not in each
    for each in made("B13"):
        other = each["dietary_requirements"] == "other"
        assert other == ("I eat " in str(each.get("special_requests")))
    for each in made("C11"):
        assert int(str(each["year"])) <= 2023
        assert each["medium"] == "sculpture" or int(str(each["dimensions"]).split()[4]) <= 15
