"""
Tests of options in sentences: their labels, and facts that leave only one of them.
"""

from __future__ import annotations

import pytest

from surefoot.forms.letters.proof.choices import read_chosen, read_several
from surefoot.forms.letters.tables import choices
from surefoot.forms.specification import LANGUAGES, Field, Kind, Option


def field_of(*labels: str, kind: Kind = Kind.DROP_DOWN) -> Field:
    """Make a field that offers these labels, numbered from 0."""
    options = tuple(Option(value=f"o{n}", label={"en": label}) for n, label in enumerate(labels))
    return Field(id="choice", kind=kind, label={"en": "Choice"}, fill="option", options=options)


INCOME = field_of("Below 30,000", "30,000 to 59,999", "60,000 or more")
HOURS = field_of("Morning (before 12:00)", "Afternoon (12:00 to 17:00)", "Evening (after 17:00)")
HALVES = field_of("Morning (9:00 AM-12:00 PM)", "Afternoon (1:00 PM-4:00 PM)")
TERMS = field_of("6 months", "12 months", "24 months")
DAYS = Field(
    id="days",
    kind=Kind.DROP_DOWN,
    label={"en": "Availability"},
    fill="option",
    options=tuple(
        Option(value=literal, label={"en": literal.title()})
        for literal in ("weekdays", "weekends", "both")
    ),
)


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (INCOME, "29,999 dollars", "o0"),
        (INCOME, "30,000 dollars", "o1"),
        (INCOME, "59,999 dollars", "o1"),
        (INCOME, "60,000 dollars", "o2"),
        (INCOME, "59,999.50 dollars", None),
        (HOURS, "11:59", "o0"),
        (HOURS, "12:00", "o1"),
        (HOURS, "17:01", "o2"),
        (HOURS, "in the night", None),
        (HALVES, "9:00 AM", "o0"),
        (HALVES, "1:30 PM", "o1"),
        (HALVES, "12:30 PM", None),
        (TERMS, "half a year", "o0"),
        (TERMS, "a year", "o1"),
        (TERMS, "two years", "o2"),
        (TERMS, "three years", None),
        (TERMS, "neither 6 months nor 24 months", "o1"),
        (TERMS, "neither 6 months nor 7 months", None),
        (TERMS, "neither 6 months", None),
        (DAYS, "weekends and weekdays alike", "both"),
        (DAYS, "weekends", "weekends"),
    ],
)
def test_an_option_follows_from_a_fact_or_none_does(
    field: Field, text: str, value: str | None
) -> None:
    """Amounts, hours, lengths of time and exclusions leave the option at their limits too."""
    assert read_chosen(field, text) == value


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stroke_is_said_as_or(language: str) -> None:
    """What a label sets apart by a stroke is read with the word for "or" of each language."""
    labels = {"en": "Rent", language: "Lease/rent"}
    other = Option(value="other", label={"en": "Sale"})
    options = (Option(value="lease", label=labels), other)
    field = Field("use", Kind.RADIO, {"en": "Use"}, fill="option", options=options)
    assert read_chosen(field, f"lease{choices(language).either}rent", language) == "lease"


def test_a_name_shared_by_two_options_names_neither() -> None:
    """A part of a label that two options have is ambiguous, and refused."""
    shared = field_of("Express (courier)", "Ground (courier)")
    assert read_chosen(shared, "courier") is None
    assert read_chosen(shared, "express") == "o0"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("CS1, CS2 and CS3", ("o0", "o1", "o2")),
        ("Databases and CS1", ("o0", "o1")),
        ("all three of them", ("o0", "o1", "o2")),
        ("all four of them", None),
        ("all but CS1", ("o1", "o2")),
        ("CS1 and cooking", None),
        ("", None),
    ],
)
def test_lists_of_options_are_read_whole(text: str, value: tuple[str, ...] | None) -> None:
    """A list, all of them, or all but some; a word that names no option spoils the list."""
    field = field_of("CS1 - Logic", "CS2 - Databases", "CS3 - Art", kind=Kind.MULTI_CHOICE)
    assert read_several(field, text) == value
