"""
What a training mended and what it damaged: the same elements, before and after, paired.

An element's change under a condition of the screen is the mean over its questions; a reply that
cannot be read or never came is a miss on either side, since that is a failing as well. Intervals
and tests are those of every other comparison (``score.stats.paired``), over sites, and Holm
corrects for the number of conditions of all benchmarks together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import ORIGINAL, variant_title
from surefoot.run.asking.runs import FinishedRun, open_run
from surefoot.score.hits import judge
from surefoot.score.stats.multiplicity import holm_steps
from surefoot.score.stats.paired import PairedChange, paired_change

TrainingVerdict: TypeAlias = Literal["mended", "damaged", "unclear"]
LEVEL: Final = 0.05


class MendedCondition(msgspec.Struct, frozen=True):
    """
    Hold the hit rate of one benchmark under one variant before and after, in shares.

    ``low`` and ``high`` are the ends of the interval at ``level``, Holm's for this condition,
    None where one site tells nothing of others.
    """

    bench: str
    variant: str
    elements: int
    sites: int
    before: float
    after: float
    change: float
    low: float | None
    high: float | None
    p: float
    level: float

    @property
    def verdict(self) -> TrainingVerdict:
        """Return what the interval says: it leaves out no change, or it does not."""
        if self.low is not None and self.low > 0:
            return "mended"
        return "damaged" if self.high is not None and self.high < 0 else "unclear"


class LoopOutcome(msgspec.Struct, frozen=True):
    """Hold what a loop came to: its folder, a sentence, and each condition that was measured."""

    folder: Path
    conclusion: str
    conditions: tuple[MendedCondition, ...]


def compare_training(pairs: Iterable[tuple[Path, Path]]) -> tuple[MendedCondition, ...]:
    """
    Compare finished runs before a training with those after it, benchmark by benchmark.

    Raises InvalidInputError for two runs over different questions.
    """
    rows = [row for before, after in pairs for row in _rows(open_run(before), open_run(after))]
    levels = holm_steps([row.change.p for row in rows], LEVEL)
    found = []
    for row, level in zip(rows, levels, strict=True):
        interval = row.change.interval(1 - level)
        found.append(
            MendedCondition(
                row.bench,
                row.variant,
                row.change.n,
                row.change.clusters,
                row.before,
                row.after,
                row.change.mean,
                interval.low if interval else None,
                interval.high if interval else None,
                row.change.p,
                level,
            )
        )
    return tuple(found)


class _Row(NamedTuple):
    bench: str
    variant: str
    before: float
    after: float
    change: PairedChange


def _rows(first: FinishedRun, second: FinishedRun) -> Iterator[_Row]:
    if {entry.id for entry in first.questions} != {entry.id for entry in second.questions}:
        raise InvalidInputError(
            "two runs over the same questions", found=f"{first.folder} and {second.folder}"
        )
    was, now = (judge(run.questions, run.answers) for run in (first, second))
    elements: dict[str, dict[str, list[str]]] = {}
    sites = {entry.pair: entry.cluster for entry in first.questions}
    for question in first.questions:
        here = elements.setdefault(question.cell.variant, {})
        here.setdefault(question.pair, []).append(question.id)
    for variant, pairs in sorted(
        elements.items(), key=lambda item: (item[0] != ORIGINAL, item[0])
    ):
        means = np.array(
            [
                [np.mean([hit[entry] for entry in ids]) for ids in pairs.values()]
                for hit in (was, now)
            ]
        )
        codes = {site: code for code, site in enumerate(sorted({sites[pair] for pair in pairs}))}
        home = np.array([codes[sites[pair]] for pair in pairs])
        change = paired_change(means[1] - means[0], home, 1.0)
        yield _Row(
            first.bench.resolve().name,
            variant,
            float(means[0].mean()),
            float(means[1].mean()),
            change,
        )


def conclusion(found: Sequence[MendedCondition]) -> str:
    """Say in a sentence what a training mended and what it damaged."""
    groups = {
        verdict: [
            f"{variant_title(condition.variant)} ({condition.bench}) {_points(condition.change)}"
            for condition in found
            if condition.verdict == verdict
        ]
        for verdict in ("mended", "damaged")
    }
    mended, damaged = groups["mended"], groups["damaged"]
    first = f"Training mended {', '.join(mended)}" if mended else "Training mended nothing"
    second = f"it damaged {', '.join(damaged)}" if damaged else "no damage shows"
    return f"{first}; {second}."


def table(found: Sequence[MendedCondition]) -> str:
    """Return the conditions as a Markdown table, in percent and points."""
    lines = [
        "| benchmark | screen | elements | sites | before | after | change | interval | verdict |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |",
    ]
    for row in found:
        ends = (
            ""
            if row.low is None or row.high is None
            else (f"{_points(row.low)} to {_points(row.high)} ({1 - row.level:.2%})")
        )
        lines.append(
            f"| {row.bench} | {variant_title(row.variant)} | {row.elements:,} | {row.sites:,} "
            f"| {row.before:.1%} | {row.after:.1%} | {_points(row.change)} | {ends} "
            f"| {row.verdict} |"
        )
    return "\n".join(lines)


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"
