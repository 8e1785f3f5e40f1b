"""
Retry-After, and the scrubbing of secrets.
"""

from __future__ import annotations

import datetime as dt
import email.utils

import pytest

from surefoot.models.exchange import Scrubber, retry_after

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


def test_short_stand_ins_for_a_key_are_left_alone() -> None:
    """What people write where no key is needed is an ordinary word and stays."""
    assert Scrubber("EMPTY")("the list is EMPTY") == "the list is EMPTY"
    assert "long-secret-key" not in repr(Scrubber("long-secret-key"))
