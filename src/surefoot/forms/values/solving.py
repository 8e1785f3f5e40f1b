"""
Choose values so that rules hold and nothing sounds unlikely: order, limits, what follows.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from graphlib import CycleError, TopologicalSorter
from random import Random
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.forms.instance import Value
from surefoot.forms.specification import Constraint, Field, Form, Holds, LikelyValues, narrowed
from surefoot.forms.values.constraints import full_weeks, percent_of
from surefoot.forms.values.dates import is_working_day
from surefoot.forms.values.normalise import normalise

_LEFT_OUT: Final = 0.15


def order_of(form: Form) -> list[Field]:
    """
    Sort the fields so that each comes after those that its value hangs on.

    Texts come after all choices, which they may go with, and files, which bear a name, after
    all else. Raises InvalidInputError where fields hang on each other in a circle.
    """
    before: dict[str, list[str]] = {field.id: [] for field in form.fields}
    chosen = [field.id for field in form.fields if field.traits.chosen]
    others = [field.id for field in form.fields if field.traits.holds is not Holds.FILE]
    for field in form.fields:
        before[field.id] += sorted({name for option in field.options for name in option.when})
        before[field.id] += chosen if field.traits.words else ()
        before[field.id] += others if field.traits.holds is Holds.FILE else ()
    for likely in form.likely:
        before[likely.field] += likely.when
    for rule in form.constraints:
        made, *first = last_made(rule)
        before[made] += first
    try:
        names = list(TopologicalSorter(before).static_order())
    except CycleError as error:
        raise InvalidInputError(
            f"fields of form '{form.id}' that do not hang on each other in a circle",
            found=" - ".join(error.args[1]),
            remedy="take one rule, one 'when' or one thing likely out",
        ) from error
    fields = {field.id: field for field in form.fields}
    return [fields[name] for name in names]


def last_made(rule: Constraint) -> tuple[str, ...]:
    """
    Return the fields of a rule, first the one that is made to fit the others.

    >>> last_made(Constraint("weeks", ("duration", "start", "end")))
    ('end', 'duration', 'start')
    """
    return rule.fields if rule.rule != "weeks" else (rule.fields[2], *rule.fields[:2])


def left_out(form: Form, field: Field, values: Mapping[str, Value], random: Random) -> bool:
    """
    Say whether a field stays empty: an optional one at times, and where that is likely.

    Boxes are never left out, nor is a field that options of others hang on.
    """
    needed = {name for item in form.fields for option in item.options for name in option.when}
    if field.required or field.traits.holds is Holds.TICK or field.id in needed:
        return False
    likely = [item.filled for item in _likely(form, field, values) if item.filled is not None]
    return not likely[-1] if likely else random.random() < _LEFT_OUT


def likely_field(form: Form, field: Field, values: Mapping[str, Value]) -> Field:
    """Narrow a field to what is likely beside the values made so far."""
    for item in _likely(form, field, values):
        field = narrowed(field, item)
    return field


def always_likely(form: Form) -> Form:
    """Return a form with its dates narrowed to what is likely whatever the other fields say."""
    if not form.likely:
        return form
    pages = tuple(
        msgspec.structs.replace(
            page,
            fields=tuple(
                likely_field(form, field, {}) if field.traits.holds is Holds.DATE else field
                for field in page.fields
            ),
        )
        for page in form.pages
    )
    return msgspec.structs.replace(form, pages=pages, likely=(), constraints=())


def settled(form: Form, field: Field, values: Mapping[str, Value], random: Random) -> Value | None:
    """Return the value that a rule leaves no choice about, or next to none, else None."""
    for rule in form.constraints:
        made, *names = last_made(rule)
        if made != field.id or not values.keys() >= set(names):
            continue
        held = [str(values[name]) for name in names]
        if rule.rule == "same":
            return values[names[0]]
        if rule.rule == "sum":
            return normalise(field, f"{sum(map(Decimal, held), Decimal(0)):f}")
        if rule.rule == "percent" and Decimal(held[1]):
            return normalise(field, str(percent_of(*held)))
        if rule.rule == "weeks":
            days = 7 * int(Decimal(held[0]))
            ends = [_days_after(held[1], days + over) for over in range(7)]
            return random.choice(list(filter(is_working_day, ends)))
    return None


def tightened(form: Form, field: Field, values: Mapping[str, Value]) -> Field:
    """Narrow a field's limits so that the rules it stands in can hold."""
    for rule in form.constraints:
        if field.id not in rule.fields:
            continue
        if rule.rule in {"after", "at-most"}:
            field = _beside(form, rule, field, values)
        elif rule.rule == "weeks" and field.id == rule.fields[0]:
            field = _within_reach(form, rule, field, values)
    return field


def _likely(form: Form, field: Field, values: Mapping[str, Value]) -> list[LikelyValues]:
    return [
        item
        for item in form.likely
        if item.field == field.id
        and all(_holds(values.get(name), allowed) for name, allowed in item.when.items())
    ]


def _holds(value: Value | None, allowed: tuple[str, ...]) -> bool:
    return value in allowed if allowed else value is None


def _beside(form: Form, rule: Constraint, field: Field, values: Mapping[str, Value]) -> Field:
    first, second = (form.field(name) for name in rule.fields[:2])
    if first is None or second is None:
        return field
    if field.id == second.id:
        return _leaving_room(rule, field, first)
    return _beyond(rule, field, str(values[second.id])) if second.id in values else field


def _leaving_room(rule: Constraint, second: Field, first: Field) -> Field:
    """Narrow the field that is made first, by the limits of the one that follows from it."""
    if rule.rule == "after" and first.latest:
        last = _days_after(first.latest, -1)
        return msgspec.structs.replace(second, latest=min(second.latest or last, last))
    if rule.rule == "at-most" and first.lowest is not None:
        low = first.lowest if second.lowest is None else max(first.lowest, second.lowest)
        return msgspec.structs.replace(second, lowest=low)
    return second


def _beyond(rule: Constraint, first: Field, value: str) -> Field:
    if rule.rule == "after":
        return msgspec.structs.replace(first, earliest=max(first.earliest, _days_after(value, 1)))
    high = float(value) if first.highest is None else min(float(value), first.highest)
    return msgspec.structs.replace(first, highest=high)


def _within_reach(
    form: Form, rule: Constraint, weeks: Field, values: Mapping[str, Value]
) -> Field:
    """Let a number of weeks end before the last day that its end may be, and after the start."""
    end, start = form.field(rule.fields[2]), values.get(rule.fields[1])
    low = max(weeks.lowest or 0, 1)
    weeks = msgspec.structs.replace(weeks, lowest=low)
    if end is None or not end.latest or not isinstance(start, str):
        return weeks
    most = full_weeks(start, end.latest) - 1
    high = most if weeks.highest is None else min(most, weeks.highest)
    return msgspec.structs.replace(weeks, highest=max(high, low))


def _days_after(day: str, days: int) -> str:
    return (dt.date.fromisoformat(day) + dt.timedelta(days=days)).isoformat()
