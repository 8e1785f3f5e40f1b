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

from surefoot.forms.specification import Kind
from surefoot.forms.values.constraints import offered
from surefoot.forms.values.makers.cast import TODAY
from surefoot.forms.values.makers.scene import Maker, Raw, Scene

__all__ = ["QUANTITIES", "day_between", "number_between"]

_ROUND: Final = 3  # digits of a large number that are not zero
_WIDE: Final = 50  # a range of which the ends lie this far apart is drawn by its logarithm
_ADULT: Final = 18
_HALF: Final = 0.5


def number_between(scene: Scene, lowest: float, highest: float, step: float = 1) -> str:
    """
    Draw a number within the field's own limits, or else within these, on the field's step.

    A wide range is drawn evenly by its logarithm and rounded to three digits, as sums of
    money are.
    """
    field, random = scene.field, scene.random
    pace = Decimal(repr(field.step or step))
    base = Decimal(0) if field.lowest is None else Decimal(repr(field.lowest))
    low, high = (Decimal(repr(each)) for each in _limits(scene, lowest, highest))
    first, last = math.ceil((low - base) / pace), math.floor((high - base) / pace)
    if float(high) > max(float(low), 1) * _WIDE:
        drawn = Decimal(math.exp(random.uniform(math.log(max(float(low), 1)), math.log(high))))
        shown = Decimal(f"{drawn:.{_ROUND - 1}e}")
        steps = min(max(round((shown - base) / pace), first), last)
    else:
        steps = random.randint(first, max(first, last))
    return f"{base + steps * pace:f}"


def _limits(scene: Scene, lowest: float, highest: float) -> tuple[float, float]:
    """Take the field's limits before these, and keep a range where the two lie apart."""
    low, high, width = scene.field.lowest, scene.field.highest, highest - lowest
    if low is None:
        low = lowest if high is None or lowest <= high else min(0.0, high)
    if high is None:
        high = highest if low <= highest else low + width
    return low, high


def day_between(scene: Scene, first: dt.date, last: dt.date) -> str:
    """Draw a day within the field's own limits, or else within these, in ISO 8601."""
    field = scene.field
    earliest = dt.date.fromisoformat(field.earliest) if field.earliest else None
    latest = dt.date.fromisoformat(field.latest) if field.latest else None
    width = last - first
    low = earliest or (first if latest is None or first <= latest else latest - width)
    high = latest or (last if last >= low else low + width)
    days = max((high - low).days, 0)
    return (low + dt.timedelta(days=scene.random.randint(0, days))).isoformat()


def _number(scene: Scene, *, lowest: float, highest: float, step: float = 1) -> str:
    return number_between(scene, lowest, highest, step)


def _years(scene: Scene) -> str:
    """Draw years of work, no more than the person can have worked."""
    field, possible = scene.field, max(scene.subject.person.age - _ADULT, 1)
    top = possible if field.highest is None else min(possible, field.highest)
    cut = msgspec.structs.replace(field, highest=max(top, field.lowest or 0))
    return number_between(msgspec.structs.replace(scene, field=cut), 1, top)


def _past(scene: Scene) -> str:
    return day_between(scene, TODAY - dt.timedelta(days=3 * 365), TODAY)


def _future(scene: Scene) -> str:
    return day_between(scene, TODAY + dt.timedelta(days=1), TODAY + dt.timedelta(days=540))


def _option(scene: Scene) -> str | None:
    shown = [each.value for each in offered(scene.field, scene.values)]
    return scene.random.choice(shown) if shown else None


def _options(scene: Scene) -> Raw | None:
    shown = [each.value for each in offered(scene.field, scene.values)]
    if not shown:
        return None
    return tuple(scene.random.sample(shown, scene.random.randint(1, len(shown))))


def _flag(scene: Scene) -> Raw:
    return "yes" if scene.random.random() < _HALF else ()


def _consent(scene: Scene) -> Raw:
    return "yes" if scene.field.required else _flag(scene)


def _id(scene: Scene, *, pattern: str) -> str:
    """Fill a pattern: # by a digit (the first of a group not zero), ? by a letter."""
    made = ""
    for each in pattern:
        digits = "0123456789" if made[-1:].isdigit() else "123456789"
        pool = {"#": digits, "?": "ABCDEFGHJKLMNPRSTUVWXYZ"}.get(each, each)
        made += scene.random.choice(pool)
    return str(int(scene.random.random() * 10**9)) if scene.field.kind is Kind.NUMBER else made


def _dimensions(scene: Scene) -> str:
    """Give a size in centimetres, as wide as high as deep."""
    sides = (scene.random.randint(low, high) for low, high in ((60, 240), (30, 180), (2, 29)))
    return f"{' x '.join(str(each) for each in sides)} cm"


QUANTITIES: Final[Mapping[str, Maker]] = {
    "number.money": partial(_number, lowest=500, highest=50_000),
    "number.count": partial(_number, lowest=2, highest=200),
    "number.percent": partial(_number, lowest=1, highest=60),
    "number.years": _years,
    "number.gpa": partial(_number, lowest=2.0, highest=4.0, step=0.01),
    "number.year": partial(_number, lowest=1985, highest=2025),
    "number.words": partial(_number, lowest=400, highest=9000),
    "number.months": partial(_number, lowest=2, highest=36),
    "number.days": partial(_number, lowest=2, highest=60),
    "date.past": _past,
    "date.future": _future,
    "option": _option,
    "options": _options,
    "flag": _flag,
    "consent": _consent,
    "name.dimensions": _dimensions,
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
