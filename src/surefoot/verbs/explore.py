"""
``surefoot explore``: states of an interface that only actions reach.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from surefoot.api.options import (
    BrowsersOption,
    JsonOption,
    RetryOption,
    ScreensOption,
    SourcesArgument,
    UnconfinedOption,
    console_for,
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
def explore(  # noqa: PLR0913 - one argument an option
    sources: SourcesArgument,
    *,
    out: ScreensOption,
    budget: Annotated[int, CliOption("How many actions are tried at each site.", minimum=1)] = 60,
    depth: Annotated[int, CliOption("How many actions a path may have.", minimum=1)] = 2,
    hubs: Annotated[
        int,
        CliOption("In how many states of a site effects are compared; 0 for none.", minimum=0),
    ] = 8,
    seed: Annotated[int, CliOption("Draws which actions are tried.")] = 0,
    width: Annotated[int, CliOption("Viewport width in CSS pixels.")] = 1280,
    height: Annotated[int, CliOption("Viewport height in CSS pixels.")] = 800,
    scale: Annotated[float, CliOption("Image pixels per CSS pixel.")] = 1.0,
    locale: Annotated[str, CliOption("The language to request pages in.")] = "en-US",
    workers: BrowsersOption = 2,
    retry_failed: RetryOption = False,
    unconfined: UnconfinedOption = False,
    progress: bool | Console = False,
    **reaching: Unpack[ReachingOptions],
) -> Screens:
    """
    Act on pages, and keep the states that come back: clicks, words typed and sent, lists.

    No action leaves the site, logs out or writes where that cannot be undone: the state of an
    application is put back after each path. Writes a folder SCREENS of all states, with
    states.jsonl and transitions.jsonl (what each action did); explored:OUT names the states
    for surefoot capture. An exploration that was stopped resumes when it is started again.

    Raises UserError for a source that names nothing or no web page, PlanMismatchError for a
    folder that was begun otherwise, and MissingComponentError without a browser.
    """
    from surefoot.api.screens import Screens
    from surefoot.capture.settings import Settings
    from surefoot.run.building.exploring import ExploreOptions, explore_sources

    named = source_names(sources)
    with unconfined_pages(allowed=unconfined):
        outcome = explore_sources(
            named,
            Path(out),
            Settings(width, height, scale, locale, access=reaching_access(reaching)),
            ExploreOptions(budget, depth, seed, hubs),
            workers=workers,
            retry_failed=retry_failed,
            console=console_for(progress),
        )
    return Screens(outcome.folder, outcome)


def command(work: Callable[[], Screens], *, out: Path, json: JsonOption = False) -> None:
    """Explore, and offer to look at the states."""
    from surefoot.cli.output import conclude

    conclude(work().outcome, "view", out, json=json)


VERB = CliVerb(
    "explore",
    "Collect",
    "Act on pages, and keep the states that come back.",
    explore,
    command,
    (
        "surefoot explore app:trac --out out/explored",
        "surefoot explore app:fava app:datasette --out out/explored --budget 100 --depth 3",
        "surefoot explore site/ --out out/explored --seed 7",
    ),
)
