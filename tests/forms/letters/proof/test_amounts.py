"""
Tests of amounts in English, against figures and a spelling of their own.
"""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.letters.proof.amounts import amounts_in, read_amount

ONES = "one two three four five six seven eight nine".split()  # noqa: SIM905
TEENS = [
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905


def below_hundred() -> list[str]:
    """Spell the numbers from 1 to 99."""
    compounds = [word for ten in TENS for word in (ten, *(f"{ten}-{one}" for one in ONES))]
    return [*ONES, *TEENS, *compounds]


def below_thousand() -> list[str]:
    """Spell the numbers from 1 to 999."""
    small = below_hundred()
    rest = [""] + [f" and {word}" for word in small]
    return small + [f"{one} hundred{tail}" for one in ONES for tail in rest]


def test_every_number_below_a_thousand_is_read_in_words() -> None:
    """All numbers from 1 to 999 spelled by a table of the test's own come back."""
    spelled = below_thousand()
    assert [read_amount(item) for item in spelled] == [Decimal(n) for n in range(1, 1000)]


@given(number=st.integers(1, 10**8), other=st.integers(1, 10**6))
def test_arithmetic_phrases_agree_with_arithmetic(number: int, other: int) -> None:
    """Halves, multiples, sums and differences of figures with commas come to what they say."""
    assert read_amount(f"half of {2 * number:,}") == number
    assert read_amount(f"twice {number:,}") == 2 * number
    assert read_amount(f"Three times {number:,}") == 3 * number
    assert read_amount(f"{other:,} more than {number:,}") == number + other
    assert read_amount(f"{other:,} less than {number + other:,}") == number
    assert read_amount(f"{number:,} plus {other:,}") == number + other


@pytest.mark.parametrize(
    "text",
    ["", "half of", "twice", "half of many", "some dozen", "more than 5", "and", "12k", "a"],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    """Phrases that come to no single number are none."""
    assert read_amount(text) is None


def test_amounts_within_a_text_are_whole() -> None:
    """Figures within dates, clocks, codes and words are no amounts; words and sums are."""
    text = "At 10:30 on POL-12-3 or 2026-03-04, seventy-two people paid $1,250.50, or 2 million."
    found = [(text[start:end], value) for start, end, value in amounts_in(text)]
    assert found == [
        ("seventy-two", Decimal(72)),
        ("$1,250.50", Decimal("1250.5")),
        ("2 million", Decimal(2_000_000)),
    ]


@given(text=st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Hostile text is read as an amount or refused, and what is found lies within it."""
    read_amount(text)
    assert all(0 <= start < end <= len(text) for start, end, _ in amounts_in(text))
