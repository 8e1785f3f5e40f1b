"""
One form filled in once, judged whole.
"""

from __future__ import annotations

import collections
import itertools
import operator
from collections.abc import Mapping, Sequence

import msgspec

from surefoot.forms.instance import Instance, Value
from surefoot.forms.record import RunRecord
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.specification import Form


class EpisodeScore(msgspec.Struct, frozen=True):
    """
    Judge one attempt at one form.

    ``right`` is the published episodic measure made strict: the form was accepted, every
    value that was asked for arrived in its field, and nothing else was changed. Counts:
    refusals by the server, and corrections, which are fields changed again after they had
    been left with a value. ``left_out`` says of published values that no field can take, and
    of fields without a value, why they are not asked for: whatever they hold counts nowhere.
    ``descriptions`` are pairs of what was sent and what was right.
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
    left_out: dict[str, str] = {}

    @property
    def spoken(self) -> dict[str, tuple[str, str]]:
        """Return for each description what was said of it and what was right, where known."""
        asked = [field for field in self.fields if field.traits.words == "passage" and field.asked]
        return {
            score.field: (score.said, right)
            for score, (_, right) in zip(asked, self.descriptions, strict=True)
            if score.said is not None
        }


def judge_episode(
    form: Form,
    instance: Instance,
    record: RunRecord,
    fields: Sequence[FieldScore],
    *,
    agent: str,
    ended: str = "",
    left_out: Mapping[str, str] | None = None,
) -> EpisodeScore:
    """Return the verdict on one attempt."""
    judged = [
        msgspec.structs.replace(field, collateral=False)
        if field.field in (left_out or {})
        else field
        for field in fields
    ]
    accepted = bool(record.submissions)
    sent: Mapping[str, Value] = record.submissions[-1].values if accepted else {}
    return EpisodeScore(
        form=form.id,
        instance=instance.index,
        agent=agent,
        rendering=record.rendering,
        fields=tuple(judged),
        accepted=accepted,
        right=accepted
        and all(field.submitted for field in judged if field.asked)
        and not any(field.collateral for field in judged),
        refusals=len(record.refused),
        corrections=corrections(record).total(),
        ended=ended,
        descriptions=tuple(
            (str(sent.get(field.id, "")), str(instance.values[field.id]))
            for field in form.fields
            if field.traits.words == "passage" and field.id in instance.values
        ),
        left_out=dict(left_out or {}),
    )


def corrections(record: RunRecord) -> collections.Counter[str]:
    """
    Count by field the returns to it after it had been left with a value, which became another.

    What a field passes through is none, since widgets tell more or less of that; nor is the
    server's word that a file arrived, and what a page takes away by itself.
    """
    settled: dict[str, str] = {}
    found: collections.Counter[str] = collections.Counter()
    entered = (event for event in record.events if event.kind not in {"reset", "upload"})
    for name, visit in itertools.groupby(entered, operator.attrgetter("field")):
        *_, last = visit
        found[name] += settled.get(name, "") not in {"", last.value}
        settled[name] = last.value
    return +found
