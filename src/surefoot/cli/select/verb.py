"""
The verb ``surefoot select``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

EXAMPLES: Final = (
    "surefoot select out/bench --teacher out/run-72b --out out/hit-by-72b",
    "surefoot select out/bench --sheet ann.csv --sheet bob.csv --out out/passed",
)


def select(
    bench: Annotated[Path, typer.Argument(help="The folder BENCH.")],
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder BENCH to write.")],
    teacher: Annotated[
        list[Path] | None,
        typer.Option(help="A run over BENCH, of any model; may be repeated."),
    ] = None,
    sheet: Annotated[
        list[Path] | None,
        typer.Option(
            help="A sheet of `surefoot audit`, filled in, or what `surefoot view --judge` wrote; "
            "may be repeated."
        ),
    ] = None,
) -> None:
    """
    Keep the targets that every teacher hits on the original and that people pass.

    A target in one kind of words is kept or rejected under all variants at once. OUT has
    rejected.jsonl, with each reason. A set that a teacher selected says less: `surefoot score`
    and `report` warn of it.
    """
    from surefoot.api.inspecting import select as select_targets
    from surefoot.cli.output import conclude

    kept = select_targets(bench, out=out, teacher=teacher or (), sheet=sheet or ())
    conclude(kept.outcome, "run", out, "--model", "ocr", "--out", f"{out}-ocr")
