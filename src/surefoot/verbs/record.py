"""
``surefoot record``: pages of a running application, kept as one state that never moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from surefoot.api.options import (
    AnyPath,
    JsonOption,
    UnconfinedOption,
    console_for,
    source_names,
    unconfined_pages,
)
from surefoot.api.parameters import CliArgument, CliOption
from surefoot.api.reaching import ReachingOptions, reaching_access
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.run.engine.outcome import Outcome


@in_thread
def record(  # noqa: PLR0913 - one argument an option
    sources: Annotated[
        str | Iterable[str],
        CliArgument(
            "An address of a live server, or @FILE with one on each line.",
            shell=list[str],
            metavar="URL...",
        ),
    ],
    *,
    out: Annotated[
        AnyPath, CliOption("The folder of the recording; pages are added to one.", shell=Path)
    ],
    device: Annotated[
        str, CliOption("What shows the pages: desktop, phone or tablet, as for capture.")
    ] = "desktop",
    width: Annotated[int | None, CliOption("Viewport width in CSS pixels.")] = None,
    height: Annotated[int | None, CliOption("Viewport height in CSS pixels.")] = None,
    scale: Annotated[float | None, CliOption("Image pixels per CSS pixel.")] = None,
    locale: Annotated[str, CliOption("The language to request pages in.")] = "en-US",
    ignore: Annotated[
        Iterable[str],
        CliOption(
            "A CSS selector of a part that changes at each load: it is neither compared nor "
            "asked for. May be repeated.",
            shell=list[str] | None,
            metavar="SELECTOR",
        ),
    ] = (),
    unconfined: UnconfinedOption = False,
    progress: bool | Console = False,
    **reaching: Unpack[ReachingOptions],
) -> Outcome:
    """
    Record pages of a running application, so that one state can be captured again offline.

    Keeps a frozen document of each page as the device shows it, without scripts and secrets, with
    the files that it is made of. recorded:OUT is then a source of its pages. Each line of the
    outcome says whether the frozen page is what the live one showed; a page that is not the same
    is a failure, and a picture shows where.

    Raises UserError for pages that are not of one live server, and for a folder that is no
    recording, and MissingComponentError without a browser.
    """
    from surefoot.capture.settings import device_settings
    from surefoot.run.building.recording import record_pages

    named = source_names(sources)
    settings = device_settings(
        device,
        width=width,
        height=height,
        scale=scale,
        locale=locale,
        access=reaching_access(reaching),
    )
    with unconfined_pages(allowed=unconfined):
        return record_pages(
            named, Path(out), settings, ignore=tuple(ignore or ()), console=console_for(progress)
        )


def command(work: Callable[[], Outcome], *, out: Path, json: JsonOption = False) -> None:
    """Record, and name what captures the recording."""
    from surefoot.cli.output import conclude

    conclude(work(), "capture", f"recorded:{out}", "--out", f"{out}-screens", json=json)


VERB = CliVerb(
    "record",
    "Collect",
    "Keep pages of a running application as one state.",
    record,
    command,
    (
        "surefoot record https://app.example/orders --storage-state state.json --out app.rec",
        "surefoot record @routes.txt --login sign_in.py --signed-in '#leave' --out app.rec",
        "surefoot record http://127.0.0.1:8000/ --ignore .clock --device phone --out app.rec",
    ),
)
