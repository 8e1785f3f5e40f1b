"""
``surefoot quickstart``: real pages -> benchmark -> built-in model -> report.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from surefoot.cli.options import (
    BrowsersOption,
    PagesOption,
    UnconfinedOption,
    allow_unconfined,
)

if TYPE_CHECKING:
    from surefoot.run.engine.outcome import Outcome

__all__ = ["quickstart"]

SITE_TARGETS: Final = 16  # most of the demo's sites have as many
EXAMPLES: Final = ("surefoot quickstart", "surefoot quickstart --out out/small --limit 8")


def quickstart(
    *,
    out: Annotated[Path, typer.Option(help="The folder to write or resume.")] = Path("out/demo"),
    limit: PagesOption = 0,
    workers: BrowsersOption = 2,
    unconfined: UnconfinedOption = False,
) -> None:
    """
    Show how a real, if weak, model loses its footing on real pages.

    Captures the demo's pages, renders their variants, asks the built-in OCR model, the
    oracle and a model that always clicks the middle, and writes a report. A quickstart
    that was stopped resumes when it is started again.
    """
    from surefoot.cli.output import report_failures, say

    allow_unconfined(unconfined)
    say("1 of 4: capturing real pages")
    outcomes = [_capture(out, limit, workers)]
    say("2 of 4: rendering variants, proving instructions")
    outcomes.append(_build(out, workers))
    say("3 of 4: asking the models")
    outcomes += [_ask(out, name) for name in ("ocr", "oracle", "center")]
    say("4 of 4: the report")
    _report(out)
    report_failures(outcomes)


def _capture(out: Path, limit: int, workers: int) -> Outcome:
    from surefoot.capture.settings import Settings
    from surefoot.cli.output import console, tell
    from surefoot.run.building.capturing import capture_screens

    return tell(
        capture_screens(
            ["demo:"],
            out / "screens",
            Settings(),
            limit=limit,
            workers=workers,
            console=console(),
        )
    )


def _build(out: Path, workers: int) -> Outcome:
    from surefoot.benchmarks.benchmark import BuildOptions
    from surefoot.cli.output import console, tell
    from surefoot.run.building.pages import build_benchmark

    return tell(
        build_benchmark(
            "perturbed",
            out / "screens",
            out / "bench",
            BuildOptions(site_targets=SITE_TARGETS),
            workers=workers,
            console=console(),
        )
    )


def _ask(out: Path, model: str) -> Outcome:
    from surefoot.cli.output import console, tell
    from surefoot.models import Options
    from surefoot.run.asking.run import ask_model

    run = out / f"run-{model}"
    return tell(ask_model(out / "bench", model, run, options=Options(), console=console()))


def _report(out: Path) -> None:
    from surefoot.cli.output import say, say_written
    from surefoot.report.answers.page import Choices, write_report

    page = out / "report.html"
    references = (out / "run-oracle", out / "run-center")
    sentences = write_report([out / "run-ocr"], page, Choices(sanity=references))
    for sentence in sentences:
        say(f"   {sentence}")
    say_written(page)
