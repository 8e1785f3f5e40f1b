"""
How a run stands at this moment: every field judged by what the server has kept so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.forms.instance import Instance, Value
from surefoot.forms.record import RunRecord
from surefoot.forms.scoring.attempt import Attempt, held_at_end, submitted_last, texts_of
from surefoot.forms.scoring.episodes import EpisodeScore, corrections, judge_episode
from surefoot.forms.scoring.fields import FieldScore, score_fields
from surefoot.forms.specification import Field, Form, Holds, said
from surefoot.forms.values.constraints import reason_words
from surefoot.forms.values.normalise import raw_of

PERSON: Final = "person"  # who fills in a form that was opened at the desk

State: TypeAlias = Literal["sent", "right", "strayed", "lost", "wrong", "empty", "extra", "spare"]


class FieldStanding(msgspec.Struct, frozen=True):
    """
    Say how one field stands.

    ``state``: "sent" (the right value, accepted), "right" (not sent yet), "strayed" (it
    stands in another field, ``stands_in``), "lost" (it was typed once), "wrong", "empty";
    of a field that should stay as it is, "extra" (it was changed) or "spare". ``there`` is
    what it holds, ``wanted`` what it should, both in words; ``gloss`` is the English label
    of a field that is shown in another language.
    """

    label: str
    gloss: str
    page: int
    state: State
    score: FieldScore
    there: str
    wanted: str
    stands_in: tuple[str, ...] = ()
    corrections: int = 0
    refusals: tuple[str, ...] = ()


class FormStanding(msgspec.Struct, frozen=True):
    """Say how a run stands: the score of the form as a whole, and a row for each field."""

    score: EpisodeScore
    rows: tuple[FieldStanding, ...]

    @property
    def asked(self) -> int:
        """Return how many fields are to be filled in."""
        return sum(row.score.asked for row in self.rows)

    @property
    def begun(self) -> bool:
        """Tell whether anything was entered so far."""
        return any(row.there or row.refusals or row.score.typed for row in self.rows)

    def count(self, level: str) -> int:
        """
        Return how many fields have reached a level: "typed", "in_field" or "submitted".

        Only fields that are to be filled in count.
        """
        return sum(bool(getattr(row.score, level)) for row in self.rows if row.score.asked)


def stand(
    form: Form, instance: Instance, record: RunRecord, *, agent: str = PERSON
) -> FormStanding:
    """Judge a run as it stands in the server's record, finished or not."""
    language = record.rendering.language
    attempt = attempt_of_record(form, record)
    scores = score_fields(form, instance, attempt, language=language)
    ends = {**attempt.held, **(attempt.submitted or {})}
    changed = corrections(record)
    labels = {field.id: said(field.label, language) for field in form.fields}
    rows = tuple(
        FieldStanding(
            label=labels[field.id],
            gloss="" if language == "en" else said(field.label, "en"),
            page=score.page,
            state=_state(score, held=bool(ends.get(field.id))),
            score=score,
            there=words_of(field, ends.get(field.id, ()), language),
            wanted=_wanted(field, instance.values.get(field.id), language),
            stands_in=tuple(labels[name] for name in score.found_in),
            corrections=changed[field.id],
            refusals=_refusals(form, field, record),
        )
        for field, score in zip(form.fields, scores, strict=True)
    )
    return FormStanding(judge_episode(form, instance, record, scores, agent=agent), rows)


def attempt_of_record(form: Form, record: RunRecord) -> Attempt:
    """
    Return what was done to a form, as far as the server alone knows it.

    Where a page sent no events, what it was posted with stands for what its fields held.
    """
    kinds = {field.id: field.kind for field in form.fields}
    seen = [
        (event.field, texts_of(kinds[event.field], event.value))
        for event in record.events
        if event.field in kinds
    ]
    posted = {name: _texts(value) for name, value in record.drafts.items()}
    sent = submitted_last(record)
    ever = [*seen, *posted.items(), *(sent or {}).items()]
    return Attempt(
        ever=tuple(dict.fromkeys(item for item in ever if item[1])),
        held={**posted, **held_at_end(form, record.events)},
        submitted=sent,
        watched=False,
    )


def words_of(field: Field, texts: Sequence[str], language: str) -> str:
    """
    Spell what a field holds as its page shows it: options by their labels, files by name.

    >>> box = Field("paid", "checkbox", {"en": "Paid"}, "flag")
    >>> words_of(box, ("yes",), "en"), words_of(box, (), "en")
    ('ticked', '')
    """
    if field.traits.holds is Holds.TICK:
        return "ticked" if texts else ""
    shown = texts[:1] if field.traits.holds is Holds.FILE else texts
    labels: Mapping[str, str] = {
        option.value: said(option.label, language) for option in field.options
    }
    return ", ".join(labels.get(text, text) for text in shown)


def _texts(value: Value) -> tuple[str, ...]:
    """Spell a value as a form would post it, without the empty text of an empty control."""
    raw = raw_of(value)
    return tuple(filter(None, (raw,) if isinstance(raw, str) else raw))


def _wanted(field: Field, value: Value | None, language: str) -> str:
    return "" if value is None else words_of(field, _texts(value), language)


def _refusals(form: Form, field: Field, record: RunRecord) -> tuple[str, ...]:
    """Return each refusal of a field as the sentence that its page showed."""
    language = record.rendering.language
    return tuple(
        reason_words(value.reason, field, language, others=_others(form, field, value.reason))
        for value in record.refused
        if value.field == field.id
    )


def _others(form: Form, field: Field, reason: str) -> list[Field]:
    """Return the other fields of the rule that a field was refused for."""
    names = {
        name
        for rule in form.constraints
        if reason == f"rule-{rule.rule}" and rule.fields[0] == field.id
        for name in rule.fields[1:]
    }
    return [item for item in form.fields if item.id in names]


def _state(score: FieldScore, *, held: bool) -> State:
    if not score.asked:
        return "extra" if score.collateral else "spare"
    if score.submitted:
        return "sent"
    if score.in_field:
        return "right"
    if score.found_in:
        return "strayed"
    if held:
        return "wrong"
    return "lost" if score.typed else "empty"
