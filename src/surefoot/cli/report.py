"""
``surefoot report``: one HTML page that shows what broke the model.
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
    TablesOption,
    ToleranceOption,
    UnitOption,
)

EXAMPLES: Final = (
    "surefoot report out/run-ocr --out out/report.html",
    "surefoot report out/run-ocr out/run-center --title 'Two models' --out out/two.html",
    "surefoot report out/explored --out out/explored.html",
)


def report(  # noqa: PLR0913 - one argument an option
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Folders of runs, or of one exploration."),
    ],
    *,
    out: Annotated[Path, typer.Option(dir_okay=False, help="The HTML file to write.")],
    sanity: Annotated[
        list[Path] | None, typer.Option(help="Runs of reference models (oracle, center).")
    ] = None,
    title: Annotated[str, typer.Option(help="The page's title.")] = "",
    tolerance: ToleranceOption = 0.0,
    cards: Annotated[int, typer.Option(min=0, help="How many failures to show per model.")] = 12,
    bench: BenchOption = None,
    metric: MetricsOption = None,
    seed: Annotated[int, typer.Option(help="Seed of what is drawn: pictures to show.")] = 0,
    unit: UnitOption = "site",
    standard: StandardOption = None,
    spread: SpreadOption = "centroid",
    label: LabelOption = None,
    shared_only: SharedOption = False,
    tables: TablesOption = None,
) -> None:
    """
    Write a self-contained report: plain words, figures with tables, failures to look at.

    It reports runs, diagnoses, or one exploration: its states as a tree of pictures.
    """
    from surefoot.api.verbs import report as write_report
    from surefoot.cli.output import say, say_written, suggest

    written = write_report(
        runs,
        out=out,
        sanity=sanity or (),
        title=title,
        tolerance=tolerance,
        cards=cards,
        bench=bench,
        metric=metric or (),
        seed=seed,
        unit=unit,
        standard=standard or (),
        spread=spread,
        label=label or (),
        shared_only=shared_only,
        tables=tables,
    )
    for sentence in written.sentences:
        say(sentence)
    say_written(written.path)
    if tables is not None:
        say_written(tables)
    suggest("view", *runs)
