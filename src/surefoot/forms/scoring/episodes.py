"""
One form filled in once, judged whole; and many of them, with intervals.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.forms.instance import Instance, Value
from surefoot.forms.record import FieldEvent, RunRecord
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.attempt import texts_of
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.scoring.shares import interval_over_forms
from surefoot.forms.specification import Form, Kind
from surefoot.score.stats.intervals import Interval

__all__ = [
    "LEVELS",
    "EpisodeScore",
    "FieldRate",
    "Level",
    "Misplacement",
    "corrections",
    "judge_episode",
    "misplacements",
    "rates",
]

Level: TypeAlias = Literal["mentioned", "typed", "in_field", "submitted", "exact", "clicked"]
LEVELS: Final[tuple[Level, ...]] = (
    "mentioned",
    "typed",
    "in_field",
    "submitted",
    "exact",
    "clicked",
)


class EpisodeScore(msgspec.Struct, frozen=True):
    """
    Judge one attempt at one form.

    ``right`` is the published episodic measure made strict: the form was accepted, every
    value that was asked for arrived in its field, and nothing else was changed. Counts:
    refusals by the server, and corrections, which are fields changed again after they had
    been left with a value.
    """

    form: str
    instance: int
    agent: str
    rendering: Rendering
    fields: tuple[FieldScore, ...]
    accepted: bool
    right: bool
    refusals: int = 0
    corrections: int = 0
    ended: str = ""
    descriptions: tuple[tuple[str, str], ...] = ()


class FieldRate(msgspec.Struct, frozen=True):
    """
    Give a share of fields with its interval, which takes forms as independent.

    ``n`` counts fields, ``forms`` the clusters.
    """

    group: str
    level: Level
    rate: float
    n: int
    forms: int
    interval: Interval


class Misplacement(msgspec.Struct, frozen=True):
    """Count how often the value of one field of a form was found in another."""

    form: str
    value_of: str
    found_in: str
    count: int


def judge_episode(
    form: Form,
    instance: Instance,
    record: RunRecord,
    fields: Sequence[FieldScore],
    *,
    agent: str,
    ended: str = "",
) -> EpisodeScore:
    """Return the verdict on one attempt; ``descriptions`` pairs what was sent with the truth."""
    accepted = bool(record.submissions)
    sent: Mapping[str, Value] = record.submissions[-1].values if accepted else {}
    return EpisodeScore(
        form=form.id,
        instance=instance.index,
        agent=agent,
        rendering=record.rendering,
        fields=tuple(fields),
        accepted=accepted,
        right=accepted
        and all(each.submitted for each in fields if each.asked)
        and not any(each.collateral for each in fields),
        refusals=len(record.refused),
        corrections=corrections(record).total(),
        ended=ended,
        descriptions=tuple(
            (str(sent.get(each.id, "")), str(instance.values[each.id]))
            for each in form.fields
            if each.kind is Kind.DESCRIPTION and each.id in instance.values
        ),
    )


def corrections(record: RunRecord) -> collections.Counter[str]:
    """Count by field the returns to it after it had been left, its value becoming another."""
    settled: dict[str, str] = {}
    current = ""
    found: collections.Counter[str] = collections.Counter()
    for event in record.events:
        if event.field != current:
            if settled.get(event.field, _told(event)) != _told(event):
                found[event.field] += 1
            current = event.field
        settled[event.field] = _told(event)
    return found


def _told(event: FieldEvent) -> str:
    """Return what an event tells; of a file that arrived its name, as the page had told it."""
    texts = texts_of(Kind.FILE, event.value) if event.kind == "upload" else (event.value,)
    return texts[0] if texts else ""


def rates(
    scores: Iterable[EpisodeScore],
    by: Callable[[EpisodeScore, FieldScore], str],
    *,
    levels: Sequence[Level] = LEVELS,
) -> tuple[FieldRate, ...]:
    """
    Return the share of fields at each level, for each group that ``by`` names.

    Only fields with something to fill in count. Intervals take forms as independent, since
    the fields of one form are not.
    """
    counted: dict[str, dict[str, list[FieldScore]]] = {}
    for score in scores:
        for field in score.fields:
            if field.asked:
                forms = counted.setdefault(by(score, field), {})
                forms.setdefault(score.form, []).append(field)
    return tuple(
        _rate(
            group,
            level,
            [[getattr(each, level) for each in form] for form in forms.values()],
        )
        for group, forms in sorted(counted.items())
        for level in levels
    )


def misplacements(scores: Iterable[EpisodeScore]) -> tuple[Misplacement, ...]:
    """Return how often each field's value was found in which other field, commonest first."""
    counts = collections.Counter(
        (score.form, field.field, other)
        for score in scores
        for field in score.fields
        for other in field.found_in
    )
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Misplacement(*key, count=count) for key, count in ordered)


def _rate(group: str, level: Level, forms: Sequence[Sequence[bool]]) -> FieldRate:
    count, n = sum(map(sum, forms)), sum(map(len, forms))
    return FieldRate(group, level, count / n, n, len(forms), interval_over_forms(forms))
