"""
``surefoot score``: metrics and paired tests of one or several runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import BenchOption, SpreadOption, StandardOption, ToleranceOption

__all__ = ["score"]

EXAMPLES: Final = (
    "surefoot score out/run-ocr",
    "surefoot score out/run-ocr out/run-oracle --tolerance 20 --json out/scores.json",
    "surefoot score out/say-a out/say-b out/say-c --standard out/run-a --standard out/run-b",
)


def score(  # noqa: PLR0913 - one argument an option
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    *,
    tolerance: ToleranceOption = 0.0,
    json: Annotated[Path | None, typer.Option(help="Write every number to this file.")] = None,
    bench: BenchOption = None,
    seed: Annotated[int, typer.Option(help="Seed of an order of models' interval.")] = 0,
    by_site: Annotated[
        bool, typer.Option("--by-site/--by-sample", help="What is taken as independent.")
    ] = True,
    standard: StandardOption = None,
    spread: SpreadOption = "centroid",
) -> None:
    """
    Score runs: one line per comparison, with its interval and test.

    Runs are compared within each model; give several to see them side by side. What is
    measured is a matter of the benchmark: hits, or how much clicks depend on the words.
    """
    from surefoot.cli.output import say, say_written
    from surefoot.core.canonical import readable_json
    from surefoot.core.files import write_atomic
    from surefoot.report.scoring import Choices, scoring_of

    choices = Choices(
        tolerance=tolerance,
        seed=seed,
        bench=bench,
        by_site=by_site,
        standard=tuple(standard or ()),
        spread=spread,
    )
    scored = scoring_of(runs, bench).score(runs, choices)
    for line in scored.lines:
        say(line)
    if json is not None:
        json.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(json, readable_json(scored.numbers))
        say_written(json)
