"""
``surefoot quickstart``: real pages -> benchmark -> built-in model -> report.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

__all__ = ["quickstart"]

EXAMPLES: Final = ("surefoot quickstart", "surefoot quickstart --out out/small --limit 8")


def quickstart(
    *,
    out: Annotated[Path, typer.Option(help="The folder to write or resume.")] = Path("out/demo"),
    limit: Annotated[int, typer.Option(help="At most so many pages; 0 means all.")] = 0,
    workers: Annotated[int, typer.Option(help="Browsers at work at once.")] = 2,
) -> None:
    """
    Show how a real, if weak, model loses its footing on real pages.

    Captures the demo's pages, renders their variants, asks the built-in OCR model, the
    oracle and a model that always clicks the middle, and writes a report. A killed
    quickstart goes on where it stopped.
    """
    from surefoot.benchmarks.benchmark import BuildOptions
    from surefoot.capture.settings import Settings
    from surefoot.cli.output import console, report_failures, say
    from surefoot.models import Options
    from surefoot.report.page import ReportOptions, write_report
    from surefoot.run.asking import ask_model
    from surefoot.run.building import build_benchmark
    from surefoot.run.capturing import capture_screens

    terminal = console()
    screens, bench = out / "screens", out / "bench"
    say("1 of 4: capturing real pages")
    outcomes = [
        capture_screens(
            ["demo:"], screens, Settings(), limit=limit, workers=workers, console=terminal
        )
    ]
    say(f"   {outcomes[-1].lines[-1]}")
    say("2 of 4: rendering variants, proving instructions")
    outcomes.append(
        build_benchmark(
            "perturbed", screens, bench, BuildOptions(), workers=workers, console=terminal
        )
    )
    say(f"   {outcomes[-1].lines[-1]}")
    say("3 of 4: asking the models")
    runs = {name: out / f"run-{name}" for name in ("ocr", "oracle", "center")}
    for name, run in runs.items():
        outcomes.append(ask_model(bench, name, run, options=Options(), console=terminal))
        say(f"   {outcomes[-1].lines[-1]}")
    say("4 of 4: the report")
    report = out / "report.html"
    references = [runs["oracle"], runs["center"]]
    for sentence in write_report(
        [runs["ocr"]], report, sanity=references, options=ReportOptions()
    ):
        say(f"   {sentence}")
    say(f"wrote {report}")
    report_failures(outcomes)
