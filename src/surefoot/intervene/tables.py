"""
The results of an intervention as a page of Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from surefoot.intervene.results import (
    BEFORE,
    ENGLISH_ROW,
    InterventionResults,
    SteeredChange,
    SteeredRate,
)
from surefoot.intervene.search import SearchProtocol
from surefoot.score.scorings.multilingual import DIMENSIONS, fpr_acc
from surefoot.score.stats.intervals import Interval


def protocol_words(protocol: SearchProtocol) -> str:
    """
    Say in a few words on what layer and strength were chosen.

    >>> protocol_words("paper")
    "chosen on the scored items (the paper's protocol)"
    """
    if protocol == "paper":
        return "chosen on the scored items (the paper's protocol)"
    return "chosen on other screens than those scored"


def result_lines(results: InterventionResults) -> list[str]:
    """Return one line for each language, what a command prints."""
    shares = {(item.language, item.condition): item for item in results.shares}
    lines = []
    for verdict in results.verdicts:
        rates = {
            rate.condition: rate.rate
            for rate in results.rates
            if rate.language == verdict.language and not rate.dimension
        }
        rates_words = ", ".join(f"{name} {100 * rate:.1f}" for name, rate in rates.items())
        share = shares[verdict.language, "xli"]
        back = "no gap to close" if share.share is None else f"{_share(share.share)} of the gap"
        gain_words = "a gain" if verdict.gain else f"no gain: {verdict.why}"
        lines.append(f"{verdict.language}: {rates_words} % right; {back}; {gain_words}")
    return [*lines, f"layer and strength: {protocol_words(results.protocol)}"]


def results_page(results: InterventionResults, seconds: Mapping[str, float]) -> str:
    """
    Return the page; ``seconds`` are those a question took under each condition.
    """
    label = protocol_words(results.protocol)
    what = (
        f"{results.items} items on {results.clusters} groups of screens. "
        f"Added at {results.at}, the mean difference of the {results.top_k} nearest."
        f"{' Every question asks to reason first.' if results.reasoning == 'on' else ''}"
    )
    tables = {**results_tables(results), "Seconds a question": _seconds(seconds)}
    parts = [
        f"# What was added to the states of {results.model}",
        what,
        *(
            f"## {title}\n\nLayer and strength: {label}.\n\n{table}"
            for title, table in tables.items()
        ),
    ]
    return "\n\n".join(parts) + "\n"


def results_tables(results: InterventionResults) -> dict[str, str]:
    """Return the tables in Markdown by their titles."""
    return {
        "Layer and strength": _chosen(results),
        "Is it a gain?": _verdicts(results),
        "Right answers, %": _rates(results.rates),
        "Before and after, %": _before_and_after(results.rates),
        "Share of the gap to English that comes back, %": _shares(results),
        "Paired changes, points": _changes(results.changes),
        "What was added": _sizes(results),
    }


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _chosen(results: InterventionResults) -> str:
    rows = [
        [
            setting.language,
            str(setting.layer),
            f"{setting.alpha:g}",
            f"{setting.right} of {setting.n}",
            str(setting.before),
        ]
        for setting in results.chosen
    ]
    return _table(["language", "layer", "strength", "right when chosen", "without"], rows)


def _verdicts(results: InterventionResults) -> str:
    rows = [
        [verdict.language, "yes" if verdict.gain else "none", verdict.why]
        for verdict in results.verdicts
    ]
    return _table(["language", "gain", "why not"], rows)


def _rates(rates: Sequence[SteeredRate]) -> str:
    conditions = list(dict.fromkeys(rate.condition for rate in rates))
    rows: dict[tuple[str, str], list[str]] = {}
    for rate in rates:
        line = rows.setdefault(
            (rate.language, rate.dimension), [rate.language, rate.dimension or "all", str(rate.n)]
        )
        line.append(f"{100 * rate.rate:.1f} [{_ends(rate.interval)}]")
    return _table(["language", "dimension", "n", *map(_title, conditions)], rows.values())


def _before_and_after(rates: Sequence[SteeredRate]) -> str:
    """Put each language's accuracies and FPR-ACC into one row before, and one with XLI."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for rate in rates:
        if rate.condition in (BEFORE, "xli"):
            own = found.setdefault((rate.language, rate.condition), {})
            own |= {rate.dimension: rate.rate} if rate.dimension else {}
    asked = [name for name in DIMENSIONS if any(name in own for own in found.values())]
    rows = []
    for (language, condition), own in found.items():
        shares = [own.get(name) for name in asked] + [fpr_acc(own)]
        cells = ["" if share is None else f"{100 * share:.1f}" for share in shares]
        rows.append([language, _title(condition), *cells])
    return _table(["language", "condition", *asked, "FPR-ACC"], rows)


def _shares(results: InterventionResults) -> str:
    rows = [
        [
            share.language,
            f"{100 * share.gap:+.1f} [{_ends(share.gap_interval)}]",
            share.condition,
            "no gap"
            if share.share is None
            else f"{100 * share.share:.0f} [{_ends(share.interval, 0)}]",
        ]
        for share in results.shares
    ]
    return _table(["language", "gap, points", "condition", "share that comes back, %"], rows)


def _changes(changes: Sequence[SteeredChange]) -> str:
    rows = [
        [
            change.language,
            change.dimension or "all",
            f"{_title(change.condition)} minus {_title(change.against)}",
            str(change.n),
            f"{100 * change.change:+.1f} [{_ends(change.interval)}]",
            f"{change.won} / {change.lost}",
            _p(change.p_holm),
        ]
        for change in changes
    ]
    head = ["language", "dimension", "what", "n", "change", "won / lost", "p (Holm)"]
    return _table(head, rows)


def _sizes(results: InterventionResults) -> str:
    rows = [
        [
            size.language,
            size.condition,
            str(size.n),
            f"{size.length:.3g}",
            f"{size.added:.3g}",
            f"{size.angle:.2f}",
        ]
        for size in results.sizes
    ]
    head = [
        "language",
        "condition",
        "n",
        "length of the state",
        "of what was added",
        "turn, degrees",
    ]
    return _table(head, rows)


def _seconds(seconds: Mapping[str, float]) -> str:
    rows = [[_title(name), f"{taken:.3f}"] for name, taken in seconds.items()]
    return _table(["condition", "seconds"], rows)


def _title(condition: str) -> str:
    return {BEFORE: "before", ENGLISH_ROW: "English"}.get(condition, condition)


def _share(share: float) -> str:
    return f"{100 * share:.0f} %"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.2g}"  # noqa: PLR2004 - the usual floor


def _ends(interval: Interval | None, digits: int = 1) -> str:
    if interval is None:
        return "no interval"
    return f"{100 * interval.low:.{digits}f}, {100 * interval.high:.{digits}f}"
