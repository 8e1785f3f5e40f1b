"""
One form filled in once, judged whole.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence

import msgspec

from surefoot.forms.instance import Instance, Value
from surefoot.forms.record import FieldEvent, RunRecord
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.attempt import texts_of
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.specification import Form, Kind

__all__ = ["EpisodeScore", "corrections", "judge_episode"]


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
        and all(field.submitted for field in fields if field.asked)
        and not any(field.collateral for field in fields),
        refusals=len(record.refused),
        corrections=corrections(record).total(),
        ended=ended,
        descriptions=tuple(
            (str(sent.get(field.id, "")), str(instance.values[field.id]))
            for field in form.fields
            if field.kind is Kind.DESCRIPTION and field.id in instance.values
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
