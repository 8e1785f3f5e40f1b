"""
What FormFactory's paper tells of an agent: the columns of its table 2, and its figures 4 to 7.

Li et al., "FormFactory: An Interactive Benchmarking Suite for Multimodal Form-Filling Agents"
(2025), section 5. What it does not say is decided here, and told in docs/metrics.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np

from surefoot.forms.scoring.cases import Case, fellow
from surefoot.forms.scoring.descriptions import Overlap, overlap, sentence_bleu
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.specification import Holds
from surefoot.score.conditions.rows import Condition, measured_rows
from surefoot.score.conditions.scores import Score, score_rows
from surefoot.score.metric import GivenMetric

COLUMNS: Final = (
    *("String", "Drop-down List", "Checkbox", "Radio Button", "Description", "Date", "Check"),
)
EPISODIC: Final = "Episodic"
GROUPS: Final = 5
_TYPED: Final = ("String", "Description")

Trait: TypeAlias = Literal["column", "group", "fields", "types", "fields and types"]
_TRAITS: Final[tuple[Trait, ...]] = ("column", "group", "fields", "types", "fields and types")
PAPER_METRICS: Final = (
    GivenMetric(
        name="click",
        title="Click",
        summary="a click met what the value is entered by: of radio buttons and of boxes to "
        "choose several each right one, of all else the field or its list",
        reference="FormFactory (2025), table 2",
        counts="fields",
    ),
    GivenMetric(
        name="value",
        title="Value",
        summary="the value was said, letter for letter, or a field held it; of a description the "
        "sentence BLEU, from 0 to 1, of what was said",
        reference="FormFactory (2025), table 2",
        counts="fields",
    ),
    GivenMetric(
        name="by_meaning",
        title="Value by meaning",
        summary="whatever was said means the value, or a field held it",
        counts="fields",
    ),
    GivenMetric(
        name="typed_click",
        title="Click of String and Description",
        summary="Click, of fields that are typed into",
        reference="FormFactory (2025), figure 6",
        counts="fields",
    ),
    GivenMetric(
        name="accuracy",
        title="Value, descriptions left out",
        summary="Value, of all fields that are right or wrong",
        reference="FormFactory (2025), figure 5",
        counts="fields",
    ),
)


class PaperScores(msgspec.Struct, frozen=True):
    """
    Hold what the paper's table and figures show of one agent.

    The ``variant`` of a score says which ruler was drawn. Its ``trait`` is "" for all fields,
    or "column" (of table 2, with "Episodic"), "group" (of difficulty), "fields" and "types"
    (how many the form has) or "fields and types" ("8 fields, 3 types"). ``bleu`` is by ruler.
    """

    scores: tuple[Score, ...]
    bleu: dict[str, Overlap]

    @property
    def rulers(self) -> tuple[str, ...]:
        """Return the rulers that were drawn, in order."""
        return tuple(dict.fromkeys(score.variant for score in self.scores))

    def of(self, metric: str, trait: Trait | Literal[""], ruler: str) -> tuple[Score, ...]:
        """Return the scores of one metric by a trait, those that say something."""
        return tuple(
            score
            for score in self.scores
            if (score.metric, score.trait, score.variant) == (metric, trait, ruler) and score.n
        )


def paper_scores(cases: Sequence[Case], groups: Mapping[str, str]) -> PaperScores | None:
    """
    Score the attempts of one agent as the paper's table 2 and figures 4 to 7 do.

    ``groups`` is the group of difficulty of each form. Files are in no column, and fields that
    are not asked count nowhere. None where nobody watched any attempt.
    """
    lines = [line for case in cases for line in _lines(case, groups)]
    known = {
        metric.name: np.array([line.values.get(metric.name, np.nan) for line in lines])
        for metric in PAPER_METRICS
    }
    if not lines or all(np.isnan(numbers).all() for numbers in known.values()):
        return None
    rows = measured_rows(
        [Condition(line.case.score.agent, variant=line.case.named("ruler")) for line in lines],
        [(*fellow(line.case, "ruler"), line.element) for line in lines],
        [line.case.score.form for line in lines],
        known,
        {trait: [line.traits.get(trait, "") for line in lines] for trait in _TRAITS},
        unit="forms",
    )
    whole = [line.traits["column"] == EPISODIC for line in lines]
    fields = {name: np.where(whole, np.nan, numbers) for name, numbers in known.items()}
    found = [
        row
        for metric in PAPER_METRICS
        for trait in ("", *_TRAITS)
        for row in score_rows(rows, metric, (known if trait else fields)[metric.name], trait)
    ]
    texts: dict[str, list[tuple[str, str]]] = {}
    for case in cases:
        texts.setdefault(case.named("ruler"), []).extend(case.score.spoken.values())
    overlaps = {
        ruler: found_overlap for ruler, pairs in texts.items() if (found_overlap := overlap(pairs))
    }
    return PaperScores(tuple(score for score in found if score.n), overlaps)


def difficulty_groups(cases: Iterable[Case]) -> dict[str, str]:
    """
    Put forms into five groups of equal size by how many fields and types they have.

    The forms are ordered by the number of fields, then of types, then by name; a group is named
    by its number and what its forms have, as in "1: 4 to 6 fields, 2 to 5 types".
    """
    sizes = {
        case.score.form: (len(case.score.fields), types_of(case.score.fields)) for case in cases
    }
    ordered = sorted(sizes, key=lambda form: (*sizes[form], form))
    found: dict[str, str] = {}
    for number, part in enumerate(np.array_split(np.arange(len(ordered)), GROUPS), 1):
        forms = [ordered[at] for at in part]
        spans = zip(*(sizes[form] for form in forms), strict=True)
        words = (_span(span, what) for span, what in zip(spans, ("field", "type"), strict=False))
        found |= dict.fromkeys(forms, f"{number}: {', '.join(words)}")
    return found


def types_of(fields: Iterable[FieldScore]) -> int:
    """
    Count the types of fields as the paper's table 1 does: all that is a line of words is one.

    >>> both = (FieldScore(name, kind, 0, asked=True) for name, kind in
    ...         (("name", "string"), ("mail", "email"), ("age", "number")))
    >>> types_of(both)
    2
    """
    traits = [field.traits for field in fields]
    lines = (kind.holds is Holds.TEXT and kind.words != "passage" for kind in traits)
    return len({"line" if line else kind.name for line, kind in zip(lines, traits, strict=True)})


def smoothed(numbers: Sequence[float], window: int = 3) -> tuple[float, ...]:
    """
    Return the mean of each number and its neighbours; at both ends there are fewer.

    >>> smoothed([0.0, 0.75, 0.0, 0.75])
    (0.375, 0.25, 0.5, 0.375)
    """
    reach = window // 2
    near = (numbers[max(0, at - reach) : at + reach + 1] for at in range(len(numbers)))
    return tuple(sum(part) / len(part) for part in near)


class _Line(msgspec.Struct, frozen=True):
    """Hold one field of an attempt, or all of it, with what is known of it."""

    case: Case
    element: str
    values: dict[str, float]
    traits: dict[Trait, str]


def _lines(case: Case, groups: Mapping[str, str]) -> Iterator[_Line]:
    every = case.score.fields
    size, types = len(every), types_of(every)
    asked = [field for field in every if field.asked and field.traits.column]
    if not asked:
        return
    shared: dict[Trait, str] = {
        "group": groups[case.score.form],
        "fields": str(size),
        "types": str(types),
        "fields and types": f"{size} fields, {types} type{'s' * (types != 1)}",
    }
    bleu = {name: sentence_bleu(*pair) for name, pair in case.score.spoken.items()}
    for field in asked:
        column = field.traits.column
        judged = field.traits.words != "passage"
        values = {
            "click": field.aimed,
            "value": field.mentioned if judged else bleu.get(field.field),
            "by_meaning": field.by_meaning if judged else None,
            "typed_click": field.aimed if column in _TYPED else None,
            "accuracy": field.mentioned if judged else None,
        }
        yield _Line(case, field.field, _known(values), {**shared, "column": column})
    judged_fields = [field for field in asked if field.traits.words != "passage"]
    whole = {
        "click": _all([field.aimed for field in asked]),
        "value": _all([field.mentioned for field in judged_fields]),
        "by_meaning": _all([field.by_meaning for field in judged_fields]),
    }
    yield _Line(case, "", _known(whole), {"column": EPISODIC})


def _known(values: Mapping[str, float | None]) -> dict[str, float]:
    return {name: float(value) for name, value in values.items() if value is not None}


def _all(found: Sequence[bool | None]) -> bool | None:
    return None if not found or None in found else all(found)


def _span(numbers: Iterable[int], what: str) -> str:
    low, high = min(several := tuple(numbers)), max(several)
    return f"{low} {what}{'s' * (low != 1)}" if low == high else f"{low} to {high} {what}s"
