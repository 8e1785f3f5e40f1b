"""
Whether the models that hit most are those that waver least: two orders of models compared.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from surefoot.core.perturbation import ORIGINAL
from surefoot.core.seeds import derive_seed
from surefoot.score.conditions.rows import DIRECT, Condition, Rows, rows_of
from surefoot.score.conditions.scores import by_element
from surefoot.score.metric import METRICS, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Bools, Floats, Labels
from surefoot.score.stats.bootstrap import percentile_bounds, resampled_ratios
from surefoot.score.stats.clusters import Sums
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.ranks import tau_b, tau_p

LEAST_MODELS: Final = 3
RESAMPLES: Final = 10_000
OWN_STANDARD: Final = "the direct instructions on the original"
OTHER_STANDARD: Final = "the runs that were named as the standard"
_METHOD: Final = "percentile bootstrap"


class Order(msgspec.Struct, frozen=True):
    """Hold one model's hit rate on the standard set, and its metrics in the original view."""

    model: str
    reasoning: bool
    hit_rate: float
    metrics: dict[str, float]


class OrderComparison(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold Kendall's tau-b between models ordered by hit rate and by one metric.

    1 says that the models which hit most waver least, in the same order; -1 the opposite.
    ``interval`` draws clusters anew and keeps the models: it says nothing about others.
    ``p`` takes the ``models`` as drawn at random; None where ties leave nothing to order.
    """

    metric: str
    models: int
    tau: float | None
    interval: Interval | None
    p: float | None


class Orders(msgspec.Struct, frozen=True):
    """Hold the models' places and the comparisons; ``missing`` says why there are none."""

    standard: str
    models: tuple[Order, ...]
    comparisons: tuple[OrderComparison, ...]
    missing: str


def compare_orders(
    outcomes: Outcomes,
    names: tuple[str, ...],
    ruler: Ruler,
    *,
    standard: Outcomes | None = None,
    seed: int = 0,
) -> Orders:
    """
    Order models by hit rate on a standard set and by each metric on the original view.

    ``names`` are metrics that are better when lower. ``standard`` are other answers of the
    same models: their direct instructions on the original, or all that they were asked;
    without it the standard is the direct instructions of the table itself. Models that lack
    one of the two are left out; under three models nothing is compared.
    """
    view = outcomes.take(_is(outcomes.variant, ORIGINAL))
    other = standard if standard is not None else view.take(_is(view.traits["kind"], DIRECT))
    hit, hitters = _sums(_plain(other), "hit", ruler)
    at: list[tuple[int, int]] = []
    sums = [_sums(view, name, ruler) for name in names]
    for index, condition in enumerate(sums[0][1]):
        found = [
            place
            for place, hitter in enumerate(hitters)
            if (hitter.model, hitter.reasoning) == (condition.model, condition.reasoning)
        ]
        at += [(index, place) for place in found]
    own, theirs = (
        (np.array(part, dtype=np.int64) for part in zip(*at, strict=True))
        if at
        else (
            np.zeros(0, dtype=np.int64),
            np.zeros(0, dtype=np.int64),
        )
    )
    chosen = [(hit[0][:, theirs], hit[1][:, theirs])]
    chosen += [(above[:, own], below[:, own]) for (above, below), _ in sums]
    with np.errstate(invalid="ignore"):
        points = np.stack([above.sum(axis=0) / below.sum(axis=0) for above, below in chosen])
    kept = np.flatnonzero(~np.isnan(points).any(axis=0))
    models = tuple(
        Order(
            (one := sums[0][1][own[index]]).model,
            one.reasoning,
            float(points[0, index]),
            dict(zip(names, points[1:, index].tolist(), strict=True)),
        )
        for index in kept
    )
    standard_name = OWN_STANDARD if standard is None else OTHER_STANDARD
    if len(models) < LEAST_MODELS:
        missing = (
            f"An order needs {LEAST_MODELS} models or more with a hit rate and all metrics in "
            f"the original view; there {'is' if len(models) == 1 else 'are'} "
            f"{len(models) or 'none'}."
        )
        return Orders(standard_name, models, (), missing)
    first = seed if standard is None else derive_seed(seed, "standard")
    drawn = [
        resampled_ratios(
            above[:, kept], below[:, kept], resamples=RESAMPLES, seed=seed if place else first
        )
        for place, (above, below) in enumerate(chosen)
    ]
    compared = tuple(
        _compare(
            name,
            (points[0, kept], points[place, kept]),
            (drawn[0], drawn[place]),
            (len(set(view.cluster.codes.tolist())), view.asked.cluster_noun),
        )
        for place, name in enumerate(names, start=1)
    )
    return Orders(standard_name, models, compared, "")


def _plain(outcomes: Outcomes) -> Outcomes:
    """Make one condition of each model and mode, of its direct answers where it has any."""
    direct = _is(outcomes.instruction, DIRECT) & _is(outcomes.variant, ORIGINAL)
    table = outcomes.take(direct) if direct.any() else outcomes
    nothing = Labels(("",), np.zeros(len(table.asked), dtype=np.int64))
    asked = msgspec.structs.replace(table.asked, instruction=nothing, variant=nothing)
    return msgspec.structs.replace(table, asked=asked)


def _is(labels: Labels, name: str) -> Bools:
    return np.asarray(
        np.array([item == name for item in labels.names], dtype=np.bool_)[labels.codes]
    )


def _sums(table: Outcomes, name: str, ruler: Ruler) -> tuple[Sums, tuple[Condition, ...]]:
    rows: Rows = rows_of(table, ruler)
    every = slice(None)
    metric = METRICS.get(name)
    columns = rows.condition, len(rows.conditions)
    return by_element(rows, metric, rows.measure(metric, every), columns), rows.conditions


def _compare(
    name: str,
    points: tuple[Floats, Floats],
    draws: tuple[Floats, Floats],
    clusters: tuple[int, str],
) -> OrderComparison:
    (hit, values), (count, over) = points, clusters
    tau = float(tau_b(hit[None], -values[None])[0])
    low, high = (
        float(end) for end in percentile_bounds(tau_b(draws[0], -draws[1])[:, None])[:, 0]
    )
    telling = low < high and not np.isnan(tau)  # draws that are all alike tell nothing
    return OrderComparison(
        metric=name,
        models=len(hit),
        tau=None if np.isnan(tau) else tau,
        interval=Interval(low, high, _METHOD, clusters=count, over=over) if telling else None,
        p=tau_p(hit, -values),
    )
