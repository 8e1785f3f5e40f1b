"""
Tests of telephone numbers as people write them.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surefoot.forms.values.telephones import read_telephone


@given(area=st.integers(201, 989), exchange=st.integers(200, 999), line=st.integers(0, 9999))
def test_forms_of_one_number_agree(area: int, exchange: int, line: int) -> None:
    """Brackets, points, hyphens, the country in front and full-width digits mean one number."""
    plain = f"{area}{exchange}{line:04}"
    bracketed = f"({area}) {exchange}-{line:04}"
    wide = plain.translate({0x30 + each: 0xFF10 + each for each in range(10)})
    forms = [plain, bracketed, wide, f"+1{plain}", f"1-{area}-{exchange}-{line:04}"]
    forms += [f"001.{area}.{exchange}.{line:04}", f"+1 {bracketed}"]

    assert {read_telephone(each) for each in forms} == {f"+1{plain}"}
    assert read_telephone(f"{bracketed} x77") == f"+1{plain};ext=77"


def test_numbers_of_other_countries() -> None:
    """A number with its country is read by that country's rules."""
    assert read_telephone("+86 138 1234 5678") == "+8613812345678"
    assert read_telephone("0033 1 23 45 67 89") == "+33123456789"


@given(raw=st.text("+0123456789()-. x#;ext=", max_size=50))
def test_any_digits_are_read_without_an_error(raw: str) -> None:
    """Whatever comes out is read as itself again."""
    found = read_telephone(raw)

    assert found is None or read_telephone(found) == found
