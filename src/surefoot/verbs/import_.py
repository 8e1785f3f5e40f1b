"""
``surefoot import``: public datasets and published runs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from surefoot.api.options import (
    AnyPath,
    FormatOption,
    UnconfinedOption,
    path_or_none,
    unconfined_pages,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from surefoot.api.imported import Imported


@in_thread
def import_(  # noqa: PLR0913 - one argument an option
    name: Annotated[
        str, CliArgument("The name of the dataset, or of another tool's result files.")
    ],
    path: Annotated[
        AnyPath | None,
        CliArgument(
            "Its folder, one of its files, or an archive; else it is fetched.",
            shell=Path | None,
        ),
    ] = None,
    *,
    out: Annotated[AnyPath, CliOption("The folder to write.", shell=Path, only="folder")],
    images: Annotated[
        AnyPath | None,
        CliOption(
            "The folder or archive of the pictures, if they are elsewhere.", shell=Path | None
        ),
    ] = None,
    format: FormatOption = "",  # noqa: A002 - the option's word
    strict: Annotated[bool, CliOption("Stop at the first bad record.")] = False,
    limit: Annotated[int, CliOption("At most this many records; 0 for all.", minimum=0)] = 0,
    revision: Annotated[
        str, CliOption("The commit, branch or tag to fetch; without it the newest.")
    ] = "",
    bench: Annotated[
        AnyPath | None,
        CliOption(
            "The BENCH that another tool's results answer.", shell=Path | None, only="folder"
        ),
    ] = None,
    model: Annotated[
        str, CliOption("What the model of the results is called, if their file does not say.")
    ] = "",
    unconfined: UnconfinedOption = False,
) -> Imported:
    """
    Read a public dataset into a BENCH, a published run into bench/ and runs/, results into a RUN.

    Bad records are named, counted and left out, never mended; where none is good nothing is
    written. Replies of a published run or of another tool are read in the format of the model's
    name; a result file that answers another data set than the BENCH is rejected.

    Raises UnknownNameError for a dataset that there is none of, InvalidInputError for an option
    that it does not take, and NothingKeptError, with nothing written, where no record is good.
    """
    from surefoot.api.imported import Imported
    from surefoot.run.imports.published import import_any

    with unconfined_pages(allowed=unconfined):
        found = import_any(
            name,
            path_or_none(path),
            Path(out),
            images=path_or_none(images),
            format_name=format,
            strict=strict,
            limit=limit,
            revision=revision,
            bench=path_or_none(bench),
            model=model,
        )
    return Imported(found.outcome, found.counts)


def command(
    work: Callable[[], Imported],
    *,
    out: Path,
    json: Annotated[bool, CliOption("Print the counts as JSON.")] = False,
) -> None:
    """Print what was read and left out."""
    from surefoot.cli.output import conclude, print_json

    imported = work()
    if json:
        print_json(imported.counts)
        return
    asked = ("run", out, "--model", "ocr", "--out", f"{out}-ocr")
    scored = ("score", out) if imported.runs and not imported.benches else ()
    conclude(imported.outcome, *(scored if imported.runs else asked))


VERB = CliVerb(
    "import",
    "Collect",
    "Read public datasets, and other tools' results.",
    import_,
    command,
    (
        "surefoot import gui-perturbed predictions.jsonl.gz --out out/published",
        "surefoot import gui-perturbed predictions.jsonl --format ui-tars-1.5 --out out/tuned",
        "surefoot import screenspot data/ScreenSpot --images data/screenspot_imgs --out out/bench",
        "surefoot import screenspot-pro --out out/pro",
        "surefoot import lmms-eval-samples samples.jsonl --bench out/bench --out out/theirs",
        "surefoot import ui-vision data/ui-vision.zip --limit 100 --out out/labels --json",
    ),
)
