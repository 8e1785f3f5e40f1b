"""
Flips summed over conditions: one line for each model and value of what a contrast varies.

Kinds of instruction and reasoning modes are added up, as GUI-Perturbed's tables 6 and 9
do. An element counts once under every condition, so the sums have no interval and no test of
their own: how many of the comparisons are significant is counted instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from surefoot.score.contrasts.comparisons import LEVEL, Comparison, Discordance


class Flips(msgspec.Struct, frozen=True):
    """
    Count elements that were right in the baseline alone (``b``) and here alone (``c``), of n.

    ``flip_rate`` and ``change`` are shares of n, the change being here minus baseline.
    """

    n: int
    b: int
    c: int
    flip_rate: float
    change: float


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """
    Add up the comparisons of a model that differ in their other conditions alone.

    ``value`` is compared with ``baseline``, as in their ``contrast``. ``n`` counts elements
    under every condition; ``b`` were right in the baseline alone, ``c`` here alone, and
    ``before`` is the share that was right in the baseline. ``kinds`` are the same by kind of
    instruction, where several were added up. Of ``comparisons``, ``significant`` are those of
    the test over clusters, and ``significant_mcnemar`` those of McNemar's, both after Holm's
    correction; ``significant_uncorrected`` are those of McNemar's without, as the paper counts.
    """

    metric: str
    contrast: str
    model: str
    value: str
    baseline: str
    n: int
    before: float
    b: int
    c: int
    flips: int
    flip_rate: float
    change: float
    kinds: dict[str, Flips]
    comparisons: int
    significant: int
    significant_mcnemar: int
    significant_uncorrected: int


Key: TypeAlias = tuple[str, str, str, str, str]


def sum_over_conditions(compared: Sequence[Comparison]) -> tuple[Total, ...]:
    """Add up the corrected comparisons whose elements are right or wrong, in their order."""
    groups: dict[Key, list[tuple[Comparison, Discordance]]] = {}
    for comparison in compared:
        if comparison.discordance is not None:
            value = comparison.value or str(getattr(comparison, comparison.varies))
            key = (
                comparison.metric,
                comparison.contrast,
                comparison.model,
                value,
                comparison.baseline,
            )
            groups.setdefault(key, []).append((comparison, comparison.discordance))
    return tuple(_total(key, group) for key, group in groups.items())


def _total(key: Key, group: Sequence[tuple[Comparison, Discordance]]) -> Total:
    metric, contrast, model, value, baseline = key
    whole = _flips(group)
    names = dict.fromkeys(
        comparison.instruction for comparison, _ in group if comparison.varies != "instruction"
    )
    kinds = {
        name: _flips([item for item in group if item[0].instruction == name]) for name in names
    }
    return Total(
        metric=metric,
        contrast=contrast,
        model=model,
        value=value,
        baseline=baseline,
        n=whole.n,
        before=sum(flip.both + flip.b for _, flip in group) / whole.n,
        b=whole.b,
        c=whole.c,
        flips=whole.b + whole.c,
        flip_rate=whole.flip_rate,
        change=whole.change,
        kinds=kinds if len(kinds) > 1 else {},
        comparisons=len(group),
        significant=sum(comparison.p_holm < LEVEL for comparison, _ in group),
        significant_mcnemar=sum(flip.p_holm < LEVEL for _, flip in group),
        significant_uncorrected=sum(flip.p < LEVEL for _, flip in group),
    )


def _flips(group: Sequence[tuple[Comparison, Discordance]]) -> Flips:
    n = sum(comparison.n for comparison, _ in group)
    b, c = (sum(getattr(flip, side) for _, flip in group) for side in ("b", "c"))
    return Flips(n, b, c, (b + c) / n, (c - b) / n)
