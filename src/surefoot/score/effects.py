"""
Effects: what each factor of a run does to a metric, pooled over all other factors.

A factor is what a contrast varies. An element's change is taken in every cell that both sides
share, all else equal, and averaged within the element; an effect is the mean over elements,
each with weight 1. So no effect hangs on which elements one cell happens to hold, and the
effect of a factor as a whole is tested before those of its levels.

The level of the test, 0.05 for a metric of a model, is shared out beforehand: each factor gets
an equal share. A factor with several levels spends half of its share on their mean and half on
the levels, by Holm; what is found hands its half on to the others (Bretz, Maurer, Brannath and
Posch, Statistics in Medicine 28, 2009). Only of what was found are interactions tested, by
Holm, at the sum of the shares of the factors found. Every interval has the level of its own
test, so that it leaves out zero exactly where the effect is found. A pair of models is a
family of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.perturbation import REWORDED
from surefoot.score.comparisons import (
    ColumnPair,
    Contrast,
    change_bound,
    match_elements,
    paired_columns,
)
from surefoot.score.metric import Metric
from surefoot.score.rows import Condition, Rows
from surefoot.score.stats.arrays import Bools, Floats
from surefoot.score.stats.intervals import CONFIDENCE, Interval
from surefoot.score.stats.multiplicity import holm_steps
from surefoot.score.stats.paired import PairedChange, paired_change

__all__ = ["Effect", "SimpleEffect", "effects_of"]

LEVEL: Final = 1 - CONFIDENCE
_BY_PICTURE: Final = "diagonals"  # of the target: moved by the size of the picture around it


class SimpleEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Hold the change at one value of the other factor, on the elements of an interaction."""

    value: str
    before: float
    after: float
    change: float
    interval: Interval | None


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the effect of one level of a factor on a metric, or of all its levels together.

    ``factor`` is the contrast's name; ``varies`` what it varies. ``value`` is the level, "" for
    the mean over ``levels``; ``baseline`` is what it is compared with. Of two models ``model``
    is the one and ``baseline`` the other. ``n`` elements are known on both sides, of ``asked``
    that were asked in the baseline; ``before`` and ``after`` are their means. An effect is
    ``found`` where p is under the ``level`` of its test, which its ``interval`` has too.
    ``detectable`` is the smallest true change that would be found with power 0.8.

    An interaction has the other factor's ``beside`` with its ``beside_value`` and
    ``beside_baseline``: its ``change`` is the effect under the value minus that under the
    baseline, on the elements that have both, which are told in ``simple``.
    """

    metric: str
    model: str
    factor: str
    varies: str
    value: str
    levels: tuple[str, ...]
    baseline: str
    beside: str = ""
    beside_value: str = ""
    beside_baseline: str = ""
    n: int
    asked: int
    clusters: int
    before: float | None
    after: float | None
    change: float | None
    p: float
    level: float
    found: bool
    interval: Interval | None
    detectable: float | None
    simple: tuple[SimpleEffect, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """Return the model, or both that are compared."""
        return (self.model, self.baseline) if self.varies == "model" else (self.model,)


class _Cell(msgspec.Struct, frozen=True, eq=False):
    """
    Hold one metric under a level and under its baseline, in one cell of the other factors.

    ``means`` is (2, elements), NaN where either side is not known; ``asked`` those that the
    baseline was asked about.
    """

    place: Condition
    means: Floats
    asked: Bools


class _Factor(msgspec.Struct, frozen=True, eq=False):
    """Hold the cells of each level of what a contrast varies."""

    contrast: Contrast
    baseline: str
    levels: dict[str, list[_Cell]]


class _Estimate(msgspec.Struct, frozen=True, eq=False):
    """Hold what was estimated of the elements that know a change, before it is judged."""

    change: PairedChange
    before: float | None
    after: float | None
    asked: int


def effects_of(
    rows: Rows, metrics: Mapping[Metric, Floats], contrasts: Sequence[Contrast]
) -> tuple[Effect, ...]:
    """
    Estimate and test every effect that the contrasts tell, by metric and model.

    ``metrics`` come with their values of all rows. A contrast has effects where it compares
    the same elements with a baseline, or models with each other.
    """
    used = [one for one in contrasts if one.paired and (one.baseline or one.varies == "model")]
    columns = {contrast.name: list(paired_columns(rows, contrast)) for contrast in used}
    families: dict[tuple[str, ...], None] = dict.fromkeys((one.model,) for one in rows.conditions)
    for contrast in used:
        if contrast.varies == "model":
            pairs = columns[contrast.name]
            families |= dict.fromkeys((pair.condition.model, pair.baseline) for pair in pairs)
    found: list[Effect] = []
    for metric, values in metrics.items():
        for models in families:
            factors = [
                _factor(rows, metric, values, contrast, _pairs_of(models, columns[contrast.name]))
                for contrast in used
                if (len(models) > 1) == (contrast.varies == "model")
                # What is counted in diagonals of the target is moved by the picture's size.
                and not (metric.unit == _BY_PICTURE and contrast.varies == "variant")
            ]
            varied = [factor for factor in factors if factor.levels]
            found += _Family(rows, metric, models, used).judge(varied)
    return tuple(found)


def _pairs_of(models: tuple[str, ...], pairs: Iterable[ColumnPair]) -> Iterator[ColumnPair]:
    """Yield the pairs of columns of a model, or of two."""
    for pair in pairs:
        if pair.condition.model == models[0] and models[1:] in ((), (pair.baseline,)):
            yield pair


def _factor(
    rows: Rows, metric: Metric, values: Floats, contrast: Contrast, pairs: Iterable[ColumnPair]
) -> _Factor:
    levels: dict[str, list[_Cell]] = {}
    baseline = contrast.baseline
    for pair in pairs:
        matched = match_elements(rows, metric, values, contrast, pair)
        if matched.known.any():
            asked = (matched.before[1] > 0) | ~np.isnan(matched.alone)
            level, baseline = (end.removesuffix(REWORDED) for end in (pair.level, pair.baseline))
            cell = _Cell(pair.condition, matched.means, asked)
            levels.setdefault(level, []).append(cell)
    return _Factor(contrast, baseline, levels)


class _Family(msgspec.Struct, frozen=True, eq=False):
    """Judge the effects on one metric of a model, or of a pair of models."""

    rows: Rows
    metric: Metric
    models: tuple[str, ...]
    contrasts: Sequence[Contrast]

    def judge(self, factors: Sequence[_Factor]) -> list[Effect]:
        """Return the effects of all factors, and the interactions of those that are found."""
        if not factors:
            return []
        share = LEVEL / len(factors)
        effects: list[Effect] = []
        opened: list[tuple[_Factor, tuple[str, ...]]] = []
        for factor in factors:
            own = self._main(factor, share)
            effects += own
            found = [one for one in own if one.found]
            opened += [
                (factor, one.levels)
                for one in found
                if one.value or not any(other.value for other in found)
            ]
        many = len({id(factor) for factor, _ in opened})
        return effects + self._interactions(opened, share * many)

    def _main(self, factor: _Factor, share: float) -> list[Effect]:
        """Test a factor at its share: its mean, and then its levels."""
        names = tuple(factor.levels)
        of_level = {name: _mean(_means(factor.levels[name])) for name in names}
        levels = {
            name: self._estimate(means, factor.levels[name]) for name, means in of_level.items()
        }
        if len(names) == 1:
            (whole,) = levels.values()
            return [self._effect(factor, names, names[0], whole, (share, share))]
        cells = [cell for own in factor.levels.values() for cell in own]
        whole = self._estimate(_mean(list(of_level.values())), cells)
        budget = share if whole.change.p < share / 2 else share / 2
        steps = holm_steps([one.change.p for one in levels.values()], budget)
        ps = [one.change.p for one in levels.values()]
        all_found = all(p < step for p, step in zip(ps, steps, strict=True))
        level = share if all_found else share / 2
        return [
            self._effect(factor, names, "", whole, (level, level)),
            *(
                self._effect(factor, (name,), name, one, (step, budget / len(names)))
                for (name, one), step in zip(levels.items(), steps, strict=True)
            ),
        ]

    def _estimate(self, means: Floats, cells: Sequence[_Cell]) -> _Estimate:
        known = ~np.isnan(means[0])
        before, after = means[:, known]
        return _Estimate(
            self._change(after - before, known, change_bound(self.metric)),
            float(before.mean()),
            float(after.mean()),
            int(np.count_nonzero(np.logical_or.reduce([cell.asked for cell in cells]))),
        )

    def _change(self, changes: Floats, known: Bools, bound: float) -> PairedChange:
        return paired_change(changes, self.rows.home[known], bound, over=self.rows.unit)

    def _effect(
        self,
        factor: _Factor,
        levels: tuple[str, ...],
        value: str,
        found: _Estimate,
        tests: tuple[float, float],
    ) -> Effect:
        """Lay out an effect; ``tests`` are the levels of its test and of the first such."""
        level, first = tests
        change = found.change
        return Effect(
            metric=self.metric.name,
            model=self.models[0],
            factor=factor.contrast.name,
            varies=factor.contrast.varies,
            value=value,
            levels=levels,
            baseline=factor.baseline,
            n=change.n,
            asked=found.asked,
            clusters=change.clusters,
            before=found.before,
            after=found.after,
            change=change.mean,
            p=change.p,
            level=level,
            found=change.p < level,
            interval=change.interval(1 - level),
            detectable=change.detectable(first),
        )

    def _interactions(
        self, opened: Sequence[tuple[_Factor, tuple[str, ...]]], level: float
    ) -> list[Effect]:
        """Test how what was found differs over the values of every other factor."""
        found: dict[frozenset[tuple[str, ...]], _Crossing] = {}
        for factor, levels in opened:
            for other in self.contrasts:
                if other.varies in (factor.contrast.varies, "model") or not hasattr(
                    Condition(""), other.varies
                ):
                    continue
                for crossing in _crossings(factor, levels, other):
                    key = frozenset(
                        {(other.name, crossing.value), (factor.contrast.name, *levels)}
                    )
                    found.setdefault(key, crossing)
        estimates = [self._difference(one) for one in found.values()]
        steps = holm_steps([one.change.p for one in estimates], level)
        effects = []
        for one, estimate, step in zip(found.values(), estimates, steps, strict=True):
            value = one.levels[0] if len(one.levels) == 1 else ""
            tests = step, level / len(estimates)
            effects.append(
                msgspec.structs.replace(
                    self._effect(one.factor, one.levels, value, estimate, tests),
                    beside=one.other.name,
                    beside_value=one.value,
                    beside_baseline=one.baseline,
                    simple=self._simple(one, step / 2),
                )
            )
        return effects

    def _difference(self, crossing: _Crossing) -> _Estimate:
        under, plain = (side[1] - side[0] for side in (crossing.under, crossing.plain))
        known = ~np.isnan(under)
        bound = 2 * change_bound(self.metric)
        change = self._change((under - plain)[known], known, bound)
        return _Estimate(change, None, None, change.n)

    def _simple(self, crossing: _Crossing, level: float) -> tuple[SimpleEffect, ...]:
        found = []
        for value, means in (
            (crossing.baseline, crossing.plain),
            (crossing.value, crossing.under),
        ):
            known = ~np.isnan(means[0])
            before, after = means[:, known]
            change = self._change(after - before, known, change_bound(self.metric))
            found.append(
                SimpleEffect(
                    value=value,
                    before=float(before.mean()),
                    after=float(after.mean()),
                    change=change.mean,
                    interval=change.interval(1 - level),
                )
            )
        return tuple(found)


class _Crossing(msgspec.Struct, frozen=True, eq=False):
    """
    Hold levels of a factor under a value of another factor, and under that one's baseline.

    ``under`` and ``plain`` are (2, elements), before and after, of the elements that have all
    four, NaN elsewhere.
    """

    factor: _Factor
    levels: tuple[str, ...]
    other: Contrast
    value: str
    baseline: str
    under: Floats
    plain: Floats


def _crossings(factor: _Factor, levels: tuple[str, ...], other: Contrast) -> Iterator[_Crossing]:
    """Yield the levels of a factor under each value of another, beside its baseline."""
    sides: dict[str, list[tuple[Floats, Floats]]] = {}
    for level in levels:
        of_value: dict[str, list[tuple[Floats, Floats]]] = {}
        plain = {
            _rest(cell.place, other): cell
            for cell in factor.levels[level]
            if _value(cell.place, other) == other.baseline
        }
        for cell in factor.levels[level]:
            value, beside = _value(cell.place, other), plain.get(_rest(cell.place, other))
            if value != other.baseline and beside is not None:
                both = ~np.isnan(cell.means) & ~np.isnan(beside.means)
                under, base = (np.where(both, one.means, np.nan) for one in (cell, beside))
                if both.any():
                    of_value.setdefault(value, []).append((under, base))
        for value, pairs in of_value.items():
            mean = [_mean(side) for side in zip(*pairs, strict=True)]
            sides.setdefault(value, []).append((mean[0], mean[1]))
    for value, pairs in sides.items():
        under, base = (_mean(side) for side in zip(*pairs, strict=True))
        yield _Crossing(factor, levels, other, value, other.baseline, under, base)


def _value(place: Condition, contrast: Contrast) -> str:
    return str(getattr(place, contrast.varies)).removesuffix(REWORDED)


def _rest(place: Condition, contrast: Contrast) -> Condition:
    """Return a condition without what a contrast varies."""
    blank: object = False if contrast.varies == "reasoning" else ""
    if contrast.varies == "variant" and place.variant.endswith(REWORDED):
        blank = REWORDED
    return msgspec.structs.replace(place, **{contrast.varies: blank})


def _means(cells: Sequence[_Cell]) -> list[Floats]:
    return [cell.means for cell in cells]


def _mean(parts: Sequence[Floats]) -> Floats:
    """Return the mean over parts of each element, NaN where no part knows it."""
    if len(parts) == 1:
        return parts[0]
    total, count = np.zeros((2, *parts[0].shape))
    for part in parts:
        known = ~np.isnan(part)
        total += np.where(known, part, 0.0)
        count += known
    with np.errstate(invalid="ignore"):
        return np.asarray(total / count)
