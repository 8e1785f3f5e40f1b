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
)

if TYPE_CHECKING:
    from surefoot.run.engine.outcome import Outcome

__all__ = ["quickstart"]

SITE_TARGETS: Final = 16  # most of the demo's sites have as many
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
    from surefoot.cli.output import report_failures, say, suggest

    say("1 of 4: capturing real pages")
    outcomes = [_capture(out, limit, workers, unconfined)]
    say("2 of 4: rendering variants, proving instructions")
    outcomes.append(_build(out, workers, unconfined))
    say("3 of 4: asking the models")
    outcomes += [_ask(out, name) for name in ("ocr", "oracle", "center")]
    say("4 of 4: the report")
    _report(out)
    report_failures(outcomes)
    own = ("--model", "openai:NAME@http://localhost:8000/v1", "--out", out / "run-own")
    suggest("run", out / "bench", *own)


def _capture(out: Path, limit: int, workers: int, unconfined: bool) -> Outcome:
    from surefoot.api.verbs import capture
    from surefoot.cli.output import console, tell

    captured = capture(
        "demo:",
        out=out / "screens",
        limit=limit,
        workers=workers,
        unconfined=unconfined,
        progress=console(),
    )
    return tell(captured.outcome)


def _build(out: Path, workers: int, unconfined: bool) -> Outcome:
    from surefoot.api.verbs import build
    from surefoot.cli.output import console, tell

    built = build(
        "perturbed",
        screens=out / "screens",
        out=out / "bench",
        site_targets=SITE_TARGETS,
        workers=workers,
        unconfined=unconfined,
        progress=console(),
    )
    return tell(built.outcome)


def _ask(out: Path, model: str) -> Outcome:
    from surefoot.api.verbs import run
    from surefoot.cli.output import console, tell

    asked = run(out / "bench", model=model, out=out / f"run-{model}", progress=console())
    return tell(asked.outcome)


def _report(out: Path) -> None:
    from surefoot.api.verbs import report
    from surefoot.cli.output import say, say_written

    references = (out / "run-oracle", out / "run-center")
    written = report(out / "run-ocr", out=out / "report.html", sanity=references)
    for sentence in written.sentences:
        say(f"   {sentence}")
    say_written(written.path)
