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

from surefoot.core.perturbation import ORIGINAL, REWORDED
from surefoot.score.conditions.rows import Condition, Rows
from surefoot.score.contrasts.adjusted import AdjustedEffect, adjusted_effects
from surefoot.score.contrasts.comparisons import (
    LEVEL,
    ColumnPair,
    Contrast,
    change_bound,
    match_elements,
    paired_columns,
)
from surefoot.score.metric import Metric
from surefoot.score.stats.arrays import Bools, Floats
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.multiplicity import holm_steps
from surefoot.score.stats.paired import PairedChange, paired_change

# What is varied by asking the same questions again, whatever the design.
_ASKED_ALIKE: Final = ("model", "reasoning")
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
    baseline, on the elements that have both. ``simple`` has both effects, and ``turned`` those
    of the other factor, under the baseline and under the value of this one.
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
    turned: tuple[SimpleEffect, ...] = ()

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
    """
    Hold the cells of each level of what a contrast varies over rows.

    Of rows that a design dealt the levels are ``fitted``, and have no cells.
    """

    rows: Rows
    contrast: Contrast
    baseline: str
    levels: dict[str, list[_Cell]]
    fitted: dict[str, AdjustedEffect] = {}


class _Estimate(msgspec.Struct, frozen=True, eq=False):
    """Hold what was estimated of the elements that know a change, before it is judged."""

    change: PairedChange
    before: float | None
    after: float | None
    asked: int


class Varied(msgspec.Struct, frozen=True, eq=False):
    """
    Hold rows, each metric's values of all of them, and what is varied over them.

    ``beside`` are all contrasts of the scoring.
    """

    rows: Rows
    metrics: Mapping[Metric, Floats]
    contrast: Contrast
    beside: tuple[Contrast, ...] = ()


def effects_of(varied: Iterable[Varied]) -> tuple[Effect, ...]:
    """
    Estimate and test every effect that the contrasts tell, by metric and model.

    A contrast has effects where it compares the same elements with a baseline, or models with
    each other. What is varied over several rows is one family: all of it shares the level.
    """
    used = [
        (source, list(paired_columns(source.rows, source.contrast)))
        for source in varied
        if source.contrast.paired
        and (source.contrast.baseline or source.contrast.varies == "model")
    ]
    families: dict[tuple[str, ...], None] = {}
    for source, _ in used:
        families |= dict.fromkeys((condition.model,) for condition in source.rows.conditions)
    for source, pairs in used:
        if source.contrast.varies == "model":
            families |= dict.fromkeys((pair.condition.model, pair.baseline) for pair in pairs)
    found: list[Effect] = []
    for metric in dict.fromkeys(metric for source, _ in used for metric in source.metrics):
        for models in families:
            factors = [
                _fitted(source, metric, models[0])
                if source.rows.dealt and source.contrast.varies not in _ASKED_ALIKE
                else _factor(source, metric, _pairs_of(models, pairs))
                for source, pairs in used
                if (len(models) > 1) == (source.contrast.varies == "model")
                # What is counted in diagonals of the target is moved by the picture's size.
                and not (metric.unit == _BY_PICTURE and source.contrast.varies == "variant")
            ]
            family = _Family(metric, models, [source for source, _ in used])
            found += family.judge([factor for factor in factors if factor.levels])
    return tuple(found)


def _pairs_of(models: tuple[str, ...], pairs: Iterable[ColumnPair]) -> Iterator[ColumnPair]:
    """Yield the pairs of columns of a model, or of two."""
    for pair in pairs:
        if pair.condition.model == models[0] and models[1:] in ((), (pair.baseline,)):
            yield pair


def _factor(varied: Varied, metric: Metric, pairs: Iterable[ColumnPair]) -> _Factor:
    rows, contrast, values = varied.rows, varied.contrast, varied.metrics[metric]
    levels: dict[str, list[_Cell]] = {}
    baseline = contrast.baseline
    for pair in pairs:
        matched = match_elements(rows, metric, values, contrast, pair)
        if matched.known.any():
            asked = (matched.before[1] > 0) | ~np.isnan(matched.alone)
            level, baseline = (end.removesuffix(REWORDED) for end in (pair.level, pair.baseline))
            cell = _Cell(pair.condition, matched.means, asked)
            levels.setdefault(level, []).append(cell)
    return _Factor(rows, contrast, baseline, levels)


def _fitted(varied: Varied, metric: Metric, model: str) -> _Factor:
    """Fit the levels of a contrast beside those of all others that the scoring has."""
    contrast = varied.contrast
    found = adjusted_effects(varied.rows, varied.metrics[metric], model, contrast, varied.beside)
    levels: dict[str, list[_Cell]] = {name: [] for name in found if name}
    return _Factor(varied.rows, contrast, contrast.baseline, levels, found)


class _Family(msgspec.Struct, frozen=True, eq=False):
    """Judge the effects on one metric of a model, or of a pair of models."""

    metric: Metric
    models: tuple[str, ...]
    sources: Sequence[Varied]

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
            found = [effect for effect in own if effect.found]
            opened += [
                (factor, effect.levels)
                for effect in found
                if effect.value or not any(other.value for other in found)
            ]
        many = len({id(factor) for factor, _ in opened})
        return effects + self._interactions(opened, share * many)

    def _main(self, factor: _Factor, share: float) -> list[Effect]:
        """Test a factor at its share: its mean, and then its levels."""
        names = tuple(factor.levels)
        levels, whole = self._estimates(factor)
        if len(names) == 1:
            return [self._effect(factor, names, names[0], whole, (share, share))]
        budget = share if whole.change.p < share / 2 else share / 2
        steps = holm_steps([estimate.change.p for estimate in levels.values()], budget)
        ps = [estimate.change.p for estimate in levels.values()]
        all_found = all(p < step for p, step in zip(ps, steps, strict=True))
        level = share if all_found else share / 2
        return [
            self._effect(factor, names, "", whole, (level, level)),
            *(
                self._effect(factor, (name,), name, estimate, (step, budget / len(names)))
                for (name, estimate), step in zip(levels.items(), steps, strict=True)
            ),
        ]

    def _estimates(self, factor: _Factor) -> tuple[dict[str, _Estimate], _Estimate]:
        """Return what each level changes, and what all of them do in the mean."""
        if factor.fitted:
            fitted = {
                name: _Estimate(one.change, one.before, one.before + one.change.mean, one.asked)
                for name, one in factor.fitted.items()
            }
            levels = {name: fitted[name] for name in factor.levels}
            return levels, fitted.get("") or next(iter(levels.values()))
        means = {name: _mean([cell.means for cell in own]) for name, own in factor.levels.items()}
        levels = {
            name: self._estimate(factor, mean, factor.levels[name]) for name, mean in means.items()
        }
        cells = [cell for own in factor.levels.values() for cell in own]
        return levels, self._estimate(factor, _mean(list(means.values())), cells)

    def _estimate(self, factor: _Factor, means: Floats, cells: Sequence[_Cell]) -> _Estimate:
        known = ~np.isnan(means[0])
        before, after = means[:, known]
        return _Estimate(
            _change(factor.rows, after - before, known, change_bound(self.metric)),
            float(before.mean()),
            float(after.mean()),
            int(np.count_nonzero(np.logical_or.reduce([cell.asked for cell in cells]))),
        )

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
            for other in (one.contrast for one in self.sources if one.rows is factor.rows):
                if other.varies in (factor.contrast.varies, "model") or not hasattr(
                    Condition(""), other.varies
                ):
                    continue
                for crossing in _crossings(factor, levels, other):
                    key = frozenset(
                        {(other.name, crossing.value), (factor.contrast.name, *levels)}
                    )
                    found.setdefault(key, crossing)
        estimates = [self._difference(crossing) for crossing in found.values()]
        steps = holm_steps([estimate.change.p for estimate in estimates], level)
        effects = []
        for crossing, estimate, step in zip(found.values(), estimates, steps, strict=True):
            value = crossing.levels[0] if len(crossing.levels) == 1 else ""
            tests = step, level / len(estimates)
            effects.append(
                msgspec.structs.replace(
                    self._effect(crossing.factor, crossing.levels, value, estimate, tests),
                    beside=crossing.other.name,
                    beside_value=crossing.value,
                    beside_baseline=crossing.baseline,
                    simple=self._simple(crossing.factor.rows, crossing.sides, step / 2),
                    turned=self._simple(crossing.factor.rows, crossing.turned(value), step / 2),
                )
            )
        return effects

    def _difference(self, crossing: _Crossing) -> _Estimate:
        under, plain = (side[1] - side[0] for side in (crossing.under, crossing.plain))
        known = ~np.isnan(under)
        bound = 2 * change_bound(self.metric)
        change = _change(crossing.factor.rows, (under - plain)[known], known, bound)
        return _Estimate(change, None, None, change.n)

    def _simple(
        self, rows: Rows, sides: Iterable[tuple[str, Floats]], level: float
    ) -> tuple[SimpleEffect, ...]:
        found = []
        for value, means in sides:
            known = ~np.isnan(means[0])
            before, after = means[:, known]
            change = _change(rows, after - before, known, change_bound(self.metric))
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

    @property
    def sides(self) -> tuple[tuple[str, Floats], ...]:
        """Return the factor before and after, under the other's baseline and under its value."""
        return (self.baseline, self.plain), (self.value, self.under)

    def turned(self, value: str) -> tuple[tuple[str, Floats], ...]:
        """Return the other factor before and after, under this one's baseline and a value."""
        before, after = (np.stack([self.plain[at], self.under[at]]) for at in (0, 1))
        return (self.factor.baseline, before), (value, after)


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
                under, base = (np.where(both, side.means, np.nan) for side in (cell, beside))
                if both.any():
                    of_value.setdefault(value, []).append((under, base))
        for value, pairs in of_value.items():
            mean = [_mean(side) for side in zip(*pairs, strict=True)]
            sides.setdefault(value, []).append((mean[0], mean[1]))
    for value, pairs in sides.items():
        under, base = (_mean(side) for side in zip(*pairs, strict=True))
        yield _Crossing(factor, levels, other, value, other.baseline, under, base)


def _value(place: Condition, contrast: Contrast) -> str:
    return place.part(contrast.varies).removesuffix(REWORDED)


def _rest(place: Condition, contrast: Contrast) -> Condition:
    """Return a condition without what a contrast varies."""
    reworded = contrast.varies == "variant" and place.variant.endswith(REWORDED)
    return place.with_part(contrast.varies, f"{ORIGINAL}{REWORDED}" if reworded else "")


def _change(rows: Rows, changes: Floats, known: Bools, bound: float) -> PairedChange:
    return paired_change(changes, rows.home[known], bound, over=rows.unit)


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
