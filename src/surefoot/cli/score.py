"""
``surefoot score``: metrics and paired tests of one or several runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import (
    BenchOption,
    LabelOption,
    MetricsOption,
    SharedOption,
    SpreadOption,
    StandardOption,
    ToleranceOption,
    UnitOption,
)

EXAMPLES: Final = (
    "surefoot score out/run-ocr",
    "surefoot score out/run-ocr out/run-oracle --tolerance 20 --json out/scores.json",
    "surefoot score out/run-7b out/run-7b-warm --label 'T = 0' --label 'T = 0.7'",
    "surefoot score out/say-a out/say-b out/say-c --standard out/run-a --standard out/run-b",
)


def score(  # noqa: PLR0913 - one argument an option
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    *,
    tolerance: ToleranceOption = 0.0,
    json: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write every number to this file.")
    ] = None,
    bench: BenchOption = None,
    metric: MetricsOption = None,
    seed: Annotated[int, typer.Option(help="Seed of the interval of an order of models.")] = 0,
    unit: UnitOption = "site",
    standard: StandardOption = None,
    spread: SpreadOption = "centroid",
    label: LabelOption = None,
    shared_only: SharedOption = False,
) -> None:
    """
    Score runs: a sentence a model, then every score and comparison in a table.

    Variants, kinds of instruction and reasoning are compared within each model, and the
    models with each other on the same questions. The benchmark decides what is measured: hits,
    how far clicks scatter over wordings, or how well boxes overlap.
    """
    from msgspec.structs import asdict

    from surefoot.api.verbs import score as score_runs
    from surefoot.cli.output import say, suggest, write_json

    found = score_runs(
        runs,
        tolerance=tolerance,
        bench=bench,
        metric=metric or (),
        seed=seed,
        unit=unit,
        standard=standard or (),
        spread=spread,
        label=label or (),
        shared_only=shared_only,
    )
    for line in (*found.lines, *(f"warning: {warning}" for warning in found.warnings)):
        say(line)
    write_json(json, {"sentences": found.sentences, **asdict(found.summary)})
    suggest("report", *runs, "--out", f"{runs[0]}.html")
