"""
How long a server asks to wait.
"""

from __future__ import annotations

import datetime as dt
import email.utils

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.models.exchange import retry_after

NOW = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0", 0.0),
        ("1.5", 1.5),
        (" 30 ", 30.0),
        (email.utils.format_datetime(NOW + dt.timedelta(seconds=90), usegmt=True), 90.0),
        (email.utils.format_datetime(NOW - dt.timedelta(days=1), usegmt=True), 0.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1e9", None),
        ("nan", None),
        ("\u0663", None),
    ],
)
def test_retry_after(value: str, expected: float | None) -> None:
    """Seconds and dates are read; anything else is as if nothing was asked."""
    assert retry_after(value, NOW) == expected


@given(
    st.text()
    | st.from_regex(
        r"\A[A-Z][a-z]{2}, \d{1,3} [A-Z][a-z]{2} \d{1,12} \d{2}:\d{2}:\d{2} [-+]\d{1,6}\Z"
    )
    | st.datetimes().map(lambda moment: f"{moment:%a, %d %b %Y %H:%M:%S} -2359")
    | st.floats().map(str)
    | st.integers().map(str)
)
def test_no_retry_after_is_a_bug(value: str) -> None:
    """Whatever a server asks, it is a time to wait or nothing."""
    asked = retry_after(value, NOW)
    assert asked is None or 0 <= asked < 1e12
