"""
Comparisons: one condition against another on the same targets.

Two contrasts are made: each variant against the original, and each kind of instruction
against the direct one, always with the same model and reasoning mode. Each contrast is a
family of its own for Holm's correction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from surefoot.score.cells import CellScore, Units
from surefoot.score.flips import Flips, flip_rate, net_change
from surefoot.score.matched import ORIGINAL, Condition
from surefoot.score.stats.arrays import Ints
from surefoot.score.stats.clusters import (
    CHANGE,
    JACKKNIFE,
    detectable_effects,
    intervals,
    p_values,
    ratio,
)
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.mcnemar import mcnemar
from surefoot.score.stats.multiplicity import benjamini_hochberg, holm
from surefoot.score.stats.power import minimum_detectable_effect
from surefoot.score.stats.proportions import two_proportion_z

__all__ = ["DIRECT", "Comparison", "Contrast", "compare", "contrasts"]

DIRECT = "direct"
Contrast = tuple[Literal["variant", "instruction"], int, int]


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one paired comparison of a condition with its baseline.

    ``baseline`` is a variant or an instruction kind, as ``contrast`` says. Over the ``n``
    pairs answered in both, ``b`` were hits in the baseline alone and ``c`` here alone;
    ``change`` is (c - b) / n, so a loss is negative. ``unparsed`` counts the replies of
    both conditions that could not be read. ``p`` takes pairs as independent and
    ``p_cluster`` only clusters, which ``units`` names; the Holm values are within the
    contrast's ``family`` of tests, ``p_bh`` over all comparisons. ``p_z`` is the unpaired
    z-test, for comparison with work that reports it. ``mde`` is the smallest change that
    McNemar's test would find with power 0.8 at this n and discordance, were the pairs
    independent; ``mde_cluster`` is that of the clustered test, by its own standard error.
    ``design_effect`` is the squared error over clusters over that of independent pairs.
    None stands where nothing can be said.
    """

    contrast: Literal["variant", "instruction"]
    model: str
    reasoning: bool
    instruction: str
    variant: str
    baseline: str
    tolerance: float
    n: int
    unmatched: int
    clusters: int
    units: Units
    unparsed: int
    both: int
    b: int
    c: int
    neither: int
    baseline_rate: float | None = None
    rate: float | None = None
    change: float | None = None
    interval: Interval | None = None
    flip_rate: float | None = None
    test: str = ""
    p: float = 1.0
    p_mid: float = 1.0
    chi_square: float | None = None
    p_holm: float = 1.0
    p_bh: float = 1.0
    test_cluster: str = ""
    p_cluster: float = 1.0
    p_cluster_holm: float = 1.0
    family: int = 1
    design_effect: float | None = None
    mde: float | None = None
    mde_cluster: float | None = None
    p_z: float | None = None


def contrasts(found: Sequence[Condition]) -> list[Contrast]:
    """List (contrast, index of the baseline, index of the other) among conditions."""
    index = {condition: place for place, condition in enumerate(found)}
    pairs: list[Contrast] = []
    for place, condition in enumerate(found):
        start = index.get(msgspec.structs.replace(condition, variant=ORIGINAL))
        if condition.variant != ORIGINAL and start is not None:
            pairs.append(("variant", start, place))
    for place, condition in enumerate(found):
        start = index.get(msgspec.structs.replace(condition, instruction=DIRECT))
        if condition.instruction != DIRECT and start is not None:
            pairs.append(("instruction", start, place))
    return pairs


def compare(
    pairs: Sequence[Contrast],
    cells: Sequence[CellScore],
    flips: Flips,
    sums: tuple[Ints, Ints],
    *,
    units: Units,
) -> tuple[Comparison, ...]:
    """
    Build every comparison, with its corrections.

    ``sums`` are (clusters, comparisons): summed differences and counts of matched pairs.
    """
    found = ratio(*(each.astype(np.float64) for each in sums))
    p, effects = p_values(found, CHANGE), detectable_effects(found)
    measured = intervals(found, CHANGE, over=units)
    raw = []
    for index, pair in enumerate(pairs):
        counted = _counted(pair, cells, flips, index, (int(found.clusters[index]), units))
        sized = _sized(counted, measured[index])
        error, effect = float(found.standard_error[index]), float(effects[index])
        raw.append(_tested(sized, float(p[index]), error, effect))
    return _corrected(raw)


def _counted(
    pair: Contrast,
    cells: Sequence[CellScore],
    flips: Flips,
    index: int,
    clusters: tuple[int, Units],
) -> Comparison:
    contrast, start, place = pair
    before, after = cells[start], cells[place]
    both, b, c, neither = (
        int(each[index]) for each in (flips.both, flips.b, flips.c, flips.neither)
    )
    return Comparison(
        contrast=contrast,
        model=after.model,
        reasoning=after.reasoning,
        instruction=after.instruction,
        variant=after.variant,
        baseline=before.variant if contrast == "variant" else before.instruction,
        tolerance=after.tolerance,
        n=both + b + c + neither,
        unmatched=int(flips.unmatched[index]),
        clusters=clusters[0],
        units=clusters[1],
        unparsed=before.unparsed + after.unparsed,
        both=both,
        b=b,
        c=c,
        neither=neither,
    )


def _sized(counted: Comparison, interval: Interval | None) -> Comparison:
    n, both, b, c = counted.n, counted.both, counted.b, counted.c
    if not n:
        return counted
    return msgspec.structs.replace(
        counted,
        baseline_rate=(both + b) / n,
        rate=(both + c) / n,
        change=net_change(b, c, n),
        interval=interval,
        flip_rate=flip_rate(b, c, n),
    )


def _tested(sized: Comparison, p: float, error: float, effect: float) -> Comparison:
    n, both, b, c = sized.n, sized.both, sized.b, sized.c
    naive = mcnemar(b, c)
    alone = (b + c) / n**2 - (c - b) ** 2 / n**3 if n else 0.0
    return msgspec.structs.replace(
        sized,
        test=naive.test,
        p=naive.p,
        p_mid=naive.p_mid,
        chi_square=naive.chi_square,
        test_cluster=JACKKNIFE,
        p_cluster=p,
        design_effect=error**2 / alone if alone > 0 and error > 0 else None,
        mde=minimum_detectable_effect(n, (b + c) / n) if b + c else None,
        mde_cluster=min(1.0, effect) if error > 0 else None,
        p_z=two_proportion_z((both + b, both + c), (n, n))[1] if n else None,
    )


def _corrected(raw: Sequence[Comparison]) -> tuple[Comparison, ...]:
    discovery = benjamini_hochberg([each.p for each in raw])
    done = list(raw)
    for contrast in ("variant", "instruction"):
        family = [index for index, each in enumerate(raw) if each.contrast == contrast]
        naive = holm([raw[index].p for index in family])
        robust = holm([raw[index].p_cluster for index in family])
        for index, p_holm, p_cluster_holm in zip(family, naive, robust, strict=True):
            done[index] = msgspec.structs.replace(
                raw[index],
                p_holm=p_holm,
                p_cluster_holm=p_cluster_holm,
                p_bh=discovery[index],
                family=len(family),
            )
    return tuple(done)
