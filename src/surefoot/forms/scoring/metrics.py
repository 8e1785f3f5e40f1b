"""
The metrics of attempts at forms: how far values came, whole forms and pages, and faults.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeAlias

from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.score.metric import GivenMetric
from surefoot.score.stats.clusters import POSITIVE

Judge: TypeAlias = Callable[[EpisodeScore, Sequence[FieldScore]], float | None]
PARTS: Final[dict[str, Callable[[FieldScore], Hashable]]] = {
    "fields": lambda field: field.field,
    "kinds": lambda field: field.kind,
    "pages": lambda field: field.page,
    "attempts": lambda _field: None,
}
LEVELS: Final = {
    "submitted": "submitted",
    "mentioned": "mentioned literally",
    "by_meaning": "mentioned by meaning",
    "typed": "typed",
    "in_field": "in their field",
    "exact": "exact",
    "clicked": "clicked",
}
_DEFINED: Final = {
    "submitted": (
        "the server's last accepted submission has the value in its own field: dates, numbers, "
        "telephone numbers, options and sets compared by what they mean, files by their SHA-256"
    ),
    "mentioned": (
        "the value, or the label of the option, stands in a reply, letter for letter and between "
        "word boundaries, or a field held it"
    ),
    "by_meaning": (
        "a reply, or what was typed or said of a click, means the value: dates, telephone numbers "
        "and numbers however they are spelled, options by their labels or by first words that "
        "begin no other; or a field held it"
    ),
    "typed": "some field held the value at some time, after typed normalisation",
    "in_field": "the value's own field held it at the end",
    "exact": "submitted, and the raw text equals the value as the form takes it",
    "clicked": "the live hit test of a click met the field or one of its options",
}
_PUBLISHED: Final = {
    "mentioned": "'Value' of FormFactory (2025), as we rebuilt it",
    "clicked": "'Click' of FormFactory (2025), as we rebuilt it",
}


class FormMetric(GivenMetric, frozen=True, kw_only=True):
    """
    Describe a metric of attempts at forms.

    ``counts`` names the part of an attempt that a number is about, one of ``PARTS``.
    ``judge`` takes an attempt and the fields of the part, and returns a number, or None where
    the metric says nothing of it. Where ``described``, it gets a score, and no test.
    """

    judge: Judge
    described: bool = False


def _reached(level: str) -> Judge:
    """Ask whether every value of a part that was asked for reached a level."""

    def judge(_score: EpisodeScore, fields: Sequence[FieldScore]) -> float | None:
        asked = [getattr(field, level) for field in fields if field.asked]
        return float(all(asked)) if asked and None not in asked else None

    return judge


def _levels(prefix: str, title: str, counts: str, levels: Sequence[str]) -> list[FormMetric]:
    """Return a metric for each level, of every field or of all fields of a part together."""
    whole = {"kinds": "every field of one kind in a form: ", "attempts": "every field of a form: "}
    return [
        FormMetric(
            name=f"{prefix}{level}",
            title=title.format(LEVELS[level]),
            summary=whole.get(counts, "") + _DEFINED[level],
            reference=_PUBLISHED.get(level, "ours"),
            counts=counts,
            judge=_reached(level),
        )
        for level in levels
    ]


def _needless(score: EpisodeScore, fields: Sequence[FieldScore]) -> float | None:
    (field,) = fields
    counts = not field.asked and field.field not in score.left_out
    return float(field.collateral) if counts else None


def _strayed(_score: EpisodeScore, fields: Sequence[FieldScore]) -> float | None:
    (field,) = fields
    return float(bool(field.found_in)) if field.asked else None


def _well(score: EpisodeScore, fields: Sequence[FieldScore]) -> float | None:
    if all(field.field in score.left_out for field in fields):
        return None
    return float(all(f.submitted if f.asked else not f.collateral for f in fields))


FORM_METRICS: Final = (
    *_levels("", "values {}", "fields", tuple(LEVELS)),
    FormMetric(
        name="strayed",
        title="values strayed",
        summary="the value stands in another field at the end",
        higher_is_better=False,
        counts="fields",
        judge=_strayed,
        described=True,
    ),
    FormMetric(
        name="collateral",
        title="needlessly filled in",
        summary="a field that was to be left alone was not: one that is optional and has no "
        "value, or a box to stay unticked; these count nowhere else",
        higher_is_better=False,
        counts="fields",
        judge=_needless,
        described=True,
    ),
    *_levels(
        "kind_", "kinds wholly {}", "kinds", ("submitted", "mentioned", "by_meaning", "clicked")
    ),
    FormMetric(
        name="right",
        title="forms wholly right",
        summary="the server accepted the form, every value arrived in its field and nothing else "
        "was touched",
        counts="attempts",
        judge=lambda score, _fields: float(score.right),
    ),
    *_levels("all_", "forms wholly {}", "attempts", ("mentioned", "by_meaning", "clicked")),
    FormMetric(
        name="accepted",
        title="forms accepted",
        summary="the server accepted the form",
        counts="attempts",
        judge=lambda score, _fields: float(score.accepted),
        described=True,
    ),
    FormMetric(
        name="page_right",
        title="pages right",
        summary="every value of a page arrived in its field and nothing else was touched there",
        counts="pages",
        judge=_well,
        described=True,
    ),
    FormMetric(
        name="refusals",
        title="values refused",
        summary="values that the server refused",
        unit="per attempt",
        higher_is_better=False,
        bounds=POSITIVE,
        counts="attempts",
        judge=lambda score, _fields: float(score.refusals),
        described=True,
    ),
    FormMetric(
        name="corrections",
        title="corrections",
        summary="fields that were left with a value and later given another",
        unit="per attempt",
        higher_is_better=False,
        bounds=POSITIVE,
        counts="attempts",
        judge=lambda score, _fields: float(score.corrections),
        described=True,
    ),
)
