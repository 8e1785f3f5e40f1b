"""
Read days as English sentences put them: dates, and days counted from a date.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from surefoot.forms.letters.proof.amounts import read_amount
from surefoot.forms.values.dates import MONTHS, read_date

__all__ = ["days_in", "read_day"]

_MONTH: Final = rf"(?:{'|'.join(MONTHS['en'])})"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE: Final = re.compile(
    rf"(?<![\w-])(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}/\d{{1,2}}/\d{{4}}"
    rf"|(?:the )?{_DAY} (?:of )?{_MONTH},? \d{{4}}|{_MONTH} (?:the )?{_DAY},? \d{{4}})(?![\w-])",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(
    r"(?:exactly )?(?:the|a|(?P<count>.+?)) (?P<unit>day|week|fortnight)s? "
    r"(?P<way>after|before) (?P<anchor>.+)"
)
_LENGTHS: Final = {"day": 1, "week": 7, "fortnight": 14}


def read_day(text: str) -> str | None:
    """
    Return the day that a phrase means in ISO 8601, or None.

    >>> read_day("two weeks after 3 May 2026"), read_day("the day before January 1st, 2027")
    ('2026-05-17', '2026-12-31')
    >>> read_day("some day after 3 May 2026") is None
    True
    """
    said = " ".join(text.casefold().split())
    found = _COUNTED.fullmatch(said)
    if found is None:
        return read_date(said)
    anchor = read_date(found["anchor"])
    count = read_amount(found["count"]) if found["count"] else 1
    if anchor is None or count is None:
        return None
    days = int(count) * _LENGTHS[found["unit"]]
    way = 1 if found["way"] == "after" else -1
    return (dt.date.fromisoformat(anchor) + dt.timedelta(days=way * days)).isoformat()


def days_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each date of a text stands, and the day it means."""
    for found in _DATE.finditer(text):
        value = read_date(found[0])
        if value is not None:
            yield found.start(), found.end(), value
