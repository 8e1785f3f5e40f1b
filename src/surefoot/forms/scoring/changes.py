"""
One condition against another on the same fields of the same instances, by the same agent.

The unit is a field with something to fill in, a hit is that its value reached the level
asked about, and fields of one form are not taken as independent: forms are the clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec
import numpy as np

from surefoot.forms.scoring.cases import CONDITIONS, Aspect, Case, baseline, fellow
from surefoot.forms.scoring.episodes import Level
from surefoot.score.stats.clusters import (
    CHANGE,
    JACKKNIFE,
    detectable_effects,
    p_values,
    ratio,
    single_interval,
)
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.mcnemar import mcnemar
from surefoot.score.stats.multiplicity import holm

__all__ = ["REFERENCES", "Change", "changes"]

# They are right always and never, whatever the condition, and would weaken the correction.
REFERENCES = ("null", "oracle")
Pairs: TypeAlias = dict[str, list[tuple[bool, bool]]]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one paired comparison of a condition with its baseline.

    Over ``n`` fields of ``forms`` forms that were attempted under both, ``b`` reached the
    level in the baseline alone and ``c`` here alone; ``change`` is (c - b) / n, a loss
    negative. ``p`` is McNemar's, which takes fields as independent, ``p_cluster`` that of
    the one test over forms, corrected by Holm over the ``family`` of its aspect.
    ``detectable`` is the smallest true change that it finds with power 0.8.
    """

    aspect: Aspect
    level: Level
    agent: str
    baseline: str
    value: str
    n: int
    forms: int
    both: int
    b: int
    c: int
    neither: int
    baseline_rate: float
    rate: float
    change: float
    interval: Interval
    flips: float
    test: str
    p: float
    test_cluster: str
    p_cluster: float
    detectable: float | None = None
    p_cluster_holm: float = 1.0
    family: int = 1


def changes(cases: Sequence[Case], *, level: Level = "submitted") -> tuple[Change, ...]:
    """
    Return every comparison that the cases allow, aspect by aspect.

    Each value of a condition is compared with its baseline, all other conditions, form,
    instance and agent being equal; themes and layouts within their renderer, agents each
    with one of them. The agents "null" and "oracle" are left out.
    """
    cases = [each for each in cases if each.score.agent not in REFERENCES]
    found: list[Change] = []
    for aspect in CONDITIONS:
        family = list(_of_aspect(cases, aspect, level))
        adjusted = holm([each.p_cluster for each in family])
        found += [
            msgspec.structs.replace(each, p_cluster_holm=p, family=len(family))
            for each, p in zip(family, adjusted, strict=True)
        ]
    return tuple(found)


def _of_aspect(cases: Sequence[Case], aspect: Aspect, level: Level) -> Iterable[Change]:
    for agent, group in sorted(_grouped(cases, aspect).items()):
        names = {each.condition(aspect): each.named(aspect) for each in group}
        if len(names) < 2:  # noqa: PLR2004 - a comparison takes two
            continue
        start = baseline(aspect, sorted(names))
        before = {fellow(each, aspect): each for each in group if each.condition(aspect) == start}
        for value in sorted(set(names) - {start}):
            after = [each for each in group if each.condition(aspect) == value]
            pairs = _pairs(before, after, aspect, level)
            if pairs:
                label = names[value] if aspect == "agent" else agent[0]
                key = (aspect, level, label, names[start], names[value])
                yield _change(key, pairs)


def _grouped(cases: Sequence[Case], aspect: Aspect) -> Mapping[tuple[str, str], list[Case]]:
    """Put together what may be compared: one agent's, of one renderer where it has to be."""
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        agent = "" if aspect == "agent" else case.score.agent
        drawn = case.score.rendering.renderer if aspect in {"theme", "layout"} else ""
        groups.setdefault((agent, drawn), []).append(case)
    return groups


def _pairs(
    before: Mapping[tuple[object, ...], Case],
    after: Sequence[Case],
    aspect: Aspect,
    level: Level,
) -> Pairs:
    """Return, by form, whether each field reached the level under both conditions."""
    found: Pairs = {}
    for case in after:
        other = before.get(fellow(case, aspect))
        if other is None:
            continue
        earlier = {each.field: each for each in other.score.fields if each.asked}
        found.setdefault(case.score.form, []).extend(
            (getattr(earlier[each.field], level), getattr(each, level))
            for each in case.score.fields
            if each.asked and each.field in earlier
        )
    return {form: pairs for form, pairs in found.items() if pairs}


def _change(key: tuple[Aspect, Level, str, str, str], pairs: Pairs) -> Change:
    flat = [pair for form in pairs.values() for pair in form]
    n, both = len(flat), sum(x and y for x, y in flat)
    b, c = sum(x and not y for x, y in flat), sum(y and not x for x, y in flat)
    moved = np.array([[sum(y - x for x, y in form)] for form in pairs.values()], np.float64)
    sizes = np.array([[len(form)] for form in pairs.values()], np.float64)
    naive, found = mcnemar(b, c), ratio(moved, sizes)
    effect = float(detectable_effects(found)[0])
    aspect, level, agent, start, value = key
    return Change(
        aspect=aspect,
        level=level,
        agent=agent,
        baseline=start,
        value=value,
        n=n,
        forms=len(pairs),
        both=both,
        b=b,
        c=c,
        neither=n - both - b - c,
        baseline_rate=(both + b) / n,
        rate=(both + c) / n,
        change=(c - b) / n,
        interval=single_interval(found, CHANGE, over="forms"),
        flips=(b + c) / n,
        test=naive.test,
        p=naive.p,
        test_cluster=JACKKNIFE,
        p_cluster=float(p_values(found, CHANGE)[0]),
        detectable=min(1.0, effect) if effect > 0 else None,
    )
