"""
``surefoot export``: a benchmark in the form in which it is published.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

__all__ = ["ExportFormat", "export"]

EXAMPLES: Final = ("surefoot export out/bench --format hf --out out/published",)


class ExportFormat(StrEnum):
    """Name a published form."""

    HF = "hf"


def export(
    bench: Annotated[Path, typer.Argument(help="The folder BENCH.")],
    *,
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    format_: Annotated[
        ExportFormat, typer.Option("--format", help="hf: parquet shards for Hugging Face.")
    ] = ExportFormat.HF,
) -> None:
    """
    Publish a benchmark: parquet shards with pictures, a manifest and a dataset card.
    """
    from surefoot.cli.output import say_written
    from surefoot.run.parquet import publish

    publishers = {ExportFormat.HF: publish}
    publishers[format_](bench, out)
    say_written(out)
