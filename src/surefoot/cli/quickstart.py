"""
``surefoot quickstart``: real pages -> benchmark -> built-in model -> report.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import (
    BrowsersOption,
    PagesOption,
    UnconfinedOption,
)

EXAMPLES: Final = ("surefoot quickstart", "surefoot quickstart --out out/small --limit 8")


def quickstart(
    *,
    out: Annotated[
        Path, typer.Option(file_okay=False, help="The folder to write or resume.")
    ] = Path("out/demo"),
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
    from surefoot.api.quickstart import quickstart as show
    from surefoot.cli.output import console, report_failures, say, say_written, suggest, tell

    shown = show(
        out=out,
        limit=limit,
        workers=workers,
        unconfined=unconfined,
        progress=console(),
        tell=tell,
    )
    for sentence in shown.report.sentences:
        say(f"   {sentence}")
    say_written(shown.report.path)
    report_failures(shown.outcomes)
    own = ("--model", "openai:NAME@http://localhost:8000/v1", "--out", out / "run-own")
    suggest("run", out / "bench", *own)
