"""
Tests of numbers as people write them, against the decimal module.
"""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.values.numerals import read_number

NUMBERS = st.decimals(-(10**12), 10**12, allow_nan=False, places=4)


def plain(number: Decimal) -> str:
    """Spell a number by the decimal module, without zeros at its end."""
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in {"-0", ""} else text


@given(number=NUMBERS)
def test_separators_and_signs_agree(number: Decimal) -> None:
    """Thousands apart or not, currency before or behind, and other digits mean one number."""
    comma, bare = f"{number:,f}", f"{number:f}"
    french = comma.replace(",", "\u202f").replace(".", ",")
    full_width = bare.translate({ord(item): ord(item) + 0xFEE0 for item in "-.0123456789"})
    thai = bare.translate({0x30 + index: 0xE50 + index for index in range(10)})

    english = [bare, comma, f"$ {comma}", f"{comma} USD", f"{comma}%", full_width, thai]
    english.append(comma.replace(",", " "))
    arabic = comma.translate({0x30 + index: 0x660 + index for index in range(10)})
    english.append("\u200e" + arabic.replace(",", "\u066c").replace(".", "\u066b"))
    assert {read_number(item) for item in english} == {plain(number)}
    assert read_number(french, language="fr") == plain(number)
    assert read_number(f"{french} €", language="ru") == plain(number)
    assert read_number(bare, language="fr") == plain(number)


@given(
    number=st.decimals(allow_nan=False, allow_infinity=False, places=3), power=st.integers(-9, 9)
)
def test_exponents_are_undone(number: Decimal, power: int) -> None:
    """What a number control may send with an exponent is the number that decimal reads."""
    text = f"{number:f}e{power}"
    if len(text) < 60:
        assert read_number(text) == plain(Decimal(text))


@pytest.mark.parametrize(
    ("raw", "language", "value"),
    [
        ("1,250", "en", "1250"),
        ("1,250", "fr", "1.25"),
        ("1.250,5", "fr", "1250.5"),
        ("1'250", "en", "1250"),
        ("12,50", "en", None),
        ("1,2,3", "en", None),
        ("1,0000", "en", None),
        ("12k", "en", None),
        ("five", "en", None),
        ("", "en", None),
        (".", "en", None),
        ("-", "en", None),
        ("1 2", "en", None),
        ("5²", "en", None),
        ("½", "en", None),
        ("-0.00", "en", "0"),
        ("\u22124", "en", "-4"),
        ("-$4", "en", "-4"),
        ("1e999", "en", None),
        ("1" * 61, "en", None),
        ("nan", "en", None),
        ("0x10", "en", None),
    ],
)
def test_a_number_or_none(raw: str, language: str, value: str | None) -> None:
    """A comma means what the language says, and what is no number is refused."""
    assert read_number(raw, language=language) == value
