"""
``surefoot score``: metrics and paired tests of one or several runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from surefoot.cli.options import BenchOption, ToleranceOption

if TYPE_CHECKING:
    from surefoot.score.summary import Summary

__all__ = ["score"]

EXAMPLES: Final = (
    "surefoot score out/run-ocr",
    "surefoot score out/run-ocr out/run-oracle --tolerance 20 --json out/scores.json",
)


def score(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    *,
    tolerance: ToleranceOption = 0.0,
    json: Annotated[Path | None, typer.Option(help="Write every number to this file.")] = None,
    bench: BenchOption = None,
    seed: Annotated[int, typer.Option(help="The bootstrap's seed.")] = 0,
    by_page: Annotated[
        bool, typer.Option("--by-page/--by-sample", help="What the bootstrap draws.")
    ] = True,
) -> None:
    """
    Score runs: one line per comparison, with its interval and test.

    Runs are compared within each model; give several to see them side by side.
    """
    from surefoot.cli.output import say, say_written
    from surefoot.core.canonical import readable_json
    from surefoot.core.files import write_atomic
    from surefoot.run.runs import open_run, tabulate_runs
    from surefoot.score.summary import summarise

    outcomes = tabulate_runs(open_run(run, bench) for run in runs)
    summary = summarise(outcomes, tolerance=tolerance, seed=seed, cluster=by_page)
    for line in _lines(summary):
        say(line)
    if json is not None:
        json.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(json, readable_json(summary))
        say_written(json)


def _lines(summary: Summary) -> list[str]:
    from surefoot.score.words import sentence

    lines = []
    for cell in summary.cells:
        mode = ", reasoning" if cell.reasoning else ""
        rate = "nothing answered" if cell.rate is None else f"{100 * cell.rate:.1f} %"
        lines.append(
            f"{cell.model}, {cell.instruction}, {cell.variant}{mode}: {rate} "
            f"({cell.hits} of {cell.n}; {cell.unparsed} unparsed, {cell.failed} failed)"
        )
    lines += [sentence(comparison) for comparison in summary.comparisons]
    return [*lines, *(f"mind: {warning}" for warning in summary.warnings)]
