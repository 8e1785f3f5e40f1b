"""
``surefoot import``: public datasets and published runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import FormatOption, UnconfinedOption

EXAMPLES: Final = (
    "surefoot import gui-perturbed predictions.jsonl.gz --out out/published",
    "surefoot import gui-perturbed predictions.jsonl --format ui-tars-1.5 --out out/tuned",
    "surefoot import screenspot data/ScreenSpot --images data/screenspot_imgs --out out/bench",
    "surefoot import screenspot-pro --out out/pro",
    "surefoot import ui-vision data/ui-vision.zip --limit 100 --out out/labels --json",
)


def import_(  # noqa: PLR0913 - one argument an option
    name: Annotated[str, typer.Argument(help="The dataset's name, such as screenspot.")],
    path: Annotated[
        Path | None,
        typer.Argument(help="Its folder, one of its files, or an archive; else it is fetched."),
    ] = None,
    *,
    out: Annotated[Path, typer.Option(file_okay=False, help="The folder to write.")],
    images: Annotated[
        Path | None,
        typer.Option(help="The folder or archive of the pictures, if they are elsewhere."),
    ] = None,
    format_: FormatOption = "",
    strict: Annotated[bool, typer.Option(help="Stop at the first bad record.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="At most this many records; 0 for all.")] = 0,
    revision: Annotated[
        str, typer.Option(help="The commit, branch or tag to fetch; without it the newest.")
    ] = "",
    json: Annotated[bool, typer.Option(help="Print the counts as JSON.")] = False,
    unconfined: UnconfinedOption = False,
) -> None:
    """
    Read a public dataset into a BENCH, or a published run into bench/ and runs/.

    Bad records are named, counted and left out, never mended; where none is good nothing is
    written. A published run's replies are read in the format of the model's name.
    """
    from surefoot.api.exchanging import import_ as import_any
    from surefoot.cli.output import conclude, print_json

    imported = import_any(
        name,
        path,
        out=out,
        images=images,
        format=format_,
        strict=strict,
        limit=limit,
        revision=revision,
        unconfined=unconfined,
    )
    if json:
        print_json(imported.counts)
        return
    asked = ("run", out, "--model", "ocr", "--out", f"{out}-ocr")
    conclude(imported.outcome, *(() if imported.runs else asked))
