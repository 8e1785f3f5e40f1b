"""
Effects of a factor where each element was asked in a part of all conditions, dealt by a design.

Few elements then have a condition and the same without the factor. So all factors are fitted
at once, within elements: what is measured is the element's own level plus the sum of what its
condition's levels do. The standard error is the jackknife's over clusters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
import numpy as np

from surefoot.core.perturbation import REWORDED
from surefoot.score.conditions.rows import Condition, Rows
from surefoot.score.contrasts.comparisons import Contrast
from surefoot.score.stats.arrays import Floats, Ints
from surefoot.score.stats.clusters import weight_degrees
from surefoot.score.stats.paired import PairedChange

FITTED: Final = "least squares within elements, jackknife over clusters, Student's t"
_FIRM: Final = 1e-8  # of the largest eigenvalue; under it levels are not told apart


class AdjustedEffect(msgspec.Struct, frozen=True, eq=False):
    """Hold the change under a level, what it starts from, and the elements of the baseline."""

    change: PairedChange
    before: float
    asked: int


def adjusted_effects(
    rows: Rows, values: Floats, model: str, contrast: Contrast, others: Iterable[Contrast]
) -> dict[str, AdjustedEffect]:
    """
    Return what each level of a contrast changes in a model's values, "" for all levels' mean.

    ``values`` are those of all rows, NaN where nothing is known; ``others`` are the contrasts
    whose levels are held alike. A level that cannot be told apart from others is left out.
    """
    own = np.array([condition.model == model for condition in rows.conditions])[rows.condition]
    chosen = np.flatnonzero(own & ~np.isnan(values))
    element = np.unique(rows.element[chosen], return_inverse=True)[1]
    _, cluster = np.unique(rows.cluster[chosen], return_inverse=True)
    levels: list[str] = []
    columns: list[Floats] = []
    here = _levels(rows, chosen, contrast)
    beside = [other for other in others if other.varies not in (contrast.varies, "model")]
    for factor in (contrast, *beside):
        if factor is not contrast and not hasattr(Condition(""), factor.varies):
            continue
        named = _levels(rows, chosen, factor)
        found = sorted({*named.tolist()} - {factor.baseline, ""})
        # Where the baseline was not asked, the first level stands for it.
        found = found if factor.baseline in named or factor is contrast else found[1:]
        levels += found if factor is contrast else []
        columns += [(named == level).astype(np.float64) for level in found]
    if not levels or contrast.baseline not in here or cluster.max() == 0:
        return {}
    design = np.stack(columns, axis=1)
    inner = _within(design, element)
    residual = _within(values[chosen][:, None], element)[:, 0]
    parts = range(int(cluster.max()) + 1)
    squares = np.stack([inner[cluster == at].T @ inner[cluster == at] for at in parts])
    sums = np.stack([inner[cluster == at].T @ residual[cluster == at] for at in parts])
    whole = _solved(squares.sum(axis=0), sums.sum(axis=0))
    left_out = np.stack(
        [_solved(squares.sum(axis=0) - squares[at], sums.sum(axis=0) - sums[at]) for at in parts]
    )
    weights = {level: np.eye(len(columns))[at] for at, level in enumerate(levels)}
    firm = _firm(squares.sum(axis=0))
    weights = {level: item for level, item in weights.items() if np.allclose(firm @ item, item)}
    if len(weights) > 1:
        weights[""] = np.mean(list(weights.values()), axis=0)
    level_of = values[chosen] - design[:, : len(levels)] @ whole[: len(levels)]
    found_effects = {}
    for level, weight in weights.items():
        under = design @ weight > 0
        sizes = np.bincount(cluster[under], minlength=len(parts)).astype(np.float64)[:, None]
        change, moved = float(whole @ weight), left_out @ weight
        clusters = int(np.count_nonzero(sizes))
        error = float(np.sqrt(((moved - change) ** 2).sum()))
        in_play = np.isin(element, element[under])
        found_effects[level] = AdjustedEffect(
            PairedChange(
                mean=change,
                n=len(np.unique(element[under])),
                clusters=clusters,
                over=rows.unit,
                degrees=float(weight_degrees(sizes / sizes.sum())[0]) if clusters > 1 else 0.0,
                bound=np.inf,
                scale=1.0,
                centre=change,
                error=error,
                size=float(clusters),
                variance=error**2,
                test=FITTED,
            ),
            float(level_of[in_play].mean()),
            len(np.unique(element[here == contrast.baseline])),
        )
    return found_effects


def _levels(rows: Rows, chosen: Ints, contrast: Contrast) -> np.ndarray:
    """Return the level of each of the chosen rows, "" where it has none."""
    if (trait := rows.traits.get(contrast.varies)) is not None:
        return np.array(trait.names, dtype=object)[trait.codes[chosen]]
    names = [
        condition.part(contrast.varies).removesuffix(REWORDED) for condition in rows.conditions
    ]
    return np.array(names, dtype=object)[rows.condition[chosen]]


def _within(columns: Floats, element: Ints) -> Floats:
    """Take the mean of each element away from (rows, columns)."""
    counts = np.bincount(element)
    means = [np.bincount(element, column) / counts for column in columns.T]
    return np.asarray(columns - np.stack(means, axis=1)[element])


def _solved(squares: Floats, sums: Floats) -> Floats:
    return np.asarray(np.linalg.pinv(squares, rcond=_FIRM, hermitian=True) @ sums)


def _firm(squares: Floats) -> Floats:
    """Return the projection onto what the rows tell apart."""
    return np.asarray(np.linalg.pinv(squares, rcond=_FIRM, hermitian=True) @ squares)
