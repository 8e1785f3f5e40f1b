"""
``surefoot quickstart``: real pages -> benchmark -> built-in model -> report.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from surefoot.api.options import AnyPath, BrowsersOption, PagesOption, UnconfinedOption
from surefoot.api.parameters import CliOption
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.quickstart import Quickstart
    from surefoot.run.engine.outcome import Outcome


SITE_TARGETS: Final = 16  # what costs time is a picture, not a question about it
SITES: Final = 29  # of the demo, so that the usual limit takes a page of each


def quickstart(
    *,
    out: Annotated[
        AnyPath, CliOption("The folder to write or resume.", shell=Path, only="folder")
    ] = Path("out/demo"),
    limit: PagesOption = SITES,
    workers: BrowsersOption = 2,
    unconfined: UnconfinedOption = False,
    progress: bool | Console = False,
    tell: Callable[[str | Outcome], None] = lambda _: None,
) -> Quickstart:
    """
    Show how a real, if weak, model loses its footing on real pages.

    Captures a page of each of the demo's sites, renders their variants, asks the built-in OCR
    model, the oracle and a model that always clicks the middle, and writes a report. A
    quickstart that was stopped resumes when it is started again.

    In Python, ``tell`` is given each step's name before it, and its outcome after it.

    Raises as ``capture``, ``build`` and ``run`` do.
    """
    from surefoot.api.quickstart import Quickstart
    from surefoot.verbs.build import build
    from surefoot.verbs.capture import capture
    from surefoot.verbs.report import report
    from surefoot.verbs.run import run

    folder = Path(out)
    tell("1 of 4: capturing real pages")
    screens = capture(
        "demo:",
        out=folder / "screens",
        limit=limit,
        workers=workers,
        unconfined=unconfined,
        progress=progress,
    )
    tell(screens.outcome)
    tell("2 of 4: rendering variants, proving instructions")
    bench = build(
        "perturbed",
        screens=screens,
        out=folder / "bench",
        site_targets=SITE_TARGETS,
        workers=workers,
        unconfined=unconfined,
        progress=progress,
    )
    tell(bench.outcome)
    tell("3 of 4: asking the models")
    runs = []
    for model in ("ocr", "oracle", "center"):
        runs.append(run(bench, model=model, out=folder / f"run-{model}", progress=progress))
        tell(runs[-1].outcome)
    tell("4 of 4: the report")
    written = report(runs[0], out=folder / "report.html", sanity=runs[1:])
    return Quickstart(screens, bench, tuple(runs), written)


def command(work: functools.partial[Quickstart], *, out: Path) -> None:
    """Print each step, what the report says first, what it cost, and how your model is asked."""
    from surefoot.cli.output import report_failures, say, say_written, suggest, tell

    begun, spent = time.monotonic(), sum(os.times()[:4])
    shown = work(tell=tell)
    for sentence in shown.report.sentences:
        say(f"   {sentence}")
    minutes, seconds = divmod(round(time.monotonic() - begun), 60)
    files = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    spent = sum(os.times()[:4]) - spent
    say(f"   took {minutes} min {seconds} s, {spent:.0f} s of the processor, {files / 1e6:.0f} MB")
    say_written(shown.report.path)
    report_failures(shown.outcomes)
    own = ("--model", "openai:NAME@http://localhost:8000/v1", "--out", out / "run-own")
    suggest("run", out / "bench", *own)


VERB = CliVerb(
    "quickstart",
    "Start",
    "Real pages -> benchmark -> built-in model -> report.",
    quickstart,
    command,
    ("surefoot quickstart", "surefoot quickstart --out out/small --limit 8"),
)
