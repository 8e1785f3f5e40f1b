"""
Comparisons: one condition against another on the same elements, whatever is measured.

Within a model every contrast and metric is a family of tests of its own for Holm's correction;
between models every pair of them has families of its own. So no number of a model, or of two,
depends on which others stand beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec
import numpy as np

from surefoot.core.perturbation import ORIGINAL, REWORDED
from surefoot.score.metric import Metric
from surefoot.score.rows import DIRECT, Condition, Rows, pool
from surefoot.score.stats.arrays import Floats, Ints, Labels, combine, renumber
from surefoot.score.stats.clusters import (
    JACKKNIFE,
    Bounds,
    Sums,
    detectable_effects,
    difference_of_ratios,
    intervals,
    p_values,
)
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.mcnemar import mcnemar
from surefoot.score.stats.multiplicity import benjamini_hochberg, holm
from surefoot.score.stats.proportions import two_proportion_z

__all__ = [
    "INSTRUCTIONS",
    "MODELS",
    "MODELS_BY_VARIANT",
    "REASONING",
    "REASONING_BY_VARIANT",
    "VARIANTS",
    "Comparison",
    "Contrast",
    "Discordance",
    "compare_rows",
    "corrected",
]


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """
    Say what is compared with what.

    ``varies`` is a part of the condition ("variant", "instruction", "model", "reasoning")
    or the name of a trait; all other parts are the same on both sides. ``baseline`` is the
    value compared with; without one every two values are compared, the one that sorts first
    being the baseline. Where ``alike``, only rows that were asked the same are compared,
    else all rows of the same element; where not ``paired``, all rows, whatever element they
    are of. ``pooled`` compares over all variants and kinds of
    instruction at once, question by question.
    """

    name: str
    varies: str
    baseline: str = ""
    alike: bool = True
    paired: bool = True
    pooled: bool = False


VARIANTS: Final = Contrast(name="variant", varies="variant", baseline=ORIGINAL)
INSTRUCTIONS: Final = Contrast(
    name="instruction", varies="instruction", baseline=DIRECT, alike=False
)
MODELS: Final = Contrast(name="model", varies="model", pooled=True)
REASONING: Final = Contrast(name="reasoning", varies="reasoning", baseline="False", pooled=True)
MODELS_BY_VARIANT: Final = Contrast(name="model", varies="model")
REASONING_BY_VARIANT: Final = Contrast(name="reasoning", varies="reasoning", baseline="False")


class Discordance(msgspec.Struct, frozen=True, kw_only=True):
    """
    Count elements that were right in both conditions, in one, and in neither.

    ``b`` were right in the baseline alone, ``c`` here alone. The tests take elements as
    independent, which they are not: they are here to be compared with work that reports
    them. ``design_effect`` is the variance of the change over what independent elements
    would have.
    """

    both: int
    b: int
    c: int
    neither: int
    flip_rate: float
    test: str
    p: float
    p_mid: float
    p_holm: float = 1.0
    p_bh: float = 1.0
    chi_square: float | None = None
    p_z: float | None = None
    design_effect: float | None = None


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one metric of a condition minus that of its baseline, on the elements of both.

    ``baseline`` is the other value of what the ``contrast`` varies, a part of the condition
    or a trait; ``value`` is the value of a trait, else "". ``unmatched`` elements were asked
    on one side and are not known on both; ``unparsed`` counts the replies of both sides that
    could not be read. ``p`` takes clusters as independent, ``p_holm`` is corrected within
    the ``family`` of tests of one contrast, metric and model, or pair of models.
    ``detectable`` is the smallest true change that the test finds with power 0.8. None stands
    where nothing can be said.
    """

    metric: str
    contrast: str
    varies: str
    model: str
    reasoning: bool
    instruction: str
    variant: str
    value: str = ""
    baseline: str
    n: int
    unmatched: int
    clusters: int
    unparsed: int
    before: float | None
    after: float | None
    change: float | None
    interval: Interval | None
    detectable: float | None
    test: str = JACKKNIFE
    p: float
    p_holm: float = 1.0
    family: int = 1
    discordance: Discordance | None = None


Column: TypeAlias = tuple[Condition, str]


def compare_rows(
    rows: Rows, metrics: Mapping[Metric, Floats], contrast: Contrast
) -> tuple[Comparison, ...]:
    """
    Compare the columns that a contrast pairs in every metric; p-values are not corrected.

    ``metrics`` come with their values of all rows.
    """
    rows = pool(rows) if contrast.pooled else rows
    columns, members = _columns(rows, contrast)
    pairs = list(_pairs(columns, contrast))
    if not pairs:
        return ()
    found: dict[Metric, list[_Matched]] = {metric: [] for metric in metrics}
    for start, place in pairs:
        shared = _shared(rows, contrast, members[start], members[place])
        for metric, whole in metrics.items():
            anew = contrast.alike and metric.together and metric.within != "sum"
            values = None if anew else whole
            found[metric].append(_match(rows, metric, values, shared, paired=contrast.paired))
    compared: list[Comparison] = []
    for metric, matched in found.items():
        change = difference_of_ratios(
            _side([one.before for one in matched]), _side([one.after for one in matched])
        )
        bounds = _change_bounds(metric.bounds)
        ends, p = intervals(change, bounds, over=rows.unit), p_values(change, bounds)
        effects = np.minimum(detectable_effects(change), bounds[1])
        for index, ((start, place), one) in enumerate(zip(pairs, matched, strict=True)):
            condition, value = columns[place]
            compared.append(
                Comparison(
                    metric=metric.name,
                    contrast=contrast.name,
                    varies=contrast.varies,
                    **msgspec.structs.asdict(condition),
                    value=value,
                    baseline=_named(columns[start], contrast),
                    n=one.n,
                    unmatched=one.unmatched,
                    clusters=int(change.clusters[index]),
                    unparsed=sum(
                        int(rows.lost["unparsed"][members[side]].sum()) for side in (start, place)
                    ),
                    before=_mean(one.before),
                    after=_mean(one.after),
                    change=_known(change.value[index]),
                    detectable=_known(effects[index]) or None,
                    interval=ends[index],
                    p=float(p[index]),
                    discordance=_discordance(one, change.standard_error[index]),
                )
            )
    return tuple(compared)


def corrected(raw: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Correct p-values by Holm within a contrast, a metric and a model, or a pair of models."""
    done = list(raw)
    families: dict[tuple[str, ...], list[int]] = {}
    for index, one in enumerate(raw):
        other = one.baseline if one.varies == "model" else ""
        families.setdefault((one.contrast, one.metric, one.model, other), []).append(index)
    for at in families.values():
        for index, p in zip(at, holm([raw[index].p for index in at]), strict=True):
            done[index] = msgspec.structs.replace(raw[index], p_holm=p, family=len(at))
        flips = [(index, flip) for index in at if (flip := raw[index].discordance)]
        ps = [flip.p for _, flip in flips]
        both = zip(flips, holm(ps), benjamini_hochberg(ps), strict=True)
        for (index, flip), p_holm, p_bh in both:
            told = msgspec.structs.replace(flip, p_holm=p_holm, p_bh=p_bh)
            done[index] = msgspec.structs.replace(done[index], discordance=told)
    return tuple(done)


def _columns(rows: Rows, contrast: Contrast) -> tuple[list[Column], list[Ints]]:
    """Return the columns that a contrast looks at, and the rows of each, in order."""
    values = rows.traits.get(contrast.varies)
    if values is None:
        values = Labels(("",), np.zeros(len(rows), dtype=np.int64))
    code = combine(rows.condition, values.codes, len(values.names))
    present, place = renumber(code, len(rows.conditions) * len(values.names))
    order = np.argsort(place.astype(np.min_scalar_type(len(present))), kind="stable")
    members = np.split(order, np.cumsum(np.bincount(place, minlength=len(present)))[:-1])
    columns: list[Column] = []
    kept: list[Ints] = []
    for cell, chosen in zip(present.tolist(), members, strict=True):
        condition, value = divmod(cell, len(values.names))
        if values.names[value] or contrast.varies in Condition.__struct_fields__:
            columns.append((rows.conditions[condition], values.names[value]))
            kept.append(chosen)
    return columns, kept


def _pairs(columns: Sequence[Column], contrast: Contrast) -> Iterator[tuple[int, int]]:
    """Yield the places of each baseline and of what is compared with it."""
    known = {column: place for place, column in enumerate(columns)}
    for place, (condition, value) in enumerate(columns):
        own = _named((condition, value), contrast)
        if not contrast.baseline:
            others = [
                at
                for at, other in enumerate(columns)
                if _named(other, contrast) < own
                and _with(other, contrast, "") == _with((condition, value), contrast, "")
            ]
            yield from ((at, place) for at in others)
            continue
        base = contrast.baseline
        if contrast.varies == "variant" and own.endswith(REWORDED):
            base += REWORDED
        start = known.get(_with((condition, value), contrast, base))
        if own != base and start is not None:
            yield start, place


def _named(column: Column, contrast: Contrast) -> str:
    condition, value = column
    return value or str(getattr(condition, contrast.varies))


def _with(column: Column, contrast: Contrast, base: str) -> Column:
    condition, _ = column
    if contrast.varies not in Condition.__struct_fields__:
        return condition, base
    told: object = base == "True" if contrast.varies == "reasoning" else base
    return msgspec.structs.replace(condition, **{contrast.varies: told}), ""


class _Matched(msgspec.Struct, frozen=True, eq=False):
    """
    Hold the sums of both sides over clusters.

    ``flips`` counts the elements that were right on both sides, in the baseline alone and
    here alone, where each was asked once and is right or wrong.
    """

    before: Sums
    after: Sums
    n: int
    unmatched: int
    flips: tuple[int, ...] | None


def _shared(rows: Rows, contrast: Contrast, start: Ints, place: Ints) -> tuple[Ints, Ints, int]:
    """Return the rows of both sides that have a partner, and how many elements were asked."""
    asked = np.zeros(rows.elements, dtype=np.bool_)
    asked[rows.element[start]] = asked[rows.element[place]] = True
    if not contrast.paired:
        return start, place, int(np.count_nonzero(asked))
    key, count = rows.element, rows.elements
    if contrast.alike:
        key, count = rows.same, rows.questions
    here, there = np.zeros((2, count), dtype=np.bool_)
    here[key[start]] = there[key[place]] = True
    both = here & there
    return start[both[key[start]]], place[both[key[place]]], int(np.count_nonzero(asked))


def _match(
    rows: Rows,
    metric: Metric,
    whole: Floats | None,
    shared: tuple[Ints, Ints, int],
    *,
    paired: bool,
) -> _Matched:
    """
    Measure both sides; where they are paired, an element unknown on one is left out.

    ``whole`` are the values among all rows; without them what is shared is measured anew.
    """
    start, place, asked = shared
    chosen = np.concatenate([start, place])
    if whole is None:
        order = np.argsort(chosen, kind="stable")
        values = np.empty(len(chosen))
        values[order] = rows.measure(metric, chosen[order])
    else:
        values = whole[chosen]
    at = rows.element[chosen].astype(np.int64)
    at[len(start) :] += rows.elements
    known = ~np.isnan(values)
    values, at, size = values[known], at[known], 2 * rows.elements
    below = np.bincount(at, minlength=size).astype(np.float64)
    if metric.within == "max":
        above = np.full(size, -np.inf)
        np.maximum.at(above, at, values)
    else:
        above = np.bincount(at, weights=values, minlength=size)
    if metric.within == "mean":
        above = above / np.maximum(below, 1)
    if metric.within != "sum":
        below = (below > 0).astype(np.float64)
    shown = below.reshape(2, -1) > 0
    both = shown.all(axis=0) if paired else shown.any(axis=0)
    home, n = rows.home[both], int(np.count_nonzero(both))
    sides = [
        (found[both], total[both])
        for found, total in zip(above.reshape(2, -1), below.reshape(2, -1), strict=True)
    ]

    def summed(part: Floats) -> Floats:
        return np.bincount(home, part, rows.clusters).astype(np.float64)

    before, after = ((summed(found), summed(total)) for found, total in sides)
    flips = None
    once = n and not rows.repeated[chosen].any()
    if once and all((total == 1).all() and np.isin(found, (0, 1)).all() for found, total in sides):
        was, now = (found == 1 for found, _ in sides)
        flips = tuple(int(np.count_nonzero(told)) for told in (was & now, was & ~now, ~was & now))
    return _Matched(before, after, n, asked - n, flips)


def _discordance(one: _Matched, error: float) -> Discordance | None:
    if one.flips is None:
        return None
    n, (both, b, c) = one.n, one.flips
    naive = mcnemar(b, c)
    alone = (b + c) / n**2 - (c - b) ** 2 / n**3
    return Discordance(
        both=both,
        b=b,
        c=c,
        neither=n - both - b - c,
        flip_rate=(b + c) / n,
        test=naive.test,
        p=naive.p,
        p_mid=naive.p_mid,
        chi_square=naive.chi_square,
        p_z=two_proportion_z((both + b, both + c), (n, n))[1],
        design_effect=float(error) ** 2 / alone if alone > 0 and error > 0 else None,
    )


def _change_bounds(bounds: Bounds) -> Bounds:
    low, high = bounds
    return low - high, high - low


def _mean(sums: Sums) -> float | None:
    total = float(sums[1].sum())
    return float(sums[0].sum()) / total if total else None


def _known(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def _side(parts: Sequence[Sums]) -> Sums:
    """Put the columns of one side beside each other: (clusters, columns)."""
    above, below = zip(*parts, strict=True)
    return np.stack(above, axis=1), np.stack(below, axis=1)
