"""
``surefoot capture``: real interfaces become screens with labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from surefoot.api.options import (
    BrowsersOption,
    DetectorOption,
    EngineOption,
    PagesOption,
    RetryOption,
    ScreensOption,
    ShardOption,
    SourcesArgument,
    UnconfinedOption,
    console_for,
    listed,
    source_names,
    unconfined_pages,
)
from surefoot.api.parameters import CliOption
from surefoot.api.reaching import ReachingOptions, reaching_access
from surefoot.api.threads import in_thread
from surefoot.cli.verb import CliVerb

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.screens import Screens


@in_thread
def capture(  # noqa: PLR0913 - one argument an option
    sources: SourcesArgument,
    *,
    out: ScreensOption,
    device: Annotated[
        str,
        CliOption(
            "What shows the pages: desktop (1280 x 800 at scale 1), phone (390 x 844 at 3) "
            "or tablet (820 x 1180 at 2), the latter two touched and called so to servers."
        ),
    ] = "desktop",
    width: Annotated[
        int | None, CliOption("Viewport width in CSS pixels, the device's unless given.")
    ] = None,
    height: Annotated[
        int | None, CliOption("Viewport height in CSS pixels, the device's unless given.")
    ] = None,
    scale: Annotated[
        float | None, CliOption("Image pixels per CSS pixel, the device's unless given.")
    ] = None,
    locale: Annotated[str, CliOption("The language to request pages in.")] = "en-US",
    parallel: Annotated[
        str | Iterable[str],
        CliOption(
            "Capture each page in all of these (en,zh,fr,ru,ja,th), matched with the first.",
            shell=str,
            metavar="LANGUAGES",
        ),
    ] = (),
    full_page: Annotated[
        bool, CliOption("Capture the whole page, not only what the viewport shows.")
    ] = False,
    links: Annotated[
        int,
        CliOption("Also so many pages that each page of a live server links to.", minimum=0),
    ] = 0,
    detector: DetectorOption = "",
    limit: PagesOption = 0,
    workers: BrowsersOption = 2,
    engine: EngineOption = "",
    retry_failed: RetryOption = False,
    shard: ShardOption = "",
    unconfined: UnconfinedOption = False,
    progress: bool | Console = False,
    **reaching: Unpack[ReachingOptions],
) -> Screens:
    """
    Capture pages as screens: a picture, and every element on it.

    The first line on stderr says what confines them. A capture that was stopped resumes
    when the same command is given again.

    In Python, ``Screens.parallel`` matches a page's elements over the languages ``parallel``.

    Raises UserError for a source that names nothing, PlanMismatchError for a folder that was
    begun otherwise, and MissingComponentError without a browser.
    """
    from surefoot.api.screens import Screens
    from surefoot.capture.settings import device_settings
    from surefoot.capture.sources.pictures import with_detector
    from surefoot.run.building.capturing import capture_screens
    from surefoot.run.engine.shards import read_shard

    given = source_names(sources)
    named = [with_detector(source, detector) for source in given]
    with unconfined_pages(allowed=unconfined):
        outcome = capture_screens(
            named,
            Path(out),
            device_settings(
                device,
                width=width,
                height=height,
                scale=scale,
                locale=locale,
                full_page=full_page,
                access=reaching_access(reaching),
            ),
            languages=listed(parallel),
            limit=limit,
            links=links,
            workers=workers,
            engine=engine,
            retry_failed=retry_failed,
            shard=read_shard(shard),
            console=console_for(progress),
        )
    return Screens(outcome.folder, outcome)


def command(work: Callable[[], Screens], *, out: Path, parallel: str) -> None:
    """Capture, and name what can be built of the screens."""
    from surefoot.cli.output import conclude

    benchmark = "multilingual" if parallel else "perturbed"
    built = ("build", benchmark, "--screens", out, "--out", f"{out}-bench")
    conclude(work().outcome, *built)


VERB = CliVerb(
    "capture",
    "Collect",
    "Capture real interfaces as screens with labels.",
    capture,
    command,
    (
        "surefoot capture npm:startbootstrap-sb-admin-2@4.1.4 --out out/screens",
        "surefoot capture django-admin: page.mhtml site/ --out out/screens --locale fr-FR",
        "surefoot capture app:trac --parallel en,zh,fr,ru,ja,th --out out/parallel",
        "surefoot capture demo: --device phone --out out/phone",
        "surefoot capture https://app.example/orders --storage-state state.json --out out/screens",
        "surefoot capture demo: --out out/screens --workers 2",
        "surefoot capture demo: --shard 1/4 --out out/screens-1",
        "surefoot capture desktop:kcalc desktop:demo --out out/screens",
        "surefoot capture screens:shots/ --out out/screens",
        "surefoot capture pictures:shots/ --out out/screens --detector pixels",
        "surefoot capture android:dumps/ --out out/screens --locale en-US",
    ),
)
