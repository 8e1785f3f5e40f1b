"""
Tests of what is wrong with the values of a form, and of how it is said.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import UnknownNameError
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.specification import LANGUAGES, Constraint, Field, Form, Kind, Option, Page
from surefoot.forms.values.constraints import (
    REASONS,
    Breach,
    broken,
    full_weeks,
    offered,
    percent_of,
    read_values,
    reason_words,
)

SHA: Final = "0" * 64


def named(name: str, kind: Kind, fill: str = "x") -> Field:
    """Return a field that is not required and has no limit."""
    return Field(id=name, kind=kind, label={"en": name.title()}, fill=fill, required=False)


AB: Final = (Option("a", {"en": "A"}), Option("b", {"en": "B"}))
CITIES: Final = (
    Option("lyon", {"en": "Lyon"}, when={"country": ("fr",)}),
    Option("york", {"en": "York"}, when={"country": ("uk", "fi")}),
    Option("other", {"en": "Other"}),
)
COUNTRIES: Final = tuple(
    Option(literal, {"en": literal.upper()}) for literal in ("fr", "uk", "fi")
)
FIRST: Final = (
    Field("name", Kind.STRING, {"en": "Name"}, "x", shortest=2, longest=5),
    Field("age", Kind.NUMBER, {"en": "Age"}, "x", lowest=18, highest=99, step=0.5, required=False),
    Field(
        "day",
        Kind.DATE,
        {"en": "Day"},
        "x",
        earliest="2026-01-01",
        latest="2026-12-31",
        required=False,
    ),
    Field("pick", Kind.RADIO, {"en": "Pick"}, "option", options=AB, required=False),
    Field("many", Kind.MULTI_CHOICE, {"en": "Many"}, "options", options=AB, required=False),
    Field("file", Kind.FILE, {"en": "File"}, "file.cv", accepts=(".pdf",), required=False),
    Field("terms", Kind.CHECKBOX, {"en": "Terms"}, "consent"),
    Field("news", Kind.CHECKBOX, {"en": "News"}, "flag"),
    named("mail", Kind.EMAIL),
)
SECOND: Final = (
    named("end", Kind.DATE),
    named("part", Kind.NUMBER),
    named("rest", Kind.NUMBER),
    named("total", Kind.NUMBER),
    named("again", Kind.EMAIL),
    named("weeks", Kind.NUMBER),
    named("share", Kind.NUMBER),
    Field("country", Kind.RADIO, {"en": "Country"}, "option", options=COUNTRIES, required=False),
    Field("city", Kind.DROP_DOWN, {"en": "City"}, "option", options=CITIES, required=False),
)
FORM: Final = Form(
    id="form",
    code="X1",
    domain="Test",
    title={"en": "Form"},
    pages=(Page({"en": "One"}, FIRST), Page({"en": "Two"}, SECOND)),
    constraints=(
        Constraint("after", ("end", "day")),
        Constraint("at-most", ("part", "total")),
        Constraint("sum", ("total", "part", "rest")),
        Constraint("same", ("again", "mail")),
        Constraint("weeks", ("weeks", "day", "end")),
        Constraint("percent", ("share", "part", "total")),
    ),
)
FINE: Final[dict[str, Value]] = {"name": "Ana", "terms": True}


@pytest.mark.parametrize(
    ("change", "breach"),
    [
        ({"name": "A"}, Breach("name", "too-short", "2")),
        ({"name": "Ana Lee"}, Breach("name", "too-long", "5")),
        ({"age": "17.5"}, Breach("age", "too-low", "18")),
        ({"age": "99.5"}, Breach("age", "too-high", "99")),
        ({"age": "18.25"}, Breach("age", "off-step", "0.5")),
        ({"age": "old"}, Breach("age", "malformed")),
        ({"age": True}, Breach("age", "malformed")),
        ({"day": "2025-12-31"}, Breach("day", "too-early", "2026-01-01")),
        ({"day": "2027-01-01"}, Breach("day", "too-late", "2026-12-31")),
        ({"pick": "c"}, Breach("pick", "not-an-option")),
        ({"pick": ("a",)}, Breach("pick", "malformed")),
        ({"many": ("a", "c")}, Breach("many", "not-an-option")),
        ({"many": ()}, Breach("many", "malformed")),
        ({"city": "york", "country": "fr"}, Breach("city", "option-not-offered", "lyon other")),
        ({"city": "york"}, Breach("city", "option-not-offered", "other")),
        ({"file": FileValue("cv.png", SHA)}, Breach("file", "wrong-type", ".pdf")),
        ({"terms": False}, Breach("terms", "missing")),
        ({"end": "2026-05-01", "day": "2026-05-01"}, Breach("end", "rule-after", "day")),
        ({"part": "9", "total": "8.5"}, Breach("part", "rule-at-most", "total")),
        ({"part": "0.1", "rest": "0.2", "total": "0.4"}, Breach("total", "rule-sum", "part rest")),
        ({"mail": "a@b.org", "again": "a@c.org"}, Breach("again", "rule-same", "mail")),
        (
            {"day": "2026-03-01", "end": "2026-03-14", "weeks": "2"},
            Breach("weeks", "rule-weeks", "day end"),
        ),
        (
            {"part": "1", "total": "8", "share": "12"},
            Breach("share", "rule-percent", "part total"),
        ),
        ({"part": "0", "total": "0", "share": "0"}, Breach("share", "rule-percent", "part total")),
    ],
)
def test_each_breach_is_found(change: dict[str, Value], breach: Breach) -> None:
    """One wrong value is one breach, with its reason and what was expected."""
    assert broken(FORM, FINE | change) == (breach,)


@pytest.mark.parametrize(
    "change",
    [
        {"age": "18.5", "day": "2026-01-01", "end": "2026-01-02"},
        {"pick": "b", "many": ("a", "b"), "file": FileValue("CV.PDF", SHA)},
        {"part": "0.1", "rest": "0.2", "total": "0.3", "news": False},
        {"city": "york", "country": "uk"},
        {"mail": "a@b.org", "again": "a@b.org"},
        {"end": "2020-01-01", "total": "5", "rest": "9"},
        {"day": "2026-03-01", "end": "2026-03-15", "weeks": "2"},
        {"part": "1", "total": "8", "share": "13"},
    ],
)
def test_what_is_right_is_not_broken(change: dict[str, Value]) -> None:
    """Values at the limits, and rules of which a field is empty, are no breach."""
    assert broken(FORM, FINE | change) == ()


def test_a_page_answers_for_its_own_fields() -> None:
    """A page's breaches are those of its fields, rules among them by their first field."""
    values: dict[str, Value] = {"day": "2026-05-02", "end": "2026-05-01"}

    assert [breach.field for breach in broken(FORM, values, page=0)] == ["name", "terms"]
    assert [breach.reason for breach in broken(FORM, values, page=1)] == ["rule-after"]


def test_options_hang_on_other_fields() -> None:
    """An option is offered while the field that it hangs on holds one of its values."""
    city = SECOND[-1]

    assert [option.value for option in offered(city, {"country": "uk"})] == ["york", "other"]
    assert [option.value for option in offered(city, {})] == ["other"]


def test_texts_are_read_and_checked() -> None:
    """Texts become values; one that cannot be read is blamed once, and not as missing."""
    raw = {"name": " Ana ", "age": "old", "pick": "Z", "terms": ["yes"], "stray": "x"}
    reading = read_values(FORM, raw)

    assert reading.values == {"name": "Ana", "terms": True, "news": False}
    assert reading.broken == (Breach("age", "malformed"), Breach("pick", "not-an-option"))
    assert read_values(FORM, {"name": " ", "terms": "on"}).broken == (Breach("name", "missing"),)
    assert read_values(FORM, raw, page=1).broken == ()


@given(
    count=st.integers(0, 10**9),
    step=st.sampled_from(["0.01", "0.05", "0.5", "1", "7"]),
    lowest=st.integers(-50, 50),
)
def test_steps_are_counted_exactly(count: int, step: str, lowest: int) -> None:
    """A whole number of steps from the lowest value is on step, and a half more is off."""
    field = Field("n", Kind.NUMBER, {"en": "N"}, "x", lowest=lowest, step=float(step))
    form = Form("f", "X", "T", {"en": "F"}, (Page({"en": "P"}, (field,)),))
    number = lowest + count * Decimal(step)

    assert broken(form, {"n": f"{number:f}"}) == ()
    off = f"{number + Decimal(step) / 2:f}"
    assert [breach.reason for breach in broken(form, {"n": off})] == ["off-step"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words(language: str) -> None:
    """Every reason, for every field, has words of its own in every language, with its limit."""
    for reason in REASONS:
        for field in (*FIRST, *SECOND):
            words = reason_words(reason, field, language, others=FIRST[:2])
            english = reason_words(reason, field, "en", others=FIRST[:2])
            assert words
            assert "{" not in words
            assert (words == english) == (language == "en")
            assert ("Name" in words) == reason.startswith("rule-")
    assert "18" in reason_words("too-low", FIRST[1], language)
    assert "0.5" in reason_words("off-step", FIRST[1], language)
    assert "2026-12-31" in reason_words("too-late", FIRST[2], language)
    assert ".pdf" in reason_words("wrong-type", FIRST[5], language)


def test_an_unknown_reason_is_refused() -> None:
    """A reason that nothing gives is refused with the nearest one."""
    with pytest.raises(UnknownNameError, match="too-long"):
        reason_words("too-lon", FIRST[0], "en")


@given(
    st.dates(dt.date(2026, 1, 1), dt.date(2026, 12, 31)),
    st.integers(-3000, 3000),
    st.sampled_from([-1, 0, 0, 1]),
)
def test_weeks_are_all_that_fit_between_two_days(day: dt.date, days: int, off: int) -> None:
    """Exactly one number of weeks is right: with one more the end would be passed."""
    end = day + dt.timedelta(days=days)
    weeks = days // 7 + off
    right = day + dt.timedelta(weeks=weeks) <= end < day + dt.timedelta(weeks=weeks + 1)
    values = {"day": day.isoformat(), "end": end.isoformat(), "weeks": str(weeks)}

    assert (full_weeks(values["day"], values["end"]) == weeks) == right
    reasons = {breach.reason for breach in broken(FORM, FINE | values, page=1)}
    assert ("rule-weeks" not in reasons) == right


@given(st.decimals(0, 10**6, places=2), st.decimals("0.01", 10**6, places=2))
def test_percentages_are_the_nearest_whole_ones(part: Decimal, whole: Decimal) -> None:
    """No other whole number is nearer, and of two as near the larger one is meant."""
    share = percent_of(str(part), str(whole))
    off = 100 * Fraction(part) / Fraction(whole) - share
    assert Fraction(-1, 2) <= off < Fraction(1, 2)
