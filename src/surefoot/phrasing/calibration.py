"""
What a calibration says of a run: read in the right space, or in which wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from surefoot.phrasing.words import amount_words, change_words, cluster_words, end_words
from surefoot.score.calibration import LEAST_PLACES, Calibration, MetricChange
from surefoot.score.metric import METRICS

PER_MILLE: Final = 1000
CLOSE: Final = 0.02  # of a thousand


def calibration_sentence(found: Calibration) -> str:
    """Say whether a run was read in the wrong space, and what the right one gives back."""
    if found.rule.kind == "identity":
        if found.places < LEAST_PLACES:
            return (
                f"Whether {found.model} was read in the right space cannot be told: "
                f"{found.places:,} answers with a place to fit on, {LEAST_PLACES} are needed."
            )
        rates = " and ".join(
            f"{METRICS.get(change.metric).title} {_amount(change, change.before)}"
            for change in found.changes
        )
        return (
            f"Nothing says that {found.model} was read in the wrong space: no shift and no scale "
            f"of its places, fitted on half of the {found.over}, gains beyond chance "
            f"({rates} on the other half)."
        )
    return (
        f"{found.model} was read in the wrong space: {_diagnosed(found)}. Mended so, "
        f"{', '.join(map(_changed, found.changes))} on the half of the {found.over} that nothing "
        f"was fitted on ({found.elements:,} elements from "
        f"{cluster_words(found.clusters, found.over)})."
    )


def _diagnosed(found: Calibration) -> str:
    parts = []
    if found.rule.kind != "shift":
        given, meant = found.size, found.extent
        name = ", thousandths" if all(_is_mille(side) for side in meant) else ""
        parts.append(
            f"a picture of {given[0]:,} x {given[1]:,} pixels counts for it as "
            f"{meant[0]:,.0f} x {meant[1]:,.0f}{name}"
        )
    if found.rule.kind != "scale":
        parts.append(" and ".join(_moved(found)))
    return "; ".join(parts)


def _is_mille(side: float) -> bool:
    return abs(side / PER_MILLE - 1) <= CLOSE


def _moved(found: Calibration) -> Iterator[str]:
    """Say how far places lie from where they are meant, in pixels of the commonest picture."""
    ways = (("left", "right"), ("up", "down"))
    for shift, side, (low, high) in zip(found.rule.shift, found.size, ways, strict=True):
        pixels = shift * side if found.rule.to_shares else shift
        yield f"{abs(pixels):,.1f} pixels too far {low if pixels > 0 else high}"


def _amount(one: MetricChange, value: float) -> str:
    return amount_words(value, METRICS.get(one.metric).unit)


def _changed(one: MetricChange) -> str:
    metric = METRICS.get(one.metric)
    interval = ""
    if one.low is not None and one.high is not None:
        factor, digits = (100, 1) if metric.unit == "share" else (1, 3)
        ends = (end_words(factor * end, digits, signed=True) for end in (one.low, one.high))
        interval = f", 95 % interval {' to '.join(ends)}"
    change = change_words(one.after - one.before, metric.unit)
    return (
        f"{metric.title} goes from {_amount(one, one.before)} to {_amount(one, one.after)} "
        f"({change}{interval})"
    )
