"""
Tests of dates as people write them, against strftime.
"""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.values.dates import MONTHS, read_date

DATES = st.dates(dt.date(1900, 1, 1), dt.date(2199, 12, 31))


@given(day=DATES)
def test_english_forms_agree(day: dt.date) -> None:
    """ISO, month first, and months by name mean one date in English."""
    forms = ["%Y-%m-%d", "%Y/%m/%d", "%m/%d/%Y", "%m-%d-%Y", "%B %d, %Y", "%d %B %Y"]
    forms += ["%b %d %Y", "%d %b. %Y", "%B %dth, %Y", "the %dth of %B %Y"]

    assert {read_date(day.strftime(form)) for form in forms} == {day.isoformat()}


@given(day=DATES, language=st.sampled_from(sorted(MONTHS)))
def test_other_languages_agree(day: dt.date, language: str) -> None:
    """Day first, months by the language's names, ideographs and Buddhist years are read."""
    name = MONTHS[language][day.month - 1]
    assert read_date(f"{day.day} {name.title()} {day.year}", language=language) == day.isoformat()
    assert read_date(f"{day.year}年{day.month}月{day.day}日", language="ja") == day.isoformat()
    assert read_date(f"{day:%d/%m/}{day.year + 543}", language="th") == day.isoformat()
    for literal in ("fr", "ru", "th", "ar"):
        assert read_date(day.strftime("%d.%m.%Y"), language=literal) == day.isoformat()


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("١٤ آذار ٢٠٢٦", "2026-03-14"),
        ("3 ابريل 2026", "2026-04-03"),
        ("14 كانون الثاني، 2026", "2026-01-14"),
        ("14 كانون الأول 2026م", "2026-12-14"),
        ("14 تشرين 2026", None),
        ("\u200e14/03/2026", "2026-03-14"),
    ],
)
def test_arabic_months_go_by_both_names(raw: str, expected: str | None) -> None:
    """Names of Egypt and of the Levant are read, with or without marks of alef, whole alone."""
    assert read_date(raw, language="ar") == expected


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "2026-02-30",
        "3/14/26",
        "14/03/2026",
        "14.03.2026",
        "2026-3/4",
        "March 2026",
        "0000-01-01",
    ],
)
def test_no_date(raw: str) -> None:
    """A day that no calendar has, a short year and an order not English are refused."""
    assert read_date(raw) is None


@given(raw=st.text(max_size=80), language=st.sampled_from(["en", "fr", "th", "xx"]))
def test_any_text_is_read_without_an_error(raw: str, language: str) -> None:
    """Any text gives a date of the calendar or none."""
    found = read_date(raw, language=language)

    assert found is None or dt.date.fromisoformat(found).isoformat() == found
