"""
``surefoot explore``: states of an interface that only actions reach.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from surefoot.cli.options import (
    BrowsersOption,
    JsonOption,
    RetryOption,
    SourcesArgument,
    UnconfinedOption,
)

EXAMPLES: Final = (
    "surefoot explore app:trac --out out/explored",
    "surefoot explore app:fava app:datasette --out out/explored --budget 100 --depth 3",
    "surefoot explore site/ --out out/explored --seed 7",
)


def explore(  # noqa: PLR0913 - one argument an option
    sources: SourcesArgument,
    *,
    out: Annotated[
        Path, typer.Option(file_okay=False, help="The folder SCREENS to write or resume.")
    ],
    budget: Annotated[
        int, typer.Option(min=1, help="How many actions are tried at each site.")
    ] = 60,
    depth: Annotated[int, typer.Option(min=1, help="How many actions a path may have.")] = 2,
    hubs: Annotated[
        int,
        typer.Option(min=0, help="In how many states of a site effects are compared; 0 for none."),
    ] = 5,
    seed: Annotated[int, typer.Option(help="Draws which actions are tried.")] = 0,
    width: Annotated[int, typer.Option(help="Viewport width in CSS pixels.")] = 1280,
    height: Annotated[int, typer.Option(help="Viewport height in CSS pixels.")] = 800,
    scale: Annotated[float, typer.Option(help="Image pixels per CSS pixel.")] = 1.0,
    locale: Annotated[str, typer.Option(help="The language to request pages in.")] = "en-US",
    workers: BrowsersOption = 2,
    retry_failed: RetryOption = False,
    unconfined: UnconfinedOption = False,
    json: JsonOption = False,
) -> None:
    """
    Act on pages, and keep the states that come back: clicks, words typed and sent, lists.

    No action leaves the site, logs out or writes where that cannot be undone: the state of an
    application is put back after each path. Writes a folder SCREENS of all states, with
    states.jsonl and transitions.jsonl (what each action did); explored:OUT names the states
    for surefoot capture. An exploration that was stopped resumes when it is started again.
    """
    from surefoot.api.exploring import explore as explore_pages
    from surefoot.cli.output import conclude, console

    explored = explore_pages(
        sources,
        out=out,
        budget=budget,
        depth=depth,
        hubs=hubs,
        seed=seed,
        width=width,
        height=height,
        scale=scale,
        locale=locale,
        workers=workers,
        retry_failed=retry_failed,
        unconfined=unconfined,
        progress=console(),
    )
    conclude(explored.outcome, "view", out, json=json)
