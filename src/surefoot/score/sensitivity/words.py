"""
The three metrics in plain words, always together and with their rulers.
"""

from __future__ import annotations

from typing import Final

from surefoot.score.matched import ORIGINAL
from surefoot.score.sensitivity.differences import Difference
from surefoot.score.sensitivity.grid import Metric
from surefoot.score.sensitivity.ranks import RankComparison
from surefoot.score.sensitivity.rows import Estimate, SensitivityRow
from surefoot.score.sensitivity.summary import SensitivitySummary
from surefoot.score.sensitivity.table import REWORDED
from surefoot.score.stats.intervals import CONFIDENCE
from surefoot.score.words import counted, interval_words, p_words

__all__ = [
    "METRIC_WORDS",
    "difference_sentence",
    "estimate_words",
    "headline",
    "name_of",
    "order_sentence",
    "sentences",
    "view_sentence",
]

METRIC_WORDS: Final[dict[Metric, str]] = {
    "s_mean": "mean deviation of the clicks",
    "s_worst": "deviation of an element's worst click",
    "s_oob": "share of instructions without a click in the box",
}
_LEVEL: Final = 1 - CONFIDENCE


def sentences(summary: SensitivitySummary) -> list[str]:
    """Say every view's metrics, what differs between views and models, and the orders."""
    said = [
        difference_sentence(each)
        for each in summary.differences
        if each.contrast in {"view", "model"}
    ]
    return [*map(view_sentence, summary.views), *said, *_orders(summary)]


def headline(summary: SensitivitySummary) -> list[str]:
    """
    Say every view's metrics, the differences that outlast correction, and the orders.

    Of kinds, specificities and wordings only s_oob is said, and only of the original.
    """
    heard = [
        each
        for each in summary.differences
        if each.contrast in {"view", "model"}
        or (each.metric == "s_oob" and each.view in {ORIGINAL, ORIGINAL + REWORDED})
    ]
    clear = [difference_sentence(each) for each in heard if _clear(each)]
    rest = len(heard) - len(clear)
    open_ = (
        f"{rest} other difference{'s' * (rest != 1)} between views, models, kinds and wordings "
        "may be chance, or cannot be told."
    )
    return [*map(view_sentence, summary.views), *clear, *([open_] * bool(rest)), *_orders(summary)]


def _orders(summary: SensitivitySummary) -> list[str]:
    said = [order_sentence(each, summary.standard) for each in summary.orders]
    return [*said, *([summary.no_ranks] if summary.no_ranks else [])]


def view_sentence(row: SensitivityRow) -> str:
    """Say one model's three metrics in one view, with what they were taken over."""
    lost = ", ".join(
        f"{count} {name}"
        for name, count in (
            ("unparsed", row.unparsed),
            ("declined", row.refused),
            ("failed", row.failed),
        )
    )
    return (
        f"{name_of(row.model, reasoning=row.reasoning)}, {row.view}: "
        f"s_mean {estimate_words(row.s_mean)}, s_worst {estimate_words(row.s_worst)} "
        f"(diagonals, {row.clicks:,} clicks at {row.measured:,} elements); "
        f"s_oob {estimate_words(row.s_oob)} of {row.instructions:,} instructions about "
        f"{row.elements:,} elements on {counted(row.clusters, 'sites')} ({lost}; tolerance "
        f"{row.tolerance:g} px)."
    )


def difference_sentence(each: Difference) -> str:
    """
    Say one difference; a change is claimed only where interval and corrected test agree.
    """
    who = name_of(each.model, reasoning=each.reasoning)
    what = f"{who} in {each.view} against {each.baseline}"
    if each.contrast == "model":
        what = f"{who} against {each.baseline} in {each.view}"
    elif each.contrast != "view":
        what = f"{who} in {each.view}, {each.value} against {each.baseline} instructions"
    if each.change is None or each.before is None or each.after is None:
        return f"{what}: no element has {each.metric} in both."
    found = f"{each.metric} {_verdict(each)} ({each.before:.3f} to {each.after:.3f}"
    told = interval_words(each.interval, scale=1.0, digits=3, signed=True) or "no interval"
    return (
        f"{what}, on the same {each.elements:,} elements of {counted(each.clusters, 'sites')}: "
        f"{found}; change {each.change:+.3f}, {told}; {p_words(each.p_holm)}, "
        f"Holm over {each.family})."
    )


def order_sentence(each: RankComparison, standard: str) -> str:
    """Say how far the order by one metric is that by the hit rate on the standard."""
    start = f"Order of {each.models} models by {each.metric} and by hit rate on {standard}: "
    if each.tau is None:
        return f"{start}all are tied, so nothing can be said."
    interval = each.interval
    told = f" [{interval_words(interval, scale=1.0, digits=2)}]" if interval else ""
    chance = f"; {p_words(each.p)}" if each.p is not None else ""
    return f"{start}tau-b {each.tau:.2f}{told}{chance}."


def estimate_words(estimate: Estimate) -> str:
    """
    Write a number with its interval.

    >>> estimate_words(Estimate(0.25, None)), estimate_words(Estimate(None, None))
    ('0.250 [no interval]', 'unknown')
    """
    if estimate.value is None:
        return "unknown"
    interval = estimate.interval
    told = interval_words(interval, scale=1.0, digits=3) or "no interval"
    return f"{estimate.value:.3f} [{told}]"


def name_of(model: str, *, reasoning: bool) -> str:
    """
    Name a model together with its mode.

    >>> name_of("ocr", reasoning=True)
    'ocr, reasoning'
    """
    return f"{model}, reasoning" if reasoning else model


def _clear(each: Difference) -> bool:
    return _apart(each) and each.p_holm < _LEVEL


def _apart(each: Difference) -> bool:
    interval = each.interval
    return interval is not None and (interval.low > 0 or interval.high < 0)


def _verdict(each: Difference) -> str:
    change = each.change or 0.0
    if _clear(each):
        return "grows" if change > 0 else "shrinks"
    if not change:
        return "is the same"
    doubt = (
        f"a difference that does not outlast correction for {each.family} tests"
        if _apart(each)
        else "which chance can explain"
    )
    return f"is {'higher' if change > 0 else 'lower'}, {doubt}"
