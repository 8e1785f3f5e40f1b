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
from typing import Final, TypeAlias

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
from surefoot.score.contrasts.matching import Sides, mean_of_sides, shared_sides
from surefoot.score.metric import Metric
from surefoot.score.stats.arrays import Bools, Floats, Ints
from surefoot.score.stats.exact import ExactSums
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.multiplicity import holm_steps
from surefoot.score.stats.paired import ChangeSums, PairedChange

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

    ``sides`` are the elements that both sides know; ``asked`` is (all elements,): those that the
    baseline was asked about.
    """

    place: Condition
    sides: Sides
    asked: Bools


class _SidesSums:
    """Hold a change and both its sides, as sums over clusters that merge."""

    def __init__(self, clusters: int) -> None:
        self.change = ChangeSums(clusters)
        self.sides = ExactSums(2)
        self.asked = 0

    def add(self, means: Floats, home: Ints, asked: Bools | None = None) -> None:
        """Add (2, elements), before and after, of elements whose clusters are ``home``."""
        self.change.add(means[1] - means[0], home)
        for place, values in enumerate(means):
            self.sides.add_all(values, place)
        self.asked += 0 if asked is None else int(np.count_nonzero(asked))

    def merge(self, other: _SidesSums) -> None:
        """Add the sums of other elements."""
        self.change.merge(other.change)
        self.sides.merge(other.sides)
        self.asked += other.asked

    def estimate(self, bound: float, over: str) -> _Estimate:
        """Return what the sums come to."""
        before, after = self.sides.rounded() / self.change.n
        change = self.change.estimate(bound, over=over)
        return _Estimate(change, float(before), float(after), self.asked)


class _CrossingSums:
    """
    Hold levels of a factor under a value of another factor, and under that one's baseline.

    ``plain`` and ``under`` are this factor's change there; ``turned`` are the other factor's
    change, under the baseline and under the levels of this one.
    """

    def __init__(self, clusters: int) -> None:
        self.difference = ChangeSums(clusters)
        self.plain, self.under, *self.turned = (_SidesSums(clusters) for _ in range(4))

    def add(self, plain: Floats, under: Floats, home: Ints) -> None:
        """Add elements that have all four: (2, elements) each."""
        differences = (under[1] - under[0]) - (plain[1] - plain[0])
        known = ~np.isnan(differences)
        self.difference.add(differences[known], home[known])
        self.plain.add(plain, home)
        self.under.add(under, home)
        for at, sums in enumerate(self.turned):
            sums.add(np.stack([plain[at], under[at]]), home)

    def merge(self, other: _CrossingSums) -> None:
        """Add the sums of other elements."""
        self.difference.merge(other.difference)
        for own, more in zip(
            (self.plain, self.under, *self.turned),
            (other.plain, other.under, *other.turned),
            strict=True,
        ):
            own.merge(more)


# The level of a factor, "" for all together; the name of another contrast; and a value of it.
_Crossed: TypeAlias = tuple[str, str, str]


class FactorSums:
    """
    Hold all that the effects of what a contrast varies are made of, as sums over clusters.

    ``levels`` has the change under each level, and ``mean`` the mean over them. Of rows that a
    design dealt the levels are ``fitted``, which are no sums and do not merge.
    """

    def __init__(
        self, clusters: int, contrast: Contrast, over: str, beside: Sequence[Contrast] = ()
    ) -> None:
        self.contrast = contrast
        self.over = over
        self.beside = beside
        self.baseline = contrast.baseline
        self.levels: dict[str, _SidesSums] = {}
        self.mean = _SidesSums(clusters)  # over levels, where there are several
        self.crossed: dict[_Crossed, _CrossingSums] = {}
        self.fitted: dict[str, AdjustedEffect] = {}

    def merge(self, other: FactorSums) -> None:
        """Add the sums of other elements."""
        for level, sums in other.levels.items():
            self.levels[level].merge(sums)
        self.mean.merge(other.mean)
        for key, crossing in other.crossed.items():
            if key in self.crossed:
                self.crossed[key].merge(crossing)
            else:
                self.crossed[key] = crossing

    @property
    def whole(self) -> _SidesSums:
        """Return the mean over levels, which one alone is."""
        return self.mean if len(self.levels) > 1 else next(iter(self.levels.values()))

    @property
    def known(self) -> tuple[str, ...]:
        """Return the levels of which a change is known."""
        if self.fitted:
            return tuple(name for name in self.fitted if name)
        return tuple(name for name, sums in self.levels.items() if sums.change.n)

    def crossings(self, level: str, other: str) -> Iterator[tuple[str, _CrossingSums]]:
        """Yield what is known of a level, or of all for "", by the values of another contrast."""
        for (own, beside, value), sums in sorted(self.crossed.items(), key=lambda item: item[0]):
            if (own, beside) == (level, other) and sums.difference.n:
                yield value, sums


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
    sources = [item for item in varied if _has_effects(item.contrast)]
    together = [
        [source.contrast for source in sources if source.rows is own.rows] for own in sources
    ]
    metrics = {metric.name: metric for source in sources for metric in source.metrics}
    return judge_effects(
        metrics,
        (
            (key, sums)
            for source, beside in zip(sources, together, strict=True)
            for key, sums in sums_of_effects(source, beside)
        ),
    )


# A metric's name, and the model or the two models whose effects belong together.
Family: TypeAlias = tuple[str, tuple[str, ...]]


def sums_of_effects(
    varied: Varied, beside: Sequence[Contrast]
) -> Iterator[tuple[Family, FactorSums]]:
    """
    Yield the sums of what a contrast varies, by metric and models.

    ``beside`` are the contrasts over the same rows, whose interactions with it may be asked for.
    """
    contrast, rows = varied.contrast, varied.rows
    if not _has_effects(contrast):
        return
    pairs = list(paired_columns(rows, contrast))
    families: dict[tuple[str, ...], None] = {}
    if contrast.varies == "model":
        families |= dict.fromkeys((pair.condition.model, pair.baseline) for pair in pairs)
    else:
        families |= dict.fromkeys((condition.model,) for condition in rows.conditions)
    for metric in varied.metrics:
        # What is counted in diagonals of the target is moved by the picture's size.
        if metric.unit == _BY_PICTURE and contrast.varies == "variant":
            continue
        for models in families:
            if rows.dealt and contrast.varies not in _ASKED_ALIKE:
                yield (metric.name, models), _fitted(varied, metric, models[0])
            else:
                own = _pairs_of(models, pairs)
                yield (metric.name, models), _factor(varied, metric, own, beside)


def judge_effects(
    metrics: Mapping[str, Metric], factors: Iterable[tuple[Family, FactorSums]]
) -> tuple[Effect, ...]:
    """Test effects, each with those of its own family, in the order of metrics and models."""
    families: dict[Family, list[FactorSums]] = {}
    for family, factor in factors:
        families.setdefault(family, []).append(factor)
    order = {name: at for at, name in enumerate(metrics)}
    # Models come before pairs of models.
    return tuple(
        effect
        for (name, models), own in sorted(
            families.items(), key=lambda item: (order[item[0][0]], len(item[0][1]))
        )
        for effect in _Family(metrics[name], models).judge([sums for sums in own if sums.known])
    )


def _has_effects(contrast: Contrast) -> bool:
    return contrast.paired and bool(contrast.baseline or contrast.varies == "model")


def _pairs_of(models: tuple[str, ...], pairs: Iterable[ColumnPair]) -> Iterator[ColumnPair]:
    """Yield the pairs of columns of a model, or of two."""
    for pair in pairs:
        if pair.condition.model == models[0] and models[1:] in ((), (pair.baseline,)):
            yield pair


def _factor(
    varied: Varied, metric: Metric, pairs: Iterable[ColumnPair], beside: Sequence[Contrast]
) -> FactorSums:
    rows, contrast, values = varied.rows, varied.contrast, varied.metrics[metric]
    cells: dict[str, list[_Cell]] = {}
    found = FactorSums(rows.clusters, contrast, rows.unit, beside)
    for pair in pairs:
        matched = match_elements(rows, metric, values, contrast, pair)
        level, found.baseline = (end.removesuffix(REWORDED) for end in (pair.level, pair.baseline))
        cells.setdefault(level, []).append(_Cell(pair.condition, matched.sides, matched.baseline))
    if not cells:
        return found
    every, home = rows.elements, rows.home
    sides = {
        level: mean_of_sides([cell.sides for cell in own], every) for level, own in cells.items()
    }
    for level, own in cells.items():
        found.levels[level] = _SidesSums(rows.clusters)
        asked = _any([cell.asked for cell in own])
        found.levels[level].add(sides[level].means, home[sides[level].elements], asked)
    levels: dict[str, tuple[str, ...]] = {level: (level,) for level in cells}
    if len(cells) > 1:
        everything = [cell.asked for own in cells.values() for cell in own]
        whole = mean_of_sides(list(sides.values()), every)
        found.mean.add(whole.means, home[whole.elements], _any(everything))
        levels[""] = tuple(cells)
    for other in beside:
        if other.varies in (contrast.varies, "model") or not hasattr(Condition(""), other.varies):
            continue
        for level, names in levels.items():
            own_cells = [cells[name] for name in names]
            for value, plain, under in _crossings(own_cells, other, every):
                crossing = _CrossingSums(rows.clusters)
                crossing.add(plain.means, under.means, home[plain.elements])
                found.crossed[level, other.name, value] = crossing
    return found


def _any(parts: Sequence[Bools]) -> Bools:
    return np.asarray(np.logical_or.reduce(parts))


def _fitted(varied: Varied, metric: Metric, model: str) -> FactorSums:
    """Fit the levels of a contrast beside those of all others that the scoring has."""
    rows, contrast = varied.rows, varied.contrast
    found = FactorSums(rows.clusters, contrast, rows.unit)
    found.fitted = adjusted_effects(rows, varied.metrics[metric], model, contrast, varied.beside)
    return found


class _Family(msgspec.Struct, frozen=True, eq=False):
    """Judge the effects on one metric of a model, or of a pair of models."""

    metric: Metric
    models: tuple[str, ...]

    def judge(self, factors: Sequence[FactorSums]) -> list[Effect]:
        """Return the effects of all factors, and the interactions of those that are found."""
        if not factors:
            return []
        share = LEVEL / len(factors)
        effects: list[Effect] = []
        opened: list[tuple[FactorSums, tuple[str, ...]]] = []
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

    def _main(self, factor: FactorSums, share: float) -> list[Effect]:
        """Test a factor at its share: its mean, and then its levels."""
        names = factor.known
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

    def _estimates(self, factor: FactorSums) -> tuple[dict[str, _Estimate], _Estimate]:
        """Return what each level changes, and what all of them do in the mean."""
        if factor.fitted:
            fitted = {
                name: _Estimate(
                    effect.change, effect.before, effect.before + effect.change.mean, effect.asked
                )
                for name, effect in factor.fitted.items()
            }
            levels = {name: fitted[name] for name in factor.known}
            return levels, fitted.get("") or next(iter(levels.values()))
        bound = change_bound(self.metric)
        levels = {name: factor.levels[name].estimate(bound, factor.over) for name in factor.known}
        return levels, factor.whole.estimate(bound, factor.over)

    def _effect(
        self,
        factor: FactorSums,
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
        self, opened: Sequence[tuple[FactorSums, tuple[str, ...]]], level: float
    ) -> list[Effect]:
        """Test how what was found differs over the values of every other factor."""
        found: dict[frozenset[tuple[str, ...]], _Crossing] = {}
        for factor, levels in opened:
            own = levels[0] if len(levels) == 1 else ""
            for other in factor.beside:
                for value, sums in factor.crossings(own, other.name):
                    key = frozenset({(other.name, value), (factor.contrast.name, *levels)})
                    found.setdefault(key, _Crossing(factor, levels, other, value, sums))
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
                    beside_baseline=crossing.other.baseline,
                    simple=self._simple(crossing, crossing.sides, step / 2),
                    turned=self._simple(crossing, crossing.turned(value), step / 2),
                )
            )
        return effects

    def _difference(self, crossing: _Crossing) -> _Estimate:
        bound = 2 * change_bound(self.metric)
        change = crossing.sums.difference.estimate(bound, over=crossing.factor.over)
        return _Estimate(change, None, None, change.n)

    def _simple(
        self, crossing: _Crossing, sides: Iterable[tuple[str, _SidesSums]], level: float
    ) -> tuple[SimpleEffect, ...]:
        found = []
        for value, sums in sides:
            estimate = sums.estimate(change_bound(self.metric), crossing.factor.over)
            found.append(
                SimpleEffect(
                    value=value,
                    before=estimate.before or 0.0,
                    after=estimate.after or 0.0,
                    change=estimate.change.mean,
                    interval=estimate.change.interval(1 - level),
                )
            )
        return tuple(found)


class _Crossing(msgspec.Struct, frozen=True, eq=False):
    """Name levels of a factor under a value of another contrast, with their sums."""

    factor: FactorSums
    levels: tuple[str, ...]
    other: Contrast
    value: str
    sums: _CrossingSums

    @property
    def sides(self) -> tuple[tuple[str, _SidesSums], ...]:
        """Return the factor under the other's baseline and under its value."""
        return (self.other.baseline, self.sums.plain), (self.value, self.sums.under)

    def turned(self, value: str) -> tuple[tuple[str, _SidesSums], ...]:
        """Return the other factor under this one's baseline and under a value."""
        before, after = self.sums.turned
        return (self.factor.baseline, before), (value, after)


def _crossings(
    levels: Sequence[Sequence[_Cell]], other: Contrast, elements: int
) -> Iterator[tuple[str, Sides, Sides]]:
    """
    Yield each value of another contrast with levels' means under its baseline and under it.

    Both are of the same elements.
    """
    found: dict[str, list[tuple[Sides, Sides]]] = {}
    for cells in levels:
        of_value: dict[str, list[tuple[Sides, Sides]]] = {}
        plain = {
            _rest(cell.place, other): cell
            for cell in cells
            if _value(cell.place, other) == other.baseline
        }
        for cell in cells:
            value, beside = _value(cell.place, other), plain.get(_rest(cell.place, other))
            if value != other.baseline and beside is not None:
                under, base = shared_sides(cell.sides, beside.sides, elements)
                if len(base.elements):
                    of_value.setdefault(value, []).append((under, base))
        for value, pairs in of_value.items():
            found.setdefault(value, []).append(_mean_of_pairs(pairs, elements))
    for value, pairs in found.items():
        under, base = _mean_of_pairs(pairs, elements)
        yield value, base, under


def _mean_of_pairs(pairs: Sequence[tuple[Sides, Sides]], elements: int) -> tuple[Sides, Sides]:
    first, second = zip(*pairs, strict=True)
    return mean_of_sides(first, elements), mean_of_sides(second, elements)


def _value(place: Condition, contrast: Contrast) -> str:
    return place.part(contrast.varies).removesuffix(REWORDED)


def _rest(place: Condition, contrast: Contrast) -> Condition:
    """Return a condition without what a contrast varies."""
    reworded = contrast.varies == "variant" and place.variant.endswith(REWORDED)
    return place.with_part(contrast.varies, f"{ORIGINAL}{REWORDED}" if reworded else "")
