"""
``surefoot export``: a benchmark in the form in which it is published, or in another's.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import AnyPath, BenchArgument
from surefoot.api.parameters import CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from surefoot.run.engine.outcome import Outcome


@in_thread
def export(
    bench: BenchArgument,
    *,
    out: Annotated[AnyPath, CliOption("The folder to write.", shell=Path, only="folder")],
    format: Annotated[  # noqa: A002 - the option's word
        str, CliOption("hf (parquet), hforms, coco, label-studio, fiftyone or screenspot.")
    ] = "hf",
) -> Outcome:
    """
    Publish a benchmark as parquet with a dataset card, or write another format.

    Questions that a format cannot hold are counted and named.

    Raises UnknownNameError for a format that there is none of, and InvalidInputError where
    ``bench`` is no benchmark or lacks a picture, where the format holds none of its questions,
    or ``out`` is not empty.
    """
    from surefoot.run.exporting import export_bench

    return export_bench(Path(bench), Path(out), format)


def command(work: Callable[[], Outcome]) -> None:
    """Print what was written, and what the format could not hold."""
    from surefoot.cli.output import conclude

    conclude(work())


VERB = CliVerb(
    "export",
    "Share",
    "Publish a benchmark as parquet, or for another tool.",
    export,
    command,
    (
        "surefoot export out/bench --format hf --out out/published",
        "surefoot export out/bench --format hforms --out out/hforms",
        "surefoot export out/bench --format coco --out out/coco",
        "surefoot export out/bench --format label-studio --out out/tasks",
        "surefoot export out/bench --format fiftyone --out out/fiftyone",
        "surefoot export out/bench --format screenspot --out out/screenspot",
    ),
)
