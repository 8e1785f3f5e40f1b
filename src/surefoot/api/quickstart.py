"""
The demo: real pages -> benchmark -> built-in model -> report.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.api.benches import Bench
from surefoot.api.options import AnyPath
from surefoot.api.runs import ModelRun
from surefoot.api.scores import Report
from surefoot.api.screens import Screens
from surefoot.api.verbs import build, capture, report, run
from surefoot.run.engine.outcome import Outcome

if TYPE_CHECKING:
    from rich.console import Console


SITE_TARGETS: Final = 9  # six variants of them are asked about in a few minutes


class Quickstart(msgspec.Struct, frozen=True):
    """Hold all that a quickstart wrote; the first of the ``runs`` is what the report is on."""

    screens: Screens
    bench: Bench
    runs: tuple[ModelRun, ...]
    report: Report

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Return how each of its steps ended."""
        return (self.screens.outcome, self.bench.outcome, *(one.outcome for one in self.runs))


def quickstart(
    *,
    out: AnyPath = "out/demo",
    limit: int = 0,
    workers: int = 2,
    unconfined: bool = False,
    progress: bool | Console = False,
    tell: Callable[[str | Outcome], None] = lambda _: None,
) -> Quickstart:
    """
    Show how a real, if weak, model loses its footing on real pages.

    Captures the demo's pages, at most ``limit`` of them, renders their variants, asks the
    built-in OCR model, the oracle and a model that always clicks the middle, and writes a
    report. ``tell`` is given each step's name before it, and its outcome after it. Raises as
    ``capture``, ``build`` and ``run`` do.
    """
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
