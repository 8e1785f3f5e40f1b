"""
``surefoot report``: one HTML page that shows what broke the model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import (
    BenchOption,
    MetricsOption,
    SpreadOption,
    StandardOption,
    ToleranceOption,
)

__all__ = ["report"]

EXAMPLES: Final = (
    "surefoot report out/run-ocr --out out/report.html",
    "surefoot report out/run-ocr out/run-center --title 'Two models' --out out/two.html",
)


def report(  # noqa: PLR0913 - one argument an option
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    *,
    out: Annotated[Path, typer.Option(help="The HTML file to write.")],
    sanity: Annotated[
        list[Path] | None, typer.Option(help="Runs of reference models (oracle, center).")
    ] = None,
    title: Annotated[str, typer.Option(help="The page's title.")] = "",
    tolerance: ToleranceOption = 0.0,
    cards: Annotated[int, typer.Option(min=0, help="How many failures to show per model.")] = 12,
    bench: BenchOption = None,
    metric: MetricsOption = None,
    seed: Annotated[int, typer.Option(help="Seed of what is drawn: pictures to show.")] = 0,
    standard: StandardOption = None,
    spread: SpreadOption = "centroid",
) -> None:
    """
    Write a self-contained report: plain words, figures with tables, failures to look at.
    """
    from surefoot.cli.output import say, say_written
    from surefoot.report.answers.page import Choices
    from surefoot.report.choices import write_report_on
    from surefoot.score.metric import Ruler

    choices = Choices(
        title=title,
        ruler=Ruler(tolerance=tolerance, spread=spread),
        seed=seed,
        cards=cards,
        bench=bench,
        metrics=tuple(metric or ()),
        sanity=tuple(sanity or ()),
        standard=tuple(standard or ()),
    )
    sentences = write_report_on(runs, out, choices)
    for sentence in sentences:
        say(sentence)
    say_written(out)
