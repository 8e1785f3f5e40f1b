"""
Tests of finding values in texts: whole words, typed values, any text.
"""

from __future__ import annotations

import datetime as dt
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.letters.proof.finding import (
    days_in,
    occurs,
    places,
    read_box,
    read_day,
    typed_in,
)
from surefoot.forms.specification import Field, Kind

DATES = st.dates(dt.date(1940, 1, 1), dt.date(2030, 12, 31))


def field_of(kind: Kind, label: str = "Value") -> Field:
    """Make a field of a kind."""
    return Field(id="value", kind=kind, label={"en": label}, fill="any")


@pytest.mark.parametrize(
    ("kind", "gold", "text", "found"),
    [
        (Kind.NUMBER, "12", "born on 12 May 1990", False),
        (Kind.NUMBER, "12", "a dozen people", True),
        (Kind.NUMBER, "1200", "about 1,200 words", True),
        (Kind.DATE, "1990-05-12", "born on May 12th, 1990", True),
        (Kind.TELEPHONE, "+12025550142", "call (202) 555-0142 now", True),
        (Kind.STRING, "Ann", "Annabel or Joann", False),
        (Kind.STRING, "Ann Lee", "it is ann\nlee.", True),
        (Kind.STRING, "Day", "Good day, a good Daylight", False),
        (Kind.STRING, "Day", "Yours, DAY", True),
        (Kind.STRING, "day shift", "on Day shift", True),
        (Kind.PASSWORD, "912-34-5678", "number 912-34-5678.", True),
    ],
)
def test_a_value_is_found_in_its_forms_and_in_no_other_value(
    kind: Kind, gold: str, text: str, found: bool
) -> None:
    """Typed values are found however they are written, and not within a value of another kind."""
    assert occurs(field_of(kind), gold, text) is found


@given(text=st.text(max_size=80))
def test_typed_values_of_any_text_do_not_overlap(text: str) -> None:
    """In any text, what is read as one kind is not read as another."""
    spots = sorted((start, end) for start, end, _, _ in typed_in(text))
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spots))


@given(value=st.text(max_size=10), text=st.text(max_size=20))
def test_places_of_any_value_hold_it(value: str, text: str) -> None:
    """Whatever is asked for, a place that is found spells it but for case and spaces."""
    for start, end in places(text, value):
        assert len(text[start:end].split()) == len(value.split()) > 0


@pytest.mark.parametrize(
    ("label", "text", "value"),
    [
        ("The work is for sale", "This work is up for sale", True),
        ("The work is for sale", "The work isn't for sale", False),
        ("The work is for sale", "The work has been sold", None),
        ("I agree to the rules", "yes", True),
        ("I agree to the rules", "I agree to the rules:", None),
        ("I have no debts", "I have no debts", True),
        ("I have no debts", "It is not so that I have no debts", False),
    ],
)
def test_a_box_is_read_from_a_statement_with_the_words_of_its_label(
    label: str, text: str, value: bool | None
) -> None:
    """All words of the label tick the box, a further negation leaves it empty."""
    assert read_box(field_of(Kind.CHECKBOX, label), text) is value


@given(day=DATES, count=st.integers(2, 60), unit=st.sampled_from([("days", 1), ("weeks", 7)]))
def test_days_counted_from_a_date_agree_with_the_calendar(
    day: dt.date, count: int, unit: tuple[str, int]
) -> None:
    """Days and weeks after and before any date come to the day that the calendar gives."""
    anchor = f"{day:%B} {day.day}, {day.year}"
    away = dt.timedelta(days=count * unit[1])
    assert read_day(f"{count} {unit[0]} after {anchor}") == (day + away).isoformat()
    assert read_day(f"{count} {unit[0]} before {anchor}") == (day - away).isoformat()


@pytest.mark.parametrize(
    "text",
    ["two weeks after", "after 3 May 2026", "two moons after 3 May 2026", "3 May", "tomorrow"],
)
def test_what_is_no_single_day_is_refused(text: str) -> None:
    """A day without its year, count or anchor is none."""
    assert read_day(text) is None


def test_dates_within_a_text_are_found_in_every_form() -> None:
    """Four ways of writing dates are found; a date that the calendar lacks is not."""
    text = "2026-03-14, 3 May 1990, the 3rd of May 1991, May 4th, 1992; not 31 February 1990"
    found = [value for _, _, value in days_in(text)]
    assert found == ["2026-03-14", "1990-05-03", "1991-05-03", "1992-05-04"]
