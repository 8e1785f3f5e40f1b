"""
Comparisons: one condition against another on the same targets.

Two contrasts are made: each variant against the original, and each kind of instruction
against the direct one, always with the same model and reasoning mode. Each contrast is a
family of its own for Holm's correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from surefoot.score.cells import CellScore
from surefoot.score.flips import Flips, flip_rate, net_change
from surefoot.score.matched import ORIGINAL, Condition
from surefoot.score.stats.arrays import Floats, Ints
from surefoot.score.stats.clustered import clustered_test
from surefoot.score.stats.intervals import Interval, clopper_pearson
from surefoot.score.stats.mcnemar import mcnemar
from surefoot.score.stats.multiplicity import benjamini_hochberg, holm
from surefoot.score.stats.power import minimum_detectable_effect
from surefoot.score.stats.proportions import two_proportion_z

__all__ = ["DIRECT", "Comparison", "Contrast", "Units", "change_interval", "compare", "contrasts"]

DIRECT = "direct"
Units = Literal["pages", "pairs"]
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
    independent; ``mde_cluster`` allows for the ``design_effect``, the variance over that of
    independent pairs. None stands where nothing can be said.
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


def change_interval(b: int, c: int, clusters: int, low: float, high: float) -> Interval:
    """
    Name the bootstrap's interval of a change, or replace it where no pair flipped.

    Without a flip every resample is alike; the exact bound on the share of flips, each
    cluster counted once, then bounds the change on both sides.
    """
    if b + c:
        return Interval(low, high, "paired bootstrap percentile")
    bound = clopper_pearson(0, clusters).high
    return Interval(-bound, bound, "clopper-pearson bound on flips over clusters")


def compare(
    pairs: Sequence[Contrast],
    cells: Sequence[CellScore],
    flips: Flips,
    sums: tuple[Ints, Ints],
    bounds: Floats,
    *,
    units: Units,
) -> tuple[Comparison, ...]:
    """
    Build every comparison, with its corrections.

    ``sums`` are (clusters, comparisons): summed differences and counts of matched pairs;
    ``bounds`` is (2, cells + comparisons).
    """
    raw = []
    for index, pair in enumerate(pairs):
        differences, matched = (each[:, index] for each in sums)
        known = matched > 0
        counted = _counted(pair, cells, flips, index, (int(np.count_nonzero(known)), units))
        raw.append(
            _tested(_sized(counted, *bounds[:, len(cells) + index].tolist()), differences[known])
        )
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


def _sized(counted: Comparison, low: float, high: float) -> Comparison:
    n, both, b, c = counted.n, counted.both, counted.b, counted.c
    if not n:
        return counted
    return msgspec.structs.replace(
        counted,
        baseline_rate=(both + b) / n,
        rate=(both + c) / n,
        change=net_change(b, c, n),
        interval=change_interval(b, c, counted.clusters, low, high),
        flip_rate=flip_rate(b, c, n),
    )


def _tested(sized: Comparison, differences: Ints) -> Comparison:
    n, both, b, c = sized.n, sized.both, sized.b, sized.c
    naive = mcnemar(b, c)
    robust = clustered_test(differences, b + c)
    mde = minimum_detectable_effect(n, (b + c) / n) if b + c else None
    spread = math.sqrt(robust.design_effect) if robust.design_effect else None
    return msgspec.structs.replace(
        sized,
        test=naive.test,
        p=naive.p,
        p_mid=naive.p_mid,
        chi_square=naive.chi_square,
        test_cluster=robust.test,
        p_cluster=robust.p,
        design_effect=robust.design_effect,
        mde=mde,
        mde_cluster=mde * spread if mde and spread else None,
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
