"""
Tests of surface forms: whatever way a value is written, the verifier's readers give it back.
"""

from __future__ import annotations

import datetime as dt
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.seeds import random_source
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.letters.blocks import derived
from surefoot.forms.letters.proof.finding import read_phrase
from surefoot.forms.letters.surfaces import plain, reworded
from surefoot.forms.specification import Field, Kind

SEEDS = st.integers(0, 10**6)
MONEY = Field(id="sum", kind=Kind.NUMBER, label={"en": "Sum"}, fill="number.money")
COUNT = Field(id="count", kind=Kind.NUMBER, label={"en": "Count"}, fill="number.count")
DAY = Field(id="day", kind=Kind.DATE, label={"en": "Day"}, fill="date.future")
PHONE = Field(id="phone", kind=Kind.TELEPHONE, label={"en": "Phone"}, fill="person.phone")


def chance(seed: int) -> Random:
    """Return a generator of a seed."""
    return random_source(seed, "test")


@given(cents=st.integers(1, 10**8), seed=SEEDS)
def test_amounts_come_back(cents: int, seed: int) -> None:
    """Any amount, with cents or without, is read from its reworded form."""
    value = f"{cents // 100}.{cents % 100:02}".rstrip("0").rstrip(".")
    for field in (MONEY, COUNT):
        made = reworded(field, value, chance(seed), "en")
        assert read_phrase(field, made.text, value) == value


@given(day=st.dates(dt.date(1900, 3, 1), dt.date(2100, 1, 1)), seed=SEEDS)
def test_days_come_back(day: dt.date, seed: int) -> None:
    """Any day is read from its reworded form."""
    value = day.isoformat()
    made = reworded(DAY, value, chance(seed), "en")
    assert read_phrase(DAY, made.text, value) == value


@given(digits=st.integers(100, 199), seed=SEEDS)
def test_telephone_numbers_come_back(digits: int, seed: int) -> None:
    """Numbers are read from their national and international form."""
    value = f"+1202555{digits:04}"
    made = reworded(PHONE, value, chance(seed), "en")
    assert read_phrase(PHONE, made.text, value) == value


def test_every_option_of_the_catalogue_comes_back_from_every_form() -> None:
    """All options of all forms are read from label, sentence and fact, and as no other one."""
    for form in catalogue().values():
        for field in form.fields:
            for option in field.options:
                many = field.kind is Kind.MULTI_CHOICE
                value = (option.value,) if many else option.value
                made = [plain(field, value, "en"), reworded(field, value, chance(1), "en")]
                facts = (derived(field, value, chance(seed), "en") for seed in range(6))
                for surface in (*made, *filter(None, facts)):
                    assert read_phrase(field, surface.text, value) == value


def test_no_number_and_no_day_has_to_be_calculated() -> None:
    """Amounts and days are told by no fact: neither halves nor weeks before another day."""
    for field, value in ((MONEY, "5000"), (COUNT, "24"), (DAY, "2026-05-17")):
        assert all(derived(field, value, chance(seed), "en") is None for seed in range(9))
