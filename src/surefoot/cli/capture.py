"""
``surefoot capture``: real interfaces become screens with labels.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import (
    BrowsersOption,
    DetectorOption,
    PagesOption,
    RetryOption,
    SourcesArgument,
    UnconfinedOption,
)

EXAMPLES: Final = (
    "surefoot capture npm:startbootstrap-sb-admin-2@4.1.4 --out out/screens",
    "surefoot capture django-admin: page.mhtml site/ --out out/screens --locale fr-FR",
    "surefoot capture app:trac --parallel en,zh,fr,ru,ja,th --out out/parallel",
    "surefoot capture demo: --device phone --out out/phone",
    "surefoot capture demo: --out out/screens --workers 2",
    "surefoot capture desktop:kcalc desktop:demo --out out/screens",
    "surefoot capture screens:shots/ --out out/screens",
    "surefoot capture pictures:shots/ --out out/screens --detector pixels",
    "surefoot capture android:dumps/ --out out/screens --locale en-US",
)


def capture(  # noqa: PLR0913 - one argument an option
    sources: SourcesArgument,
    *,
    out: Annotated[
        Path, typer.Option(file_okay=False, help="The folder SCREENS to write or resume.")
    ],
    device: Annotated[
        str,
        typer.Option(
            help="What shows the pages: desktop (1280 x 800 at scale 1), phone (390 x 844 at 3) "
            "or tablet (820 x 1180 at 2), the latter two touched and called so to servers."
        ),
    ] = "desktop",
    width: Annotated[
        int | None, typer.Option(help="Viewport width in CSS pixels, the device's unless given.")
    ] = None,
    height: Annotated[
        int | None, typer.Option(help="Viewport height in CSS pixels, the device's unless given.")
    ] = None,
    scale: Annotated[
        float | None, typer.Option(help="Image pixels per CSS pixel, the device's unless given.")
    ] = None,
    locale: Annotated[str, typer.Option(help="The language to request pages in.")] = "en-US",
    parallel: Annotated[
        str,
        typer.Option(
            metavar="LANGUAGES",
            help="Capture each page in all of these (en,zh,fr,ru,ja,th), matched with the first.",
        ),
    ] = "",
    full_page: Annotated[
        bool, typer.Option(help="Capture the whole page, not only what the viewport shows.")
    ] = False,
    detector: DetectorOption = "",
    limit: PagesOption = 0,
    workers: BrowsersOption = 2,
    retry_failed: RetryOption = False,
    unconfined: UnconfinedOption = False,
) -> None:
    """
    Capture pages as screens: a picture, and every element on it.

    The first line on stderr says what confines them. A capture that was stopped resumes
    when the same command is given again.
    """
    from surefoot.api.verbs import capture as capture_pages
    from surefoot.cli.output import conclude, console

    captured = capture_pages(
        sources,
        out=out,
        device=device,
        width=width,
        height=height,
        scale=scale,
        locale=locale,
        parallel=parallel,
        full_page=full_page,
        detector=detector,
        limit=limit,
        workers=workers,
        retry_failed=retry_failed,
        unconfined=unconfined,
        progress=console(),
    )
    built = ("build", "perturbed", "--screens", out, "--out", f"{out}-bench")
    conclude(captured.outcome, *built)
