"""
All scores of runs over forms: by agent, by what the form asks, and by how it was shown.
"""

from __future__ import annotations

import collections
import operator
import statistics
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.forms.scoring.cases import (
    CONDITIONS,
    Aspect,
    Case,
    baseline,
    check_distinct,
    fellow,
    handed,
)
from surefoot.forms.scoring.descriptions import overlap
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.scoring.metrics import FORM_METRICS, PARTS, FormMetric
from surefoot.forms.scoring.paper import difficulty_groups, paper_scores
from surefoot.forms.scoring.published import PublishedValues, count_published
from surefoot.score.conditions.rows import Condition, Rows, measured_rows
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.comparisons import Comparison, Contrast, compare_rows, corrected
from surefoot.score.contrasts.effects import Varied, effects_of
from surefoot.score.metric import Metric
from surefoot.score.metrics.hit import HIT
from surefoot.score.pillars import GUESSING, AboveChance, MeasuredPillar, Pillar
from surefoot.score.scoring import Scoring
from surefoot.score.stats.arrays import Floats
from surefoot.score.summary import Summary, summarise_rows

# They are right always and never, whatever the condition, and would weaken the correction.
REFERENCES: Final = ("null", "oracle")
FORMS: Final = "forms"  # the pillar that they are, and how it is scored
RATE: Final = "submitted"  # by which forms stand beside other benchmarks
KIND: Final = "kind of field"
TRAITS: Final[Mapping[str, Callable[[Case], str]]] = {
    "number of fields": lambda case: str(len(case.score.fields)),
    "number of kinds of field": lambda case: str(len({f.kind for f in case.score.fields})),
    "number of pages": lambda case: str(len({f.page for f in case.score.fields})),
    "form": lambda case: case.score.form,
}


class Distances(msgspec.Struct, frozen=True):
    """
    Say how near the nearest click came to each field's control, in pixels of the picture.

    ``n`` fields had a click on their page; 0 is a click inside, ``inside`` counts those;
    ``upper`` is what nine of ten reach.
    """

    n: int
    inside: int
    median: float
    upper: float


class StrayCount(msgspec.Struct, frozen=True):
    """
    Count values of one kind of field that were found in another kind.

    ``asked`` counts the fields of the first kind that had a value to fill in.
    """

    value_of: str
    found_in: str
    count: int
    asked: int


class Misplacement(msgspec.Struct, frozen=True):
    """Count how often the value of one field of a form was found in another."""

    form: str
    value_of: str
    found_in: str
    count: int


def summarise_forms(results: Iterable[Case]) -> Summary:
    """
    Compute every score of attempts at forms; ``answers`` counts the attempts.

    Forms are the clusters. Details are told by agent: how attempts "ended", how near clicks
    came ("distances"), how "descriptions" agree, which values "strayed" into which kind of
    field, and were "misplaced" in which field; what became of "published" values; and what
    the "paper" would tell. Raises InvalidInputError without an attempt, and for two of one
    agent at one instance under the same conditions.
    """
    cases = list(results)
    if not cases:
        raise InvalidInputError("at least one form that was filled in", found="none")
    check_distinct(cases)
    fields, *others = (_of_part(cases, part) for part in PARTS)
    agents: dict[str, list[Case]] = {}
    for case in sorted(cases, key=lambda case: case.score.agent):
        agents.setdefault(case.score.agent, []).append(case)
    groups = difficulty_groups(cases)
    tables: dict[str, Callable[[Sequence[Case]], object]] = {
        "ended": lambda own: dict(sorted(collections.Counter(c.score.ended for c in own).items())),
        "distances": _distances,
        "descriptions": lambda own: overlap([pair for c in own for pair in c.score.descriptions]),
        "strayed": lambda own: tuple(_strayed(own)),
        "misplaced": _misplaced,
        "published": _published,
        "paper": lambda own: paper_scores(own, groups),
    }
    details = {
        name: {agent: found for agent, own in agents.items() if (found := table(own))}
        for name, table in tables.items()
    }
    parts = (fields, *others)
    scores = tuple(score for part in parts for score in part.scores)
    return msgspec.structs.replace(
        fields,
        answers=len(cases),
        metrics=tuple(metric for part in parts for metric in part.metrics),
        scores=scores,
        slices=tuple(score for part in parts for score in part.slices),
        effects=tuple(effect for part in parts for effect in part.effects),
        comparisons=tuple(comparison for part in parts for comparison in part.comparisons),
        details=details,
        warnings=(*fields.warnings, *_warnings(scores)),
    )


def measure_forms(results: Iterable[Case], summary: Summary | None = None) -> MeasuredPillar:
    """
    Return attempts at forms as a pillar: the rate of fields whose value was handed in.

    ``summary`` is theirs where it is known. What chance has is what the agent "null" has,
    which does nothing, and 0 where it was not asked. Raises InvalidInputError as
    ``summarise_forms`` does.
    """
    cases = list(results)
    whole = (summary or summarise_forms(cases)).only([RATE])
    (rate,) = (metric for metric in FORM_METRICS if metric.name == RATE)
    idle = [score.amount for score in whole.scores if score.model == REFERENCES[0]]
    floor = max((amount for amount in idle if amount is not None), default=0.0)
    above = tuple(
        AboveChance(
            model=score.model,
            reference=REFERENCES[0] if idle else GUESSING,
            amount=floor,
            n=score.n,
            change=score.amount - floor,
            interval=None,
            found=score.interval is not None and score.interval.low > floor,
        )
        for score in whole.scores
        if score.model not in REFERENCES and score.amount is not None
    )
    varied = tuple(
        Varied(item.rows, {HIT: item.metrics[rate]}, item.contrast)
        for item in _varied(cases, rate.counts)
    )
    return MeasuredPillar(
        Pillar(name=FORMS, summary=whole, standings=whole.scores, above=above), varied
    )


def compare_cases(cases: Sequence[Case], part: str = "fields") -> tuple[Comparison, ...]:
    """
    Return every comparison that the cases allow, aspect by aspect.

    Each value of a condition is compared with its baseline, all other conditions, form,
    instance and agent being equal; themes and layouts within their renderer, agents each
    with one of them. The agents "null" and "oracle" are left out.
    """
    return corrected(
        [
            row
            for varied in _varied(cases, part)
            # Every part under every other condition is one to be compared.
            for rows in [msgspec.structs.replace(varied.rows, element=varied.rows.same)]
            for row in compare_rows(rows, varied.metrics, varied.contrast)
            if row.n
        ]
    )


def _varied(cases: Sequence[Case], part: str) -> Iterator[Varied]:
    """Yield what is varied: each aspect, of each agent, and of each renderer where it has to."""
    metrics = [item for item in FORM_METRICS if item.counts == part and not item.described]
    for aspect in CONDITIONS:
        for group in _grouped(cases, aspect).values():
            names = {case.condition(aspect): case.named(aspect) for case in group}
            if len(names) < 2:  # noqa: PLR2004 - a comparison takes two
                continue
            contrast = Contrast(
                name=aspect,
                varies="model" if aspect == "agent" else aspect,
                baseline=names[baseline(aspect, sorted(names))],
            )
            rows = _rows(group, part, metrics, aspect)
            if not len(rows):
                continue
            values: dict[Metric, Floats] = {
                metric: rows.measure(metric, slice(None)) for metric in metrics
            }
            yield Varied(rows, values, contrast)


def _warnings(scores: Iterable[Score]) -> Iterator[str]:
    """Say what the agents that are right always or never reveal."""
    for row in scores:
        if (row.model, row.metric) == ("oracle", "right") and row.total < row.n:
            yield (
                f"The oracle, which knows every value and place, failed {row.n - row.total:.0f} "
                f"of {row.n} forms: these cannot be answered as they were shown."
            )
        if (row.model, row.metric) == ("null", "submitted") and row.total:
            yield "The null agent, which does nothing, has right values: scores leak."


def _of_part(cases: Sequence[Case], part: str) -> Summary:
    metrics = {metric.name: metric for metric in FORM_METRICS if metric.counts == part}
    scoring = Scoring(
        name="forms",
        metrics=tuple(metric.name for metric in metrics.values() if not metric.described),
        descriptive=tuple(metric.name for metric in metrics.values() if metric.described),
        contrasts=(),
        slices=(KIND, *TRAITS, *CONDITIONS[1:]),
    )
    rows = _rows(cases, part, list(metrics.values()), "agent")
    found = summarise_rows(rows, scoring, metrics.__getitem__)
    return msgspec.structs.replace(
        found,
        comparisons=compare_cases(cases, part),
        effects=effects_of(_varied(cases, part)),
    )


def _grouped(cases: Sequence[Case], aspect: Aspect) -> Mapping[tuple[str, str], list[Case]]:
    """Put together what may be compared: one agent's, of one renderer where it has to be."""
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in sorted(cases, key=lambda case: case.score.agent):
        if case.score.agent not in REFERENCES:
            agent = "" if aspect == "agent" else case.score.agent
            drawn = case.score.rendering.renderer if aspect in {"theme", "layout"} else ""
            groups.setdefault((agent, drawn), []).append(case)
    return groups


def _rows(cases: Sequence[Case], part: str, metrics: Sequence[FormMetric], aspect: Aspect) -> Rows:
    """
    Lay out the parts of attempts of which a metric says something.

    An element is a part of a form with its values, however it was shown; the same is what
    differs in one aspect alone. What is the same for a whole attempt is asked of it once.
    """
    found: list[tuple[int, str, Hashable, list[float]]] = []
    for at, case in enumerate(cases):
        groups: dict[Hashable, list[FieldScore]] = {}
        for field in case.score.fields:
            groups.setdefault(PARTS[part](field), []).append(field)
        for key, fields in groups.items():
            judged = [metric.judge(case.score, fields) for metric in metrics]
            if any(number is not None for number in judged):
                kind = fields[0].kind if part in {"fields", "kinds"} else ""
                numbers = [np.nan if number is None else number for number in judged]
                found.append((at, kind, key, numbers))
    place = [at for at, *_ in found]

    def told(name: Callable[[Case], str]) -> list[str]:
        words = list(map(name, cases))
        return [words[at] for at in place]

    return measured_rows(
        [Condition(cases[at].score.agent) for at in place],
        [(*handed(cases[at]), key) for at, _, key, _ in found],
        [cases[at].score.form for at in place],
        {item.name: [row[at] for *_, row in found] for at, item in enumerate(metrics)},
        {
            KIND: [kind for _, kind, _, _ in found],
            **{name: told(tell) for name, tell in TRAITS.items()},
            **{name: told(operator.methodcaller("named", name)) for name in CONDITIONS[1:]},
        },
        same=[(*fellow(cases[at], aspect), key) for at, _, key, _ in found],
        unit="forms",
    )


def _published(cases: Sequence[Case]) -> PublishedValues | None:
    """Count what was published, of each record once, however often it was filled in."""
    records = {
        (case.source, case.score.form, case.score.instance): case.score
        for case in cases
        if case.source
    }
    return count_published(records.values()) if records else None


def _distances(cases: Sequence[Case]) -> Distances | None:
    fields = (field for case in cases for field in case.score.fields if field.asked)
    found = sorted(field.distance for field in fields if field.distance is not None)
    if not found:
        return None
    upper = found[min(len(found) - 1, int(0.9 * len(found)))]
    return Distances(len(found), sum(not far for far in found), statistics.median(found), upper)


def _strayed(cases: Sequence[Case]) -> Iterator[StrayCount]:
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    asked: collections.Counter[str] = collections.Counter()
    for case in cases:
        kinds = {field.field: field.kind for field in case.score.fields}
        for field in case.score.fields:
            asked[field.kind] += field.asked
            counts.update((field.kind, kinds[other]) for other in field.found_in)
    for (value_of, found_in), count in sorted(counts.items()):
        yield StrayCount(value_of, found_in, count, asked[value_of])


def _misplaced(cases: Sequence[Case]) -> tuple[Misplacement, ...]:
    """Return how often each field's value was found in which other field, commonest first."""
    counts = collections.Counter(
        (case.score.form, field.field, other)
        for case in cases
        for field in case.score.fields
        for other in field.found_in
    )
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Misplacement(*key, count=count) for key, count in ordered)
