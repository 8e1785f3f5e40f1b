"""
Comparisons in plain words, without claiming more than the interval holds.
"""

from __future__ import annotations

from surefoot.score.cells import CellScore
from surefoot.score.compare import Comparison
from surefoot.score.stats.intervals import CONFIDENCE, Interval

__all__ = [
    "METHOD",
    "cell_line",
    "counted",
    "interval_words",
    "over_words",
    "p_words",
    "sentence",
]

LEVEL = 1 - CONFIDENCE
METHOD = (
    f"{100 * CONFIDENCE:.0f} %, Student's t by the jackknife: how far a number moves when one "
    "{one} is left out, with the degrees of freedom that Bell and McCaffrey give for {one}s of "
    "such sizes, on the scale of log-odds where a number has two bounds and of logarithms where "
    "it has one; where all {one}s agree, the exact bound on how many may differ"
)


def sentence(comparison: Comparison) -> str:
    """
    Say one comparison in one sentence.

    A loss or gain is claimed only where the interval leaves out zero and the clustered
    test, corrected by Holm within its family, stays under 0.05; otherwise the sentence
    says what could have been seen.
    """
    if comparison.change is None or comparison.interval is None:
        return f"{_where(comparison)} no target was answered in both conditions."
    return f"{_where(comparison)} {_found(comparison, comparison.change)} ({_ruler(comparison)})."


def cell_line(cell: CellScore) -> str:
    """Say one cell's hit rate with its counts, token F1 and level of chance, in one line."""
    mode = ", reasoning" if cell.reasoning else ""
    rate = "nothing answered" if cell.rate is None else f"{100 * cell.rate:.1f} %"
    known = cell.interval is not None
    told = f"; {100 * CONFIDENCE:.0f} % interval {interval_words(cell.interval)}" * known
    return (
        f"{cell.model}, {cell.instruction}, {cell.variant}{mode}: {rate} "
        f"({cell.hits} of {cell.n}; {cell.unparsed} unparsed, {cell.failed} failed{told})"
        f"{_beside(cell)}"
    )


def _beside(cell: CellScore) -> str:
    chance = "" if cell.chance is None else f"; chance {100 * cell.chance:.1f} %"
    if cell.f1 is None or cell.f1_interval is None:
        return chance
    interval = f"{100 * CONFIDENCE:.0f} % interval {interval_words(cell.f1_interval)}"
    return f"{chance}; token F1 {100 * cell.f1:.1f} %, {interval}"


def interval_words(
    interval: Interval | None, *, scale: float = 100.0, digits: int = 1, signed: bool = False
) -> str:
    """
    Write the ends of an interval with the number of clusters that it rests on; "" for none.

    >>> interval_words(Interval(0.25, 0.5, "jackknife t", clusters=6, over="sites"))
    '25.0 to 50.0 (6 sites)'
    """
    if interval is None:
        return ""
    sign = "+" if signed else ""
    ends = " to ".join(
        f"{scale * each:{sign}.{digits}f}" for each in (interval.low, interval.high)
    )
    over = over_words(interval)
    return f"{ends} ({over})" if over else ends


def over_words(interval: Interval | None) -> str:
    """
    Say how many clusters an interval rests on; "" for one that has none.

    >>> over_words(Interval(0.25, 0.5, "jackknife t", clusters=1, over="sites"))
    '1 site'
    """
    if interval is None or interval.clusters is None:
        return ""
    return counted(interval.clusters, interval.over)


def counted(count: int, plural: str) -> str:
    """
    Write a count with its noun, which is given in the plural.

    >>> counted(1, "sites"), counted(1200, "sites")
    ('1 site', '1,200 sites')
    """
    return f"{count:,} {plural[:-1] if count == 1 else plural}"


def p_words(p: float) -> str:
    """
    Write a p-value with two digits, never as zero.

    >>> p_words(0.0312), p_words(0.00001)
    ('p = 0.031', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"  # noqa: PLR2004 - the usual floor


def _found(comparison: Comparison, change: float) -> str:
    interval = comparison.interval
    apart = interval is not None and (interval.low > 0 or interval.high < 0)
    subject, points = _subject(comparison), f"{abs(100 * change):.1f} points"
    if apart and comparison.p_cluster_holm < LEVEL:
        return f"{subject} {'cost' if change < 0 else 'gave'} {_who(comparison)} {points}"
    moved = f"{points} {'lower' if change < 0 else 'higher'}" if change else "the same"
    doubt = (
        f"a difference that does not outlast correction for {comparison.family} tests"
        if apart
        else f"which chance can explain{_sight(comparison)}"
    )
    return f"the hit rate of {_who(comparison)} was {moved} with {subject}, {doubt}"


def _sight(comparison: Comparison) -> str:
    effect = comparison.mde_cluster
    if effect is None:
        return ""
    return f" (a true change under {100 * effect:.1f} points is easily missed here)"


def _where(comparison: Comparison) -> str:
    targets = f"On {counted(comparison.n, 'targets')}"
    if comparison.units == "pairs":
        return f"{targets},"
    return f"{targets} from {counted(comparison.clusters, 'sites')},"


def _subject(comparison: Comparison) -> str:
    if comparison.contrast == "variant":
        return f"variant '{comparison.variant}'"
    return f"{comparison.instruction} instead of {comparison.baseline} instructions"


def _who(comparison: Comparison) -> str:
    mode = "with" if comparison.reasoning else "without"
    if comparison.contrast == "variant":
        return f"{comparison.model} ({mode} reasoning, {comparison.instruction} instructions)"
    return f"{comparison.model} ({mode} reasoning, variant '{comparison.variant}')"


def _ruler(comparison: Comparison) -> str:
    unread = f"; {comparison.unparsed} unparsed" * bool(comparison.unparsed)
    return (
        f"{100 * CONFIDENCE:.0f} % interval {interval_words(comparison.interval, signed=True)}; "
        f"{p_words(comparison.p_cluster_holm)} by {comparison.units}, "
        f"Holm over {comparison.family} tests; tolerance {comparison.tolerance:g} px{unread}"
    )
