"""
Tests of days in English, against the calendar of the standard library.
"""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.letters.proof.days import days_in, read_day

DATES = st.dates(dt.date(1940, 1, 1), dt.date(2030, 12, 31))


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
