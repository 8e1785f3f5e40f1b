"""
Makers of numbers, dates, numbers of records, options and boxes to tick.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Final

import msgspec

from surefoot.forms.specification import Holds
from surefoot.forms.values.constraints import offered
from surefoot.forms.values.dates import is_working_day
from surefoot.forms.values.makers.cast import TODAY
from surefoot.forms.values.makers.scene import FieldContext, Maker, Raw

_ROUND: Final = 3  # digits of a large number that are not zero
_DRAWS: Final = 20
_LARGE: Final = 1000  # dollars
_WIDE: Final = 50  # a range of which the ends lie this far apart is drawn by its logarithm
_ADULT, _GRADUATE, _EARLY = 18, 24, 30  # years of age
_SEASONED: Final = 4  # years of work
_FIRST_YEAR, _LAST_YEAR = 1985, 2023
_COUNTS: Final = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
_OF_PARTNERS: Final = ("partnership", "individual")
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    " Inc": ("corporation", "company", "individual"),
    " Ltd": ("corporation", "company", "individual"),
    " PLC": ("corporation", "company", "individual"),
    " Group": ("corporation", "company", "individual"),
    " LLC": ("llc", "company", "individual"),
    " and Sons": ("partnership", "sole-proprietorship", "individual"),
}
_HALF: Final = 0.5


def number_between(scene: FieldContext, lowest: float, highest: float, step: float = 1) -> str:
    """
    Draw a number within the field's own limits, or else within these, on the field's step.

    A wide range, and any of larger sums of money, is drawn evenly by its logarithm and
    rounded to three digits.
    """
    field, random = scene.field, scene.random
    pace = Decimal(repr(field.step or step))
    base = Decimal(0) if field.lowest is None else Decimal(repr(field.lowest))
    low, high = (Decimal(repr(limit)) for limit in _limits(scene, lowest, highest))
    first, last = math.ceil((low - base) / pace), math.floor((high - base) / pace)
    sum_of_money = field.fill == "number.money" and high >= _LARGE
    if sum_of_money or float(high) > max(float(low), 1) * _WIDE:
        drawn = Decimal(math.exp(random.uniform(math.log(max(float(low), 1)), math.log(high))))
        shown = Decimal(f"{drawn:.{_ROUND - 1}e}")
        steps = min(max(round((shown - base) / pace), first), last)
    else:
        steps = random.randint(first, max(first, last))
    return f"{base + steps * pace:f}"


def _limits(scene: FieldContext, lowest: float, highest: float) -> tuple[float, float]:
    """Take the field's limits before these, and keep a range where the two lie apart."""
    low, high, width = scene.field.lowest, scene.field.highest, highest - lowest
    if low is None:
        low = lowest if high is None or lowest <= high else min(0.0, high)
    if high is None:
        high = highest if low <= highest else low + width
    return low, high


def day_between(scene: FieldContext, first: dt.date, last: dt.date) -> str:
    """
    Draw a day within the field's own limits and these, in ISO 8601.

    Where the two have no day in common, the field's count, and a range as long as this one.
    """
    field, width = scene.field, last - first
    low = dt.date.fromisoformat(field.earliest) if field.earliest else first
    high = dt.date.fromisoformat(field.latest) if field.latest else max(last, low + width)
    if max(low, first) <= min(high, last):
        low, high = max(low, first), min(high, last)
    elif low > last:
        high = min(high, low + width)
    elif not field.earliest:
        low = high - width
    days = max((high - low).days, 0)
    return (low + dt.timedelta(days=scene.random.randint(0, days))).isoformat()


def _number(scene: FieldContext, *, lowest: float, highest: float, step: float = 1) -> str:
    return number_between(scene, lowest, highest, step)


def _experience(scene: FieldContext) -> str:
    """Draw years of work: few for the young, some for others, no more than can be."""
    field, age = scene.field, scene.subject.person.age
    top, least = (age - _GRADUATE, _SEASONED) if age >= _EARLY else (_SEASONED, 1)
    top = max(min(top, age - _ADULT), 1)
    high = top if field.highest is None else min(top, field.highest)
    low = min(max(least, field.lowest or 0), high)
    cut = msgspec.structs.replace(field, lowest=low, highest=high)
    return number_between(msgspec.structs.replace(scene, field=cut), low, high)


def _employment_length(scene: FieldContext) -> str:
    """Say for how long somebody has had a job, in words, since an age of nineteen at most."""
    random, longest = scene.random, min(max(scene.subject.person.age - _ADULT - 1, 1), 12)
    years, months = random.randint(1, longest), random.randint(2, 11)
    parts = [f"{_COUNTS[years]} year{'s' if years > 1 else ''}", f"{_COUNTS[months]} months"]
    made = random.choice((parts[0], " and ".join(parts), parts[1]))
    return made[:1].upper() + made[1:]


def _year(scene: FieldContext) -> str:
    """Draw a year of late, as far as the field allows it."""
    field = scene.field
    low = max(field.lowest or 0, _FIRST_YEAR)
    high = _LAST_YEAR if field.highest is None else min(field.highest, _LAST_YEAR)
    if low > high:
        return number_between(scene, _FIRST_YEAR, _LAST_YEAR)
    cut = msgspec.structs.replace(field, lowest=low, highest=high)
    return number_between(msgspec.structs.replace(scene, field=cut), low, high)


def _company_kind(scene: FieldContext) -> str | None:
    """Choose a kind of business that the company's name does not contradict."""
    name = scene.subject.company.name
    able = next((kinds for end, kinds in _KINDS.items() if name.endswith(end)), ())
    able = _OF_PARTNERS if ", " in name else able
    shown = [option.value for option in offered(scene.field, scene.values)]
    fitting = [item for item in shown if item in able] or shown
    return scene.random.choice(fitting) if fitting else None


def _past(scene: FieldContext) -> str:
    return day_between(scene, TODAY - dt.timedelta(days=3 * 365), TODAY)


def _future(scene: FieldContext) -> str:
    """Draw a day to come, no Saturday or Sunday if there are others."""
    first, last = TODAY + dt.timedelta(days=1), TODAY + dt.timedelta(days=540)
    drawn = (day_between(scene, first, last) for _ in range(_DRAWS))
    return next(filter(is_working_day, drawn), day_between(scene, first, last))


def _option(scene: FieldContext) -> str | None:
    shown = [option.value for option in offered(scene.field, scene.values)]
    return scene.random.choice(shown) if shown else None


def _options(scene: FieldContext) -> Raw | None:
    shown = [option.value for option in offered(scene.field, scene.values)]
    if not shown:
        return None
    return tuple(scene.random.sample(shown, scene.random.randint(1, len(shown))))


def _flag(scene: FieldContext) -> Raw:
    return "yes" if scene.random.random() < _HALF else ()


def _consent(scene: FieldContext) -> Raw:
    return "yes" if scene.field.required else _flag(scene)


def _id(scene: FieldContext, *, pattern: str) -> str:
    """Fill a pattern: # by a digit (the first of a group not zero), ? by a letter."""
    made = ""
    for item in pattern:
        digits = "0123456789" if made[-1:].isdigit() else "123456789"
        pool = {"#": digits, "?": "ABCDEFGHJKLMNPRSTUVWXYZ"}.get(item, item)
        made += scene.random.choice(pool)
    return (
        str(int(scene.random.random() * 10**9))
        if scene.field.traits.holds is Holds.NUMBER
        else made
    )


QUANTITIES: Final[Mapping[str, Maker]] = {
    "number.money": partial(_number, lowest=500, highest=50_000),
    "number.count": partial(_number, lowest=2, highest=200),
    "number.percent": partial(_number, lowest=1, highest=60),
    "number.years": partial(_number, lowest=1, highest=10),
    "number.experience": _experience,
    "number.gpa": partial(_number, lowest=2.0, highest=4.0, step=0.01),
    "number.year": _year,
    "number.words": partial(_number, lowest=400, highest=9000),
    "number.months": partial(_number, lowest=2, highest=36),
    "number.days": partial(_number, lowest=2, highest=60),
    "date.past": _past,
    "date.future": _future,
    "option": _option,
    "options": _options,
    "flag": _flag,
    "consent": _consent,
    "name.employment_length": _employment_length,
    "company.kind": _company_kind,
    "id.medical_record": partial(_id, pattern="MRN########"),
    "id.policy": partial(_id, pattern="POL-###-######"),
    "id.provider": partial(_id, pattern="PR#######"),
    "id.customer": partial(_id, pattern="C-??-######"),
    "id.identity": partial(_id, pattern="?########"),
    "id.order": partial(_id, pattern="ORD-#######"),
    "person.student_id": partial(_id, pattern="########"),
    # Numbers from 900 on are given to no person.
    "person.ssn": partial(_id, pattern="9##-##-####"),
    "company.tax_id": partial(_id, pattern="##-#######"),
    "company.license_number": partial(_id, pattern="LIC-??-#####"),
    "company.size": partial(_number, lowest=3, highest=900),
}
