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
from surefoot.core.errors import InvalidInputError

if TYPE_CHECKING:
    from surefoot.run.engine.outcome import Outcome


@in_thread
def export(
    bench: BenchArgument,
    *,
    out: Annotated[
        AnyPath | None, CliOption("The folder to write.", shell=Path | None, only="folder")
    ] = None,
    format: Annotated[  # noqa: A002 - the option's word
        str, CliOption("hf (parquet), hforms, coco, label-studio, fiftyone or screenspot.")
    ] = "hf",
    push: Annotated[
        str,
        CliOption(
            "Push it to the Hugging Face Hub instead, as a private data set.",
            metavar="OWNER/NAME",
        ),
    ] = "",
    public: Annotated[bool, CliOption("Let everybody read what is pushed.")] = False,
) -> Outcome:
    """
    Publish a benchmark as parquet with a dataset card, or write another format.

    Questions that a format cannot hold are counted and named. With ``push`` the published form
    goes to the Hugging Face Hub, as one commit whose revision is told; the token comes from where
    huggingface_hub looks for it.

    Raises UnknownNameError for a format that there is none of, and InvalidInputError where
    ``bench`` is no benchmark or lacks a picture, where the format holds none of its questions,
    or ``out`` is not empty, where not one of ``out`` and ``push`` is given, and where the Hub
    refuses.
    """
    if (out is None) == (not push) or (push and format != "hf") or (public and not push):
        raise InvalidInputError(
            "either --out, or --push for the format hf",
            found="both" if push and out is not None else "none, or another format",
            remedy="write surefoot export BENCH --push OWNER/NAME",
        )
    if push:
        from surefoot.run.pushing import push_bench, pushed_outcome

        return pushed_outcome(Path(bench), push_bench(Path(bench), push, public=public))
    from surefoot.run.exporting import export_bench

    return export_bench(Path(bench), Path(out or ""), format)


def command(work: Callable[[], Outcome], *, push: str) -> None:
    """Print what was written and what the format could not hold, or where it was pushed to."""
    from surefoot.cli.output import conclude, say

    outcome = work()
    if not push:
        conclude(outcome)
    for line in outcome.lines if push else ():
        say(line)


VERB = CliVerb(
    "export",
    "Share",
    "Publish a benchmark as parquet, or for another tool.",
    export,
    command,
    (
        "surefoot export out/bench --format hf --out out/published",
        "surefoot export out/bench --push me/my-benchmark",
        "surefoot export out/bench --format hforms --out out/hforms",
        "surefoot export out/bench --format coco --out out/coco",
        "surefoot export out/bench --format label-studio --out out/tasks",
        "surefoot export out/bench --format fiftyone --out out/fiftyone",
        "surefoot export out/bench --format screenspot --out out/screenspot",
    ),
)
