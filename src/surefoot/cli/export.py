"""
``surefoot export``: a benchmark in the form in which it is published, or in another's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

EXAMPLES: Final = (
    "surefoot export out/bench --format hf --out out/published",
    "surefoot export out/bench --format hforms --out out/hforms",
    "surefoot export out/bench --format coco --out out/coco",
    "surefoot export out/bench --format label-studio --out out/tasks",
    "surefoot export out/bench --format fiftyone --out out/fiftyone",
    "surefoot export out/bench --format screenspot --out out/screenspot",
)


def export(
    bench: Annotated[Path, typer.Argument(help="The folder BENCH.")],
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write.")],
    format_: Annotated[
        str,
        typer.Option(
            "--format", help="hf (parquet), hforms, coco, label-studio, fiftyone or screenspot."
        ),
    ] = "hf",
) -> None:
    """
    Publish a benchmark as parquet with a dataset card, or write another format.

    Questions that a format cannot hold are counted and said.
    """
    from surefoot.api.exchanging import export as export_bench
    from surefoot.cli.output import conclude

    conclude(export_bench(bench, out=out, format=format_))
