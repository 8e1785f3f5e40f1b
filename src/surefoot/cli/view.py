"""
``surefoot view``: look at questions, answers and screens in the browser.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import BenchOption, LabelOption, ToleranceOption

__all__ = ["view"]

EXAMPLES: Final = (
    "surefoot view out/demo",
    "surefoot view out/run-ocr out/run-center --port 8422",
    "surefoot view out/bench --judge Ada --judgements out/judgements.sqlite",
)


def view(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="Runs, benchmarks, screens, diagnoses, runs over forms, or folders of them.",
        ),
    ],
    *,
    bench: BenchOption = None,
    tolerance: ToleranceOption = 0.0,
    label: LabelOption = None,
    judge: Annotated[
        str, typer.Option(metavar="NAME", help="Let this person judge samples by keyboard.")
    ] = "",
    judgements: Annotated[
        Path, typer.Option(help="The file that keeps what everybody judges.")
    ] = Path("judgements.sqlite"),
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any free one.")
    ] = 0,
) -> None:
    """
    Look at questions, answers and screens in the browser, until Ctrl-C.

    Only this machine is served, and only who has the address with its token.
    """
    from surefoot.api.serving import view as serve_view
    from surefoot.cli.waiting import serve_until_told

    begin = functools.partial(
        serve_view,
        paths,
        bench=bench,
        tolerance=tolerance,
        label=label or (),
        judge=judge,
        judgements=judgements,
        port=port,
    )
    kept = f"stopped; the judgements lie in {judgements}"
    serve_until_told(begin, kept if judge else "stopped")
